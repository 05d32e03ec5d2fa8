// Defines the states of the session and what can happen to it; session/table.ts has the transitions.

import type { SessionState } from '../../protocol/index.ts'

/** Why a session has ended. */
export type EndReason = { readonly expired: boolean; readonly reason: string }

/** The results of the attempts so far. */
export type Tally = {
  /** Attempts in a row that did not lead to a steady connection. */
  readonly fails: number
  /** Handshakes in a row that never opened, since the service was last asked about the session. */
  readonly refusals: number
  /** Milliseconds of the wait before this attempt, as long as it was meant to be: a sleep or a clock that was set does not count. */
  readonly waited: number
  /** For how long handshakes are refused in a row: the sum of the waits between them. Of a session that has ended: all waits for its replay. */
  readonly refusedFor: number
  /** Sessions in a row that were created and never opened. After a few of them the chat gives up. */
  readonly unopened: number
  /** Attempts in a row that BFF or chat host refused. The first is followed by a slow one, since a refusal may last for seconds. */
  readonly denials: number
  /** The service left all its clients at once, and no connection was steady since: they come back spread over a longer time. */
  readonly crowded: boolean
  /** The session has ended; one more replay shows which unconfirmed messages arrived. */
  readonly endReason: EndReason | undefined
  /** The visitor uses this page: it follows the other tabs once the replay of its own session has shown which messages arrived. */
  readonly follows: boolean
}

/** `sessionId` undefined: create a new session. `run`: the number of the attempt. */
type Attempt = { readonly sessionId: string | undefined; readonly run: number } & Tally
type Known = Attempt & { readonly sessionId: string }

export type Session =
  | { readonly name: 'idle'; readonly sessionId: string | undefined }
  | ({ readonly name: 'entering' } & Attempt)
  | ({ readonly name: 'connecting' } & Known)
  | ({ readonly name: 'replaying' } & Known)
  /** `since`: when it became live. After 5 s earlier failures are forgiven. */
  | ({ readonly name: 'live'; readonly since: number } & Known)
  /**
   * `since`: when the wait began. `earliest`: no act of the visitor starts the attempt before it, since the service asked for this wait. `busy`: it asked for one
   * that is long enough to say so.
   */
  | ({
      readonly name: 'waiting'
      readonly since: number
      readonly until: number
      readonly earliest: number
      readonly busy?: true
    } & Attempt)
  | ({ readonly name: 'offline' } & Attempt)
  /** The page is being left or frozen: no socket, no timer. */
  | ({ readonly name: 'suspended' } & Attempt)
  | { readonly name: 'expired'; readonly run: number }
  | { readonly name: 'ended'; readonly run: number; readonly reason: string }
  /** `again`: when the next attempt is made: the slow one, or one that the visitor asked for too soon. */
  | ({
      readonly name: 'unavailable'
      readonly cause: Cause
      readonly at: number
      readonly again?: number
    } & Attempt)
  | { readonly name: 'disposed' }

/** `refused`: by the BFF. `gave-up`: after too many failed attempts, or since the session gives this tab no socket while another tab has one. */
export type Cause = 'refused' | 'gave-up'

export type SessionEvent =
  /** The visitor opened the chat, or asked to try again. */
  | { readonly type: 'open' }
  /** The visitor typed or sent a message: the connection is needed now. */
  | { readonly type: 'act' }
  | { readonly type: 'restart' }
  /** The visitor signed out: nothing of this session is kept. */
  | { readonly type: 'logout' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  /** The page got the focus or is seen again, or the machine woke up: try now. */
  | { readonly type: 'wake' }
  | { readonly type: 'suspend' }
  /** `fresh`: `sessionId` is new. */
  | {
      readonly type: 'entered'
      readonly run: number
      readonly sessionId: string
      readonly fresh?: boolean
    }
  /** What the service answers to the question about a session whose handshakes it refuses; undefined: nothing that proves anything. */
  | { readonly type: 'told'; readonly run: number; readonly state: SessionState | undefined }
  /** Token or session are temporarily unavailable. `retryAfter`: milliseconds, if the answer has it. */
  | { readonly type: 'failed'; readonly run: number; readonly retryAfter?: number | undefined }
  /** Token or session are refused permanently. */
  | { readonly type: 'refused'; readonly run: number }
  | { readonly type: 'opened'; readonly run: number }
  /** `unproven`: the service echoes no heartbeat, so that nothing shows whether its replay is whole. */
  | { readonly type: 'replayed'; readonly unproven?: boolean }
  /** `own`: the client closed a working connection to open a better one. */
  | { readonly type: 'closed'; readonly run: number; readonly code: number; readonly own?: boolean }
  /** The service does not know the session. */
  | { readonly type: 'unknown' }
  /** Ended by the service, the visitor or inactivity. `proven`: a replay shows which messages arrived. `final`: no replay can.
   * `untold`: the service does not know it. */
  | ({
      readonly type: 'over'
      readonly proven: boolean
      readonly final?: boolean
      readonly untold?: boolean
    } & EndReason)
  /** The service sends no replay in this session, after all attempts. */
  | { readonly type: 'exhausted' }
  /** Another tab of this browser is connected to the session, which gives this one no socket. */
  | { readonly type: 'taken'; readonly run: number }
  /** A wait is over. */
  | { readonly type: 'due' }
  | { readonly type: 'dispose' }
