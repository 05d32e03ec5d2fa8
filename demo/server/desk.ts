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
  'EVENT_TYPE_HANDOFF_FAILED',
  'EVENT_TYPE_CSAT_RESPONSE',
  'EVENT_TYPE_SYSTEM_MESSAGE',
  'note',
  'EVENT_TYPE_SESSION_END',
])
const MOST_FOLLOWED = 20

/** A text that is not empty and that PostgreSQL can store. */
const words = (most: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(most), isText)
const uuid = v.pipe(v.string(), v.uuid())
const agentId = uuid
const person = v.object({ id: agentId, name: words(80) })
/** The name of a canned reply, typed after a slash. */
const replyName = v.pipe(v.string(), v.regex(/^[\p{L}\p{N}_-]{1,40}$/u, 'must be one word'))

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
    take: act(v.object({ agent: person }), (id, { agent }) => desk.take(id, agent)),
    type: act(v.object({ agentId, typing: v.boolean() }), (id, given) =>
      desk.type(id, given.agentId, given.typing),
    ),
    answer: act(v.object({ agentId, text: words(16_000) }), (id, given) =>
      desk.answer(id, given.agentId, given.text),
    ),
    note: act(v.object({ agent: person, text: words(4_000) }), (id, { agent, text }) =>
      desk.note(id, agent, text),
    ),
    transfer: act(v.object({ agentId, queue: words(80), note: v.optional(words(4_000)) }), (id, given) =>
      desk.transfer(id, given.agentId, given.queue, given.note),
    ),
    leave: act(v.object({ agentId, end: v.boolean(), note: v.optional(words(4_000)) }), (id, given) =>
      desk.leave(id, given.agentId, given.end, given.note),
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
            // A note may have been missed.
            if (happened.length === 0) send('line', { id })
            for (const { type, payload } of happened) {
              const whole = type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' && payload.is_complete === true
              if (whole || TOLD.has(type)) send('line', { id, type })
              if (type === 'EVENT_TYPE_USER_TYPING') send('typing', { id, typing: payload.typing === true })
            }
          }),
        ),
      ]
      return () => {
        for (const each of undo) each()
      }
    })

  /** The replies that this desk has ready. */
  async function replies(call: EndpointCall, act: string | undefined): Promise<Response | undefined> {
    if (call.method === 'GET') return act === undefined ? Response.json(await desk.replies()) : undefined
    if (act === 'save') {
      if (!(await desk.saveReply(await call.body(v.object({ name: replyName, text: words(4_000) })))))
        return Response.json({ detail: 'There are too many replies: delete one first' }, { status: 409 })
    } else if (act === 'delete') await desk.deleteReply((await call.body(v.object({ name: replyName }))).name)
    else return undefined
    return new Response(null, { status: 204 })
  }

  return async (call) => {
    const [id, name, ...more] = call.path
    if (more.length > 0) return undefined
    if (id === 'replies') return replies(call, name)
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
