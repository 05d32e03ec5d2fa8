// Runs the steps before a chat by their table: tells the state what happens, and shows what it says.

import type { BeginningAct } from '../../../chat/index.ts'
import type { StoredText } from '../chat/stored-text.ts'
import type { ChatSlot } from './chat-slot.ts'
import type { Consent } from './consent.ts'
import type { Pending } from './pending.ts'
import type { Site } from './site.ts'
import type { Stage } from './stage.ts'
import { nextStep, type Prechat, type PrechatEvent } from './steps.ts'

export type StepRunner = {
  at(): Prechat
  /** `isHere`: whether the visitor is in the panel, which does not take the focus otherwise. */
  happen(event: PrechatEvent, isHere?: boolean): void
  /** The engine asks before it begins a new chat. */
  mayBegin(act: BeginningAct): boolean
  /** Nothing happens any more. */
  stop(): void
}

export type StepRunnerOptions = {
  consent: Consent
  slot: ChatSlot
  site: Site
  stage: Stage
  pending: Pending
  /** What stands in the fields of the form. */
  filled: StoredText
}

/** These events show the step or the chat anew, also where the state stays the same. */
const BEGINS: ReadonlySet<PrechatEvent> = new Set(['begun', 'refused', 'signedOut', 'renewed'])

export function createStepRunner({
  consent,
  slot,
  site,
  stage,
  pending,
  filled,
}: StepRunnerOptions): StepRunner {
  let now: Prechat = 'consent'
  /** The chat before is over: the steps lead to another one. */
  let isLater = false
  /** The steps are passed: the chat begins. */
  let passing = false
  let stopped = false

  function happen(event: PrechatEvent, isHere?: boolean): void {
    if (stopped) return
    const chat = slot.fill()
    const before = now
    now = nextStep(before, event, {
      consents: consent.holds(),
      leaving: slot.isLeaving(),
      carriesOn: chat?.carriesOn() === true,
      closed: site.isClosed(Date.now()),
      // Whoever has written a message needs no idea for one.
      home: site.hasHome() && pending.isEmpty(),
      form: site.steps().form.length > 0,
    })
    if (now === before && !BEGINS.has(event)) return
    isLater = event === 'renewed' || (isLater && (event === 'passed' || event === 'looked'))
    if (now === 'withdrawing') return
    if (now === 'chat') return enterChat(isHere)
    if (event === 'renewed') chat?.end()
    stage.showStep(now, isHere)
  }

  function enterChat(isHere?: boolean): void {
    const chat = slot.fill()
    if (!chat) return
    passing = true
    filled.set('')
    // First, so that the composer of the new chat is there for the focus.
    if (isLater) chat.restart()
    stage.showChat(chat, isHere)
    pending.sendBy(chat)
    pending.writeTo(chat)
    passing = false
  }
  return {
    at: () => now,
    happen,
    mayBegin(act) {
      if (passing || !site.hasSteps()) return true
      if (act.type === 'typed') return false
      if (act.type === 'send') pending.add(act.text)
      if (act.type === 'retry') pending.retry(act.id)
      happen('renewed')
      return false
    },
    stop() {
      stopped = true
    },
  }
}
