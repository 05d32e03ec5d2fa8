// Sessions and turns of several processes on one embedded database, with an agent whose every word is said by hand, and without sockets.

import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { noMeter } from '../../src/api/index.ts'
import type { News } from '../../src/runtime/bus/index.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { createDomainEvent } from '../../src/runtime/domain-event.ts'
import { recordBeat, removeProcess } from '../../src/runtime/jobs/process-store.ts'
import { createHub, eventsOf, type SharedHub, type WireEvent } from '../../src/runtime/sessions/hub.ts'
import { createTransientEvents, lastSequences } from '../../src/runtime/sessions/index.ts'
import { receiveClientEvent } from '../../src/runtime/sessions/input.ts'
import { createSessions } from '../../src/runtime/sessions/sessions.ts'
import { findSession } from '../../src/runtime/sessions/state/session-store.ts'
import { createSessionEvents } from '../../src/runtime/sessions/unit-of-work.ts'
import type { Agent, AgentEvent, Turn } from '../../src/runtime/turns/agent.ts'
import type { HandedOff } from '../../src/runtime/turns/handed-off.ts'
import { createTurns, type Turns } from '../../src/runtime/turns/index.ts'
import { handClock } from '../contract/clock.ts'
import { interposed } from '../contract/interposed.ts'
import { CONNECTOR, createStoreWorld, redact } from './store-world.ts'

/** One turn of the agent, as it was asked, and what it does next. */
export type Run = {
  turn: Turn
  say(text: string): void
  event(...events: AgentEvent[]): void
  end(): void
  fail(): void
}

/** Resolves to what `find` finds, once it does. */
export const until = <T>(find: () => Promise<T> | T): Promise<NonNullable<T>> =>
  vi.waitFor(
    async () => {
      const found = await find()
      if (!found) throw new Error(`not so far: ${find}`)
      return found
    },
    { interval: 1 },
  )
function createRun(turn: Turn): { run: Run; events: AsyncIterable<AgentEvent> } {
  const steps: (() => IteratorResult<AgentEvent>)[] = []
  let wake = () => {}
  const add = (...more: typeof steps) => {
    steps.push(...more)
    wake()
  }
  async function next(): Promise<IteratorResult<AgentEvent>> {
    while (steps.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const [step] = steps.splice(0, 1)
    return step?.() ?? { done: true, value: undefined }
  }
  const event: Run['event'] = (...events) => add(...events.map((value) => () => ({ value, done: false })))
  const run: Run = {
    turn,
    event,
    say: (text) => event({ type: 'text', text }),
    end: () => add(() => ({ done: true, value: undefined })),
    fail: () =>
      add(() => {
        throw new Error('the agent broke')
      }),
  }
  return { run, events: { [Symbol.asyncIterator]: () => ({ next }) } }
}

/** Before a transaction begins, before its commit, or after it. */
type Break = 'before' | 'within' | 'after'

export async function createTurnWorld() {
  const store = await createStoreWorld()
  const clock = handClock()
  const hubs: SharedHub[] = []
  /** What each process told the others. */
  const told: News[] = []
  const runs: Run[] = []
  const failures: string[] = []
  const logged: string[] = []
  const outcomes: string[] = []
  const handoffs: HandedOff[] = []
  const settling: (() => Promise<void>)[] = []
  /** What refuses a handoff. */
  let refusal: string | undefined
  /** What the desk waits for before it tells its state. */
  let desk = Promise.resolve()
  let isCarried = true
  let breaks: (number: number) => Error | undefined = () => undefined
  let where: Break = 'before'
  let transactions = 0
  const between = interposed(store.database)
  const database: Database = {
    ...between.database,
    async transaction(run, purpose) {
      const error = breaks(++transactions)
      if (error && where === 'before') throw error
      const result = await between.database.transaction(async (tx) => {
        const changed = await run(tx)
        if (error && where === 'within') throw error
        return changed
      }, purpose)
      if (error) throw error
      return result
    },
  }
  /** Seconds for which the agent may yield nothing. */
  let silentSeconds: number | undefined
  const agent: Agent = {
    get silentSeconds() {
      return silentSeconds
    },
    name: 'Ada',
    avatarUrl: 'https://example.com/ada.png',
    act(turn) {
      const { run, events } = createRun(turn)
      runs.push(run)
      return events
    },
  }

  async function createProcess(processId: string) {
    await recordBeat(database, processId, 'build', new Date(clock.now()))
    const hub = createHub({
      tell(news) {
        told.push(news)
        for (const other of hubs) if (other !== hub && isCarried) other.heard(news)
      },
      lastSequences: (ids) => lastSequences(database, ids),
    })
    hubs.push(hub)
    const events = createSessionEvents()
    const uuid = randomUUID
    const transient = createTransientEvents(clock, uuid)
    const meter = {
      ...noMeter,
      time: (name: string, _: number, labels?: object) =>
        void outcomes.push(...(name === 'foyer_turn_seconds' ? Object.values(labels ?? {}) : [])),
    }
    const shared = { database, events, hub, redact, clock, uuid, meter }
    const sessions = createSessions({
      ...shared,
      capabilities: { heartbeatSeconds: 30, sessionIdleSeconds: 600 },
    })
    const handedOff = createDomainEvent<HandedOff>()
    handedOff.subscribe((handoff) => void handoffs.push(handoff))
    const turns: Turns = createTurns({
      ...{
        ...shared,
        agent,
        sessions,
        transient,
        handedOff,
        processId,
        disclosure: undefined,
        log: (line: string) => void logged.push(line),
      },
      desk: { state: () => desk.then(() => undefined), refusal: async () => refusal },
      logFailure: (what) => failures.push(what),
    })
    events.inputStored.subscribe(turns.inputStored)
    events.stopAsked.subscribe(turns.stopAsked)
    events.sessionEnded.subscribe(turns.sessionEnded)
    events.agentBack.subscribe(turns.agentBack)

    /** Opens a chat. What goes out to its sockets at this process is in `sent`. */
    async function chat({ streaming = true } = {}) {
      const opening = { tokenId: 'token', platform: 'web' as const, streaming, language: undefined }
      const id = await sessions.openChat(CONNECTOR, opening)
      settling.push(() => turns.settled(id))
      const sent: WireEvent[] = []
      hub.subscribe(id, (news) => sent.push(...eventsOf(news)))
      return { id, sent, ...actsOn(id) }
    }
    const actsOn = (id: string) => ({
      say: (text: string, clientId?: string) =>
        receiveClientEvent(sessions, transient, id, {
          type: 'EVENT_TYPE_USER_MESSAGE',
          payload: { text },
          ...(clientId !== undefined && { metadata: { custom: { client_event_id: clientId } } }),
        }),
      stop: (message_id?: string) =>
        receiveClientEvent(sessions, transient, id, {
          type: 'EVENT_TYPE_USER_STOP_ANSWER',
          payload: message_id === undefined ? {} : { message_id },
        }),
      join: () =>
        receiveClientEvent(sessions, transient, id, {
          type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN',
          payload: {},
        }),
      type: () =>
        receiveClientEvent(sessions, transient, id, {
          type: 'EVENT_TYPE_USER_TYPING',
          payload: { state: 'TYPING_STATE_STARTED' },
        }),
      end: () => sessions.end(id),
    })
    /** The process is gone, as far as the others know. */
    const vanish = () => removeProcess(database, processId)
    return { hub, sessions, transient, events, turns, chat, actsOn, vanish }
  }

  /** What follows from what has happened has happened, as far as it takes no time and no more than some statements. */
  async function rest(): Promise<void> {
    for (let round = 0; round < 8; round++) {
      await store.database.query('SELECT 1')
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  /** Erases every conversation. */
  const erase = () => store.database.query('DELETE FROM foyer.conversation')

  return {
    database: store.database,
    clock,
    between,
    rest,
    /** Ends what runs, and forgets what was: an input that waits would be answered in the next test. */
    async clear() {
      breaks = () => undefined
      refusal = undefined
      silentSeconds = undefined
      // First: nobody ends a turn that could not be stored.
      await erase()
      let isSettled = false
      const settled = Promise.all(settling.splice(0).map((settle) => settle())).then(() => {
        isSettled = true
      })
      while (!isSettled) {
        for (const run of runs.splice(0)) run.end()
        await clock.pass(500)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await settled
      await rest()
      for (const list of [told, runs, failures, logged, outcomes, handoffs]) list.length = 0
    },
    hubs,
    told,
    runs,
    failures,
    logged,
    outcomes,
    handoffs,
    createProcess,
    /** Until it is called again, news that a process tells are lost, or arrive. */
    carryNews(is: boolean) {
      isCarried = is
    },
    /** The desk does not tell its state until the returned function is called. */
    holdDesk(): () => void {
      let letGo = () => {}
      desk = new Promise((resolve) => {
        letGo = resolve
      })
      return letGo
    },
    allowSilence(seconds: number) {
      silentSeconds = seconds
    },
    refuse(words: string | undefined) {
      refusal = words
    },
    /** Transactions fail with what `error` returns for their number from now on. */
    breakTransactions(error: typeof breaks, how: Break = 'before') {
      transactions = 0
      breaks = error
      where = how
    },
    /** The run that answers this text, once it has begun; the nth of them. */
    run: (text: string, nth = 1) => until(() => runs.filter(({ turn }) => turn.text === text)[nth - 1]),
    times: (text: string) => runs.filter(({ turn }) => turn.text === text).length,
    session: (id: string) => findSession(store.database, id),
    /** The stored events of a session that `type` ends with, such as `AGENT_MESSAGE`. */
    stored: (id: string, type = '') =>
      store.database.query<{
        sequence: number
        type: string
        payload: Record<string, unknown>
        message_id: string | null
        first_sequence: number | null
        created_at: Date
      }>(
        `SELECT sequence, type, payload, message_id, first_sequence, created_at FROM foyer.event
         WHERE session_id = $1 AND type LIKE $2 ORDER BY sequence`,
        [id, `%${type}`],
      ),
    erase,
    close: () => store.close(),
  }
}
