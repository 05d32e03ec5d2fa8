// Part 2: outbound SMS and RCS.

import type { Hono } from 'hono'
import * as v from 'valibot'
import { describeIssue, isJson, OutboundSms, smsConflict, smsRoute } from '../../api/index.ts'
import { type Env, headerName, keyOf, type Refusal, readBody, refuse, withinRate } from '../http/route.ts'
import type { Registry } from '../store-index.ts'
import type { TextService } from './messaging.ts'

const MESSAGES_A_MINUTE = 60

export const smsRefusal: Refusal = ({ text }) => ({ detail: text })

export type SmsDoorOptions = {
  registry: Registry
  text: TextService
  headerPrefix: string
  region: string
  now: () => number
}

export function smsDoor(app: Hono<Env>, options: SmsDoorOptions): void {
  const { registry, text, region } = options

  app.post(smsRoute.path, async (c) => {
    const key = await keyOf(registry, c.req.header(headerName('X-{prefix}-Auth-Token', options.headerPrefix)))
    const connectorId = c.req.header('x-token-id')
    if (!connectorId)
      refuse(400, 'BAD_REQUEST', 'X-TOKEN-ID is missing: give the connector ID of the project')
    const connector = await registry.connectorOf(connectorId)
    if (!connector) refuse(404, 'NOT_FOUND', 'X-TOKEN-ID: there is no such connector')
    if (
      key.account_id !== connector.account_id ||
      (key.project_id ?? connector.project_id) !== connector.project_id
    )
      refuse(403, 'FORBIDDEN', "The API key's account or project is not that of the connector")
    if (key.region !== region) refuse(403, 'FORBIDDEN', `The API key is for the region ${key.region}`)
    if (!key.permissions.includes('messaging'))
      refuse(403, 'FORBIDDEN', 'The API key lacks the permission messaging')
    if (!isJson(c.req.header('content-type')))
      refuse(400, 'BAD_REQUEST', 'Content-Type must be application/json')
    const parsed = v.safeParse(OutboundSms, await readBody(c))
    if (!parsed.success) refuse(400, 'BAD_REQUEST', describeIssue(parsed.issues[0]))
    const message = parsed.output
    const conflict = smsConflict(message)
    if (conflict) refuse(400, 'BAD_REQUEST', conflict)

    const senders = await registry.senders(connector.project_id, connector.environment)
    const numbers = senders.filter(({ kind }) => kind === 'sms').map(({ address }) => address)
    const sid = message.messaging_service_sid
    if (sid !== undefined && !senders.some(({ kind, address }) => kind === 'rcs' && address === sid))
      refuse(404, 'NOT_FOUND', 'messaging_service_sid: the project has no such RCS sender')
    const [first] = numbers
    if (first === undefined) refuse(404, 'NOT_FOUND', 'The project has no sender numbers in this environment')
    // RCS has a sender of its own: the number of the agent is only where a device without RCS is written from.
    const agentNumber = (sid === undefined ? message.agent_number : undefined) ?? first
    if (!numbers.includes(agentNumber))
      refuse(400, 'BAD_REQUEST', 'agent_number: it is not one of the sender numbers of the project')
    const project = await registry.projectOf(connector.project_id)
    const most = project?.settings.smsPerMinute ?? MESSAGES_A_MINUTE
    await withinRate(registry, `sms ${connector.project_id}`, most, 60, options.now())
    await text.open({
      connector,
      userNumber: message.user_number.replace(/^rcs:/, ''),
      agentNumber,
      rcsSender: sid,
      message: message.message,
    })
    return c.body(null, 202)
  })
}
