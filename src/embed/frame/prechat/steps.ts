// Decides what stands before a chat: consent, a closed office, the home screen, the form; and before each later chat again.
//
//               ┌────────────── refused, from everywhere ───────────────┐
//               ▼                                                       │
//   begun ─▶ consent ──agreed──▶ withdrawing ──left──▶ closed, home, form ──passed──▶ chat
//               (while an earlier chat is being forgotten)    ▲                         │
//                                                             └──────── renewed ────────┘

/** What the visitor passes before a chat, in this order. */
export type Step = 'closed' | 'home' | 'form'

/** `withdrawing`: consent holds again, and the chat before is still being forgotten. */
export type Prechat = 'consent' | 'withdrawing' | Step | 'chat'

export type PrechatEvent =
  /** The panel opens, or is built anew. */
  | 'begun'
  /** The visitor or the page gave consent. */
  | 'agreed'
  /** The visitor or the page refused or withdrew consent, perhaps in another tab. */
  | 'refused'
  /** The chat before is forgotten. */
  | 'left'
  /** The visitor passed the step. */
  | 'passed'
  /** The visitor begins another chat: the one before is over. */
  | 'renewed'
  /** The office may have opened. */
  | 'looked'
  /** The visitor signed out before a chat. */
  | 'signedOut'

/** What holds as the event happens. */
export type Guards = {
  readonly consents: boolean
  /** The chat before is being forgotten. */
  readonly leaving: boolean
  /** A conversation of an earlier page goes on. */
  readonly carriesOn: boolean
  readonly closed: boolean
  /** A home screen stands first, since the visitor has written nothing yet. */
  readonly home: boolean
  readonly form: boolean
}

type Answer = (guards: Guards, now: Prechat) => Prechat

function firstStep({ closed, home, form }: Guards): Step | 'chat' {
  if (closed) return 'closed'
  if (home) return 'home'
  return form ? 'form' : 'chat'
}

const same: Answer = (_, now) => now
const first: Answer = (guards) => {
  if (!guards.consents) return 'consent'
  if (guards.leaving) return 'withdrawing'
  return guards.carriesOn ? 'chat' : firstStep(guards)
}
const consent: Answer = () => 'consent'

const OUTSIDE = {
  begun: first,
  refused: consent,
  passed: same,
  renewed: same,
  looked: same,
} as const
const STEP = {
  begun: first,
  agreed: same,
  refused: consent,
  left: same,
  passed: ({ form }: Guards, now: Prechat) => (now === 'home' && form ? 'form' : 'chat'),
  renewed: same,
  looked: same,
  signedOut: first,
} as const

export const TABLE: Readonly<Record<Prechat, Readonly<Record<PrechatEvent, Answer>>>> = {
  consent: { ...OUTSIDE, agreed: first, left: same, signedOut: first },
  withdrawing: { ...OUTSIDE, agreed: same, left: first, signedOut: first },
  closed: { ...STEP, passed: same, looked: firstStep },
  home: STEP,
  form: STEP,
  chat: { ...STEP, passed: same, renewed: firstStep, signedOut: same },
}

export const nextStep = (now: Prechat, event: PrechatEvent, guards: Guards): Prechat =>
  TABLE[now][event](guards, now)
