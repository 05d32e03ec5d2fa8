// Runs a panel whose site asks for more than a chat: first what stands before it, then the chat. Loaded only then.
//
//   consent missing ──▶ gate ──agrees──▶ a new chat, with a form, … ──▶ door ──▶ talk
//        ▲                                ▲       └── else ─────────────────▶ talk
//        │                                └──────────── begins a new chat ──────┤
//        └────────────────────── withdrawn: ends, wipes ──────────────────────┘

import {
  type DoorHandle,
  type DoorLooks,
  type DoorStep,
  loadDoor,
  loadDoorWords,
  loadHours,
  NO_DOOR,
  type PanelSettings,
  persist,
  type Shell,
} from '../ui/index.ts'
import type { Looks, Start, ToPage, ToPanel } from './channel.ts'
import { type Consent, createConsent, RECORD } from './consent.ts'
import type { ReadDetails } from './details.ts'
import { DETAILS, hasDetails, prefixOf, settingsOf } from './given.ts'
import { createKept, SIGNED_OUT } from './kept.ts'
import { listen } from './listen.ts'
import { createWritten, guardNewChats, type Renewal } from './renew.ts'
import { browserStore } from './storage.ts'
import { createTalk, type PanelPlace, type Talk } from './talk.ts'

/** What the panel's side has when something stands before its chat. */
export type ReceptionOptions = {
  place: Omit<PanelPlace, 'port'>
  given: Start
  say(message: ToPage): void
  /** A chat that is shown already. */
  talk: Talk | undefined
  shown: Extract<ToPanel, { type: 'show' }> | undefined
  /** Stands already, until the first chat is drawn. */
  shell?: Shell | undefined
  /** The options as they were read for it. */
  details?: ReadDetails | undefined
}

export type Reception = { take(message: ToPanel): void; dispose(): void }

/** Shows what stands first. */
export function openReception(options: ReceptionOptions): Reception {
  const { place, given, say } = options
  const { root, container, page } = place
  const prefix = prefixOf(given)
  const sessions = browserStore('localStorage', prefix)
  const consent: Consent = createConsent(sessions, place.consentRequired === true, given.consent)
  let looks: Looks = given
  let { shell, details } = options
  let policies: PanelSettings['policies']
  let { talk, shown } = options
  /** The page or the visitor has wanted something of the panel: it is prepared only until then. */
  let touched = shown !== undefined
  let door: DoorHandle | undefined
  /** The chat is what is shown. */
  let drawn = talk !== undefined
  let answered = drawn
  /** The site's tokens that are set. */
  const dressed: string[] = []
  /** What was asked of a chat that is not there yet. */
  let waiting: ToPanel[] = []
  const written = createWritten(createKept(browserStore('sessionStorage', prefix), 'written', sessions))
  /** Keeps the contents of the form's fields over a reload. */
  const filled = createKept(browserStore('sessionStorage', prefix), 'form', sessions)
  /** The chat before this one ends and is forgotten. */
  let leaving: Promise<void> | undefined
  /** Counts what is begun: what an earlier begin had to wait for is of no use. */
  let round = 0
  /** When the last begin was, in milliseconds since 1970. */
  let begun = 0
  /** What is shown stands before a later chat; the one before it goes on. */
  let renewing = false
  /** The office was closed when somebody wanted this. */
  let closed: Partial<Renewal> | undefined
  /** While a closed office is on the screen. */
  let clock: ReturnType<typeof setInterval> | undefined
  /** The gate could not be loaded. */
  let stuck = false
  /** The new chat that what is shown stands before. */
  let pending: Renewal | undefined
  const leaves = new AbortController()
  const { signal: gone } = leaves
  function settings(): PanelSettings {
    return {
      ...settingsOf(looks),
      words: details?.words,
      rating: details?.rating,
      enterSends: details?.enterSends,
      policies,
      site: {
        ...details?.site,
        ...page,
        withdraw: consent.isAsked() ? () => withdraw() : undefined,
      },
    }
  }

  /** Builds a panel anew that was prepared some time ago: another tab may have begun a chat since, and the office may have closed. */
  function beginAnew(): void {
    if (!door && !stands() && !details?.site.hours) return
    door?.dispose()
    door = undefined
    talk?.dispose()
    talk = undefined
    drawn = false
    begin()
  }
  /** From the start, or anew: whatever stands first is shown. Synchronous where no site asked for anything. */
  function begin(): void {
    const now = ++round
    begun = Date.now()
    pending = undefined
    const ready = () => now === round && !gone.aborted
    if (!details && hasDetails(looks)) void readDetails().then(() => ready() && enter(ready))
    else enter(ready)
  }
  async function readDetails(): Promise<void> {
    const { readDetails: read } = await persist(() => import('./details.ts'), gone)
    details = read(looks)
    dress()
    await nameLinks()
  }
  /** Sets the site's tokens where panel and door inherit them. */
  function dress(): void {
    const { style } = root instanceof Document ? root.documentElement : (root.host as HTMLElement)
    for (const name of dressed.splice(0)) style.removeProperty(name)
    for (const [name, value] of details?.tokens ?? []) {
      style.setProperty(`--foyer-${name}`, value)
      dressed.push(`--foyer-${name}`)
    }
  }
  /** The links of the site, named in the language that the panel speaks by then. */
  async function nameLinks(): Promise<void> {
    const { links = [], words: own } = { ...details?.site, words: details?.words }
    const words = links.length > 0 ? await loadDoorWords().catch(() => undefined) : undefined
    policies =
      words &&
      ((locale) => {
        const say = words.doorWords(locale, own)
        return links.map(({ name, url }) => ({ title: say[name], url }))
      })
  }
  function enter(ready: () => boolean): void {
    if (!consent.holds()) {
      void showDoor(['consent'], ready)
      return
    }
    if (leaving) return void leaving.then(() => ready() && enter(ready))
    const made = createTalk({ ...place, shell }, { ...given, notify: looks.notify }, say)
    shell = undefined
    talk = made
    made.guard(guard)
    if (made.carriesOn() || !stands()) return pass([])
    void stepsNow().then((steps) => {
      if (ready()) void showDoor(steps, ready)
    })
  }
  const guard = (chat: Parameters<typeof guardNewChats>[0]) => guardNewChats(chat, stands, written, renew)
  /** Whether anything stands before a new chat. */
  function stands(): boolean {
    const { form, starters, closes } = details?.door ?? NO_DOOR
    return closes || form.length + starters.length > 0 || page?.render?.home !== undefined
  }
  async function stepsNow({ resend }: Partial<Renewal> = {}): Promise<DoorStep[]> {
    const { form, starters, closes, hours, timeZone } = details?.door ?? NO_DOOR
    const found = closes ? await loadHours().catch(() => undefined) : undefined
    if (found?.opensAt(found.readHours(hours), timeZone, Date.now()) !== undefined) return ['closed']
    const steps: DoorStep[] = []
    // Whoever has written a message needs no idea for one.
    if (written.isEmpty() && !resend && (starters.length > 0 || page?.render?.home)) steps.push('home')
    if (form.length > 0) steps.push('form')
    return steps
  }
  /** A new chat is begun: what stands before one is shown again, and the chat before it stays until that is passed. */
  function renew({ resend: again, ...rest }: Renewal): void {
    const now = ++round
    const ready = () => now === round && !gone.aborted
    const { resend: first } = { ...pending }
    const resend = () => {
      first?.()
      again?.()
    }
    const renewal: Renewal = { ...rest, resend: first || again ? resend : undefined }
    pending = renewal
    void stepsNow(renewal).then((steps) => {
      if (ready()) void showDoor(steps, ready, renewal)
    })
  }
  async function showDoor(
    steps: readonly DoorStep[],
    ready: () => boolean,
    renewal?: Renewal,
    isHere?: boolean,
  ): Promise<void> {
    if (steps.length === 0) return pass([], renewal, isHere)
    const { openDoor } = await loadDoor().catch(() => ({ openDoor: undefined }))
    if (!ready()) return
    // A gate that cannot be shown stays shut; anything else is not worth a chat.
    if (!openDoor && !steps.includes('consent')) return pass([], renewal, isHere)
    stuck = !openDoor
    // The page says that there is no chat, and how to try again; after it has been shown one, the next opening tries again.
    if (!openDoor) return answered ? say({ type: 'close' }) : undefined
    door?.dispose()
    if (renewal) talk?.undraw()
    drawn = false
    renewing = renewal !== undefined
    closed = steps.includes('closed') ? (renewal ?? {}) : undefined
    // By the clock, and not at the hour that it showed once: a machine that sleeps stops its timers.
    if (closed) clock ??= setInterval(look, LOOK_MS)
    arrive()
    door = openDoor({
      root,
      container,
      looks: doorLooks(),
      settings: details?.door ?? NO_DOOR,
      steps,
      filled: consent.holds() ? filled.get() : '',
      now: Date.now(),
      home: page?.render?.home,
      onConsent() {
        consent.give()
        tellConsent(true)
      },
      onDone(messages) {
        if (steps.includes('consent')) begin()
        else pass(messages, renewal)
      },
      onBack: renewal?.back
        ? () => {
            const texts = written.take()
            pending = undefined
            drawTalk()
            takeWaiting()
            talk?.giveBack(texts)
          }
        : undefined,
      onClose: () => say({ type: 'close' }),
    })
    if (shown?.shown && (isHere ?? (shown.focus || renewal))) door.focus()
  }
  /** The steps are passed, with the visitor's first messages; what was written meanwhile comes after them. */
  function pass(messages: readonly string[], renewal?: Renewal, isHere?: boolean): void {
    pending = undefined
    filled.set('')
    // First, so that the composer of the new chat is there for the focus.
    renewal?.begin()
    if (!drawn) drawTalk(isHere)
    for (const message of messages) talk?.send(message)
    // In the order in which they were written.
    renewal?.resend?.()
    for (const message of written.take()) talk?.send(message)
    takeWaiting()
  }
  function takeWaiting(): void {
    for (const message of waiting.splice(0)) talk?.take(message)
  }
  const doorLooks = (): DoorLooks => settings()
  function drawTalk(isHere = door?.hasFocus()): void {
    // Whoever is elsewhere on the page by now stays there.
    const after = door && (isHere ? (looks.phone ? 'panel' : true) : false)
    door?.dispose()
    door = undefined
    renewing = false
    closed = undefined
    void talk?.draw(settings()).then(arrive)
    drawn = true
    if (shown) talk?.take({ ...shown, focus: after ?? shown.focus })
  }

  /** Something is shown: the page no longer waits. */
  function arrive(): void {
    if (!answered) say({ type: 'ready' })
    answered = true
  }
  const tellConsent = (yes: boolean) => say({ type: 'fact', name: 'consent', detail: { given: yes } })
  /** Ends the chat, forgets all of it, and asks again. `elsewhere`: withdrawn in another tab, which may have gone on since. */
  function withdraw(elsewhere = false): void {
    const kept = talk !== undefined || keepsAnything(prefix)
    consent.withdraw()
    tellConsent(false)
    waiting = []
    written.forget()
    filled.forget()
    const ending = talk ?? (kept ? createTalk(place, given, say) : undefined)
    talk = undefined
    drawn = false
    leave(ending, () => (elsewhere && consent.holds() ? ['sessionStorage'] : STORES))
    say({ type: 'live', live: false })
    begin()
  }
  /** Ends a chat, and forgets what it left in `stores`. Consent that is given meanwhile is for the next one. */
  function leave(ending: Talk | undefined, stores: () => readonly Store[]): void {
    const before = leaving
    const ended = ending?.logout().catch(() => {})
    // While the BFF is told, nothing of the chat can be used.
    ending?.undraw()
    const mine = Promise.all([ended, before]).then(() => {
      ending?.dispose()
      wipe(prefix, stores())
      if (leaving === mine) leaving = undefined
    })
    leaving = mine
  }

  function take(message: ToPanel): void {
    if (message.type === 'looks') return change(Object(message.looks) as Looks)
    if (message.type === 'show') {
      if (!touched && Date.now() - begun > STALE_MS) beginAnew()
      shown = message
      if (message.shown === true && message.focus) door?.focus()
      if (message.shown === true && closed) openAgain(closed)
      if (message.shown === true && stuck) begin()
    }
    touched = true
    if (talk && drawn) {
      if (message.type === 'logout') {
        written.forget()
        filled.forget()
      }
      talk.take(message)
      // The next person at this browser is asked as this one was.
      if (message.type === 'logout' && stands()) talk.take({ type: 'restart' })
      return
    }
    if (talk && renewing && FOR_THE_CHAT.test(message.type))
      return talk.take({ ...message, focus: false } as ToPanel)
    // The rest is about a conversation, and there is none yet.
    if ((message.type === 'send' || message.type === 'draft') && waiting.length < 50) waiting.push(message)
    if (message.type === 'logout') forget()
  }
  /** The office may have opened since. `isHere`: whether the visitor is in the panel, which does not take the focus otherwise. */
  function openAgain({ begin: again, ...rest }: Partial<Renewal>, isHere?: () => boolean): void {
    const now = round
    void stepsNow(rest).then((steps) => {
      if (now !== round || gone.aborted || !closed || steps.includes('closed')) return
      const ready = () => now === round && !gone.aborted
      void showDoor(steps, ready, again && { back: false, ...rest, begin: again }, isHere?.())
    })
  }
  /** Looks whether a closed office has opened; not in the background, where a chat would begin that nobody sees. */
  function look(): void {
    if (shown?.shown && closed && document.visibilityState === 'visible')
      openAgain(closed, () => document.hasFocus() && door?.hasFocus() === true)
  }
  /** What the visitor has filled in so far. */
  function keepFilled(): void {
    const now = touched ? door?.filled() : undefined
    if (now !== undefined) filled.set(now)
  }
  const leavings = [
    // At once: Firefox may drop what a frame stores first as it goes.
    listen(container, 'input', keepFilled),
    listen(window, 'pagehide', keepFilled),
    listen(document, 'visibilitychange', keepFilled),
    listen(document, 'visibilitychange', look),
  ]
  /** The visitor leaves before the chat: what an earlier page or the form keeps of them goes. */
  function forget(): void {
    waiting = []
    written.forget()
    filled.forget()
    const stores = consent.holds() ? [] : STORES
    const ending = keepsAnything(prefix) ? (talk ?? createTalk(place, given, say)) : undefined
    if (!ending) talk?.dispose()
    talk = undefined
    renewing = false
    door?.dispose()
    door = undefined
    if (ending) leave(ending, () => stores)
    begin()
  }
  function change(next: Looks): void {
    const before = looks
    looks = next
    const moved = consent.hear(next.consent)
    if (moved === 'refused') return withdraw()
    if (moved === 'given' && !talk) {
      if (differs(before, next)) details = undefined
      return begin()
    }
    const update = () => {
      talk?.update(settings(), looks)
      door?.update(doorLooks())
    }
    // A chat without a rule of consent was shown before one was heard of.
    if (differs(before, next)) void readDetails().then(() => gone.aborted || update())
    // What needs no details does not wait for them.
    update()
  }

  // Withdrawn in another tab.
  const undo = consent.watch(prefix, () => {
    if (talk) withdraw(true)
  })
  talk?.guard(guard)
  if (details) {
    dress()
    void nameLinks().then(() => talk?.update(settings(), looks))
  }
  if (!drawn) begin()
  // The page said before the panel was there that its visitor refused.
  if (given.consent === 'refused' && !talk && keepsAnything(prefix)) withdraw()

  return {
    take,
    dispose() {
      leaves.abort()
      clearInterval(clock)
      keepFilled()
      for (const each of [undo, ...leavings]) each()
      talk?.dispose()
      door?.dispose()
    },
  }
}

/** A panel that was prepared longer ago than this, in milliseconds, is built anew when it is shown. */
const STALE_MS = 10_000

/** How often a closed office that is on the screen looks at the clock, in milliseconds. */
const LOOK_MS = 15_000

/** Messages that reach the chat behind the steps to a new one. */
const FOR_THE_CHAT = /^(show|answer|end|key|tool)$/

/** Whether one of the details changed. */
const differs = (before: Looks, after: Looks): boolean =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].some(
    (name) => DETAILS.test(name) && before[name as keyof Looks] !== after[name as keyof Looks],
  )

const STORES = ['localStorage', 'sessionStorage'] as const
type Store = (typeof STORES)[number]

/** Keys of this chat in the storage of this origin. The mark of a sign-out stays: by it other tabs drop what they keep from before. */
function keysOf(store: Store, prefix: string): string[] {
  try {
    return Object.keys(window[store]).filter((key) => key.startsWith(prefix) && key !== prefix + SIGNED_OUT)
  } catch {
    return []
  }
}
const keepsAnything = (prefix: string) => STORES.some((store) => keysOf(store, prefix).length > 0)
function wipe(prefix: string, stores: readonly Store[]): void {
  for (const store of stores)
    for (const key of keysOf(store, prefix)) if (key !== prefix + RECORD) window[store].removeItem(key)
}
