// Decides what stands before a chat: consent, a closed office, the home screen, the form; and before each later chat again.
//
//               ┌────────────── refused, from everywhere ───────────────┐
//               ▼                                                       │
//   begun ─▶ consent ──agreed──▶ withdrawing ──left──▶ closed, home, form ──passed──▶ chat
//               (while an earlier chat is being forgotten)                   ▲          │ renewed
//                                                         passed, back ──────┤          ▼
//                                                                            └────── renewing

/** What the visitor passes before a chat, in this order. */
export type Step = 'closed' | 'home' | 'form'

export type Prechat =
  /** `withdrawing`: consent holds again, and the chat before is still being forgotten. */
  | { readonly at: 'consent' | 'withdrawing' | Step | 'chat' }
  /** A step stands before a later chat; the one before it goes on behind it. */
  | { readonly at: 'renewing'; readonly step: Step }

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
  /** The visitor goes back to the chat before. */
  | 'back'
  /** The visitor begins another chat. */
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
const stepAfter = ({ form }: Guards, passed: Step | undefined): Step | 'chat' =>
  passed === 'home' && form ? 'form' : 'chat'

const same: Answer = (_, now) => now
const first: Answer = (guards) => {
  if (!guards.consents) return { at: 'consent' }
  if (guards.leaving) return { at: 'withdrawing' }
  return { at: guards.carriesOn ? 'chat' : firstStep(guards) }
}
const consent: Answer = () => ({ at: 'consent' })
const before = (at: Step | 'chat'): Prechat => ({ at })
const beforeLater = (step: Step | 'chat'): Prechat =>
  step === 'chat' ? { at: 'chat' } : { at: 'renewing', step }
/** The step that the visitor is at. */
const stepOf = (now: Prechat): Step | undefined => {
  if (now.at === 'renewing') return now.step
  return now.at === 'closed' || now.at === 'home' || now.at === 'form' ? now.at : undefined
}
const renew: Answer = (guards) => beforeLater(firstStep(guards))

const OUTSIDE = {
  begun: first,
  refused: consent,
  passed: same,
  back: same,
  renewed: same,
  looked: same,
} as const
const STEP = {
  begun: first,
  agreed: same,
  refused: consent,
  left: same,
  passed: (guards: Guards, now: Prechat) => before(stepAfter(guards, stepOf(now))),
  back: same,
  renewed: same,
  looked: same,
  signedOut: first,
} as const

export const TABLE: Readonly<Record<Prechat['at'], Readonly<Record<PrechatEvent, Answer>>>> = {
  consent: { ...OUTSIDE, agreed: first, left: same, signedOut: first },
  withdrawing: { ...OUTSIDE, agreed: same, left: first, signedOut: first },
  closed: { ...STEP, passed: same, looked: (guards) => before(firstStep(guards)) },
  home: STEP,
  form: STEP,
  chat: {
    begun: first,
    agreed: same,
    refused: consent,
    left: same,
    passed: same,
    back: same,
    renewed: renew,
    looked: same,
    signedOut: same,
  },
  renewing: {
    begun: first,
    agreed: same,
    refused: consent,
    left: same,
    passed: (guards, now) => (stepOf(now) === 'closed' ? now : beforeLater(stepAfter(guards, stepOf(now)))),
    back: () => ({ at: 'chat' }),
    renewed: renew,
    looked: (guards, now) => (stepOf(now) === 'closed' ? renew(guards, now) : now),
    signedOut: first,
  },
}

/** The state after the event. Returns the same object where nothing changes. */
export const nextStep = (now: Prechat, event: PrechatEvent, guards: Guards): Prechat =>
  TABLE[now.at][event](guards, now)
