// Parts 6 and 7: outbound calls and their status.

import type { Hono } from 'hono'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import * as v from 'valibot'
import {
  CALL_SID,
  type CallStatus,
  callRoute,
  callStatusRoute,
  compactNumber,
  describeIssue,
  E164,
  isJson,
  OutboundCall,
} from '../../api/index.ts'
import {
  type Door,
  type Env,
  headerName,
  type Refusal,
  readBody,
  refuse,
  routed,
  withinRate,
} from '../http/route.ts'
import type { Connector, Registry } from '../store-index.ts'
import type { CallService } from './calls.ts'

const CALLS_A_MINUTE = 60

export const callRefusal: Refusal = ({ code, text }) => ({ error: text, code })

export type CallDoorOptions = {
  registry: Registry
  calls: CallService
  headerPrefix: string
  region: string
  now: () => number
}

export function callDoors(app: Hono<Env>, options: CallDoorOptions): void {
  const { registry, calls, region } = options

  /** The connector that the token of a request stands for. */
  async function connectorOf(c: Door): Promise<Connector> {
    const token = c.req.header(headerName('X-{prefix}-Auth-Token', options.headerPrefix))
    if (!token) refuse(401, 'UNAUTHORIZED', 'The outbound-calling token is missing')
    const key = await registry.findKey(token)
    if (key?.kind !== 'calling' || key.connector_id === null)
      refuse(401, 'UNAUTHORIZED', 'The outbound-calling token is unknown or revoked')
    if (key.region !== region) refuse(403, 'FORBIDDEN', `The token is for the region ${key.region}`)
    const connector = await registry.connectorOf(key.connector_id)
    if (!connector?.outbound_calling)
      refuse(401, 'UNAUTHORIZED', 'Outbound calling is not enabled for the connector of this token')
    return connector
  }

  app.post(callRoute.path, async (c) => {
    const connector = await connectorOf(c)
    if (!isJson(c.req.header('content-type')))
      refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
    const parsed = v.safeParse(OutboundCall, await readBody(c))
    if (!parsed.success) refuse(400, 'BAD_REQUEST', describeIssue(parsed.issues[0]))
    const { to_number, country_code, metadata = {}, encryption } = parsed.output
    const number = toE164(to_number, country_code?.toUpperCase())
    const project = await registry.projectOf(connector.project_id)
    const most = project?.settings.callsPerMinute ?? CALLS_A_MINUTE
    await withinRate(registry, `calls ${connector.account_id}`, most, 60, options.now())
    const senders = await registry.senders(connector.project_id, connector.environment)
    const from_number = senders.find(({ kind }) => kind === 'sms')?.address ?? ''
    const { account_id, project_id, environment, id: connector_id } = connector
    const call = {
      account_id,
      project_id,
      environment,
      connector_id,
      to_number: number,
      from_number,
      metadata,
      encryption,
    }
    return c.json({ call_sid: await calls.start(call) })
  })

  app.get(routed(callStatusRoute), async (c) => {
    const connector = await connectorOf(c)
    const sid = c.req.param('call_sid') ?? ''
    if (!CALL_SID.test(sid)) refuse(400, 'INVALID_CALL_SID', 'call_sid must begin with OUT-')
    const call = await calls.find(sid)
    if (call?.project_id !== connector.project_id)
      refuse(404, 'CALL_NOT_FOUND', 'There is no such call, or it ended too long ago')
    const answer: CallStatus = { status: call.status, reason: call.reason }
    return c.json(answer)
  })
}

/** The number in E.164; refused where it cannot be one. */
function toE164(given: string, country: string | undefined): string {
  if (country !== undefined && !isSupportedCountry(country))
    refuse(400, 'INVALID_COUNTRY_CODE', 'country_code: it is no country that has phone numbers')
  const compact = compactNumber(given)
  if (E164.test(compact)) return compact
  const parsed = country === undefined ? undefined : parsePhoneNumberFromString(given, country as CountryCode)
  if (parsed?.isPossible()) return parsed.number
  return refuse(
    400,
    'INVALID_PHONE_NUMBER',
    country === undefined
      ? 'to_number must be in E.164 format, as +15005550006; for a national number give country_code too'
      : `to_number is no phone number of ${country}`,
  )
}
