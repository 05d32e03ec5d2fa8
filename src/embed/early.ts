// What stands in the frame until the panel's own code has run: header and composer. What the visitor writes, sends and presses
// meanwhile is kept for the panel.

import { isLocale, type Shell } from '../ui/index.ts'
import type { Start, ToPage, ToPanel } from './channel.ts'
import { needsReception, prefixOf, settingsOf } from './given.ts'
import { createKept } from './kept.ts'
import { browserStore } from './storage.ts'

export type Early = {
  /** Resolves once it was on the screen, with the focus, or is not to be. */
  painted: Promise<unknown>
  /** What was said meanwhile; from now on the panel listens. */
  handOver(): readonly unknown[]
}

/** What is only prepared, and what nobody looks at, is on no screen. */
const PAINT_MS = 500

/** Undefined where something else may come first, or other words than English. */
export function showEarly(shell: Shell, given: Start, port: MessagePort): Early | undefined {
  if (needsReception(given)) return
  const { locale = 'en', theme = 'light', ...looks } = settingsOf(given)
  const prefix = prefixOf(given)
  const sessions = browserStore('localStorage', prefix)
  const isEnglish = (tag: string) => /^en(-US)?$/i.test(isLocale(tag) ? tag : 'en')
  if (!isEnglish(locale) || !isEnglish(sessions.get('language') ?? 'en')) return
  shell.show(document.body, {
    locale: isLocale(locale) ? locale : 'en',
    theme,
    phone: looks.phone === true,
    showHeader: looks.showHeader !== false,
    closable: looks.closable !== false,
    modal: looks.modal === true,
  })
  const { element, field, menu } = shell
  const said: unknown[] = []
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

  function send(): void {
    const text = field.value.trim()
    if (text) said.push({ type: 'send', text } satisfies ToPanel)
    field.value = ''
    grow()
    field.focus()
  }
  function grow(): void {
    const around = field.parentElement as HTMLElement
    around.dataset.text = field.value
  }
  on(port, 'message', ({ data }: MessageEvent) => {
    said.push(data)
    const { type, shown, focus } = Object(data) as Record<string, unknown>
    if (type !== 'show' || shown !== true) return
    if (focus === true) field.focus({ preventScroll: true })
    // A task behind the frame.
    requestAnimationFrame(() => setTimeout(settle))
  })
  port.start()
  on(field, 'input', grow)
  on(element, 'keydown', (event: KeyboardEvent) => {
    const { key, shiftKey, isComposing, keyCode } = event
    if (isComposing || keyCode === 229) return
    if (key === 'Escape' && looks.closable !== false) say({ type: 'close' })
    if (key !== 'Enter' || shiftKey || event.target !== field) return
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
    else if (button) say({ type: 'close' })
  })
  // The page goes before the panel was there.
  on(window, 'pagehide', () => {
    const sent = said.flatMap((data) => {
      const { type, text } = Object(data) as { type?: unknown; text?: unknown }
      return type === 'send' ? [text] : []
    })
    const kept = createKept(browserStore('sessionStorage', prefix), 'draft', sessions)
    const whole = [kept.get(), ...sent, field.value].filter(Boolean).join('\n')
    if (whole) kept.set(whole)
  })
  return {
    painted,
    handOver() {
      ending.abort()
      return said
    },
  }
}
