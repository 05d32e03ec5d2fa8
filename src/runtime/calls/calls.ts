// Outbound calls: queued, placed by a carrier, spoken by the agent.
//
//   queued ──▶ calling ──▶ success     (it was answered, and is over)
//      │          └──────▶ failure     (busy, not answered, rejected, interrupted)
//      └─────────────────▶ failure     (waited too long)

import { atMost, type Clock } from '../clock.ts'
import type { CallLine, CallOutcome, Carrier, Said } from '../messaging/carrier.ts'
import { plain } from '../messaging/delivery.ts'
import type { Clean } from '../redact.ts'
import type { Hub, WireEvent } from '../sessions/hub.ts'
import type { Conversations } from '../sessions/sessions.ts'
import type { CallRow, Calls } from '../store-index.ts'
import type { Turns } from '../turns/turns.ts'

export type CallSettings = {
  /** Calls at once of an account whose projects say nothing else. */
  callsAtOnce: number
  /** Seconds that a call may wait in the queue. */
  callQueueSeconds: number
  /** Seconds that the status of an ended call is told. */
  callRetentionSeconds: number
}

export const DEFAULT_CALL_SETTINGS: CallSettings = {
  callsAtOnce: 5,
  callQueueSeconds: 300,
  callRetentionSeconds: 7_200,
}

/** A call gets its conversation right after that was made. */
const ATTACHED_WITHIN_MS = 10_000
const INTERRUPTED = 'The call was interrupted: the service stopped.'

export type CallServiceOptions = {
  calls: Calls
  conversations: Conversations
  turns: Turns
  hub: Hub
  carrier: Carrier
  clock: Clock
  uuid: () => string
  processId: string
  settings: CallSettings
  clean: Clean
  log: (line: string) => void
}

export type CallService = ReturnType<typeof createCallService>

export function createCallService(options: CallServiceOptions) {
  const { calls, conversations, turns, hub, carrier, clock, uuid, processId, settings, log } = options
  const date = () => new Date(clock.now())
  const placed = new Map<string, { abort: AbortController; done: Promise<void> }>()
  /** What became of calls whose end could not be stored yet. */
  const unclosed = new Map<string, () => Promise<void>>()
  /** One look into the queue after the other, so that each finds in `placed` all that was taken before it. */
  let looking: Promise<void> = Promise.resolve()
  let stopping = false

  /** Places the calls that have a line. */
  async function work(): Promise<void> {
    while (!stopping) {
      const call = await calls.take(processId, settings.callsAtOnce)
      if (!call) return
      const abort = new AbortController()
      if (stopping) abort.abort()
      const done = place(call, abort.signal).finally(() => {
        placed.delete(call.sid)
        start()
      })
      placed.set(call.sid, { abort, done })
    }
  }
  function start(): void {
    if (stopping) return
    looking = looking.then(work).catch((error: Error) => log(`calls could not be placed: ${error.message}`))
  }

  /** Calls that nobody is at: of a process that is gone, or of this one, whose store failed when it took them. */
  function findAbandoned(): Promise<CallRow[]> {
    const found = looking.then(() =>
      calls.abandoned({ owner: processId, placed: [...placed.keys(), ...unclosed.keys()] }),
    )
    looking = found.then(
      () => {},
      () => {},
    )
    return found
  }

  async function place(call: CallRow, signal: AbortSignal): Promise<void> {
    let sessionId: string | undefined
    let outcome: CallOutcome
    try {
      signal.throwIfAborted()
      sessionId = await openSession(call)
      signal.throwIfAborted()
      const { sid, to_number: to, from_number: from, metadata, encryption } = call
      outcome = await carrier.call({ sid, to, from, metadata, encryption }, lineOf(sessionId), signal)
    } catch (error) {
      log(`a call failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      outcome = { status: 'failed', reason: signal.aborted ? INTERRUPTED : 'The call could not be placed.' }
    }
    const close = () =>
      outcome.status === 'failed'
        ? end(call.sid, sessionId, 'failure', outcome.reason)
        : end(call.sid, sessionId, 'success', '')
    await close().catch((error: Error) => {
      unclosed.set(call.sid, close)
      notClosed(error)
    })
  }

  const notClosed = (error: Error) => log(`a call could not be closed: ${error.message}`)

  /** First the conversation, then the status: a call that is killed between the two is found again, and both are done. */
  async function end(
    sid: string,
    sessionId: string | null | undefined,
    status: 'success' | 'failure',
    reason: string,
  ): Promise<void> {
    if (sessionId) await conversations.end(sessionId)
    await calls.finish(sid, status, reason, date())
  }

  async function openSession(call: CallRow): Promise<string> {
    const attributes = { call_sid: call.sid, metadata: call.metadata }
    const id = await conversations.open(
      { ...call, id: call.connector_id },
      'VOICE-SIP',
      { userNumber: call.to_number, agentNumber: call.from_number },
      (locked) => locked.change({ attributes, joined: true }),
    )
    await calls.attach(call.sid, id)
    return id
  }

  function lineOf(sessionId: string): CallLine {
    /** Runs the turn that `cause` starts, and gathers what is said in it. */
    async function turn(cause: () => Promise<unknown>): Promise<Said> {
      const said: string[] = []
      let hangUp = false
      const unsubscribe = hub.subscribe(sessionId, (events: readonly WireEvent[]) => {
        for (const { type, payload } of events) {
          if (type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
            said.push(plain(String(payload.text ?? '')))
          if (type === 'EVENT_TYPE_SESSION_END') hangUp = true
        }
      })
      try {
        await cause()
        turns.wake(sessionId)
        await turns.settled(sessionId)
      } finally {
        unsubscribe()
      }
      return { text: said.filter((text) => text !== '').join('\n'), hangUp }
    }
    return {
      answered: () =>
        turn(() =>
          conversations.commit(sessionId, (_, store) =>
            store([{ type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {} }]),
          ),
        ),
      heard: ({ speech = '', dtmf }) =>
        turn(() =>
          conversations.commit(sessionId, async (session, store) => {
            if (session.row.state !== 'active') return
            const silence = speech === '' && !dtmf
            await conversations.hear(session, store, {
              text: speech || (dtmf ?? ''),
              spoken: speech,
              dtmf,
              silence,
            })
          }),
        ),
    }
  }

  return {
    /** Puts a call into the queue. Returns its SID. */
    async start(
      call: Pick<
        CallRow,
        | 'account_id'
        | 'project_id'
        | 'connector_id'
        | 'environment'
        | 'to_number'
        | 'from_number'
        | 'metadata'
        | 'encryption'
      >,
    ): Promise<string> {
      const sid = `OUT-${uuid()}`
      await calls.create({ ...call, metadata: options.clean.deep(call.metadata), sid, created_at: date() })
      start()
      return sid
    },

    /** The call; undefined where there is none, or it ended too long ago. */
    async find(sid: string): Promise<CallRow | undefined> {
      const call = await calls.find(sid)
      const age = call?.ended_at ? clock.now() - call.ended_at.getTime() : 0
      return age < settings.callRetentionSeconds * 1000 ? call : undefined
    },

    /** Fails what waits too long and what nobody is at any more, forgets what is old, places the rest. */
    async sweep(): Promise<void> {
      const waited = 'The call waited in the queue for too long.'
      for (const sid of await calls.queuedBefore(new Date(clock.now() - settings.callQueueSeconds * 1000)))
        await calls.finish(sid, 'failure', waited, date())
      for (const [sid, close] of unclosed) await close().then(() => unclosed.delete(sid), notClosed)
      for (const call of await findAbandoned())
        await end(call.sid, call.conversation_id, 'failure', INTERRUPTED).catch(notClosed)
      for (const id of await calls.unattended(new Date(clock.now() - ATTACHED_WITHIN_MS)))
        await conversations.end(id)
      await calls.forgetEndedBefore(new Date(clock.now() - settings.callRetentionSeconds * 1000))
      start()
    },

    /**
     * Resolves when every call is over, at the latest after `ms`: one that the carrier goes on with is another
     * process's to fail, or the next start's.
     */
    async stop(ms: number): Promise<void> {
      stopping = true
      for (const { abort } of placed.values()) abort.abort()
      await atMost(
        clock,
        ms,
        looking.then(() => Promise.all([...placed.values()].map(({ done }) => done))),
      )
    },
  }
}
