// Shows the teaser, a sentence beside the launcher, at once or by the rule `teaserWhen`. A dismissed teaser is not shown again.

import { askBff, createMemory, type Memory } from '../host/memory.ts'
import type { PanelHost } from '../host/panel-host.ts'
import { createCard } from './card.ts'

/**
 * `origin`: of the BFF. Without a text the launcher swells once. `asks`: whether the BFF itself requires consent; where that
 * cannot be read, it counts as required.
 */
export function showTeaser(
  host: PanelHost,
  text: string,
  origin: string,
  asks = () => askBff(origin, host.options().connector),
): void {
  const { element, launcher, state } = host
  if (text === '') {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
      launcher.animate({ scale: [1, 1.12, 1] }, 500)
    return
  }
  const { teaser, teaserWhen } = host.options()
  const name = `${host.key}:teaser`
  const memory = memories.get(host) ?? createMemory(host, name, asks)
  memories.set(host, memory)
  if (memory.read() || state.open) return
  current.get(host)?.()
  const card = createCard(host, () => {
    cancel()
    memory.keep('dismissed')
  })
  const rule = teaser === text ? teaserWhen : undefined
  const cancelRule = when(rule, () => {
    if (!state.open && element.isConnected && !memory.read()) card.show(text)
  })
  function cancel(): void {
    cancelRule()
    removeEventListener('storage', elsewhere)
    for (const type of ENDS) element.removeEventListener(type, over)
  }
  function over(): void {
    cancel()
    card.hide()
  }
  /** Dismissed in another tab. */
  function elsewhere({ key, newValue }: StorageEvent): void {
    if (key === name && newValue !== null) over()
  }
  addEventListener('storage', elsewhere)
  for (const type of ENDS) element.addEventListener(type, over)
  current.set(host, over)
}

/** The memory of each chat, which all teasers of the chat share. */
const memories = new WeakMap<PanelHost, Memory>()
/** The undo of each chat's teaser. A later call replaces it. */
const current = new WeakMap<PanelHost, () => void>()

/** Events that remove a card. */
const ENDS = ['foyer-open', 'foyer-destroy']

/** Calls back once the rule holds. Returns the undo. */
function when(rule: string | undefined, show: () => void): () => void {
  const part = Number(rule?.match(/^(\d+)%$/)?.[1])
  const seconds = Number(rule?.match(/^\d{1,6}$/)?.[0])
  const undo: (() => void)[] = []
  const cancel = () => {
    for (const each of undo.splice(0)) each()
  }
  const on = (target: EventTarget, type: string) => {
    target.addEventListener(type, check)
    undo.push(() => target.removeEventListener(type, check))
  }
  function check(): void {
    // In quirks mode the body scrolls.
    const { scrollTop, scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement
    const holds = rule?.startsWith('/')
      ? location.pathname.startsWith(rule)
      : scrollTop >= (part / 100) * (scrollHeight - clientHeight)
    if (!holds) return
    cancel()
    show()
  }
  if (seconds > 0) {
    const timer = setTimeout(show, seconds * 1000)
    undo.push(() => clearTimeout(timer))
  } else if (part > 0) {
    on(window, 'scroll')
    check()
  } else if (rule?.startsWith('/')) {
    // Single-page apps change the address without a load.
    on((window as { navigation?: EventTarget }).navigation ?? window, 'navigatesuccess')
    on(window, 'popstate')
    check()
  } else show()
  return cancel
}
