// The page's side: launcher, the panel's place, and the handle. Every page pays for it, so it is terse, and
// draws with the bare document; what is inside the panel comes only when it is wanted (law L8).

import { CHANNEL_VERSION, type Looks, readMessage, type Start, type ToPage, type ToPanel } from './channel.ts'
import css from './host.css?inline'
import { type Options, readOptions } from './options.ts'
import type { Listener, PageEventType } from './page-events.ts'
import { launcherWord, notLoaded } from './words.ts'

/** Where a panel is put, and how it reaches the host. */
export type PanelPlace = {
  box: HTMLElement
  root: ShadowRoot
  options: Options
  /** The page asks for the log of the wire. */
  tools: boolean
  locale: string
  /**
   * A channel to a panel that is there, in place of any before it. What was said until now goes over it.
   * `ready` is called when the panel answers.
   */
  connect(ready: () => void): { start: Looks & Pick<Start, 'focus'>; port: MessagePort }
  /** The visitor closes the panel. */
  close(): void
  /** Called later, where the panel's code could not be loaded. The next opening tries again. */
  failed(): void
}

/** Puts a panel into the place. Returns the undo. */
export type OpenPanel = (place: PanelPlace) => () => void

export type Handle = {
  /** Resolves once the launcher is on the page, or once the chat is destroyed. */
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
  /** Takes everything off the page, now and for good: nothing the handle is asked later has an effect. */
  destroy(): void
  getState(): {
    open: boolean
    status: string
    sessionId: string | undefined
    unread: number
    version: number
  }
  /** Calls back on each event of the type; returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
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
  const alert = page.createElement('p')
  const phone = matchMedia('(max-width:480px),(max-height:480px) and (pointer:coarse)')
  const listeners = new Map<string, Set<(detail: never) => void>>()
  /** What is said before the panel is there. */
  const waiting: ToPanel[] = []
  let looks = options
  let port: MessagePort | undefined
  /** The undo of the panel, from the moment it is wanted. */
  let remove: (() => void) | undefined
  let focusNext = false
  let gone = false
  let open = false
  let live = false
  let status = 'idle'
  let sessionId: string | undefined
  let unread = 0
  let count = 0
  let hidden = false

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const icon = draws('svg', 'viewBox', '0 0 20 20')
  icon.append(draws('path', 'd', 'M4 5.5h12v8.5H9.5L6 17v-3H4z'))
  launcher.append(icon, badge)
  alert.role = 'alert'
  root.append(box, launcher)

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

  function draw(hide = hidden): void {
    hidden = hide
    const { accent } = looks
    // An attribute of our own: a class would be at the mercy of the page's styles.
    const named = [open && 'open', phone.matches && 'phone', hidden && 'hidden']
    const states = [layout, options.position ?? 'right', theme(), ...named]
    element.dataset.foyerState = states.filter(Boolean).join(' ')
    box.inert = !open
    launcher.hidden =
      !(floats || alert.isConnected) || options.launcher === 'hidden' || (open && phone.matches)
    launcher.ariaLabel = launcherWord(locale(), open)
    launcher.ariaExpanded = `${open}`
    badge.textContent = unread > 99 ? '99+' : `${unread || ''}`
    if (accent && CSS.supports('color', accent)) element.style.setProperty('--foyer-accent', accent)
  }

  /** The fact, to listeners and as an event on the page. False where it was cancelled. */
  function tell(type: string, facts?: object, cancelable = false): boolean {
    const detail = { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION }
    for (const listener of listeners.get(type) ?? []) listener(detail as never)
    return element.dispatchEvent(
      new CustomEvent(`foyer-${type}`, { detail, bubbles: true, composed: true, cancelable }),
    )
  }

  function say(message: ToPanel): void {
    if (port) port.postMessage(message)
    else if (remove) waiting.push(message)
  }

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
    if (remove || gone) return
    focusNext = focus
    alert.remove()
    remove = openPanel({ box, root, options, tools, locale: locale(), connect, close, failed })
  }

  const close = () => setOpen(false, true)

  function connect(ready: () => void): ReturnType<PanelPlace['connect']> {
    const channel = new MessageChannel()
    // A panel that was reloaded is told again what it is to do.
    if (port) waiting.push({ type: 'show', shown: open })
    port?.close()
    port = channel.port1
    port.onmessage = ({ data }) => {
      const message = readMessage<ToPage>(data)
      if (message?.type === 'ready') ready()
      hear(message)
    }
    const start = { ...looksNow(), focus: focusNext }
    focusNext = false
    for (const message of waiting.splice(0)) say(message)
    return { start, port: channel.port2 }
  }

  function failed(): void {
    if (gone) return
    remove = undefined
    alert.textContent = notLoaded(locale())
    root.append(alert)
    tell('error', { code: 'not-loaded' })
    setOpen(false, false)
    draw()
  }

  function hear(message: ToPage | undefined): void {
    if (message?.type === 'close') close()
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
    if (gone || next === open || (next && !tell('before-open', {}, true))) return
    open = next
    if (open) load(focus)
    draw()
    say({ type: 'show', shown: open, focus })
    if (focus) (open ? box.querySelector('iframe') : launcher)?.focus()
    keep()
    tell(open ? 'open' : 'close')
  }

  function redraw(changes?: object): void {
    looks = readOptions({ ...looks }, changes)
    draw()
    say({ type: 'looks', looks: looksNow() })
  }
  launcher.onclick = () => setOpen(!open, true)
  phone.onchange = () => redraw()

  let arrived!: () => void
  const ready = new Promise<void>((resolve) => {
    arrived = resolve
  })
  function begin(): void {
    const { target } = options
    if (gone) return
    ;((target && layout === 'embedded' && page.querySelector(target)) || page.body).append(element)
    draw()
    const carried = stored((storage) => storage.getItem(key))
    live = !!carried
    if (carried === 'open' || !floats || (options.autoOpen && !phone.matches)) setOpen(true, false)
    else if (carried) {
      load()
      say({ type: 'show', shown: false })
    }
    tell('ready')
    arrived()
  }
  if (page.body) queueMicrotask(begin)
  else page.addEventListener('DOMContentLoaded', begin)

  return {
    ready,
    open: () => setOpen(true, true),
    close,
    toggle: () => setOpen(!open, true),
    show: () => draw(false),
    hide: () => draw(true),
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
      say({ type: 'logout' })
      live = false
      keep()
    },
    tool: (name) => say({ type: 'tool', name }),
    destroy() {
      if (gone) return
      gone = true
      tell('destroy')
      remove?.()
      remove = undefined
      port?.close()
      port = undefined
      phone.onchange = null
      listeners.clear()
      element.remove()
      arrived()
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

function draws(name: string, attribute: string, value: string): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  element.setAttribute(attribute, value)
  return element
}
