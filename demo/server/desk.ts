// Answers the desk's page: the handoff queue, the messages of a conversation, and the actions of the live agent.

import * as v from 'valibot'
import type { Desk } from '../../src/runtime/index.ts'
import { type DemoEndpoint, type EndpointCall, isText } from './endpoint.ts'

/** An event after which the page reads again. */
const TOLD: ReadonlySet<string> = new Set([
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_POLY_AGENT_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_JOINED',
  'EVENT_TYPE_LIVE_AGENT_LEFT',
  'EVENT_TYPE_HANDOFF_TIMEOUT',
  'EVENT_TYPE_SESSION_END',
])
const MOST_FOLLOWED = 20

/** A text that is not empty and that PostgreSQL can store. */
const words = (most: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(most), isText)
const uuid = v.pipe(v.string(), v.uuid())
const agentId = uuid

type DeskAct = (id: string, call: EndpointCall) => Promise<boolean>
const act =
  <S extends v.GenericSchema>(
    schema: S,
    run: (id: string, given: v.InferOutput<S>) => Promise<boolean>,
  ): DeskAct =>
  async (id, call) =>
    run(id, await call.body(schema))

export function deskEndpoint(desk: Desk): DemoEndpoint {
  const acts: Readonly<Record<string, DeskAct>> = {
    take: act(v.object({ agent: v.object({ id: agentId, name: words(80) }) }), (id, { agent }) =>
      desk.take(id, agent),
    ),
    type: act(v.object({ agentId, typing: v.boolean() }), (id, given) =>
      desk.type(id, given.agentId, given.typing),
    ),
    answer: act(v.object({ agentId, text: words(16_000) }), (id, given) =>
      desk.answer(id, given.agentId, given.text),
    ),
    transfer: act(v.object({ agentId, queue: words(80) }), (id, given) =>
      desk.transfer(id, given.agentId, given.queue),
    ),
    leave: act(v.object({ agentId, end: v.boolean() }), (id, given) =>
      desk.leave(id, given.agentId, given.end),
    ),
  }

  /** `queue` when the queue changed, `line` when something happened in a conversation that is followed. */
  const listen = ({ query, events }: EndpointCall): Response =>
    events((send) => {
      const followed = [...new Set(query.getAll('follow'))].slice(0, MOST_FOLLOWED)
      const undo = [
        desk.watch(() => send('queue')),
        ...followed.map((id) =>
          desk.follow(id, (happened) => {
            for (const { type, payload } of happened) {
              const whole = type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' && payload.is_complete === true
              if (whole || TOLD.has(type)) send('line', { id, type })
            }
          }),
        ),
      ]
      return () => {
        for (const each of undo) each()
      }
    })

  return async (call) => {
    const [id, name, ...more] = call.path
    if (more.length > 0) return undefined
    if (call.method === 'GET') {
      if (name !== undefined) return undefined
      if (id === undefined) return Response.json(await desk.entries())
      if (id === 'events') return listen(call)
      return v.is(uuid, id) ? Response.json(await desk.lines(id)) : undefined
    }
    const run = name !== undefined && Object.hasOwn(acts, name) ? acts[name] : undefined
    if (!v.is(uuid, id) || !run) return undefined
    if (await run(id, call)) return new Response(null, { status: 204 })
    return Response.json(
      { detail: 'The conversation is not yours, or no longer at the desk' },
      { status: 409 },
    )
  }
}
