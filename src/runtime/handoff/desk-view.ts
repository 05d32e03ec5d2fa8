// Converts stored handoffs and events into the entries and lines of the desk.

import type { LiveAgent } from '../sessions/index.ts'
import type { LineRow } from './line-store.ts'
import type { QueuedRow } from './store.ts'
import type { UserPresence } from './visitor-presence.ts'

/** The queue shows this many characters of a text. */
const MOST_TEXT = 1_000

/** One conversation in the handoff queue. */
export type DeskEntry = {
  id: string
  channel: string
  queue: string
  state: 'waiting' | 'taken'
  /** ISO 8601: since when the conversation waits, and since when a live agent has it. */
  queuedAt: string
  takenAt: string | undefined
  agent: LiveAgent | undefined
  /** The data that the agent stored at the handoff; of each text, the first thousand characters. */
  data: Record<string, unknown>
  /** The user's last question before asking for a person; empty if there is none. */
  question: string
  /** The newest message; `agent`: the live agent who wrote it. */
  last:
    | {
        from: 'visitor' | 'agent' | 'live'
        text: string
        at: string
        agent?: Pick<LiveAgent, 'id' | 'name'> | undefined
      }
    | undefined
  /** Whether the user has the chat open, in the foreground, in the background or not at all; undefined: by phone. */
  presence: UserPresence | undefined
  /** The conversation came back, since its live agent was gone or did not answer. */
  lost: 'gone' | 'unanswered' | undefined
}

/** One line of a conversation. A note is what live agents write for each other; no user gets it. */
export type DeskLine = { id: string; at: string } & (
  | {
      from: 'visitor' | 'agent' | 'live'
      text: string
      /** The live agent's name. */
      name?: string | undefined
      /** The user stopped this answer. */
      stopped?: boolean | undefined
    }
  | { from: 'note'; text: string; name: string }
  | {
      from: 'event'
      what: 'handoff' | 'left-queue' | 'timeout' | 'joined' | 'left' | 'transferred' | 'rated' | 'ended'
      name?: string | undefined
      /** The score of a rating. */
      score?: number | undefined
      text?: string | undefined
    }
)

const SPEAKERS = {
  EVENT_TYPE_USER_MESSAGE: 'visitor',
  EVENT_TYPE_POLY_AGENT_MESSAGE: 'agent',
  EVENT_TYPE_LIVE_AGENT_MESSAGE: 'live',
} as const

const isMessage = (type: string): type is keyof typeof SPEAKERS => Object.hasOwn(SPEAKERS, type)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export function lineOf({ id, type, payload, created_at }: LineRow): DeskLine | undefined {
  const base = { id, at: new Date(created_at).toISOString() }
  const agentName = textOf(payload.agent_name)
  const text = textOf(payload.text)
  if (isMessage(type)) {
    // Phone buttons, and answers stopped before their first word, have no text.
    if (text === undefined) return undefined
    const speaker = SPEAKERS[type]
    return {
      ...base,
      from: speaker,
      text,
      ...(speaker === 'live' && { name: agentName }),
      ...(payload.stopped === true && { stopped: true }),
    }
  }
  switch (type) {
    case 'note':
      return { ...base, from: 'note', text: text ?? '', name: agentName ?? '' }
    case 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF':
      return { ...base, from: 'event', what: 'handoff' }
    case 'EVENT_TYPE_HANDOFF_FAILED':
      return { ...base, from: 'event', what: 'left-queue' }
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return { ...base, from: 'event', what: 'timeout' }
    case 'EVENT_TYPE_LIVE_AGENT_JOINED':
      return {
        ...base,
        from: 'event',
        what: 'joined',
        name: textOf((payload.agent as LiveAgent | undefined)?.name),
      }
    case 'EVENT_TYPE_LIVE_AGENT_LEFT':
      return {
        ...base,
        from: 'event',
        what: payload.reason === 'transfer' ? 'transferred' : 'left',
        name: agentName,
      }
    case 'EVENT_TYPE_CSAT_RESPONSE':
      return {
        ...base,
        from: 'event',
        what: 'rated',
        score: Number(payload.score),
        text: textOf(payload.comment),
      }
    case 'EVENT_TYPE_SESSION_END':
      return { ...base, from: 'event', what: 'ended' }
    default:
      return undefined
  }
}

export function entryOf(row: QueuedRow, presence: UserPresence | undefined): DeskEntry {
  const newest = row.messages.at(-1)
  return {
    id: row.conversation_id,
    channel: row.channel,
    queue: row.queue_name,
    state: row.mode === 'desk' ? 'taken' : 'waiting',
    queuedAt: (row.queued_at ?? row.created_at).toISOString(),
    takenAt: row.taken_at?.toISOString(),
    agent: row.live_agent ?? undefined,
    data: cutTexts(row.data) as Record<string, unknown>,
    question: questionOf(row),
    last: newest && {
      from: isMessage(newest.type) ? SPEAKERS[newest.type] : 'agent',
      text: newest.text,
      at: new Date(newest.at).toISOString(),
      ...(newest.type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE' &&
        newest.agent_id !== null && { agent: { id: newest.agent_id, name: newest.agent_name ?? '' } }),
    },
    presence,
    lost: row.lost ?? undefined,
  }
}

/** Cuts every text in a value, however deep. */
function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MOST_TEXT)
  if (Array.isArray(value)) return value.map(cutTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cutTexts(entry)]))
}

/** A greeting is not a question: a question has three words, or a question mark. */
const isQuestion = (text: string): boolean => /[?？؟]/.test(text) || text.trim().split(/\s+/).length >= 3

/**
 * The user's request, to show what a conversation is about: the question that the agent passed on; else the user's last question before
 * the message that led to the handoff; else the first question while waiting; else that message.
 */
function questionOf({ data, messages, created_at, taken_at }: QueuedRow): string {
  const passedOn = data.last_question
  if (typeof passedOn === 'string' && passedOn !== '') return passedOn.slice(0, MOST_TEXT)
  const isBefore = (at: string, time: Date) => new Date(at) <= time
  const userMessages = messages.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
  const messagesBefore = userMessages.filter(({ at }) => isBefore(at, created_at))
  const talk = messages.find(
    ({ type, at }) => type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE' && !isBefore(at, created_at),
  )
  const end = taken_at ?? (talk && new Date(talk.at))
  const waiting = userMessages.filter(({ at }) => !isBefore(at, created_at) && (!end || isBefore(at, end)))
  const request = messagesBefore.at(-1)
  const questionBefore = messagesBefore.slice(0, -1).findLast(({ text }) => isQuestion(text))
  return (
    (questionBefore ?? waiting.find(({ text }) => isQuestion(text)) ?? request ?? userMessages[0])?.text ?? ''
  )
}
