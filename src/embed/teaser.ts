// Shows the teaser, a sentence beside the launcher, at once or by the rule `teaserWhen`. A dismissed teaser is not shown again.

import { createCard } from './card.ts'
import type { PanelHost } from './host.ts'

/**
 * `origin`: of the BFF. Without a text the launcher swells once. `asks`: whether the BFF itself requires consent; where that
 * cannot be read, it counts as required.
 */
export function showTeaser(host: PanelHost, text: string, origin: string, asks = () => askBff(origin)): void {
  const { element, launcher, state } = host
  if (text === '') {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
      launcher.animate({ scale: [1, 1.12, 1] }, 500)
    return
  }
  const { teaser, teaserWhen, connector = '' } = host.options()
  /** Under which the page's storage keeps that it was dismissed. */
  const name = `foyer:${origin}/${connector}:teaser`
  if (read(name) || state.open) return
  current.get(host)?.()
  const card = createCard(host, () => {
    cancel()
    dismissed.add(name)
    void keepWithConsent(host, name, asks)
  })
  const rule = teaser === text ? teaserWhen : undefined
  const cancelRule = when(rule, () => {
    if (!state.open && element.isConnected) card.show(text)
  })
  function cancel(): void {
    cancelRule()
    for (const type of ENDS) element.removeEventListener(type, over)
  }
  function over(): void {
    cancel()
    card.hide()
  }
  for (const type of ENDS) element.addEventListener(type, over)
  current.set(host, over)
}

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
    target.addEventListener(type, look)
    undo.push(() => target.removeEventListener(type, look))
  }
  function look(): void {
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement
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
    look()
  } else if (rule?.startsWith('/')) {
    // Single-page apps change the address without a load.
    on((window as { navigation?: EventTarget }).navigation ?? window, 'navigatesuccess')
    on(window, 'popstate')
    look()
  } else show()
  return cancel
}

/** Whether the teaser was dismissed, in the storage of the page's origin. */
const dismissed = new Set<string>()
function read(name: string): boolean {
  try {
    return dismissed.has(name) || localStorage.getItem(name) !== null
  } catch {
    return dismissed.has(name)
  }
}
/** Nothing is stored before the visitor agrees, and nothing stays once that is withdrawn. */
async function keepWithConsent(host: PanelHost, name: string, asks: () => Promise<boolean>): Promise<void> {
  host.element.addEventListener('foyer-consent', (event) => {
    keep(name, (event as CustomEvent<{ given?: unknown }>).detail.given === true)
  })
  if (/required|refused/.test(host.options().consent ?? '')) return
  if (!(await asks().catch(() => true))) keep(name, true)
}

/** As a script: the policy of a page allows scripts of the BFF, and perhaps no requests to it. */
async function askBff(origin: string): Promise<boolean> {
  const module = await import(/* @vite-ignore */ `${origin}/foyer/config.js`)
  return module.default.consent === 'required'
}

function keep(name: string, kept: boolean): void {
  try {
    if (kept) localStorage.setItem(name, 'dismissed')
    else localStorage.removeItem(name)
  } catch {
    // Without storage a dismissal lasts as long as the page.
  }
}
