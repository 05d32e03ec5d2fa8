// Checks the parameters of the client's methods before the request. An error names the parameter and its rule.

import * as v from 'valibot'
import {
  CALL_SID,
  ConcurrencyQuery,
  ConversationsQuery,
  concurrencyConflict,
  conversationsConflict,
  describeIssue,
  E164,
  HandoffQuery,
  handoffConflict,
  OutboundCall,
  OutboundSms,
  SessionRequest,
  smsConflict,
} from '../api/index.ts'
import { InputError } from './client-error.ts'
import type { CallParameters, Project, SessionParameters, SmsParameters } from './parameters.ts'

type ParameterValues = Record<string, unknown>
type ParameterSchema = v.ObjectSchema<v.ObjectEntries, undefined>

/** An ID or slug in a path. A leading dot could leave the path. */
const SLUG = /^[A-Za-z\d_-][\w.-]{0,127}$/

/** Printable ASCII without spaces: the characters of tokens, hosts and header values. */
export const HEADER_WORD = /^[\x21-\x7e]+$/

const failInput = (text: string): never => {
  throw new InputError(/^\w+/.exec(text)?.[0] ?? 'parameters', text)
}

/** The path of a route with its project, and the other parameters. */
export function readProject(path: string, parameters: Project): { path: string; rest: ParameterValues } {
  const { account_id, project_id, ...rest } = (parameters ?? {}) as Project & ParameterValues
  for (const [name, value] of Object.entries({ account_id, project_id })) {
    if (value === undefined) failInput(`${name} is missing`)
    if (!SLUG.test(String(value)))
      failInput(`${name} must be a slug or a prefixed ID, as shown in the console`)
  }
  return { path: path.replace('{account_id}', account_id).replace('{project_id}', project_id), rest }
}

/** Checks the parameters, and returns them without adding defaults: the service has its own. */
function checkParameters<S extends ParameterSchema>(
  schema: S,
  given: ParameterValues,
  conflict: (values: v.InferOutput<S>) => string | undefined = () => undefined,
): ParameterValues {
  const values: ParameterValues = {}
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue
    if (!Object.hasOwn(schema.entries, name)) failInput(`${name} is not a parameter of this call`)
    if (value instanceof Date && Number.isNaN(value.getTime())) failInput(`${name} is not a valid Date`)
    values[name] = value instanceof Date ? value.toISOString() : value
  }
  const parsed = v.safeParse(schema, values)
  // Valibot would repeat the value, which may be a secret.
  if (!parsed.success) return failInput(describeIssue(parsed.issues[0]).replace(/ but received .*$/s, ''))
  const broken = conflict(parsed.output)
  return broken === undefined ? values : failInput(broken)
}

const checkConversationsQuery = (given: ParameterValues, mode: ParameterValues = {}): ParameterValues => {
  const { channel } = given
  const asList = typeof channel === 'string' ? { channel: [channel] } : {}
  // The service would silently ignore the offset.
  if (given.cursor !== undefined && Number(given.offset ?? 0) > 0)
    failInput('cursor and offset exclude each other: give one of them')
  return checkParameters(ConversationsQuery, { ...given, ...asList, ...mode }, conversationsConflict)
}

function refuse(given: ParameterValues, names: readonly string[], why: string): void {
  const conflicting = names.find((name) => given[name] !== undefined)
  if (conflicting) failInput(`${conflicting} is not a parameter of this call: ${why}`)
}

export function readList(given: ParameterValues): ParameterValues {
  refuse(given, ['query_type', 'query', 'turn_type', 'sample'], 'use conversations.search or sample')
  return checkConversationsQuery(given)
}

export function readIterate(given: ParameterValues): ParameterValues {
  refuse(given, ['offset'], 'iterate uses the cursor')
  return readList(given)
}

export function readSearch(given: ParameterValues): ParameterValues {
  refuse(given, ['sample'], 'use conversations.sample')
  if (given.query_type === undefined) failInput('query_type is missing: give transcript or semantic')
  if (given.query_type !== 'transcript') refuse(given, ['turn_type'], 'it is for transcript search only')
  return checkConversationsQuery(given)
}

export function readSample(given: ParameterValues): ParameterValues {
  refuse(given, ['query_type', 'query', 'turn_type', 'sample'], 'a sample is random')
  return checkConversationsQuery(given, { sample: 'random' })
}

export function readConcurrency(given: ParameterValues): ParameterValues {
  const values = checkParameters(ConcurrencyQuery, given, concurrencyConflict)
  if (values.slice_by !== undefined && values.slice_by !== 'variant')
    failInput('slice_by must be variant: the other values are reserved')
  return values
}

export const readHandoff = (given: ParameterValues): ParameterValues =>
  checkParameters(HandoffQuery, given, handoffConflict)

export const readSms = (given: SmsParameters): ParameterValues =>
  checkParameters(OutboundSms, given, smsConflict)

/** A national number: digits, and the separators that people write. */
const NATIONAL = /^(?=.*\d)[\d\s()./-]{2,40}$/

export const readCall = (given: CallParameters): ParameterValues =>
  checkParameters(OutboundCall, given, ({ to_number, country_code }) => {
    if (E164.test(to_number)) return undefined
    if (country_code === undefined)
      return 'to_number must be a number in E.164 format such as +15005550006, or come with country_code'
    return NATIONAL.test(to_number) ? undefined : 'to_number is not a phone number'
  })

export function readCallSid(call_sid: string): string {
  return CALL_SID.test(call_sid) ? call_sid : failInput('call_sid must come from calls.start, such as OUT-…')
}

export function readSession(given: SessionParameters) {
  const { access_token, user_agent, ...rest } = (given ?? {}) as SessionParameters
  if (access_token === undefined) failInput('access_token is missing: get one with chat.accessToken')
  if (!HEADER_WORD.test(access_token)) failInput('access_token does not come from chat.accessToken')
  if (user_agent !== undefined && !/^[\x20-\x7e]{1,512}$/.test(user_agent))
    failInput('user_agent must be one line of ASCII')
  return { access_token, user_agent, body: checkParameters(SessionRequest, rest) }
}
