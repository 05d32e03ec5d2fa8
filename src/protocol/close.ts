// What a close code means. The socket reports the number, this file judges it, the session table acts.

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

export type CloseMeaning =
  /** Nothing is wrong with session or token: come back after the usual wait. */
  | 'reconnect'
  /** The service does not know the session: get a new one. */
  | 'renew'
  /** The service asks for quiet (flooding): come back after a longer wait. */
  | 'later'
  /** The service restarts or fails for everybody at once: come back spread out. */
  | 'spread'
  /** The frame just sent was too large: it fails, all else goes on. */
  | 'oversize'

/** Total: a code that nobody named is transient. A clean close (1000) ends a session only after SESSION_END. */
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
