// Says what each close code means. The socket reports the code, and the session table decides what follows.

/** Codes of the wire, by their meaning. 4000, 4002 and 4003 are the client's own. */
export const CLOSE = {
  /** The session has ended. After `EVENT_TYPE_SESSION_END` the client does not reconnect. */
  clean: 1000,
  /** The process stops or restarts, or the client sent nothing for 10 minutes. */
  goingAway: 1001,
  /** The connection was closed without a code. */
  none: 1005,
  /** The connection broke, or the handshake was refused. */
  abnormal: 1006,
  /** The client sent too many frames or bytes. */
  policy: 1008,
  /** A frame is larger than 128 KiB. */
  tooLarge: 1009,
  /** The service failed. */
  failed: 1011,
  /** The service restarts. */
  restarting: 1012,
  /** The client reads too slowly, the service is overloaded, or the socket was silent for over 150 seconds and another has its place. */
  tryLater: 1013,
  /** The client's own: it has opened another socket. */
  replaced: 4000,
  /** The service does not know the session, or its conversation was erased. */
  unknownSession: 4001,
  /** The client's own: it closes a socket that seems dead. */
  forced: 4002,
  /** The client's own: the network is gone. */
  networkLost: 4003,
} as const

/** What a client does after a close. */
export type CloseMeaning =
  /** Reconnects after the usual wait: session and token are valid. */
  | 'reconnect'
  /** Creates a new session. */
  | 'renew'
  /** Reconnects after a longer wait. */
  | 'later'
  /** Reconnects after a random wait, since all clients of the service reconnect at once. */
  | 'spread'
  /** Marks the message of the last frame as failed, and reconnects. */
  | 'oversize'

/** What a client does after a close with this code. Unknown codes are transient. A clean close (1000) ends a session only after SESSION_END. */
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
