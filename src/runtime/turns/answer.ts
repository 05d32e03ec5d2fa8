// Writes the answer of one turn: each agent event becomes wire events, which are stored before they are sent.
//
//   text ─▶ open message ─ 30 ms for the first words, then 100 ms ─▶ one chunk ┐
//   log events ────────────────────────────────────────────────── as the text ┼─▶ one transaction at a time, in order
//   finish, other events, the end ─────────────────────────────────────────────┘      (the last one ends the turn too)

import { messageFollows } from '../../protocol/index.ts'
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
import { isLogEvent, type StoredAgentEvent, storeAgentEvent } from './agent-events.ts'
import { identityOf } from './agents.ts'
import { type Claim, type Claims, isJoin } from './claim.ts'
import { completeMessage, type Finish, hasParts } from './complete-message.ts'
import { keepCutMessage, storeApology } from './cut-answer.ts'
import type { Disclosure } from './disclosure.ts'
import type { DeskPresence, HandedOffEvent } from './handed-off.ts'
import { createOpenMessage, type OpenMessage } from './open-message.ts'
import { SessionEnded } from './turn-transactions.ts'
import { createTurnWrites, type Waiting } from './turn-writes.ts'

/** From the first words to their write: long enough to save transactions, short enough to be invisible. */
const FIRST_DELAY_MS = 30
/** From later words to their write: people read more slowly than words come. */
const WRITE_DELAY_MS = 100
/** How often an answer that goes on counts as activity of its session: each time changes an indexed column. */
const TOUCH_MS = 10_000

export interface Answer {
  /**
   * Names the agent that answers; after a join the visitor is told that it is here. Resolves to the next turn where this ends the turn: a
   * message follows the join, and its answer comes first, since a greeting before it would read as if nobody had listened.
   */
  introduce(agent: Agent): Promise<{ next: Claim | undefined } | undefined>
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
  disclosure: Disclosure
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

/** Tells the visitor that the agent is here. */
function storeJoined(locked: LockedSession, { name: agent_name, avatarUrl: agent_avatar_url }: Agent): void {
  showPart(locked)
  const payload = { agent_name, ...(agent_avatar_url && { agent_avatar_url }) }
  locked.append({ type: 'EVENT_TYPE_POLY_AGENT_JOINED', payload })
}

/** The waiting chunks of a message, and what becomes of them. */
function takeChunks(message: OpenMessage | undefined): Waiting {
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
  const { claim, claims, sessions, transient, handedOff, redact, hub, clock, uuid, spoke } = options
  const sessionId = claim.session.id
  const inputSequence = claim.input.sequence
  const streaming = claim.session.family === 'chat' && claim.session.streaming
  let agent: Agent | undefined
  let openMessage: OpenMessage | undefined
  /** The last agent event is being stored with the end of the turn. */
  let ending = false
  const writes = createTurnWrites({ sessions, claims, claim, clock })
  const { write } = writes
  const speaker = () => ({ identity: identityOf(agent), inputSequence })

  function writeSoon(): void {
    const delay = openMessage?.firstSequence === undefined ? FIRST_DELAY_MS : WRITE_DELAY_MS
    writes.writeSoon(delay, () => takeChunks(openMessage))
  }

  function addText(text: string): void {
    writes.throwIfFailed()
    if (text === '') return
    spoke()
    openMessage ??= createOpenMessage({ id: uuid(), streaming, redact, now: () => new Date(clock.now()) })
    if (openMessage.push(text)) writeSoon()
  }

  const disclosed = (locked: LockedSession, says: boolean, last: boolean) =>
    options.disclosure(locked, claim.input, { answers: agent?.answers, says, last })

  /** Completes the open message, within a transaction of the turn. `last`: the agent says nothing more before the user speaks. */
  async function complete(locked: LockedSession, finish: Finish = {}, last = false): Promise<void> {
    const says = openMessage !== undefined || hasParts(finish)
    const disclosure = await disclosed(locked, says, last)
    if (!says && disclosure === undefined) return
    show(locked)
    const message =
      openMessage ?? createOpenMessage({ id: uuid(), streaming: false, redact, now: () => locked.now })
    await completeMessage(locked, message, finish, { ...speaker(), disclosure })
  }

  /** Completes the open message, so that only one is open, and stores the event behind it. */
  async function finishMessage(finish?: Finish, event?: StoredAgentEvent): Promise<void> {
    await write(async (locked) => {
      const asks = event?.type === 'confirm'
      await complete(locked, finish, event && !asks && event.type !== 'language' && event.type !== 'system')
      if (!event || (event.type === 'end' && !isActive(locked.session))) return
      show(locked)
      const disclosure = asks ? await disclosed(locked, true, true) : undefined
      await storeAgentEvent(locked, event, { ...speaker(), disclosure }, handedOff)
    })
    openMessage = undefined
  }

  return {
    async introduce(answering) {
      agent = answering
      if (!isJoin(claim.input)) return undefined
      const ends = messageFollows(claim.input.custom)
      const next = await write(async (locked) => {
        storeJoined(locked, answering)
        return ends ? claims.complete(locked, inputSequence) : undefined
      })
      return ends ? { next } : undefined
    },

    async take(event) {
      if (event.type === 'text') return addText(event.text)
      if (event.type === 'thinking')
        return hub.publish(sessionId, [transient.event('EVENT_TYPE_POLY_AGENT_THINKING', {})])
      if (event.type === 'finish') return finishMessage(event)
      if (event.type === 'handoff') {
        const words = await options.desk.refusal(claim.session.conversation.projectId)
        if (words !== undefined) {
          await finishMessage()
          return addText(words)
        }
      }
      if (isLogEvent(event)) {
        writes.keep(event)
        return writeSoon()
      }
      await finishMessage(undefined, event)
    },

    end(finish) {
      ending = finish !== undefined
      return write(async (locked) => {
        await complete(locked, finish, true)
        return claims.complete(locked, inputSequence)
      })
    },

    fail() {
      writes.resume()
      return write(async (locked) => {
        show(locked)
        await complete(locked, {}, true)
        storeApology(locked)
        return claims.complete(locked, inputSequence)
      })
    },

    async abandon() {
      await writes.stop()
      await sessions.commit(sessionId, 'abandon an answer', async (locked) => {
        if (isActive(locked.session) || !claims.owns(locked, claim)) return
        writes.storeKept(locked)
        if (openMessage) await keepCutMessage(locked, { messageId: openMessage.id, ...speaker() })
        await claims.complete(locked, inputSequence)
      })
    },

    isStored: () => openMessage === undefined && !writes.keeps() && !ending,
  }
}
