// Decides who talks with the user: the agent; nobody yet, since the conversation waits in the handoff queue; or a live agent at the desk.
//
//            handed off              taken
//   agent ───────────────▶ queued ───────────────▶ desk
//     ▲                     │   ◀─── transferred ── │
//     ├── left, timed out ──┘                       │
//     └── given back ───────────────────────────────┘
//
//   The end of the session leads back to `agent` from everywhere.

export type SessionMode = 'agent' | 'queued' | 'desk'

export type ModeEvent =
  /** The agent hands the conversation to a live agent. */
  | 'handed-off'
  /** A live agent takes it out of the queue. */
  | 'taken'
  /** The live agent puts it into a queue again. */
  | 'transferred'
  | 'given-back'
  /** The user leaves the queue. */
  | 'left'
  /** Nobody took it in time. */
  | 'timed-out'
  | 'ended'

const NEXT: Readonly<Record<SessionMode, Readonly<Record<ModeEvent, SessionMode | undefined>>>> = {
  agent: {
    'handed-off': 'queued',
    taken: undefined,
    transferred: undefined,
    'given-back': undefined,
    left: undefined,
    'timed-out': undefined,
    ended: 'agent',
  },
  queued: {
    // An answer that is still being written may ask for a live agent once more.
    'handed-off': undefined,
    taken: 'desk',
    transferred: undefined,
    'given-back': undefined,
    left: 'agent',
    'timed-out': 'agent',
    ended: 'agent',
  },
  desk: {
    'handed-off': undefined,
    taken: undefined,
    transferred: 'queued',
    'given-back': 'agent',
    left: undefined,
    'timed-out': undefined,
    ended: 'agent',
  },
}

/** Undefined: the event means nothing in this mode. */
export const nextMode = (mode: SessionMode, event: ModeEvent): SessionMode | undefined => NEXT[mode][event]

/** True while the handoff queue has the session: it waits there, or a live agent has taken it. */
export const inHandoffQueue = ({ mode }: { readonly mode: SessionMode }): boolean => mode !== 'agent'
