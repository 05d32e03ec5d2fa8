// Holds the limits that client and service share. Source: the message protocol, "limits".

/** Largest frame either side accepts, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 131_072
/** Seconds between heartbeats if the service gives no interval. */
export const DEFAULT_HEARTBEAT_SECONDS = 30
/** Seconds without a message, chunk, typing, join or handoff event after which a session expires. */
export const DEFAULT_SESSION_IDLE_SECONDS = 600
/** Most sockets that one session may have open. */
export const MAX_SOCKETS_PER_SESSION = 10
/** Most entries of `metadata.custom`, and most bytes of a key or a value. */
export const MAX_CUSTOM_KEYS = 16
export const MAX_CUSTOM_BYTES = 256

/** Longest comment of a rating, in UTF-16 units. */
export const MAX_COMMENT_LENGTH = 2_000
/** Highest score of a rating of the chat; the lowest is 0. */
export const MAX_SCORE = 10

/**
 * Seconds between the warning and the end of an idle session: 10 % of the idle time, at most 60, and at least the 20 that WCAG 2.2.1 asks for, if
 * that is not more than half of the idle time.
 */
export const idleWarningLead = (sessionIdleSeconds: number): number =>
  Math.min(sessionIdleSeconds / 2, Math.max(20, Math.min(60, sessionIdleSeconds * 0.1)))
