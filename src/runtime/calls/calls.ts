// Queues outbound calls, and has the carrier place each one once its account has a free line.
//
//   queued ──▶ calling ──▶ success     (it was answered and has ended)
//      │          └──────▶ failure     (busy, not answered, rejected, interrupted)
//      └─────────────────▶ failure     (waited too long)

import { isObject, isText, type Log, type LogFailure } from '../../api/index.ts'
import type { Clock } from '../clock.ts'
import type { Condition, Database } from '../database/index.ts'
import { createRunner } from '../jobs/index.ts'
import { type Redaction, shortReason } from '../redact.ts'
import { type CallCarrier, type CallLeg, type CallOutcome, NO_CARRIER } from './carrier.ts'
import { createLine, type LineOptions } from './line.ts'
import {
  abandonedCalls,
  attachConversation,
  type CallRow,
  callsQueuedBefore,
  claimCall,
  dueCalls,
  findCall,
  finishCall,
  forgetCallsEndedBefore,
  insertCall,
  type NewCall,
} from './store.ts'

export type CallSettings = {
  /** The most calls at the same time of an account whose projects set no limit. Default: 5. */
  callsAtOnce: number
  /** Seconds that a call may wait in the queue. Default: 300. */
  callQueueSeconds: number
  /** Seconds after its end for which the status of a call is available. Default: 7,200, two hours. */
  callRetentionSeconds: number
}

export const DEFAULT_CALL_SETTINGS: CallSettings = {
  callsAtOnce: 5,
  callQueueSeconds: 300,
  callRetentionSeconds: 7_200,
}

const INTERRUPTED = 'The call was interrupted: the service stopped.'
const NO_REASON = 'The carrier gave no reason.'
const WAITED = 'The call waited in the queue for too long.'
/** Lines are limited by account, not by process. */
const MOST_AT_ONCE = Number.POSITIVE_INFINITY

export interface Calls {
  /** Puts a call into the queue. Returns its SID. */
  start(call: NewCall): Promise<string>
  /** Undefined if the call is unknown, or ended too long ago. */
  find(sid: string): Promise<CallRow | undefined>
  /** The runtime's end of a call that is in progress, in whatever process it was placed. Undefined if there is no such call. */
  leg(sid: string): Promise<CallLeg | undefined>
  /**
   * Places queued calls, and ends those that lost their process. `forAll`: this process also fails calls that waited too long, and
   * deletes old ones.
   */
  sweep(forAll: boolean): Promise<void>
  due(): Condition
  /** Places no more calls. Resolves when those in progress have ended. */
  drain(): Promise<void>
  /** Resolves when every call has ended, at the latest after `ms`. Another process or the next start fails the rest. */
  stop(ms: number): Promise<void>
}

export type CallsOptions = LineOptions & {
  database: Database
  /** Without `call`, every call fails. */
  carrier: Partial<CallCarrier> | undefined
  redact: Redaction
  clock: Clock
  uuid: () => string
  processId: string
  settings: CallSettings
  log: Log
  logFailure: LogFailure
}

type CallEnd = { status: 'success' | 'failure'; reason: string }

export function createCalls(options: CallsOptions): Calls {
  const { database, sessions, carrier, redact, clock, uuid, processId, settings, log, logFailure } = options
  const date = () => new Date(clock.now())
  const secondsAgo = (seconds: number) => new Date(clock.now() - seconds * 1000)
  /** Calls whose end could not be stored yet. */
  const unstoredEnds = new Map<string, () => Promise<void>>()

  const runner = createRunner<CallRow>(
    {
      name: 'a call',
      atOnce: MOST_AT_ONCE,
      idOf: ({ sid }) => sid,
      claim: () => claimCall(database, processId, settings.callsAtOnce),
      run: placeCall,
    },
    { clock, logFailure },
  )

  async function placeCall(call: CallRow, signal: AbortSignal): Promise<void> {
    let sessionId: string | undefined
    let outcome: CallOutcome
    try {
      signal.throwIfAborted()
      sessionId = await openSession(call)
      signal.throwIfAborted()
      const { sid, to_number: to, from_number: from, metadata, encryption } = call
      const line = createLine(options, sessionId)
      const phoneCall = { sid, to, from, metadata, encryption }
      outcome = carrier?.call ? outcomeOf(await carrier.call(phoneCall, line, signal)) : NO_CARRIER
    } catch (error) {
      log(`a call failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      outcome = { status: 'failed', reason: signal.aborted ? INTERRUPTED : 'The call could not be placed.' }
    }
    const callEnd: CallEnd =
      outcome.status === 'failed'
        ? { status: 'failure', reason: shortReason(redact, outcome.reason) }
        : { status: 'success', reason: '' }
    const store = () => endCall(call.sid, sessionId, callEnd)
    await store().catch((error: unknown) => {
      unstoredEnds.set(call.sid, store)
      logUnstoredEnd(error)
    })
  }

  const logUnstoredEnd = (error: unknown) => logFailure('could not store the end of a call', error)

  /**
   * Ends the conversation, then sets the status: after a kill between the two, recovery finds the call and does
   * both.
   */
  async function endCall(sid: string, sessionId: string | null | undefined, callEnd: CallEnd): Promise<void> {
    if (sessionId) await sessions.end(sessionId)
    await finishCall(database, sid, { from: 'calling', ...callEnd }, date())
  }

  /** Opens the conversation of a call, and links the two in one transaction. */
  const openSession = (call: CallRow): Promise<string> =>
    sessions.openByPhone(
      {
        owner: call,
        connectorId: call.connector_id,
        channel: 'VOICE-SIP',
        userNumber: call.to_number,
        agentNumber: call.from_number,
      },
      async (locked) => {
        const attributes = { call_sid: call.sid, metadata: call.metadata }
        locked.change({ attributes, joined: true })
        await attachConversation(locked.tx, call.sid, locked.session.id)
      },
    )

  return {
    async start(call) {
      const sid = `OUT-${uuid()}`
      const metadata = redact.deep(call.metadata)
      await insertCall(database, { ...call, metadata, sid, created_at: date() })
      runner.claimDue()
      return sid
    },

    async find(sid) {
      const call = await findCall(database, sid)
      const age = call?.ended_at ? clock.now() - call.ended_at.getTime() : 0
      return age < settings.callRetentionSeconds * 1000 ? call : undefined
    },

    async leg(sid) {
      const call = await findCall(database, redact.id(sid))
      return call?.status === 'calling' && call.conversation_id
        ? createLine(options, call.conversation_id)
        : undefined
    },

    due: () => dueCalls(secondsAgo(settings.callRetentionSeconds)),

    async sweep(forAll) {
      const forgotten = secondsAgo(settings.callRetentionSeconds)
      const failed = (reason: string): CallEnd => ({ status: 'failure', reason })
      const waitedTooLong = forAll
        ? await callsQueuedBefore(database, secondsAgo(settings.callQueueSeconds))
        : []
      for (const sid of waitedTooLong)
        await finishCall(database, sid, { from: 'queued', ...failed(WAITED) }, date())
      for (const [sid, store] of unstoredEnds)
        await store().then(() => unstoredEnds.delete(sid), logUnstoredEnd)
      const abandonedByProcess = await runner.betweenClaims((held) =>
        abandonedCalls(database, processId, [...held, ...unstoredEnds.keys()]),
      )
      for (const call of abandonedByProcess)
        await endCall(call.sid, call.conversation_id, failed(INTERRUPTED)).catch(logUnstoredEnd)
      if (forAll) await forgetCallsEndedBefore(database, forgotten)
      runner.claimDue()
    },

    drain: runner.drain,
    stop: runner.stop,
  }
}

/** What a carrier answered. Throws if it is no outcome. */
function outcomeOf(answer: CallOutcome): CallOutcome {
  const { status, reason } = isObject(answer) ? (answer as Record<string, unknown>) : {}
  if (status === 'completed') return { status }
  if (status === 'failed') return { status, reason: isText(reason) ? reason : NO_REASON }
  throw new Error('call of the carrier resolved to no CallOutcome')
}
