// The page's side: launcher, the panel's place, and the handle. Small, since every page pays for it; what is
// inside the panel comes only when it is wanted (law L8).

import { CHANNEL_VERSION, type Looks, readMessage, type Start, type ToPage, type ToPanel } from './channel.ts'
import css from './host.css?inline'
import type { Options } from './options.ts'
import { launcherWords } from './words.ts'

/** Puts a panel into `box` and returns the port to it, and the undo. */
export type OpenPanel = (
  box: HTMLElement,
  start: Start,
  root: ShadowRoot,
) => { port: MessagePort; remove(): void }

export type Listener = (detail: Record<string, unknown>) => void

export type Handle = {
  readonly ready: Promise<void>
  open(): void
  close(): void
  toggle(): void
  show(): void
  hide(): void
  send(text: string): void
  setDraft(text: string): void
  setLocale(locale: string): void
  update(options: Pick<Options, 'theme' | 'accent' | 'locale' | 'showHeader'>): void
  restart(): void
  end(): void
  logout(): void
  destroy(): void
  getState(): {
    open: boolean
    status: string
    sessionId: string | undefined
    unread: number
    version: number
  }
  on(type: string, listener: Listener): () => void
}

/** For the QA page: what a panel may be told where its own server allows tools. */
export type Tools = { tool(name: 'cut' | 'offline' | 'online'): void }

const PHONE = '(max-width:480px),(max-height:480px) and (pointer:coarse)'
const SVG = 'http://www.w3.org/2000/svg'

export function createHost(
  options: Options,
  key: string,
  openPanel: OpenPanel,
  tools = false,
): Handle & Tools {
  const page = document
  const floats = (options.layout ?? 'float') === 'float'
  const element = page.createElement('foyer-host')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]

  const box = page.createElement('div')
  const launcher = page.createElement('button')
  const badge = page.createElement('span')
  const phone = matchMedia(PHONE)
  const listeners = new Map<string, Set<Listener>>()
  const undo: (() => void)[] = []
  let looks: Options = options
  let panel: ReturnType<OpenPanel> | undefined
  let open = false
  let live = false
  let status = 'idle'
  let sessionId: string | undefined
  let unread = 0
  let count = 0

  launcher.type = 'button'
  launcher.className = 'launcher'
  badge.className = 'badge'
  launcher.append(icon('chat', 'M4 5.5h12v8.5H9.5L6 17v-3H4z'), icon('down', 'm5 7.75 5 5 5-5'), badge)
  box.className = 'box'
  root.append(box, launcher)

  function icon(name: string, path: string): SVGElement {
    const svg = page.createElementNS(SVG, 'svg')
    const line = page.createElementNS(SVG, 'path')
    svg.setAttribute('viewBox', '0 0 20 20')
    svg.setAttribute('class', name)
    svg.setAttribute('aria-hidden', 'true')
    line.setAttribute('d', path)
    svg.append(line)
    return svg
  }

  const locale = () => looks.locale ?? (page.documentElement.lang || navigator.language)
  function theme(): 'light' | 'dark' {
    if (looks.theme === 'dark' || looks.theme === 'light') return looks.theme
    const scheme = getComputedStyle(page.documentElement).colorScheme
    const dark =
      /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia('(prefers-color-scheme:dark)').matches)
    return dark ? 'dark' : 'light'
  }
  const looksNow = (): Looks => ({
    locale: locale(),
    theme: theme(),
    ...(looks.accent && { accent: looks.accent }),
    ...(looks.showHeader !== undefined && { showHeader: looks.showHeader }),
    phone: phone.matches || navigator.maxTouchPoints > 0,
  })

  function draw(): void {
    const words = launcherWords(locale())
    const state = `${options.layout ?? 'float'} ${options.position ?? 'right'}${open ? ' open' : ''}${phone.matches ? ' phone' : ''} ${theme()}`
    element.className = state
    launcher.className = `launcher ${state}`
    box.className = `box ${state}`
    box.inert = !open
    launcher.hidden = !floats || options.launcher === 'hidden' || (open && phone.matches)
    launcher.ariaLabel = open ? words.close : words.open
    launcher.ariaExpanded = String(open)
    badge.textContent = unread > 99 ? '99+' : unread > 0 ? String(unread) : ''
    if (looks.accent && CSS.supports('color', looks.accent))
      element.style.setProperty('--foyer-accent', looks.accent)
  }

  /** The fact, to listeners and as an event on the page. False where it was cancelled. */
  function tell(type: string, detail: Record<string, unknown> = {}, cancelable = false): boolean {
    const whole = { ...detail, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION }
    for (const listener of listeners.get(type) ?? []) listener(whole)
    return element.dispatchEvent(
      new CustomEvent(`foyer-${type}`, { detail: whole, bubbles: true, composed: true, cancelable }),
    )
  }

  const say = (message: ToPanel) => panel?.port.postMessage(message)

  /** The next page is told that a conversation goes on, in this page's own storage and with nothing secret. */
  function keep(): void {
    try {
      if (live) sessionStorage.setItem(key, open ? 'open' : 'closed')
      else sessionStorage.removeItem(key)
    } catch {
      // Without storage the next page starts closed.
    }
  }

  function load(): void {
    if (panel) return
    const start: Start = {
      ...(options.connector && { connector: options.connector }),
      platform: options.platform && options.platform !== 'web' ? `${options.platform}-web` : 'web',
      streaming: options.streaming ?? true,
      tools,
      ...looksNow(),
    }
    panel = openPanel(box, start, root)
    panel.port.onmessage = ({ data }) => hear(readMessage<ToPage>(data))
  }

  function hear(message: ToPage | undefined): void {
    switch (message?.type) {
      case 'close':
        return setOpen(false, true)
      case 'live':
        live = message.live === true
        return keep()
      case 'fact': {
        const { name, detail } = message
        if (typeof name !== 'string' || typeof detail !== 'object') return
        if (name === 'connection') status = String(detail.status)
        if (name === 'session') sessionId = String(detail.session_id)
        if (name === 'unread') {
          unread = Number(detail.count) || 0
          draw()
        }
        tell(name, detail)
      }
    }
  }

  function setOpen(next: boolean, focus: boolean): void {
    if (next === open || (next && !tell('before-open', {}, true))) return
    open = next
    if (open) load()
    draw()
    say({ type: 'show', shown: open, focus })
    if (open && focus) box.querySelector('iframe')?.focus()
    if (!open && focus) launcher.focus()
    keep()
    tell(open ? 'open' : 'close')
  }

  launcher.onclick = () => setOpen(!open, true)
  const redraw = () => {
    draw()
    say({ type: 'looks', looks: looksNow() })
  }
  phone.addEventListener('change', redraw)
  undo.push(() => phone.removeEventListener('change', redraw))

  function place(): void {
    const target =
      options.target && options.layout === 'embedded' ? page.querySelector(options.target) : undefined
    ;(target ?? page.body).append(element)
    draw()
    let carried: string | null = null
    try {
      carried = sessionStorage.getItem(key)
    } catch {
      // No storage, nothing to carry on.
    }
    if (carried === 'open' || !floats || (options.autoOpen && !phone.matches)) setOpen(true, false)
    else if (carried !== null) {
      load()
      say({ type: 'show', shown: false, focus: false })
    }
    tell('ready')
  }
  const ready = new Promise<void>((resolve) => {
    const begin = () => {
      place()
      resolve()
    }
    if (page.body) queueMicrotask(begin)
    else page.addEventListener('DOMContentLoaded', begin, { once: true })
  })

  function ensure(message: ToPanel): void {
    load()
    say(message)
  }
  return {
    ready,
    open: () => setOpen(true, true),
    close: () => setOpen(false, true),
    toggle: () => setOpen(!open, true),
    show: () => {
      element.hidden = false
    },
    hide: () => {
      element.hidden = true
    },
    send: (text) => ensure({ type: 'send', text }),
    setDraft: (text) => ensure({ type: 'draft', text }),
    setLocale(locale) {
      looks = { ...looks, locale }
      redraw()
    },
    update(changes) {
      looks = { ...looks, ...changes }
      redraw()
    },
    restart: () => say({ type: 'restart' }),
    end: () => say({ type: 'end' }),
    logout: () => say({ type: 'logout' }),
    tool: (name) => say({ type: 'tool', name }),
    destroy() {
      tell('destroy')
      panel?.remove()
      panel = undefined
      for (const each of undo) each()
      listeners.clear()
      element.remove()
    },
    getState: () => ({ open, status, sessionId, unread, version: CHANNEL_VERSION }),
    on(type, listener) {
      const set = listeners.get(type) ?? new Set()
      listeners.set(type, set)
      set.add(listener)
      return () => {
        set.delete(listener)
      }
    },
  }
}
