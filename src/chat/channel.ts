// Defines the messages between the tabs of one browser. They never contain tokens: a tab that takes over gets its own.

import type { DividerEntry } from './state/model.ts'

/** The members of BroadcastChannel that the engine uses. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}

/** The members of Web Locks that the engine uses. */
export interface Locks {
  /** `ifAvailable`: where the lock is not free, calls `held` with null at once, as Web Locks do. */
  request(
    name: string,
    options: { signal: AbortSignal; ifAvailable?: never } | { signal?: never; ifAvailable: true },
    held: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>
}

export type Message =
  /** A tab joins, or follows the owner `to`. It may be a copy of another, with the same outbox. */
  | { type: 'who'; to?: string | undefined; visible: boolean; outbox: readonly string[] }
  | { type: 'here'; owner: boolean; visible: boolean }
  | { type: 'mine'; to: string; ids: readonly string[] }
  | { type: 'gone' }
  /** The owner hands over to `heir`: nobody else asks for the lock meanwhile. */
  | { type: 'yield'; heir: string }
  | { type: 'logout'; mark: string }
  /** The visitor typed or asked to keep the chat, so many ms ago; or sees the new messages. */
  | { type: 'active'; rested: number }
  | { type: 'read' }
  | { type: 'end'; session: string }
  /** A rating for a session that is over, which only the owner can reach. */
  | { type: 'late'; session: string; id: string; text: string }
  /** The echo `event` (its session and id), which names no message, is that of `message`: another tab may have sent the same words. */
  | { type: 'named'; event: string; message: string }
  /** The service knows of the rating `id`, or of the end of the session `id`; or the owner cannot tell it. */
  | { type: 'told'; to: string; id: string }
  // of a tab to the owner, and back
  | {
      type: 'enter'
      call: number
      session: string | undefined
      own?: string | undefined
      left: string | undefined
      over: readonly string[]
      asked: boolean
    }
  | {
      type: 'entered'
      to: string
      call: number
      session: string
      reason: DividerEntry['reason'] | undefined
      /** A batch of the session that was asked for, where this is another one. */
      history: string | undefined
    }
  | { type: 'refused'; to: string; call: number }
  /** `asked`: what was sent over a socket of this tab is not confirmed. Only a replay from now on tells what became of it. */
  | { type: 'open'; socket: number; session: string; cursor: number; asked: boolean }
  /** The owner heard it and answers once it can. */
  | { type: 'wait'; to: string }
  /** `rested`: for how long nobody did anything, in ms. */
  | { type: 'opened'; to: string; socket: number; rested: number }
  | { type: 'closed'; to: string; socket: number; code: number }
  /** The session is over as the owner sees it. */
  | { type: 'over'; to: string; session: string; expired: boolean; reason: string }
  | { type: 'say'; socket: number; text: string }
  | { type: 'close'; socket: number }
  /** A frame of the service: for one socket, or for every open one of the session. */
  | { type: 'frame'; session: string; text: string; to?: string; socket?: number }

/** `to`: undefined: every tab. */
export type From<M = Message> = M & { from: string; to?: string | undefined }

/** Undefined if it is not a message of this version. Only this origin can send, so the fields are trusted. */
export function readMessage(data: unknown): From | undefined {
  const { type, from } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  return typeof type === 'string' && typeof from === 'string' ? (data as From) : undefined
}
