// Decides when the agent answers. Each join and each message of a user is an input; the inputs of a session are
// answered one by one, by the process that claims them.
//
//   input stored ─▶ claim (same transaction) ─▶ commit ─▶ agent.act ─▶ agent events ─▶ wire events ─▶ complete, claim the next
//   recovery, every 5 s ─▶ lost turns given back, unanswered inputs claimed
//   stop, end ─▶ hub ─▶ the process that runs the turn aborts it

import { type Log, type LogFailure, type Meter, traced } from '../../api/index.ts'
import type { DisclosureSetting } from '../accounts/index.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/index.ts'
import { createRunner } from '../jobs/index.ts'
import type { Redaction } from '../redact.ts'
import {
  type AgentBack,
  eventsOf,
  type Hub,
  type InputStored,
  type LockedSession,
  type SessionEnded as SessionHasEnded,
  type Sessions,
  type StopAsked,
  type TransientEvents,
} from '../sessions/index.ts'
import type { Agent, AgentFor } from './agent.ts'
import { servedBy } from './agent-turn.ts'
import { createAgents, identityOf } from './agents.ts'
import { createAnswer } from './answer.ts'
import { type Claim, createClaims } from './claim.ts'
import { stopAnswer } from './cut-answer.ts'
import { createDisclosure } from './disclosure.ts'
import type { DeskPresence, HandedOffEvent } from './handed-off.ts'
import { createRecovery } from './recovery.ts'
import { answerTurn } from './run-agent.ts'
import { createSettling } from './settled.ts'
import { unansweredSessions } from './store.ts'
import { turnTopic } from './turn-topic.ts'
import { NotStored, SessionEnded, TurnLost } from './turn-transactions.ts'
import { outcomeOf, watchTurn } from './turn-watch.ts'

/** The hub's topic for inputs that any process may answer. */
const WAITING = 'turns:waiting'

/** A process with this many running turns claims no waiting turns. */
const MOST_AT_ONCE = 1_000

export interface Turns {
  /** Claims the turn of an input, in the transaction that stores the input. */
  inputStored(happening: InputStored): Promise<void>
  /** Stops the running answer when the user asks for it. */
  stopAsked(happening: StopAsked): Promise<void>
  /** Aborts the running answer. */
  sessionEnded(happening: SessionHasEnded): void
  /** Answers what the user wrote while waiting for a live agent who did not come. */
  agentBack(happening: AgentBack): Promise<void>
  /** Resolves when no process answers the session, or this process stops. */
  settled(sessionId: string): Promise<void>
  /** Gives lost turns back, and answers waiting inputs. */
  recover(): Promise<void>
  /** Claims no more turns. Resolves when those that run have ended. */
  drain(): Promise<void>
  /** Aborts all turns. Resolves when they have ended, at the latest after `ms`. Recovery keeps what they have stored. */
  stop(ms: number): Promise<void>
}

export type TurnsOptions = {
  agent: Agent | AgentFor
  disclosure: DisclosureSetting | undefined
  desk: DeskPresence
  database: Database
  sessions: Sessions
  transient: TransientEvents
  handedOff: HandedOffEvent
  redact: Redaction
  hub: Hub
  clock: Clock
  processId: string
  uuid: () => string
  log: Log
  logFailure: LogFailure
  meter: Meter
}

export function createTurns(options: TurnsOptions): Turns {
  const { database, sessions, transient, hub, clock, processId, log, logFailure, meter } = options
  // A process that drains leaves new turns to others, except those of calls, whose callers would hear the pause.
  const claims = createClaims(processId, ({ family }) =>
    family === 'voice' ? !runner.stopping : !runner.draining,
  )
  const agents = createAgents(options.agent, clock)
  const disclosure = createDisclosure(options.disclosure)

  const runner = createRunner<Claim>(
    {
      name: 'a turn',
      atOnce: MOST_AT_ONCE,
      again: false,
      idOf: ({ session }) => session.id,
      async claim(held) {
        for (const sessionId of await unansweredSessions(database)) {
          if (held.includes(sessionId)) continue
          const claim = await sessions.commit(sessionId, 'claim a turn', (locked) => claims.claim(locked))
          if (claim) return claim
        }
        return undefined
      },
      async run(first, signal) {
        for (let next: Claim | undefined = first; next && !signal.aborted; ) {
          const claim: Claim = next
          next = await traced('turn', attributesOf(claim), () => runTurn(claim, signal))
        }
        settling.tell(first)
        if (runner.draining) leaveToOthers()
      },
    },
    { clock, logFailure },
  )

  const settling = createSettling({ database, hub, transient, clock, runner })
  const recovery = createRecovery({ database, sessions, runner, processId, logFailure })

  let running = 0
  meter.gauge('foyer_turns', () => running)

  /** Runs one turn to its end. Resolves to the next turn of the session. */
  async function runTurn(claim: Claim, stopping: AbortSignal): Promise<Claim | undefined> {
    const sessionId = claim.session.id
    const abort = new AbortController()
    const stop = () => abort.abort()
    stopping.addEventListener('abort', stop)
    let stopAsked = false
    const unsubscribe = hub.subscribe(turnTopic(sessionId), (told) => {
      const about = eventsOf(told).filter(({ payload }) => payload.input === claim.input.sequence)
      stopAsked ||= about.some(({ type }) => type === 'stopped')
      if (about.length > 0) stop()
    })
    const watch = watchTurn(meter, clock)
    const answer = createAnswer({ ...options, disclosure, claim, claims, spoke: watch.spoke })
    let outcome: Parameters<typeof watch.ended>[0] = 'answered'
    running++
    try {
      return await answerTurn(agents, answer, { ...options, claim, signal: abort.signal })
    } catch (error) {
      outcome = outcomeOf(error, { asked: stopAsked, aborted: abort.signal.aborted })
      if (!stopping.aborted && (stopAsked || error instanceof TurnLost)) {
        // The stop request has ended the turn, and left the next input to this process.
        await answer.abandon()
        return await sessions.commit(sessionId, 'claim a turn', (locked) => claims.claim(locked))
      }
      if (error instanceof TurnLost) return undefined
      if (error instanceof NotStored) {
        if (answer.isStored()) recovery.answered(sessionId, claim.input.sequence)
        throw error
      }
      if (abort.signal.aborted || error instanceof SessionEnded) return void (await answer.abandon())
      // The log gets the reason; the user gets an apology.
      log(`the agent failed in the conversation ${sessionId}: ${reasonOf(error)}`)
      return await answer.fail().catch((failure: unknown) => {
        if (failure instanceof SessionEnded) return answer.abandon().then(() => undefined)
        throw failure
      })
    } finally {
      running--
      watch.ended(outcome)
      unsubscribe()
      stopping.removeEventListener('abort', stop)
    }
  }

  /** After the commit: tells the process that runs the turn of this input that nobody wants its answer. */
  function tellRunner(locked: LockedSession, type: 'stopped' | 'ended', input: number): void {
    const event = transient.event(type, { input })
    locked.afterCommit(() => hub.publish(turnTopic(locked.session.id), [event]))
  }
  /** Has other processes answer the inputs that wait. */
  const leaveToOthers = () => hub.publish(WAITING, [transient.event('waiting', {})])
  hub.subscribe(WAITING, runner.claimDue)

  return {
    async inputStored({ locked, input, waiting, before }) {
      const claim = await claims.claim(locked, waiting ? undefined : input)
      if (claim) locked.afterCommit(() => runner.start(waiting ? claim : { ...claim, before }))
      else if (runner.draining) locked.afterCommit(leaveToOthers)
    },

    async stopAsked({ locked, messageId }) {
      const { turn, mode } = locked.session
      if (!turn || mode !== 'agent') return
      const identity = identityOf(agents.known(servedBy(locked.session)))
      if (await stopAnswer(locked, { messageId, inputSequence: turn.inputSequence, identity }))
        tellRunner(locked, 'stopped', turn.inputSequence)
    },

    sessionEnded({ locked }) {
      const { turn } = locked.session
      if (turn) tellRunner(locked, 'ended', turn.inputSequence)
    },

    async agentBack({ locked }) {
      const { lastInput, answered, turn } = locked.session
      if (turn || lastInput <= answered) return
      // One answer to the last words. The agent has those before them as history.
      locked.change({ answered: lastInput - 1 })
      const claim = await claims.claim(locked)
      if (claim) locked.afterCommit(() => runner.start(claim))
    },

    settled: settling.settled,
    recover: recovery.recover,
    drain: runner.drain,
    stop: settling.stop,
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error')

/** What a trace says about a turn. */
const attributesOf = ({ session, input }: Claim) => ({
  'foyer.family': session.family,
  'foyer.input': input.sequence,
})
