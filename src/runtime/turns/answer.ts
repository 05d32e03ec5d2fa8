// From the acts of one turn to events. Pieces of text are gathered for a moment and stored together, then
// sent; a finished answer is kept as one message in the place of its last chunk.

import type { Attachment, CallAction, Suggestion } from '../../protocol/index.ts'
import type { Clock } from '../clock.ts'
import { type Outgoing, sendByText } from '../messaging/delivery.ts'
import type { Clean } from '../redact.ts'
import type { Hub } from '../sessions/hub.ts'
import type { Conversations } from '../sessions/sessions.ts'
import type { LockedSession, NewEvent, SessionRow, StoredEvent } from '../store-index.ts'
import type { Act, Agent } from './agent.ts'
import { createWords, type Words } from './words.ts'

/** Long enough to save inserts, short enough not to be seen. */
const GATHER_MS = 30

export type AnswerOptions = {
  row: SessionRow
  /** The sequence of the event that is answered. */
  cause: number
  agent: Agent
  projectId: string
  clean: Clean
  queueChanged(): void
  conversations: Conversations
  hub: Hub
  clock: Clock
  uuid: () => string
}

type Open = {
  id: string
  text: string
  pieces: string[]
  index: number
  mask: ReturnType<Clean['stream']>
  words: Words
  /** When its first words were said, where it is streamed. */
  since?: Date
}
type Handoff = Pick<
  Extract<Act, { type: 'handoff' }>,
  'queueName' | 'reason' | 'destination' | 'sharedId' | 'data'
>
type Extras = Omit<Extract<Act, { type: 'finish' }>, 'type'>

type Payload = {
  message_id: string
  text: string
  attachments: Attachment[]
  response_suggestions: Suggestion[]
  chat_call_actions: CallAction[]
  agent_name: string
  avatar_url?: string
  end_conversation?: boolean
}

/** The session ended while the agent spoke; what it still says has nowhere to go. */
class SessionOver extends Error {
  override name = 'SessionOver'
}

export function createAnswer(options: AnswerOptions) {
  const { row, conversations, hub, clock, uuid, agent } = options
  let open: Open | undefined
  const now = () => new Date(clock.now())
  const begin = (): Open => ({
    id: uuid(),
    text: '',
    pieces: [],
    index: 0,
    mask: options.clean.stream(),
    words: createWords(),
  })
  let stop: (() => void) | undefined
  let writing: Promise<unknown> = Promise.resolve()
  let broken: unknown

  const identity = { agent_name: agent.name, ...(agent.avatarUrl && { avatar_url: agent.avatarUrl }) }

  /** One transaction; whatever the agent stores proves that it showed something. */
  async function store(
    events: NewEvent[],
    changes: Partial<SessionRow> = {},
    also: (session: LockedSession) => Promise<void> = async () => {},
  ): Promise<StoredEvent[]> {
    const stored = await conversations.commit(row.id, async (session, append) => {
      if (session.row.state !== 'active') throw new SessionOver('The session is over')
      await session.change({ ...conversations.active(), turn_shown: true, ...changes })
      await also(session)
      return events.length > 0 ? append(events) : []
    })
    Object.assign(row, changes)
    return stored ?? []
  }

  /** Writes to the record alone. */
  const note = (write: (session: LockedSession) => Promise<void>) => conversations.commit(row.id, write)

  /** The record of a finished message, and its way to a phone where there is one. */
  async function keepRecord(
    session: LockedSession,
    said: Outgoing,
    byAgent: boolean,
    at: Date = now(),
  ): Promise<void> {
    const words = await sendByText(session, said, now())
    if (words !== '')
      await session.record.respond(
        words,
        at,
        byAgent ? { agent: true, cause: options.cause } : { agent: false },
      )
  }

  const transient = (type: string, payload: Record<string, unknown>) =>
    hub.publish(row.id, [conversations.transient(type, payload)])

  function chunks(message: Open): NewEvent[] {
    const pieces = message.pieces.splice(0)
    return pieces.map((text) => ({
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
      payload: {
        message_id: message.id,
        text,
        attachments: [],
        response_suggestions: [],
        chunk_index: ++message.index,
        is_complete: false,
      },
      messageId: message.id,
    }))
  }

  /** Writes what was gathered. One write at a time, so that chunks keep their order. */
  function flush(): Promise<unknown> {
    stop?.()
    stop = undefined
    const message = open
    writing = writing.then(async () => {
      if (message && message.pieces.length > 0 && broken === undefined) await store(chunks(message))
    })
    writing = writing.catch((error: unknown) => {
      broken ??= error
    })
    return writing
  }

  async function settled(): Promise<void> {
    await flush()
    if (broken !== undefined) throw broken
  }

  async function text(given: string): Promise<void> {
    if (given === '') return
    if (broken !== undefined) throw broken
    open ??= begin()
    say(open, open.mask.push(given))
  }

  function say(message: Open, piece: string): void {
    message.text += piece
    if (!row.streaming || piece === '') return
    message.since ??= now()
    queue(message, message.words.push(piece))
  }

  function queue(message: Open, pieces: readonly string[]): void {
    if (pieces.length === 0) return
    message.pieces.push(...pieces)
    stop ??= clock.after(GATHER_MS, () => void flush())
  }

  async function finish(extras: Extras = {}): Promise<void> {
    const hasExtras = Object.values(extras).some((value) => value !== undefined && value !== false)
    if (!open && !hasExtras) return
    if (open) {
      say(open, open.mask.rest())
      const rest = open.words.rest()
      if (rest !== '') queue(open, [rest])
    }
    await settled()
    const message = open ?? begin()
    open = undefined
    const payload: Payload = {
      message_id: message.id,
      text: message.text,
      attachments: extras.attachments ?? [],
      response_suggestions: extras.suggestions ?? [],
      chat_call_actions: extras.callActions ?? [],
      ...identity,
      ...(extras.endConversation && { end_conversation: true }),
    }
    const said: Outgoing = {
      id: message.id,
      text: message.text,
      attachments: payload.attachments,
      suggestions: payload.response_suggestions,
      callActions: payload.chat_call_actions,
    }
    if (row.streaming && message.index > 0) await complete(message, payload, said)
    else await whole(payload, said)
    if (extras.endConversation) await end()
  }

  /**
   * The last chunk goes out; what is kept in its place is the whole message, under an id of its own. Other clients
   * would show a message that comes in chunks and whole twice: phone buttons, for which chunks have no field, follow
   * in a message of their own, with the suggestions; the end follows as an event.
   */
  async function complete(message: Open, given: Payload, said: Outgoing): Promise<void> {
    const { end_conversation: _, ...answer } = given
    const hasButtons = answer.chat_call_actions.length > 0
    const payload = hasButtons ? { ...answer, response_suggestions: [], chat_call_actions: [] } : answer
    const buttons = { ...answer, message_id: uuid(), text: '', attachments: [] }
    await conversations.commit(row.id, async (session, append) => {
      if (session.row.state !== 'active') throw new SessionOver('The session is over')
      await session.change({ ...conversations.active(), turn_shown: true })
      const { attachments, response_suggestions } = payload
      const chunk = {
        message_id: message.id,
        text: '',
        attachments,
        response_suggestions,
        chunk_index: ++message.index,
        is_complete: true,
      }
      const type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
      const events: NewEvent[] = [{ type, payload: chunk, messageId: message.id }]
      if (hasButtons)
        events.push({
          type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
          payload: buttons,
          messageId: buttons.message_id,
        })
      const [last] = await append(events)
      if (!last) return
      await session.replaceChunks(message.id, last, { id: uuid(), payload })
      await keepRecord(session, said, true, message.since)
    })
  }

  async function whole(payload: Payload, said: Outgoing): Promise<void> {
    await conversations.commit(row.id, async (session, append) => {
      if (session.row.state !== 'active') throw new SessionOver('The session is over')
      await session.change({ ...conversations.active(), turn_shown: true })
      // What hangs on a message to a phone is not kept.
      const kept = row.channel === 'WEBCHAT' ? payload : { ...payload, attachments: [] }
      await append([{ type: 'EVENT_TYPE_POLY_AGENT_MESSAGE', payload: kept, messageId: payload.message_id }])
      await keepRecord(session, said, true)
    })
  }

  const end = () => conversations.end(row.id)

  async function take(act: Act): Promise<void> {
    if (act.type === 'text') return text(act.text)
    if (act.type === 'finish') return finish(act)
    if (act.type === 'thinking') return transient('EVENT_TYPE_POLY_AGENT_THINKING', {})
    // Everything else ends the message before it: nothing is said in two places at once.
    await finish()
    switch (act.type) {
      case 'language':
        return void (await store(
          [{ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: act.code } }],
          {},
          (session) => session.record.language(act.code),
        ))
      case 'system': {
        const level = `SYSTEM_MESSAGE_LEVEL_${act.level.toUpperCase()}`
        return void (await store([
          { type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message: act.message } },
        ]))
      }
      case 'handoff': {
        const accepted = act.queueName ? { queue_name: act.queueName } : {}
        const mode = act.simulated ? 'handoff' : 'queued'
        await store(
          [
            { type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', payload: {} },
            { type: 'EVENT_TYPE_POLY_AGENT_LEFT', payload: {} },
            { type: 'EVENT_TYPE_HANDOFF_ACCEPTED', payload: accepted },
          ],
          { mode },
          (session) => handOff(session, act, act.simulated ? 'away' : 'waiting'),
        )
        return mode === 'queued' ? options.queueChanged() : undefined
      }
      case 'queue':
        return void (await store([
          {
            type: 'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
            payload: present({
              position_in_queue: act.position,
              estimated_wait_seconds: act.waitSeconds,
              display_message: act.message,
            }),
          },
        ]))
      case 'handoff-failed': {
        const type = act.timeout ? 'EVENT_TYPE_HANDOFF_TIMEOUT' : 'EVENT_TYPE_HANDOFF_FAILED'
        return void (await store([{ type, payload: present({ reason: act.reason }) }], { mode: 'agent' }))
      }
      case 'handoff-client':
        return void (await store(
          [
            { type: 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', payload: {} },
            {
              type: 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED',
              payload: present({ reason: act.reason, queue_name: act.queueName, route: act.route }),
            },
            { type: 'EVENT_TYPE_POLY_AGENT_LEFT', payload: {} },
          ],
          {},
          (session) => handOff(session, { ...act, destination: act.route }, 'away'),
        ))
      case 'live-joined':
        return void (await store(
          [{ type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload: { agent: act.agent } }],
          { mode: 'live', live_agent: act.agent },
          (session) => session.record.agentLeft(now()),
        ))
      case 'live-typing': {
        const state = act.typing ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED'
        return transient('EVENT_TYPE_LIVE_AGENT_TYPING', { state, ...speaker() })
      }
      case 'live-message': {
        const payload = {
          message_id: uuid(),
          text: act.text,
          attachments: [],
          response_suggestions: act.suggestions ?? [],
          chat_call_actions: [],
          ...speaker(),
        }
        const said = { id: payload.message_id, text: act.text, suggestions: payload.response_suggestions }
        return void (await store([{ type: 'EVENT_TYPE_LIVE_AGENT_MESSAGE', payload }], {}, (session) =>
          keepRecord(session, { ...said, attachments: [], callActions: [] }, false),
        ))
      }
      case 'live-left': {
        const left = present({ ...speaker(), reason: act.reason })
        return void (await store([{ type: 'EVENT_TYPE_LIVE_AGENT_LEFT', payload: left }], {
          mode: 'agent',
          live_agent: null,
        }))
      }
      case 'understood':
        return void (await note((session) => session.record.understand(act, options.cause)))
      case 'metric':
        return void (await note((session) => session.record.metric(act.name, act.value)))
      case 'remember':
        return void (await note(async (session) => {
          Object.assign(row.memory, act.memory)
          await session.change({ memory: row.memory })
          await session.record.state(act.memory)
        }))
      case 'end':
        return end()
    }
  }

  const speaker = () => present({ agent_id: row.live_agent?.id, agent_name: row.live_agent?.name })

  async function handOff(session: LockedSession, act: Handoff, state: 'away' | 'waiting'): Promise<void> {
    await session.record.handoff(act.reason ?? '', act.destination ?? act.queueName ?? '')
    await session.handoff.save({
      project_id: options.projectId,
      shared_id: act.sharedId || null,
      data: act.data ?? {},
      queue_name: act.queueName ?? '',
      created_at: now(),
      state,
      queued_at: state === 'waiting' ? now() : null,
      taken_at: null,
      desk_agent: null,
    })
  }

  /** Keeps what was said of the open message, as a whole one. */
  async function keep(): Promise<void> {
    const message = open
    if (message && message.text !== '') await finish()
  }

  return {
    store,
    take,
    finish: () => finish(),
    /** The agent failed: what it said is kept, and the visitor hears that it is not all. */
    async fail(message: string): Promise<void> {
      broken = undefined
      try {
        await keep()
        const level = 'SYSTEM_MESSAGE_LEVEL_ERROR'
        const { mode } = row
        if (mode === 'handoff')
          await store([{ type: 'EVENT_TYPE_HANDOFF_FAILED', payload: {} }], { mode: 'agent' })
        await store([{ type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message } }])
      } catch (error) {
        if (!(error instanceof SessionOver)) throw error
      }
    },
    /** The turn was ended from outside: nothing more is said. Of a session that is over, what was read is kept whole. */
    async abandon(): Promise<void> {
      stop?.()
      stop = undefined
      await writing
      const message = open
      if (!message || message.index === 0) return
      await conversations.locked(row.id, async (session) => {
        if (session.row.state === 'active') return
        const chunks = await session.chunksOf(message.id)
        await keepChunks(session, message.id, chunks, uuid(), {
          identity,
          cause: options.cause,
          at: message.since ?? now(),
        })
      })
    },
  }
}

/** Keeps what was said of a message that goes on no more: as a whole one, in its place, and in the record. */
export async function keepChunks(
  session: LockedSession,
  messageId: string,
  chunks: readonly StoredEvent[],
  id: string,
  { identity = {}, cause, at }: { identity?: Record<string, unknown>; cause: number; at: Date },
): Promise<void> {
  const last = chunks.at(-1)
  if (!last) return
  const text = chunks.map((chunk) => String(chunk.payload.text ?? '')).join('')
  const bare = { attachments: [], response_suggestions: [], chat_call_actions: [] }
  const payload = { message_id: messageId, text, ...bare, ...identity }
  await session.replaceChunks(messageId, last, { id, payload })
  if (text !== '') await session.record.respond(text, at, { agent: true, cause })
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
