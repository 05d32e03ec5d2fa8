// A chat of frozen signals: what a state shows is put in, and what the panel asks for does nothing.

import { signal } from '@preact/signals'
import type { Chat, Content, Entry, Refusal } from '../../src/chat/index.ts'
import type { Capabilities } from '../../src/protocol/index.ts'

/** The values of a chat that a state is made of. */
export type Frozen = {
  [K in Exclude<keyof Chat, 'capabilities'>]?: Chat[K] extends { readonly value: infer V } ? V : never
} & {
  /** In place of the usual ones. */
  capabilities?: Partial<Capabilities>
  /** Why no text is taken. */
  refuses?: Refusal
}

const LIVE: Frozen = {
  status: 'live',
  sessionId: 'session',
  transcript: [],
  outbox: [],
  agent: { name: 'Fern', live: false },
  typing: undefined,
  suggestions: [],
  handoff: { state: 'none' },
  language: undefined,
  notice: undefined,
  unread: 0,
  capabilities: {
    streaming: true,
    max_message_size_bytes: 131_072,
    max_reconnect_attempts: 0,
    heartbeat_interval_seconds: 30,
    session_idle_seconds: 600,
    csat: true,
    stop: true,
    feedback: true,
    leave_queue: true,
    confirm: true,
  },
  stoppable: false,
  leavable: false,
  csat: { state: 'none' },
}

/** Any value that is not given is undefined, any act does nothing. */
export function frozenChat({ refuses, ...values }: Frozen): Chat {
  const capabilities = { ...LIVE.capabilities, ...values.capabilities }
  const known: Record<string, unknown> = Object.fromEntries(
    Object.entries({ ...LIVE, ...values, capabilities }).map(([name, value]) => [name, signal(value)]),
  )
  known.refusal = () => refuses
  known.on = () => () => {}
  const nothing = Object.assign(() => undefined, {
    value: undefined,
    peek: () => undefined,
    subscribe: () => () => {},
  })
  return new Proxy(known, { get: (target, name) => target[String(name)] ?? nothing }) as unknown as Chat
}

/** A Tuesday morning in Greenwich. */
export const MORNING = Date.UTC(2026, 9, 20, 9, 30)
const MINUTE = 60_000

/** Entries one after another, a minute apart. */
export function createTranscript() {
  const entries: Entry[] = []
  let at = MORNING
  const next = () => ({ key: `k${entries.length}`, at })
  function say(role: 'visitor' | 'agent' | 'live', text: string, more: Partial<Content> = {}) {
    const content = signal<Content>({
      pieces: [text],
      length: 1,
      complete: true,
      attachments: [],
      callActions: [],
      ...more,
    })
    const agentName = role === 'live' ? 'Sarah' : 'Fern'
    entries.push({ kind: 'message', ...next(), role, content, ...(role !== 'visitor' && { agentName }) })
    at += MINUTE
    return lines
  }
  const lines = {
    entries,
    visitor: (text: string, more?: Partial<Content>) => say('visitor', text, more),
    agent: (text: string, more?: Partial<Content>) => say('agent', text, more),
    live: (text: string, more?: Partial<Content>) => say('live', text, more),
    notice(
      notice: Extract<Entry, { kind: 'notice' }>['notice'],
      more: { name?: string; text?: string } = {},
    ) {
      entries.push({ kind: 'notice', ...next(), notice, ...more })
      return lines
    },
    divider(reason: Extract<Entry, { kind: 'divider' }>['reason']) {
      entries.push({ kind: 'divider', ...next(), reason })
      return lines
    },
    later(minutes: number) {
      at += minutes * MINUTE
      return lines
    },
  }
  return lines
}
