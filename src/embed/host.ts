// The page's side: launcher, the panel's place, and the handle. Every page pays for it, so it is terse, and
// draws with the bare document; what is inside the panel comes only when it is wanted (law L8).

import { CHANNEL_VERSION, type Looks, readMessage, type Start, type ToPage, type ToPanel } from './channel.ts'
import css from './host.css?inline'
import type { Options } from './options.ts'
import { launcherWord } from './words.ts'

/** Puts a panel into `box`, at the other end of `port`. Returns the undo. */
export type OpenPanel = (box: HTMLElement, start: Start, port: MessagePort, root: ShadowRoot) => () => void

export type Listener = (detail: Record<string, unknown>) => void

export type Handle = {
  /** Kept when the launcher is there. */
  readonly ready: Promise<void>
  open(): void
  close(): void
  toggle(): void
  /** Launcher and panel together. */
  show(): void
  hide(): void
  /** Sends a message of the visitor. */
  send(text: string): void
  /** Puts a text into the composer. */
  setDraft(text: string): void
  setLocale(locale: string): void
  update(options: Pick<Options, 'theme' | 'accent' | 'locale' | 'showHeader'>): void
  restart(): void
  end(): void
  /** Ends the conversation and forgets it, for the next person at this browser. */
  logout(): void
  destroy(): void
  getState(): {
    open: boolean
    status: string
    sessionId: string | undefined
    unread: number
    version: number
  }
  /** Calls back on each event of the type; returns the undo. */
  on(type: string, listener: Listener): () => void
  /** For developers' tools: reaches a panel whose own server allows it. */
  tool(name: 'cut' | 'offline' | 'online'): void
}

export function createHost(options: Options, key: string, openPanel: OpenPanel, tools = false): Handle {
  const page = document
  const layout = options.layout ?? 'float'
  const floats = layout === 'float'
  const element = page.createElement('foyer-host')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  const box = page.createElement('div')
  const launcher = page.createElement('button')
  const badge = page.createElement('span')
  const phone = matchMedia('(max-width:480px),(max-height:480px) and (pointer:coarse)')
  const listeners = new Map<string, Set<Listener>>()
  let looks: Options = options
  let port: MessagePort | undefined
  let remove = () => {}
  let open = false
  let live = false
  let status = 'idle'
  let sessionId: string | undefined
  let unread = 0
  let count = 0

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  launcher.append(icon('M4 5.5h12v8.5H9.5L6 17v-3H4z', 'm5 7.75 5 5 5-5'), badge)
  root.append(box, launcher)

  function icon(...paths: string[]): Element {
    const draw = (name: string) => page.createElementNS('http://www.w3.org/2000/svg', name)
    const svg = draw('svg')
    svg.setAttribute('viewBox', '0 0 20 20')
    svg.ariaHidden = 'true'
    for (const path of paths) svg.appendChild(draw('path')).setAttribute('d', path)
    return svg
  }

  const locale = () => looks.locale ?? (page.documentElement.lang || navigator.language)
  function theme(): 'light' | 'dark' {
    const { colorScheme } = getComputedStyle(page.documentElement)
    const dark = looks.theme === 'dark' || (looks.theme !== 'light' && /dark/.test(colorScheme))
    const either = /light/.test(colorScheme) && looks.theme !== 'dark'
    return dark && (!either || matchMedia('(prefers-color-scheme:dark)').matches) ? 'dark' : 'light'
  }
  const looksNow = (): Looks => {
    const { accent, showHeader } = looks
    return {
      locale: locale(),
      theme: theme(),
      accent,
      showHeader,
      phone: phone.matches || navigator.maxTouchPoints > 0,
      closable: floats,
    }
  }

  function draw(): void {
    const { accent } = looks
    element.className = `${layout} ${options.position} ${theme()} ${open ? 'open' : ''} ${phone.matches ? 'phone' : ''}`
    box.inert = !open
    launcher.hidden = !floats || options.launcher === 'hidden' || (open && phone.matches)
    launcher.ariaLabel = launcherWord(locale(), open)
    launcher.ariaExpanded = `${open}`
    badge.textContent = unread > 99 ? '99+' : `${unread || ''}`
    if (accent && CSS.supports('color', accent)) element.style.setProperty('--foyer-accent', accent)
  }

  /** The fact, to listeners and as an event on the page. False where it was cancelled. */
  function tell(type: string, facts?: object, cancelable = false): boolean {
    const detail = { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION }
    for (const listener of listeners.get(type) ?? []) listener(detail)
    return element.dispatchEvent(
      new CustomEvent(`foyer-${type}`, { detail, bubbles: true, composed: true, cancelable }),
    )
  }

  const say = (message: ToPanel) => port?.postMessage(message)

  /** The page's own storage, and nothing secret in it. Without storage the next page starts closed. */
  function stored(use: (storage: Storage) => unknown): unknown {
    try {
      return use(sessionStorage)
    } catch {
      return undefined
    }
  }
  /** Tells the next page that a conversation goes on. */
  const keep = () =>
    stored((storage) => (live ? storage.setItem(key, open ? 'open' : 'closed') : storage.removeItem(key)))

  function load(focus = false): void {
    if (port) return
    const { connector, platform = 'web', streaming = true } = options
    const channel = new MessageChannel()
    port = channel.port1
    port.onmessage = ({ data }) => hear(readMessage<ToPage>(data))
    const web = platform === 'web' ? platform : `${platform}-web`
    const start = { ...looksNow(), connector, platform: web, streaming, tools, focus }
    remove = openPanel(box, start, channel.port2, root)
  }

  function hear(message: ToPage | undefined): void {
    if (message?.type === 'close') setOpen(false, true)
    if (message?.type === 'live') {
      live = message.live === true
      keep()
    }
    if (message?.type !== 'fact' || typeof message.name !== 'string') return
    const detail = Object(message.detail)
    if (message.name === 'connection') status = `${detail.status}`
    if (message.name === 'session') sessionId = `${detail.session_id}`
    if (message.name === 'unread') {
      unread = +detail.count || 0
      draw()
    }
    tell(message.name, detail)
  }

  function setOpen(next: boolean, focus: boolean): void {
    if (next === open || (next && !tell('before-open', {}, true))) return
    open = next
    if (open) load(focus)
    draw()
    say({ type: 'show', shown: open, focus })
    if (focus) (open ? box.querySelector('iframe') : launcher)?.focus()
    keep()
    tell(open ? 'open' : 'close')
  }

  function redraw(changes?: object): void {
    looks = { ...looks, ...changes }
    draw()
    say({ type: 'looks', looks: looksNow() })
  }
  const onPhone = () => redraw()
  launcher.onclick = () => setOpen(!open, true)
  phone.onchange = onPhone

  const ready = new Promise<void>((resolve) => {
    const begin = () => {
      const { target } = options
      ;((target && layout === 'embedded' && page.querySelector(target)) || page.body).append(element)
      draw()
      const carried = stored((storage) => storage.getItem(key))
      if (carried === 'open' || !floats || (options.autoOpen && !phone.matches)) setOpen(true, false)
      else if (carried) {
        load()
        say({ type: 'show', shown: false, focus: false })
      }
      tell('ready')
      resolve()
    }
    if (page.body) queueMicrotask(begin)
    else page.addEventListener('DOMContentLoaded', begin)
  })

  return {
    ready,
    open: () => setOpen(true, true),
    close: () => setOpen(false, true),
    toggle: () => setOpen(!open, true),
    show: () => element.removeAttribute('hidden'),
    hide: () => element.setAttribute('hidden', ''),
    send(text) {
      load()
      say({ type: 'send', text })
    },
    setDraft(text) {
      load()
      say({ type: 'draft', text })
    },
    setLocale: (locale) => redraw({ locale }),
    update: redraw,
    restart: () => say({ type: 'restart' }),
    end: () => say({ type: 'end' }),
    logout() {
      // A conversation of an earlier page is forgotten too: its panel is where it can be reached.
      load()
      live = false
      keep()
      say({ type: 'logout' })
    },
    tool: (name) => say({ type: 'tool', name }),
    destroy() {
      tell('destroy')
      remove()
      port?.close()
      phone.onchange = null
      listeners.clear()
      element.remove()
    },
    getState: () => ({ open, status, sessionId, unread, version: CHANNEL_VERSION }),
    on(type, listener) {
      const set = listeners.get(type) ?? new Set()
      listeners.set(type, set.add(listener))
      return () => {
        set.delete(listener)
      }
    },
  }
}
