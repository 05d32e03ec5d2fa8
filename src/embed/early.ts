// Shows header and composer in the frame until the panel's own code has run, and keeps for the panel what the visitor writes, sends
// and presses meanwhile.

import { attempt, makeShell, type Shell } from '../ui/index.ts'
import { readMessage, type Start, type ToPage, type ToPanel, text } from './channel.ts'
import type { ReadDetails } from './details.ts'
import type { Dress } from './dress.ts'
import { needsReception, prefixOf, settingsOf } from './given.ts'
import { createKept } from './kept.ts'
import { browserStore } from './storage.ts'

export type Early = {
  shell: Shell
  /** The site's details, where the site gives any. */
  details: ReadDetails | undefined
  /** Resolves once it was on the screen, with the focus, or is not to be. */
  painted: Promise<unknown>
  /** Says that the panel's code is missing. `hangs`: whether the first request for it is still under way; after it there are others. */
  late(hangs: () => boolean): void
  /** Ends what stands here, and returns what the page and the visitor said meanwhile. The panel listens from then on. */
  handOver(): readonly unknown[]
}

/** The panel's code waits no longer than this: a panel that is only prepared, or in a hidden page, never comes on the screen. */
const PAINT_MS = 500
/** Nor longer than this for words and colours. */
const DRESS_MS = 500

/** `plain`: as it is in English, without options. Undefined where something else may come first, or words or colours are late. */
export async function showEarly(plain: Shell, given: Start, port: MessagePort): Promise<Early | undefined> {
  const looks = settingsOf(given)
  const prefix = prefixOf(given)
  const sessions = browserStore('localStorage', prefix)
  let locale = sessions.get('language') ?? looks.locale ?? 'en'
  let shell = plain
  let dress: Dress | undefined
  if (looks.accent || needsReception(given) || !/^en(-US)?$/i.test(locale)) {
    const gone = AbortSignal.timeout(DRESS_MS)
    dress = await Promise.race([
      attempt(() => import('./dress.ts')).then(({ readDress }) => readDress(given, locale, looks, gone)),
      new Promise<undefined>((late) => {
        gone.onabort = () => late(undefined)
      }),
    ]).catch(() => undefined)
    if (!dress) return
    locale = dress.locale
    shell = makeShell(document, dress.spoken)
    dress.colour(shell.element)
  }
  shell.show(document.body, { ...looks, locale })
  const { element, field, menu } = shell
  const kept = createKept(browserStore('sessionStorage', prefix), 'draft', sessions)
  /** The draft that an earlier page kept. */
  const before = kept.get()
  let said: ToPanel[] = []
  let settle = () => {}
  const painted = new Promise<void>((resolve) => {
    settle = resolve
    setTimeout(resolve, PAINT_MS)
  })
  const ending = new AbortController()
  const { signal } = ending
  const say = (message: ToPage) => port.postMessage(message)
  const on = (target: EventTarget, type: string, hear: (event: never) => void) =>
    target.addEventListener(type, hear as EventListener, { signal })

  function write(words: string): void {
    field.value = words
    shell.grow()
  }
  function send(): void {
    const words = field.value.trim()
    if (words) {
      said.push({ type: 'send', text: words })
      shell.say(words)
    }
    write('')
    field.focus()
  }
  /** Takes a key that the page passes on, since WebKit gives keys to the page until a person moves the focus into the frame. */
  function press(key: string): void {
    const signs = [...field.value]
    if (key === 'Enter') send()
    else if (key === 'Backspace') write(signs.slice(0, -1).join(''))
    else if (key === 'Escape') close()
    else if ([...key].length === 1) write(field.value + key)
  }
  function close(): void {
    if (looks.closable) say({ type: 'close' })
  }
  const sent = () => said.flatMap((message) => (message.type === 'send' ? [message.text] : []))
  write(before)
  // The visitor can write: the page shows the frame, and waits no longer.
  say({ type: 'ready' })
  on(port, 'message', ({ data }: MessageEvent) => {
    const message = readMessage<ToPanel>(data)
    if (!message) return
    // At once, so that it replaces nothing that is written later.
    if (message.type === 'draft') return write(text(message.text) ?? '')
    if (message.type === 'key') return press(text(message.key) ?? '')
    if (message.type === 'logout') {
      said = said.filter(({ type }) => type !== 'send')
      write('')
      for (const sent of element.querySelectorAll('.sending')) sent.remove()
      kept.forget()
    }
    // Nobody was contacted yet: whatever the page said before, refusing and signing out come first.
    if (message.type === 'looks' || message.type === 'logout')
      said = [message, ...said.filter(({ type }) => type !== message.type)]
    else said.push(message)
    if (message.type !== 'show' || message.shown !== true) return
    if (message.focus === true) field.focus({ preventScroll: true })
    // A task behind the frame.
    requestAnimationFrame(() => setTimeout(settle))
  })
  port.start()
  /** The visitor's keys have reached the field, which they may have left for the page since. */
  let entered = false
  on(field, 'focus', () => {
    entered = true
  })
  on(field, 'input', shell.grow)
  on(element, 'keydown', (event: KeyboardEvent) => {
    const { key, shiftKey, isComposing, keyCode } = event
    if (isComposing || keyCode === 229) return
    if (key === 'Escape' && looks.closable) {
      event.preventDefault()
      close()
    }
    if (key !== 'Enter' || shiftKey === shell.spoken.enterSends || event.target !== field) return
    event.preventDefault()
    send()
  })
  on(element, 'submit', (event: Event) => {
    event.preventDefault()
    send()
  })
  on(element, 'click', ({ target }: MouseEvent) => {
    const button = (target as Element).closest('.round')
    if (button === menu) shell.pressed = !shell.pressed
    else if (button) close()
  })
  // The page goes before the panel was there.
  let went = false
  on(window, 'pagehide', () => {
    went = true
    kept.set([...sent(), field.value].filter(Boolean).join('\n'))
  })
  return {
    shell,
    details: dress?.details,
    painted,
    late: (hangs) =>
      shell.late(() => {
        // The browser would wait for the same request again.
        if (hangs()) return location.reload()
        // `persist`, which asks for the panel's code again and again, does so at once on this event.
        dispatchEvent(new Event('online'))
        field.focus()
      }),
    handOver() {
      ending.abort()
      // It came back from where the browser keeps pages that go: nothing is said twice.
      if (went) kept.set(before)
      const { activeElement } = document
      // A visitor who has moved the focus elsewhere in the panel keeps it there.
      const isElsewhere = (focus: unknown) =>
        element.contains(activeElement) && !(focus === true && activeElement === field)
      // A visitor who went to the page stays there. Firefox takes the focus out of the frame as well, but gives it back.
      const hasLeft = entered && !document.hasFocus()
      // Signing out empties the field: what is in it now came after that.
      if (said.some(({ type }) => type === 'logout')) said.push({ type: 'draft', text: field.value })
      // One that was closed again since takes no focus either.
      const last = said.findLast(({ type }) => type === 'show')
      return said.map((message) => {
        if (message.type !== 'show') return message
        if (message !== last || isElsewhere(message.focus)) return { ...message, focus: false }
        return hasLeft && message.shown && message.focus === true ? { ...message, focus: 'later' } : message
      })
    },
  }
}
