// Answers the desk's page: the handoff queue, the messages of a conversation, and the actions of the live agent. A cookie says
// who the live agent is.

import * as v from 'valibot'
import { type Desk, DeskError } from '../../src/runtime/index.ts'
import { type DemoEndpoint, type EndpointCall, isText, Refused } from './endpoint.ts'
import { cookieFor, type Person, personOf } from './live-agent.ts'

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
/** The name of a canned reply, typed after a slash. */
const replyName = v.pipe(v.string(), v.regex(/^[\p{L}\p{N}_-]{1,40}$/u, 'must be one word'))

type DeskAct = (id: string, person: Person, call: EndpointCall) => Promise<boolean>
const act =
  <S extends v.GenericSchema>(
    schema: S,
    run: (id: string, person: Person, given: v.InferOutput<S>) => Promise<boolean>,
  ): DeskAct =>
  async (id, person, call) =>
    run(id, person, await call.body(schema))

/** How often the stream asks the page whether it is there: a page that sleeps does not answer. */
const ASKS_MS = 20_000

export function deskEndpoint(desk: Desk): DemoEndpoint {
  const acts: Readonly<Record<string, DeskAct>> = {
    take: act(v.object({}), (id, person) => desk.take(id, person)),
    type: act(v.object({ typing: v.boolean() }), (id, person, { typing }) =>
      desk.type(id, person.id, typing),
    ),
    answer: act(v.object({ text: words(16_000) }), (id, person, { text }) =>
      desk.answer(id, person.id, text),
    ),
    note: act(v.object({ text: words(4_000) }), (id, person, { text }) => desk.note(id, person, text)),
    transfer: act(
      v.object({ queue: words(80), note: v.optional(words(4_000)) }),
      (id, person, { queue, note }) => desk.transfer(id, person.id, queue, note),
    ),
    leave: act(v.object({ end: v.boolean(), note: v.optional(words(4_000)) }), (id, person, { end, note }) =>
      desk.leave(id, person.id, end, note),
    ),
  }

  /** Refuses a browser that has not said who its live agent is. */
  const signedIn = ({ headers }: EndpointCall): Person => {
    const person = personOf(headers.get('cookie'))
    if (!person) throw new Refused(403, 'Nobody is signed in here: enter your name first')
    return person
  }
  async function enter(call: EndpointCall): Promise<Response> {
    const { name } = await call.body(v.object({ name: words(80) }))
    const cookie = cookieFor(name, call.headers.get('cookie'))
    return new Response(null, { status: 204, headers: { 'Set-Cookie': cookie } })
  }
  /** The page is there, for a live agent who may have turned to away or back. */
  async function beat(call: EndpointCall): Promise<Response> {
    const { away } = await call.body(v.object({ away: v.optional(v.boolean()) }))
    await desk.beat(signedIn(call), away)
    return new Response(null, { status: 204 })
  }

  /** `queue` when the queue changed, `line` when something happened in a conversation that is followed. */
  const listen = ({ query, events }: EndpointCall): Response =>
    events((send) => {
      const followed = [...new Set(query.getAll('follow'))].slice(0, MOST_FOLLOWED)
      const asks = setInterval(() => send('beat'), ASKS_MS)
      const undo = [
        () => clearInterval(asks),
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
      if (id === 'me') return Response.json(signedIn(call))
      if (id === 'agents') return Response.json(await desk.agents())
      return v.is(uuid, id) ? Response.json(await desk.lines(id)) : undefined
    }
    if (name === undefined && id === 'enter') return enter(call)
    if (name === undefined && id === 'beat') return beat(call)
    const run = name !== undefined && Object.hasOwn(acts, name) ? acts[name] : undefined
    if (!v.is(uuid, id) || !run) return undefined
    const done = await run(id, signedIn(call), call).catch((error: unknown) => {
      if (error instanceof DeskError) throw new Refused(403, error.message.replace(/\.$/, ''))
      throw error
    })
    if (done) return new Response(null, { status: 204 })
    return Response.json(
      { detail: 'The conversation is not yours, or no longer at the desk' },
      { status: 409 },
    )
  }
}
