// All doors, under one roof: correlation, headers, errors in the words of each family, and their description.

import { Hono } from 'hono'
import {
  accessTokenRoute,
  callRoute,
  callStatusRoute,
  concurrencyRoute,
  conversationsRoute,
  handoffRoute,
  type Route,
  sessionRoute,
  smsRoute,
} from '../../api/index.ts'
import { type CallDoorOptions, callDoors, callRefusal } from '../calls/routes.ts'
import { concurrencyDoor, messageRefusal } from '../conversations/concurrency-routes.ts'
import {
  type ConversationsDoorOptions,
  conversationsDoor,
  conversationsRefusal,
} from '../conversations/routes.ts'
import { handoffDoor } from '../handoff/routes.ts'
import { type SmsDoorOptions, smsDoor, smsRefusal } from '../messaging/routes.ts'
import { type ChatDoorOptions, chatDoors, chatRefusal } from '../sessions/routes.ts'
import type { Handoffs } from '../store-index.ts'
import { openApiDocument } from './openapi.ts'
import { answerProblem, type Env, type Problem, type Refusal, Refused, routed } from './route.ts'

export type DoorsOptions = Omit<ChatDoorOptions, 'correlationHeader'> &
  ConversationsDoorOptions &
  SmsDoorOptions &
  CallDoorOptions & {
    handoffs: Handoffs
    uuid: () => string
    log: (line: string) => void
  }

/** Every door, how its family says what is wrong, and what it says when we are. */
const DOORS: readonly { route: Route; refusal: Refusal; failure: string }[] = [
  { route: accessTokenRoute, refusal: chatRefusal, failure: 'Failed to create access token' },
  { route: sessionRoute, refusal: chatRefusal, failure: 'Failed to create session' },
  { route: conversationsRoute, refusal: conversationsRefusal, failure: 'Failed to get conversations' },
  { route: concurrencyRoute, refusal: messageRefusal, failure: 'Failed to get concurrency' },
  { route: handoffRoute, refusal: messageRefusal, failure: 'Failed to get the handoff state' },
  { route: smsRoute, refusal: smsRefusal, failure: 'Failed to send the message' },
  { route: callRoute, refusal: callRefusal, failure: 'Failed to start the call' },
  { route: callStatusRoute, refusal: callRefusal, failure: 'Failed to retrieve status' },
]

export function createDoors(options: DoorsOptions) {
  const { headerPrefix, uuid, log } = options
  const correlationHeader = `X-${headerPrefix}-Correlation-Id`
  const document = openApiDocument(
    DOORS.map(({ route }) => route),
    headerPrefix,
  )
  const app = new Hono<Env>()

  app.use(async (c, next) => {
    const given = c.req.header(correlationHeader)
    c.set('correlation', given && /^[\w.:-]{1,128}$/.test(given) ? given : uuid())
    await next()
    c.header(correlationHeader, c.get('correlation'))
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  })

  chatDoors(app, { ...options, correlationHeader })
  conversationsDoor(app, options)
  concurrencyDoor(app, options)
  handoffDoor(app, options)
  smsDoor(app, options)
  callDoors(app, options)

  app.get('/openapi.json', (c) => c.json(document))
  for (const { route, refusal } of DOORS) {
    const method = route.method.toUpperCase()
    const text = `Only ${method} is allowed here`
    app.all(routed(route), (c) =>
      answerProblem({ status: 405, code: 'METHOD_NOT_ALLOWED', text }, refusal, c.get('correlation'), method),
    )
  }
  app.notFound((c) =>
    answerProblem(
      { status: 404, code: 'NOT_FOUND', text: 'There is nothing at this address' },
      c.req.path.startsWith('/v3/') ? conversationsRefusal : chatRefusal,
      c.get('correlation'),
    ),
  )
  app.onError((error, c) => {
    const door = DOORS.find(({ route }) => matches(route, c.req.path))
    const problem: Problem =
      error instanceof Refused
        ? error.problem
        : { status: 500, code: 'INTERNAL_ERROR', text: door?.failure ?? 'Unexpected server error' }
    if (!(error instanceof Refused)) log(`${c.req.method} ${c.req.path} failed: ${error.message}`)
    return answerProblem(problem, door?.refusal ?? chatRefusal, c.get('correlation'))
  })

  return {
    /** Answers one request. `address`: the client's, as the host of this handler knows it. */
    fetch: async (request: Request, { address }: { address: string }): Promise<Response> =>
      app.fetch(request, { address }),
  }
}

const matches = (route: Route, path: string): boolean =>
  new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
