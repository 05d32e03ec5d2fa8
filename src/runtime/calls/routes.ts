// Answers POST /v1/outbound-calling, and GET …/{call_sid}/status.

import type { CountryCode } from 'libphonenumber-js/min'
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
import { type Connector, connectorOf, findKey, projectOf, sendersOf } from '../accounts/index.ts'
import type { Queries } from '../database/index.ts'
import { HttpError, type NounRoutes, type RequestContext, readBody, routed } from '../http/index.ts'
import { limitRate } from '../jobs/index.ts'
import type { Calls } from './calls.ts'

const CALLS_PER_MINUTE = 60

export type CallRoutesOptions = {
  db: Queries
  calls: Calls
  headerPrefix: string
  region: string
  now: () => number
}

export function callRoutes({ db, calls, headerPrefix, region, now }: CallRoutesOptions): NounRoutes {
  const tokenHeader = `X-${headerPrefix}-Auth-Token`

  /** The connector that the calling token of a request belongs to. */
  async function callingConnector(c: RequestContext): Promise<Connector> {
    const token = c.req.header(tokenHeader)
    if (!token) throw new HttpError(401, 'UNAUTHORIZED', 'The outbound-calling token is missing')
    const callingToken = await findKey(db, token)
    if (callingToken?.kind !== 'calling' || callingToken.connector_id === null)
      throw new HttpError(401, 'UNAUTHORIZED', 'The outbound-calling token is unknown or revoked')
    if (callingToken.region !== region)
      throw new HttpError(403, 'FORBIDDEN', `The token is for the region ${callingToken.region}`)
    const connector = await connectorOf(db, callingToken.connector_id)
    if (!connector?.outbound_calling)
      throw new HttpError(
        401,
        'UNAUTHORIZED',
        'Outbound calling is not enabled for the connector of this token',
      )
    return connector
  }

  async function startCall(c: RequestContext): Promise<Response> {
    const connector = await callingConnector(c)
    if (!isJson(c.req.header('content-type')))
      throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
    const parsed = v.safeParse(OutboundCall, await readBody(c))
    if (!parsed.success) throw new HttpError(400, 'BAD_REQUEST', describeIssue(parsed.issues[0]))
    const { to_number, country_code, metadata = {}, encryption } = parsed.output
    const number = await toE164(to_number, country_code?.toUpperCase())
    const project = await projectOf(db, connector.project_id)
    const callsPerMinute = project?.settings.callsPerMinute ?? CALLS_PER_MINUTE
    await limitRate(db, `calls ${connector.account_id}`, callsPerMinute, now())
    const senders = await sendersOf(db, connector.project_id, connector.environment)
    const from_number = senders.find(({ kind }) => kind === 'sms')?.address ?? ''
    const { account_id, project_id, environment, id: connector_id } = connector
    const callOwner = { account_id, project_id, environment, connector_id }
    return c.json({
      call_sid: await calls.start({ ...callOwner, to_number: number, from_number, metadata, encryption }),
    })
  }

  async function callStatus(c: RequestContext): Promise<Response> {
    const connector = await callingConnector(c)
    const sid = c.req.param('call_sid') ?? ''
    if (!CALL_SID.test(sid)) throw new HttpError(400, 'INVALID_CALL_SID', 'call_sid must begin with OUT-')
    const call = await calls.find(sid)
    if (call?.project_id !== connector.project_id)
      throw new HttpError(404, 'CALL_NOT_FOUND', 'There is no such call, or it ended too long ago')
    const answer: CallStatus = { status: call.status, reason: call.reason }
    return c.json(answer)
  }

  return {
    endpoints: [
      { route: callRoute, failure: 'Failed to start the call' },
      { route: callStatusRoute, failure: 'Failed to retrieve status' },
    ],
    install(app) {
      app.post(callRoute.path, startCall)
      app.get(routed(callStatusRoute), callStatus)
    },
  }
}

const NATIONAL =
  'to_number must be in E.164 format such as +15005550006; for a national number give country_code too'

/** Converts a number to E.164, or refuses the request. Only a national number loads the table of countries, to keep starts fast. */
async function toE164(given: string, country: string | undefined): Promise<string> {
  const compact = compactNumber(given)
  if (country === undefined) {
    if (!E164.test(compact)) throw new HttpError(400, 'INVALID_PHONE_NUMBER', NATIONAL)
    return compact
  }
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  if (!isSupportedCountry(country))
    throw new HttpError(400, 'INVALID_COUNTRY_CODE', 'country_code is not a known country code')
  if (E164.test(compact)) return compact
  const parsed = parsePhoneNumberFromString(given, country as CountryCode)
  if (parsed?.isPossible()) return parsed.number
  throw new HttpError(400, 'INVALID_PHONE_NUMBER', `to_number is not a valid ${country} number`)
}
