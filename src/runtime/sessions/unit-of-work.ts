// The unit of work of a session: collects the changes and events of one transaction, and writes them once before the commit.

import { createConversationWriter } from '../conversations/index.ts'
import type { Transaction } from '../database/index.ts'
import { createDomainEvent } from '../domain-event.ts'
import type { Redaction } from '../redact.ts'
import type { WireEvent } from './hub.ts'
import type { LockedSession, SessionEvents } from './locked-session.ts'
import { nextMode } from './state/mode.ts'
import { isActive, type NewEvent, type Session, type StoredEvent } from './state/session.ts'
import { saveSession } from './state/session-store.ts'
import { wireEvent } from './wire-event.ts'

/** A locked session, and what its transaction writes and sends. */
export type UnitOfWork = {
  locked: LockedSession
  /** Writes the collected changes and events, with the commit. */
  save(): void
  /** Events that the transaction stores. */
  readonly stored: readonly StoredEvent[]
  /** Events to send after the commit. */
  readonly sent: readonly WireEvent[]
  readonly callbacks: readonly (() => void)[]
}

export type UnitOfWorkOptions = {
  tx: Transaction
  session: Session
  events: SessionEvents
  redact: Redaction
  now: Date
  uuid: () => string
}

export function createUnitOfWork({ tx, session, events, redact, now, uuid }: UnitOfWorkOptions): UnitOfWork {
  const log = createConversationWriter(tx, session.id, redact)
  const stored: StoredEvent[] = []
  const sent: WireEvent[] = []
  const callbacks: (() => void)[] = []
  let changed = false

  function toStored(event: NewEvent, sequence: number, createdAt: Date): StoredEvent {
    return {
      sequence,
      id: uuid(),
      type: event.type,
      payload: redact.deep(event.payload),
      custom: event.custom ? redactCustom(event.custom, redact) : null,
      client_id: event.clientId === undefined ? null : redact.id(event.clientId),
      message_id: event.messageId ?? null,
      first_sequence: event.firstSequence ?? null,
      created_at: createdAt,
    }
  }
  function assignSequence(event: NewEvent): StoredEvent {
    changed = true
    const sequence = session.nextSequence++
    if (isInput(event)) session.lastInput = sequence
    return toStored(event, sequence, now)
  }

  const locked: LockedSession = {
    ...{ tx, session, log, events, redact, now, uuid },
    change(changes) {
      changed = true
      Object.assign(session, changes)
      if (changes.attributes && session.family !== 'chat')
        session.attributes = redact.deep(changes.attributes)
    },
    move(event, liveAgent) {
      const mode = nextMode(session.mode, event)
      if (mode === undefined) return false
      changed = true
      session.mode = mode
      session.liveAgent = liveAgent && { ...redact.deep(liveAgent), id: redact.id(liveAgent.id) }
      return true
    },
    touch() {
      changed = true
      session.idleSince = now
      session.warnedAt = undefined
    },
    append(event, sentAs) {
      const storedEvent = assignSequence(event)
      stored.push(storedEvent)
      sent.push(wireEvent(sentAs ? toStored(sentAs, storedEvent.sequence, now) : storedEvent))
      return storedEvent
    },
    sendOnly(event) {
      const sentEvent = assignSequence(event)
      sent.push(wireEvent(sentEvent))
      return sentEvent
    },
    replace({ sequence, createdAt }, event) {
      changed = true
      stored.push(toStored(event, sequence, createdAt))
    },
    send: (event) => void sent.push(event),
    end() {
      log.end(now)
      session.conversation.endedAt = now
    },
    afterCommit: (run) => void callbacks.push(run),
  }
  return {
    locked,
    stored,
    sent,
    callbacks,
    save() {
      if (!changed) return
      const idles = session.mode === 'agent' && session.family !== 'voice' && isActive(session)
      session.idleSince = idles ? (session.idleSince ?? now) : undefined
      saveSession(tx, session, stored)
    },
  }
}

export const createSessionEvents = (): SessionEvents => ({
  inputStored: createDomainEvent(),
  messageStored: createDomainEvent(),
  idleWarningDue: createDomainEvent(),
  userTyped: createDomainEvent(),
  stopAsked: createDomainEvent(),
  queueLeft: createDomainEvent(),
  agentBack: createDomainEvent(),
  sessionEnded: createDomainEvent(),
})

const isInput = ({ type }: NewEvent): boolean =>
  type === 'EVENT_TYPE_USER_MESSAGE' || type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN'

/** A client recognises its message by these fields, so the echo repeats them unchanged. */
const CLIENT_IDS: ReadonlySet<string> = new Set(['client_event_id', 'local_id'])

const redactCustom = (custom: Record<string, string>, redact: Redaction): Record<string, string> =>
  Object.fromEntries(
    Object.entries(custom).map(([key, value]) =>
      CLIENT_IDS.has(key) ? [key, redact.id(value)] : [redact.text(key), redact.text(value)],
    ),
  )
