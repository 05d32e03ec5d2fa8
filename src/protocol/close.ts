// Says what each close code means. The socket reports the code, and the session table decides what follows.

/** Codes of the wire, by their meaning. 4000, 4002 and 4003 are the client's own. */
export const CLOSE = {
  clean: 1000,
  goingAway: 1001,
  none: 1005,
  abnormal: 1006,
  policy: 1008,
  tooLarge: 1009,
  failed: 1011,
  restarting: 1012,
  tryLater: 1013,
  replaced: 4000,
  unknownSession: 4001,
  forced: 4002,
  networkLost: 4003,
} as const

/** What a client has to do after a close code. */
export type CloseMeaning =
  /** Session and token are valid: reconnect after the usual wait. */
  | 'reconnect'
  /** The service does not know the session: create a new one. */
  | 'renew'
  /** The client sent too much: reconnect after a longer wait. */
  | 'later'
  /** The service restarts or fails for all clients at once: reconnect after a random wait, to spread the load. */
  | 'spread'
  /** The last frame was too large: only its message fails. */
  | 'oversize'

/** Says what a client has to do after a close code. Unknown codes are transient. A clean close (1000) ends a session only after SESSION_END. */
export function closeMeaning(code: number): CloseMeaning {
  switch (code) {
    case CLOSE.unknownSession:
      return 'renew'
    case CLOSE.policy:
      return 'later'
    case CLOSE.goingAway:
    case CLOSE.failed:
    case CLOSE.restarting:
    case CLOSE.tryLater:
      return 'spread'
    case CLOSE.tooLarge:
      return 'oversize'
    default:
      return 'reconnect'
  }
}
