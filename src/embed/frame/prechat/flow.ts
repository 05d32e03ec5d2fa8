// Runs the steps before a chat, and the chat behind them: tells the state what happens, and shows what it says.

import type { BeginningAct } from '../../../chat/index.ts'
import { type Looks, type Start, type ToPage, type ToPanel, text } from '../../channel.ts'
import { type ChatController, createChatController, type PanelEnvironment } from '../chat/chat-controller.ts'
import { listen } from '../chat/listen.ts'
import { prefixOf } from '../chat/start.ts'
import { browserStore } from '../chat/storage.ts'
import { createStoredText } from '../chat/stored-text.ts'
import { createConsent } from './consent.ts'
import { ALL_STORES, createDeparture } from './departure.ts'
import { createPending } from './pending.ts'
import { createSite } from './site.ts'
import { createStage } from './stage.ts'
import { nextStep, type Prechat, type PrechatEvent } from './steps.ts'

export type Flow = { take(message: ToPanel): void; dispose(): void }

/** A panel that was prepared longer ago than this, in milliseconds, is built anew when it is shown. */
const STALE_MS = 10_000

/** How often a closed office that is on the screen looks at the clock, in milliseconds. */
const LOOK_MS = 15_000

/** Messages that reach the chat behind the steps to a later one. */
const FOR_THE_CHAT = /^(show|answer|end|key|tool)$/

export function openFlow(
  environment: Omit<PanelEnvironment, 'port'>,
  given: Start,
  post: (message: ToPage) => void,
): Flow {
  const prefix = prefixOf(given)
  const sessions = browserStore('localStorage', prefix)
  const tab = browserStore('sessionStorage', prefix)
  const consent = createConsent(sessions, environment.consentRequired === true, given.consent)
  const pending = createPending(createStoredText(tab, 'written', sessions), consent.holds)
  /** What stands in the fields of the form. */
  const filled = createStoredText(tab, 'form', sessions)
  const departure = createDeparture(prefix, () => happen('left'))
  const site = createSite(environment.root, environment.page, given)
  const stage = createStage(post, settings, stepOptions)
  let now: Prechat = { at: 'consent' }
  let controller: ChatController | undefined
  /** The page or the visitor has wanted something of the panel: it is prepared only until then. */
  let touched = false
  /** When the panel was built last, in milliseconds since 1970. */
  let built = 0
  /** The steps are passed: the chat begins. */
  let passing = false
  let gone = false

  /** `isHere`: whether the visitor is in the panel, which does not take the focus otherwise. */
  function happen(event: PrechatEvent, isHere?: boolean): void {
    if (gone) return
    if (consent.holds() && !departure.isUnderWay()) controller ??= newController()
    const before = now
    now = nextStep(before, event, {
      consents: consent.holds(),
      leaving: departure.isUnderWay(),
      carriesOn: controller?.carriesOn() === true,
      closed: site.isClosed(Date.now()),
      // Whoever has written a message needs no idea for one.
      home: site.hasHome() && pending.isEmpty(),
      form: site.steps().form.length > 0,
    })
    if (now === before || now.at === 'withdrawing') return
    if (now.at === 'chat') return enterChat(controller as ChatController, before, event, isHere)
    const isLater = now.at === 'renewing'
    stage.showStep({
      step: now.at === 'renewing' ? now.step : now.at,
      behind: isLater ? controller : undefined,
      onBack: isLater && controller?.hasBegun() ? () => happen('back') : undefined,
      isHere,
    })
  }
  const newController = () =>
    createChatController(environment, { ...given, notify: site.looks().notify }, post, mayBegin)

  function enterChat(chat: ChatController, before: Prechat, event: PrechatEvent, isHere?: boolean): void {
    passing = true
    if (event !== 'back') filled.set('')
    // First, so that the composer of the new chat is there for the focus.
    if (event !== 'back' && (before.at === 'renewing' || event === 'renewed')) chat.restart()
    stage.showChat(chat, isHere)
    if (event === 'back') pending.giveBackTo(chat)
    else pending.sendBy(chat)
    passing = false
  }
  /** The engine asks before it begins a new chat. */
  function mayBegin(act: BeginningAct): boolean {
    if (passing || !site.hasSteps()) return true
    if (act.type === 'typed') return false
    if (act.type === 'send') pending.add(act.text)
    if (act.type === 'retry') pending.retry(act.id)
    happen('renewed')
    return false
  }

  function settings() {
    return site.settings(consent.isAsked() ? () => withdraw() : undefined)
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
        if (now.at !== 'consent') return happen('passed')
        consent.give()
        tellConsent(true)
        happen('agreed')
      },
      onClose: () => post({ type: 'close' }),
    }
  }

  const tellConsent = (yes: boolean) => post({ type: 'fact', name: 'consent', detail: { given: yes } })
  /** Nothing of the chat is used any more. Returns it. */
  function giveUp(): ChatController | undefined {
    const ending = controller
    controller = undefined
    pending.forget()
    filled.forget()
    stage.clear()
    return ending
  }
  /** Ends the chat, forgets all of it, and asks again. `elsewhere`: withdrawn in another tab, which may have gone on since. */
  function withdraw(elsewhere = false): void {
    const ending = controller ?? (departure.keepsAnything() ? newController() : undefined)
    giveUp()
    consent.withdraw()
    tellConsent(false)
    departure.begin(ending, () => (elsewhere && consent.holds() ? ['sessionStorage'] : ALL_STORES))
    post({ type: 'live', live: false })
    happen('refused')
  }
  /** The visitor signs out before a chat: what an earlier page or the form keeps of them goes. */
  function signOut(): void {
    const ending = giveUp()
    const stores = consent.holds() ? [] : ALL_STORES
    if (departure.keepsAnything()) departure.begin(ending ?? newController(), () => stores)
    else ending?.dispose()
    happen('signedOut')
  }
  /** Builds the panel, anew where it was prepared some time ago: another tab may have begun a chat, or the office may have closed. */
  function build(): void {
    stage.clear()
    controller?.dispose()
    controller = undefined
    built = Date.now()
    happen('begun')
  }
  function change(next: Looks): void {
    site.change(next)
    const moved = consent.hear(next.consent)
    if (moved === 'refused') return withdraw()
    if (moved === 'given' && !controller) return happen('agreed')
    controller?.update(settings(), next)
    stage.step()?.update(settings())
  }
  function take(message: ToPanel): void {
    if (message.type === 'looks') return change(Object(message.looks) as Looks)
    if (message.type === 'show') {
      if (!touched && Date.now() - built > STALE_MS && (stage.step() || site.hasSteps())) build()
      stage.setShown(message)
      if (message.shown === true) happen('looked')
    }
    touched = true
    const chat = stage.chat()
    if (chat) takeForChat(chat, message)
    else if (now.at === 'renewing' && FOR_THE_CHAT.test(message.type))
      controller?.take({ ...message, focus: false } as ToPanel)
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
    if (message.type === 'key' && message.key === 'Escape' && site.looks().closable !== false)
      post({ type: 'close' })
    if (message.type === 'logout') signOut()
  }
  /** Looks whether a closed office has opened; not in the background, where a chat would begin that nobody sees. */
  function look(): void {
    if (stage.isShown() && document.visibilityState === 'visible')
      happen('looked', document.hasFocus() && stage.step()?.hasFocus() === true)
  }
  function keepFilled(): void {
    const answers = touched ? stage.step()?.filled() : undefined
    if (answers !== undefined) filled.set(answers)
  }

  const undo = [
    // Withdrawn in another tab.
    consent.watch(prefix, () => {
      if (controller) withdraw(true)
    }),
    // At once: Firefox may drop what a frame stores first as it goes.
    listen(environment.container, 'input', keepFilled),
    listen(window, 'pagehide', keepFilled),
    listen(document, 'visibilitychange', keepFilled),
    listen(document, 'visibilitychange', look),
  ]
  // By the clock, and not at the hour that it showed once: a machine that sleeps stops its timers.
  const clock = setInterval(look, LOOK_MS)
  build()
  // The page said before the panel was there that its visitor refused.
  if (given.consent === 'refused' && !controller && departure.keepsAnything()) withdraw()

  return {
    take,
    dispose() {
      keepFilled()
      gone = true
      clearInterval(clock)
      for (const each of undo) each()
      controller?.dispose()
      stage.dispose()
    },
  }
}
