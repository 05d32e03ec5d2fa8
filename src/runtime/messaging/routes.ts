// Answers POST /v1/outbound-sms: opens a conversation by SMS or RCS.

import * as v from 'valibot'
import { describeIssue, isJson, OutboundSms, smsConflict, smsRoute } from '../../api/index.ts'
import { authoriseKey, connectorOf, projectOf, sendersOf } from '../accounts/index.ts'
import type { Queries } from '../database/index.ts'
import { HttpError, type NounRoutes, readBody } from '../http/index.ts'
import { limitRate } from '../jobs/index.ts'
import { type Messaging, NO_CARRIER } from './messaging.ts'

const MESSAGES_PER_MINUTE = 60

export type MessagingRoutesOptions = {
  db: Queries
  messaging: Messaging
  headerPrefix: string
  region: string
  now: () => number
}

export const messagingRoutes = (options: MessagingRoutesOptions): NounRoutes => ({
  endpoints: [{ route: smsRoute, failure: 'Failed to send the message' }],
  install(app) {
    const { db, messaging, headerPrefix, region, now } = options
    const tokenHeader = `X-${headerPrefix}-Auth-Token`

    app.post(smsRoute.path, async (c) => {
      const apiKey = await authoriseKey(db, c.req.header(tokenHeader))
      const connectorId = c.req.header('x-token-id')
      if (!connectorId)
        throw new HttpError(400, 'BAD_REQUEST', 'X-TOKEN-ID is missing: give the connector ID of the project')
      // Before the connector is looked up: a key of another region does not learn which connectors there are.
      if (apiKey.region !== region)
        throw new HttpError(403, 'FORBIDDEN', `The API key is for the region ${apiKey.region}`)
      const connector = await connectorOf(db, connectorId)
      if (!connector) throw new HttpError(404, 'NOT_FOUND', 'X-TOKEN-ID: there is no such connector')
      if (
        apiKey.account_id !== connector.account_id ||
        (apiKey.project_id ?? connector.project_id) !== connector.project_id
      )
        throw new HttpError(403, 'FORBIDDEN', "The API key's account or project is not that of the connector")
      if (!apiKey.permissions.includes('messaging'))
        throw new HttpError(403, 'FORBIDDEN', 'The API key lacks the permission messaging')
      if (!isJson(c.req.header('content-type')))
        throw new HttpError(400, 'BAD_REQUEST', 'Content-Type must be application/json')
      const parsed = v.safeParse(OutboundSms, await readBody(c))
      if (!parsed.success) throw new HttpError(400, 'BAD_REQUEST', describeIssue(parsed.issues[0]))
      const message = parsed.output
      const conflict = smsConflict(message)
      if (conflict) throw new HttpError(400, 'BAD_REQUEST', conflict)

      const senders = await sendersOf(db, connector.project_id, connector.environment)
      const numbers = senders.filter(({ kind }) => kind === 'sms').map(({ address }) => address)
      const sid = message.messaging_service_sid
      if (sid !== undefined && !senders.some(({ kind, address }) => kind === 'rcs' && address === sid))
        throw new HttpError(404, 'NOT_FOUND', 'messaging_service_sid: the project has no such RCS sender')
      const [first] = numbers
      if (first === undefined)
        throw new HttpError(404, 'NOT_FOUND', 'The project has no sender numbers in this environment')
      // RCS has a sender of its own: the agent's number only serves devices without RCS.
      const agentNumber = (sid === undefined ? message.agent_number : undefined) ?? first
      if (!numbers.includes(agentNumber))
        throw new HttpError(
          400,
          'BAD_REQUEST',
          'agent_number is not one of the sender numbers of the project',
        )
      if (!messaging.canSend())
        throw new HttpError(500, 'NO_CARRIER', `${NO_CARRIER}: the message cannot be sent`)
      const project = await projectOf(db, connector.project_id)
      const messagesPerMinute = project?.settings.smsPerMinute ?? MESSAGES_PER_MINUTE
      await limitRate(db, `sms ${connector.project_id}`, messagesPerMinute, now())
      await messaging.open({
        connector,
        userNumber: message.user_number.replace(/^rcs:/, ''),
        agentNumber,
        rcsSender: sid,
        message: message.message,
      })
      return c.body(null, 202)
    })
  },
})
