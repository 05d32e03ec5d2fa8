// Writes the answer of one turn: each agent event becomes wire events, which are stored before they are sent.
//
//   text ─▶ open message ─ 30 ms ─▶ chunks ┐
//   log events ───────────────────── 30 ms ┼─▶ one transaction at a time, in order
//   finish, other events, the end ─────────┘      (the last one ends the turn too)

import type { Clock } from '../clock.ts'
import type { Redaction } from '../redact.ts'
import {
  type Hub,
  isActive,
  type LockedSession,
  type Sessions,
  type TransientEvents,
} from '../sessions/index.ts'
import type { Agent, AgentEvent } from './agent.ts'
import {
  isLogEvent,
  type LogEvent,
  type StoredAgentEvent,
  storeAgentEvent,
  storeLogEvent,
} from './agent-events.ts'
import type { Claim, Claims } from './claim.ts'
import { completeMessage, type Finish, hasParts } from './complete-message.ts'
import { keepCutMessage, storeApology } from './cut-answer.ts'
import type { HandedOffEvent } from './handed-off.ts'
import { createOpenMessage, type OpenMessage } from './open-message.ts'
import { createTurnTransactions, SessionEnded } from './turn-transactions.ts'

/** Long enough to save transactions, short enough to be invisible. */
const WRITE_DELAY_MS = 30

export interface Answer {
  /** Stores an agent event, or keeps it for the next write. Rejects with SessionEnded, TurnLost or NotStored. */
  take(event: AgentEvent): Promise<void>
  /** Completes the message and the turn in one transaction. Resolves to the next turn of the session. */
  end(finish?: Finish): Promise<Claim | undefined>
  /** Handles a failure of the agent: keeps the text so far, apologises and ends the turn. */
  fail(): Promise<Claim | undefined>
  /**
   * Stops writing when the session has ended or the runtime stops. Keeps the partial answer if the session has
   * ended.
   */
  abandon(): Promise<void>
  /** True if every agent event is stored. */
  isStored(): boolean
}

export type AnswerOptions = {
  claim: Claim
  claims: Claims
  agent: Agent
  sessions: Sessions
  transient: TransientEvents
  handedOff: HandedOffEvent
  redact: Redaction
  hub: Hub
  clock: Clock
  uuid: () => string
  /** Called with each text of the agent. */
  spoke(): void
}

export function createAnswer(options: AnswerOptions): Answer {
  const { claim, claims, agent, sessions, transient, handedOff, redact, hub, clock, uuid, spoke } = options
  const sessionId = claim.session.id
  const inputSequence = claim.input.sequence
  const streaming = claim.session.family === 'chat' && claim.session.streaming
  const identity = { agent_name: agent.name, ...(agent.avatarUrl && { avatar_url: agent.avatarUrl }) }
  let openMessage: OpenMessage | undefined
  const logEvents: LogEvent[] = []
  let stopTimer: (() => void) | undefined
  /** The last agent event is being stored with the end of the turn. */
  let ending = false
  const transactions = createTurnTransactions(sessions, claims, claim)

  /** Runs one transaction of this turn: the pending log events, then `change`. */
  function write<T>(change: (locked: LockedSession) => Promise<T>): Promise<T> {
    stopTimer?.()
    stopTimer = undefined
    return transactions.run(async (locked) => {
      for (const logEvent of logEvents.splice(0)) storeLogEvent(locked, logEvent, inputSequence)
      return change(locked)
    })
  }

  /** Records that a part of the answer is shown; throws if the session has ended. */
  function show(locked: LockedSession): void {
    if (!isActive(locked.session)) throw new SessionEnded('The session has ended')
    locked.touch()
    const { turn } = locked.session
    if (turn) locked.change({ turn: { ...turn, shown: true } })
  }

  /** Schedules a write of the pending agent events. A failure surfaces at the next agent event. */
  function writeSoon(): void {
    stopTimer ??= clock.after(WRITE_DELAY_MS, () => {
      void write(async (locked) => {
        const chunks = openMessage?.takeChunks() ?? []
        if (chunks.length > 0) show(locked)
        for (const chunk of chunks) {
          const { sequence } = locked.append(chunk)
          if (openMessage) openMessage.firstSequence = sequence
        }
      }).catch(() => {})
    })
  }

  function addText(text: string): void {
    transactions.throwIfFailed()
    if (text === '') return
    spoke()
    const now = () => new Date(clock.now())
    openMessage ??= createOpenMessage({ id: uuid(), streaming, redact, now })
    if (openMessage.push(text)) writeSoon()
  }

  /** Completes the open message, within a transaction of the turn. */
  async function complete(locked: LockedSession, finish: Finish = {}): Promise<void> {
    if (!openMessage && !hasParts(finish)) return
    show(locked)
    const message =
      openMessage ?? createOpenMessage({ id: uuid(), streaming: false, redact, now: () => locked.now })
    await completeMessage(locked, message, finish, { identity, inputSequence })
  }

  /** Stores an agent event after completing the open message, so that only one message is open. */
  const store = (event: StoredAgentEvent) =>
    write(async (locked) => {
      await complete(locked)
      openMessage = undefined
      if (event.type === 'end' && !isActive(locked.session)) return
      show(locked)
      await storeAgentEvent(locked, event, handedOff)
    })

  return {
    async take(event) {
      if (event.type === 'text') return addText(event.text)
      if (event.type === 'thinking')
        return hub.publish(sessionId, [transient.event('EVENT_TYPE_POLY_AGENT_THINKING', {})])
      if (event.type === 'finish') {
        await write((locked) => complete(locked, event))
        openMessage = undefined
        return
      }
      if (isLogEvent(event)) {
        transactions.throwIfFailed()
        logEvents.push(event)
        return writeSoon()
      }
      await store(event)
    },

    end(finish) {
      ending = finish !== undefined
      return write(async (locked) => {
        await complete(locked, finish)
        return claims.complete(locked, inputSequence)
      })
    },

    fail() {
      transactions.resume()
      return write(async (locked) => {
        show(locked)
        openMessage?.close()
        if (openMessage && openMessage.text !== '') await complete(locked)
        storeApology(locked)
        return claims.complete(locked, inputSequence)
      })
    },

    async abandon() {
      stopTimer?.()
      stopTimer = undefined
      await transactions.settled()
      await sessions.commit(sessionId, async (locked) => {
        if (isActive(locked.session) || !claims.owns(locked, claim)) return
        for (const logEvent of logEvents.splice(0)) storeLogEvent(locked, logEvent, inputSequence)
        if (openMessage) await keepCutMessage(locked, { messageId: openMessage.id, inputSequence, identity })
        await claims.complete(locked, inputSequence)
      })
    },

    isStored: () => openMessage === undefined && logEvents.length === 0 && !ending,
  }
}
