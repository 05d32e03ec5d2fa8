// Writes the answer of one turn: each agent event becomes wire events, which are stored before they are sent.
//
//   text ─▶ open message ─ 30 ms for the first words, then 100 ms ─▶ one chunk ┐
//   log events ────────────────────────────────────────────────── as the text ┼─▶ one transaction at a time, in order
//   finish, other events, the end ─────────────────────────────────────────────┘      (the last one ends the turn too)

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
import type { DeskPresence, HandedOffEvent } from './handed-off.ts'
import { createOpenMessage, type OpenMessage } from './open-message.ts'
import { createTurnTransactions, SessionEnded } from './turn-transactions.ts'

/** From the first words to their write: long enough to save transactions, short enough to be invisible. */
const FIRST_DELAY_MS = 30
/** From later words to their write: people read more slowly than words come. */
const WRITE_DELAY_MS = 100
/** How often an answer that goes on counts as activity of its session: each time changes an indexed column. */
const TOUCH_MS = 10_000

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
  desk: Pick<DeskPresence, 'refusal'>
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

/** What a transaction takes when it first runs, and has again when it runs once more. */
function once<T>(take: () => T): () => T {
  let taken: { value: T } | undefined
  return () => {
    taken ??= { value: take() }
    return taken.value
  }
}

/** Records that a part of the answer is shown, and counts as activity. Throws if the session has ended. */
function show(locked: LockedSession): void {
  showPart(locked)
  locked.touch()
}
/** Records that a part of the answer is shown. Throws if the session has ended. */
function showPart(locked: LockedSession): void {
  if (!isActive(locked.session)) throw new SessionEnded('The session has ended')
  const { turn } = locked.session
  if (turn) locked.change({ turn: { ...turn, shown: true } })
}

/** The waiting chunks of a message, and what becomes of them. */
function takeChunks(message: OpenMessage | undefined) {
  const chunks = message?.takeChunks() ?? []
  let sequences: number[] = []
  return {
    append(locked: LockedSession): void {
      if (chunks.length > 0) {
        showPart(locked)
        const { idleSince } = locked.session
        if (!idleSince || locked.now.getTime() - idleSince.getTime() >= TOUCH_MS) locked.touch()
      }
      sequences = chunks.map((chunk) => locked.append(chunk).sequence)
    },
    stored(): void {
      if (message) message.firstSequence = sequences[0]
    },
  }
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
  const transactions = createTurnTransactions(sessions, claims, claim, clock)

  /** Runs one transaction of this turn: the pending log events, then `change`. */
  function write<T>(change: (locked: LockedSession) => Promise<T>): Promise<T | undefined> {
    stopTimer?.()
    stopTimer = undefined
    const waitingLogEvents = once(() => logEvents.splice(0))
    return transactions.run(async (locked) => {
      for (const logEvent of waitingLogEvents()) storeLogEvent(locked, logEvent, inputSequence)
      return change(locked)
    })
  }

  /** Schedules a write of the pending agent events. A failure surfaces at the next agent event. */
  function writeSoon(): void {
    stopTimer ??= clock.after(
      openMessage?.firstSequence === undefined ? FIRST_DELAY_MS : WRITE_DELAY_MS,
      () => {
        const chunks = once(() => takeChunks(openMessage))
        void write(async (locked) => chunks().append(locked)).then(
          () => chunks().stored(),
          () => {},
        )
      },
    )
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
  async function store(event: StoredAgentEvent): Promise<void> {
    await write(async (locked) => {
      await complete(locked)
      if (event.type === 'end' && !isActive(locked.session)) return
      show(locked)
      await storeAgentEvent(locked, event, handedOff)
    })
    openMessage = undefined
  }

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
      if (event.type === 'handoff') {
        const words = await options.desk.refusal(claim.session.conversation.projectId)
        if (words !== undefined) {
          await write((locked) => complete(locked))
          openMessage = undefined
          return addText(words)
        }
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
      await sessions.commit(sessionId, 'abandon an answer', async (locked) => {
        if (isActive(locked.session) || !claims.owns(locked, claim)) return
        for (const logEvent of logEvents.splice(0)) storeLogEvent(locked, logEvent, inputSequence)
        if (openMessage) await keepCutMessage(locked, { messageId: openMessage.id, inputSequence, identity })
        await claims.complete(locked, inputSequence)
      })
    },

    isStored: () => openMessage === undefined && logEvents.length === 0 && !ending,
  }
}
