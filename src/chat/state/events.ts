// Defines all that can happen to the engine (law L2), and what listeners are told.

import type { Decision, FeedbackRating, Frame } from '../../protocol/index.ts'
import type { ChatEvents } from './model.ts'
import type { SessionEvent } from './session.ts'
import type { Named } from './state.ts'

/** Time and chance while an event is handled. `run`: the number of the next attempt. */
export type Context = { now: number; wall: number; random: number; run: number }

/** The request that was sent: the stop, the leaving, or the decision or rating with this id. */
export type Requested = { type: 'requested'; what: 'stop' | 'leave' | { id: string } }

export type Event =
  | { type: 'session'; event: SessionEvent }
  | { type: 'frame'; run: number; frame: Frame }
  | { type: 'tick' }
  // what the visitor does
  /** `held`: the site has to allow it. */
  | { type: 'send'; id: string; text: string; held?: boolean }
  | { type: 'released'; id: string }
  | { type: 'typed' }
  | { type: 'retry'; id: string; freshId: string }
  | { type: 'discard'; id: string }
  | { type: 'stop' }
  | { type: 'leave-queue' }
  | { type: 'decide'; id: string; key: string; decision: Decision }
  | { type: 'feedback'; id: string; key: string; rating: FeedbackRating; comment: string | undefined }
  | { type: 'rate'; id: string; score: number; comment: string | undefined }
  | { type: 'keep' }
  | { type: 'end' }
  | { type: 'restart' }
  /**
   * The visitor signed out, here or in another tab, so many ms ago. Each sign-out has its own mark; it counts once, and not in a page
   * that began later.
   */
  | { type: 'signed-out'; mark: string; ago?: number | undefined }
  // what happens to the page
  | { type: 'wake' }
  /** The machine slept for `ms`, which the monotonic clock did not count. */
  | { type: 'slept'; ms: number }
  | { type: 'suspend' }
  | { type: 'online'; online: boolean }
  | { type: 'visible'; visible: boolean }
  | { type: 'shown'; shown: boolean }
  | { type: 'chunk-join'; join: 'space' }
  // what other tabs did
  /** The tabs of this browser go on in `session`, as the store or another tab says. */
  | ({ type: 'named' } & Named)
  /** The visitor was active there, so many ms ago. */
  | { type: 'active'; idleFor: number }
  /** The visitor has read there all up to a sequence. */
  | { type: 'read'; session: string; sequence: number }
  /** A loaded message is this page's, or that of another page, which lives and sends it. */
  | { type: 'claimed'; id: string }
  | { type: 'copied'; id: string }
  // what the site was asked
  | { type: 'asked'; id: string }
  // what went over the wire
  | { type: 'sent'; id: string }
  | { type: 'joined' }
  | { type: 'barrier'; id: string }
  | { type: 'probed'; id: string }
  | { type: 'typing-sent'; state: 'STARTED' | 'STOPPED' }
  | { type: 'end-sent' }
  | Requested
  /** A rating was sent after the end, or cannot be sent any more. */
  | { type: 'rated'; id: string }

/** One public event for listeners. */
export type PublicEvent = { [T in keyof ChatEvents]: { type: T; detail: ChatEvents[T] } }[keyof ChatEvents]
