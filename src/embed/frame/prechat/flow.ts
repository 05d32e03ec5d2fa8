// Puts the panel together: the steps before a chat and the chat behind them. Handles what page and visitor want of either.

import { HOURS_CHECK_MS } from '../../../ui/index.ts'
import { type Looks, type Start, type ToPage, type ToPanel, text } from '../../channel.ts'
import { type ChatController, createChatController, type PanelEnvironment } from '../chat/chat-controller.ts'
import { listen } from '../chat/listen.ts'
import { prefixOf } from '../chat/start.ts'
import { browserStore } from '../chat/storage.ts'
import { createStoredText } from '../chat/stored-text.ts'
import { ALL_STORES, createChatSlot } from './chat-slot.ts'
import { createConsent } from './consent.ts'
import { createPending, type Pending } from './pending.ts'
import { createSite } from './site.ts'
import { createStage } from './stage.ts'
import { createStepRunner } from './step-runner.ts'

/** A panel: what takes the messages of the page, and the undo. */
export type OpenPanel = { take(message: ToPanel): void; dispose(): void }

/** A panel that was prepared longer ago than this, in milliseconds, is built anew when it is shown. */
const STALE_MS = 10_000

/** Opens the panel. `post`: says something to the page. */
export function openPanel(environment: PanelEnvironment, post: (message: ToPage) => void): OpenPanel {
  const given: Start = Object(environment.start)
  const prefix = prefixOf(given)
  const sessions = browserStore('localStorage', prefix)
  const tab = browserStore('sessionStorage', prefix)
  const consent = createConsent(sessions, environment.consentRequired === true, given.consent)
  const pending = createPending(createStoredText(tab, 'written', sessions), consent.holds)
  const filled = createStoredText(tab, 'form', sessions)
  const site = createSite(environment, given)
  const settings = () => site.settings(consent.isAsked() ? () => withdraw() : undefined)
  const stage = createStage(post, settings, stepOptions, () => takeAway(environment, pending))
  const slot = createChatSlot(prefix, consent, newChat, () => happen('left'))
  const runner = createStepRunner({ consent, slot, site, stage, pending, filled })
  const { happen } = runner
  /** The page or the visitor has wanted something of the panel: it is prepared only until then. */
  let touched = false
  /** When the panel was built last, in milliseconds since 1970. */
  let built = 0

  function newChat(): ChatController {
    return createChatController(environment, { ...given, notify: site.looks().notify }, post, runner.mayBegin)
  }
  function stepOptions() {
    return {
      root: environment.root,
      container: environment.container,
      looks: settings(),
      settings: site.steps(),
      filled: consent.holds() ? filled.get() : '',
      home: site.home(),
      onNext(answer?: string) {
        if (answer) pending.addFirst(answer)
        if (runner.at() !== 'consent') return happen('passed')
        consent.give()
        tellConsent(true)
        happen('agreed')
      },
      onClose: () => post({ type: 'close' }),
    }
  }

  const tellConsent = (yes: boolean) => post({ type: 'fact', name: 'consent', detail: { given: yes } })
  /** Nothing that the visitor wrote is used any more. */
  function forget(): void {
    pending.forget()
    filled.forget()
    stage.clear()
  }
  /** Ends the chat, forgets all of it, and asks again. `elsewhere`: withdrawn in another tab, which may have gone on since. */
  function withdraw(elsewhere = false): void {
    const keepsAnything = slot.keepsAnything()
    forget()
    consent.withdraw()
    tellConsent(false)
    slot.leave(() => (elsewhere && consent.holds() ? ['sessionStorage'] : ALL_STORES), keepsAnything)
    post({ type: 'live', live: false })
    happen('refused')
  }
  /** The visitor signs out before a chat: what an earlier page or the form keeps of them goes. */
  function signOut(): void {
    forget()
    const stores = consent.holds() ? [] : ALL_STORES
    if (slot.keepsAnything()) slot.leave(() => stores)
    else slot.empty()
    happen('signedOut')
  }
  /** Builds the panel, anew where it was prepared some time ago: another tab may have begun a chat, or the office may have closed. */
  function build(): void {
    stage.clear()
    slot.empty()
    built = Date.now()
    happen('begun')
  }
  function change(next: Looks): void {
    site.change(next)
    const moved = consent.hear(next.consent)
    if (moved === 'refused') return withdraw()
    if (moved === 'given' && !slot.chat()) return happen('agreed')
    slot.chat()?.update(settings(), next)
    stage.step()?.update(settings())
  }
  function take(message: ToPanel): void {
    if (message.type === 'looks') return change(Object(message.looks) as Looks)
    if (message.type === 'show') {
      if (!touched && Date.now() - built > STALE_MS && (stage.step() || site.hasSteps())) build()
      stage.setShown(message)
      if (message.shown === true) recheck(true)
    }
    touched = true
    const chat = stage.chat()
    if (chat) takeForChat(chat, message)
    else takeBeforeChat(message)
  }
  function takeForChat(chat: ChatController, message: ToPanel): void {
    if (message.type === 'logout') {
      pending.forget()
      filled.forget()
    }
    chat.take(message)
    // The next person at this browser is asked as this one was.
    if (message.type === 'logout' && site.hasSteps()) chat.restart()
  }
  /** Whatever else is said is about a conversation, and there is none yet. */
  function takeBeforeChat(message: ToPanel): void {
    if (message.type === 'send') pending.add(text(message.text) ?? '')
    if (message.type === 'draft') pending.draft(text(message.text) ?? '')
    if (message.type === 'logout') signOut()
  }
  /** Looks whether a closed office has opened, or a chat that was off is on; not in the background, where nobody sees a chat begin. */
  function recheck(opening: boolean): void {
    if (!opening && (!stage.isShown() || document.visibilityState !== 'visible')) return
    const isHere = () => (opening ? undefined : document.hasFocus() && stage.step()?.hasFocus() === true)
    void site.recheck(() => happen('looked', isHere()))
  }
  function keepFilled(): void {
    const answers = touched ? stage.step()?.filled() : undefined
    if (answers !== undefined) filled.set(answers)
  }

  const undo = [
    // Withdrawn in another tab.
    consent.watch(prefix, () => {
      if (slot.chat()) withdraw(true)
    }),
    ...watchSteps(environment.container, keepFilled, () => recheck(false)),
  ]
  build()
  // The page said before the panel was there that its visitor refused.
  if (given.consent === 'refused' && !slot.chat() && slot.keepsAnything()) withdraw()

  return {
    take,
    dispose() {
      keepFilled()
      runner.stop()
      for (const each of undo) each()
      slot.empty()
      stage.dispose()
    },
  }
}

/** Removes the first screen. The words in its field wait for the chat behind the steps. */
function takeAway({ first }: PanelEnvironment, pending: Pending): void {
  if (!first?.element.isConnected) return
  if (first.draft()) pending.draft(first.draft())
  first.leave()
  first.element.remove()
}

/** Keeps what stands in the form, and looks whether a closed office has opened. Returns the undo. */
function watchSteps(container: EventTarget, keepFilled: () => void, recheck: () => void): (() => void)[] {
  // By the clock, and not at the hour that it showed once: a machine that sleeps stops its timers.
  const clock = setInterval(recheck, HOURS_CHECK_MS)
  return [
    () => clearInterval(clock),
    // At once: Firefox may drop what a frame stores first as it goes.
    listen(container, 'input', keepFilled),
    listen(window, 'pagehide', keepFilled),
    listen(document, 'visibilitychange', keepFilled),
    listen(document, 'visibilitychange', recheck),
  ]
}
