// Draws the launcher and makes the handle. Every page loads this file, so it is terse and uses the bare document; the panel's
// place and its content are loaded on intent (law L8).

import { CHANNEL_VERSION, type ToPanel } from './channel.ts'
import css from './host.css?inline'
import { type Options, readOptions } from './options.ts'
import type { Listener, PageEventType } from './page-events.ts'
import { NOT_LOADED, openWord } from './words.ts'

/** The state of the chat that page and panel share. The panel's side updates it. */
export type State = { open: boolean; status: string; sessionId: string | undefined; unread: number }

/** The launcher and its page, for the panel's side. */
export type PanelHost = {
  /** Its shadow root has one child, which holds the launcher and is in the top layer where the browser has one. */
  element: HTMLElement
  launcher: HTMLButtonElement
  state: State
  phone: MediaQueryList
  /** The current options. */
  options(): Options
  locale(): string
  /** Called once, with the panel's place, which then gets all earlier calls. */
  attach(panel: PanelSide): void
  draw(): void
  /** Tells the page about an event. */
  tell(type: string, facts?: object): void
  /** Records whether the next page continues the conversation. */
  keep(live: boolean): void
  open(): void
  /** Called when the visitor closes the panel. */
  close(): void
  /** Called if the panel's code could not be loaded. The next opening tries again. */
  failed(): void
}

/** The panel's place, as the launcher knows it. */
export type PanelSide = {
  say(message: ToPanel): void
  /** Draws the current state and options. */
  draw(): void
  /** Shows that the panel was opened or closed. If the visitor did it, the focus moves there. */
  turned(focus: boolean): void
  remove(): void
}

/** Loads the panel's place and attaches it; with a text only shows a teaser, with an empty one swells the launcher once. */
export type OpenPanel = (host: PanelHost, teaser?: string) => void

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
  /** A small card beside the launcher, until the visitor opens the chat or dismisses it for good. */
  showTeaser(text: string): void
  /** Swells the launcher once; not where the visitor wants reduced motion. */
  animateLauncher(): void
  /** Removes everything from the page. Later calls of the handle have no effect. */
  destroy(): void
  getState(): State & { version: number }
  /** Calls back on each event of the type; returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
  /** For developers' tools: reaches a panel whose own server allows it. */
  tool(name: 'cut' | 'offline' | 'online'): void
}

export function createHost(options: Options, key: string, openPanel: OpenPanel): Handle {
  const page = document
  const layout = options.layout ?? 'float'
  const floats = layout === 'float'
  const element = page.createElement('foyer-host')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  const layer = page.createElement('div')
  const launcher = page.createElement('button')
  const alert = page.createElement('p')
  const phone = matchMedia('(max-width:480px),(max-height:480px) and (pointer:coarse)')
  const listeners = new Map<string, Set<(detail: never) => void>>()
  /** Calls to the panel's place before it is loaded. */
  const waiting: ((side: PanelSide) => void)[] = []
  const state: State = { open: false, status: 'idle', sessionId: undefined, unread: 0 }
  let looks = options
  let panel: PanelSide | undefined
  /** True once the panel's place is loaded or being loaded. */
  let wanted = false
  let gone = false
  let live = false
  let count = 0
  let hidden = false

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const icon = draws('svg', 'viewBox', '0 0 20 20')
  icon.append(draws('path', 'd', 'M4 5.5h12v8.5H9.5L6 17v-3H4z'))
  launcher.append(icon)
  alert.role = 'alert'
  alert.lang = 'en'
  layer.append(launcher)
  root.append(layer)

  const locale = () => looks.locale ?? (page.documentElement.lang || navigator.language)

  function draw(hide = hidden): void {
    hidden = hide
    const { accent } = looks
    const { open } = state
    // An attribute of our own, since the page's styles could match a class.
    const states = [layout, options.position, open && 'open', phone.matches && 'phone', hidden && 'hidden']
    element.dataset.foyerState = states.filter(Boolean).join(' ')
    launcher.hidden =
      !(floats || alert.isConnected) || options.launcher === 'hidden' || (open && phone.matches)
    launcher.ariaLabel = openWord(locale())
    launcher.ariaExpanded = `${open}`
    if (accent && CSS.supports('color', accent)) element.style.setProperty('--foyer-accent', accent)
    rise()
    panel?.draw()
  }

  /**
   * Into the top layer, above the page whatever its z-index is; not above a modal dialog of the page (or what it
   * shows in full screen), and not where the page chose a layer.
   */
  function rise(): void {
    if (!floats || !layer.showPopover || !element.isConnected || layer.matches(':popover-open')) return
    if (getComputedStyle(element).getPropertyValue('--foyer-z-index') || page.querySelector(':modal')) return
    layer.popover = 'manual'
    layer.showPopover()
  }

  /** Tells an event to listeners, and dispatches it on the page. False if it was cancelled. */
  function tell(type: string, facts?: object, cancelable = false): boolean {
    const detail = { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION }
    for (const listener of listeners.get(type) ?? []) listener(detail as never)
    return element.dispatchEvent(
      new CustomEvent(`foyer-${type}`, { detail, bubbles: true, composed: true, cancelable }),
    )
  }

  function act(ask: (side: PanelSide) => void): void {
    if (panel) ask(panel)
    else if (wanted) waiting.push(ask)
  }
  const say = (message: ToPanel) => act((side) => side.say(message))

  /** The page's own storage, without secrets. Without storage the next page starts with a closed chat. */
  function stored(use: (storage: Storage) => unknown): unknown {
    try {
      return use(sessionStorage)
    } catch {
      return undefined
    }
  }
  /** Tells the next page that a conversation goes on. */
  function keep(lives = live): void {
    live = lives
    stored((storage) =>
      live ? storage.setItem(key, state.open ? 'open' : 'closed') : storage.removeItem(key),
    )
  }

  const close = () => setOpen(false, true)
  const open = () => setOpen(true, true)
  const host: PanelHost = {
    element,
    launcher,
    state,
    phone,
    options: () => looks,
    locale,
    attach(side) {
      if (gone) return side.remove()
      panel = side
      draw()
      for (const ask of waiting.splice(0)) ask(side)
    },
    draw,
    tell,
    keep,
    open,
    close,
    failed() {
      if (gone) return
      wanted = false
      panel?.remove()
      panel = undefined
      alert.textContent = NOT_LOADED
      layer.append(alert)
      tell('error', { code: 'not-loaded' })
      setOpen(false, false)
      draw()
    },
  }

  function load(): void {
    if (wanted || gone) return
    wanted = true
    alert.remove()
    openPanel(host)
  }

  function setOpen(next: boolean, focus: boolean): void {
    if (gone || next === state.open || (next && !tell('before-open', {}, true))) return
    state.open = next
    if (next) load()
    draw()
    act((side) => side.turned(focus))
    keep()
    tell(next ? 'open' : 'close')
  }

  function redraw(changes?: object): void {
    looks = readOptions({ ...looks }, changes)
    draw()
  }
  const teaser = (text: string) => gone || openPanel(host, text)
  const toggle = () => setOpen(!state.open, true)
  launcher.onclick = toggle
  phone.onchange = () => draw()

  let arrived!: () => void
  const ready = new Promise<void>((resolve) => {
    arrived = resolve
  })
  function begin(): void {
    const { target, teaser } = options
    if (gone) return
    ;((target && layout === 'embedded' && page.querySelector(target)) || page.body).append(element)
    draw()
    const carried = stored((storage) => storage.getItem(key))
    live = !!carried
    if (carried === 'open' || !floats || (options.autoOpen && !phone.matches)) setOpen(true, false)
    else if (carried) {
      load()
      say({ type: 'show', shown: false })
    } else if (teaser) openPanel(host, teaser)
    tell('ready')
    arrived()
  }
  if (page.body) queueMicrotask(begin)
  else page.addEventListener('DOMContentLoaded', begin)

  return {
    ready,
    open,
    close,
    toggle,
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
      // Load the panel also for a conversation of an earlier page: only the panel can forget it.
      load()
      say({ type: 'logout' })
      keep(false)
    },
    showTeaser: teaser,
    animateLauncher: () => teaser(''),
    tool: (name) => say({ type: 'tool', name }),
    destroy() {
      if (gone) return
      gone = true
      tell('destroy')
      panel?.remove()
      panel = undefined
      wanted = false
      phone.onchange = null
      listeners.clear()
      element.remove()
      arrived()
    },
    getState: () => ({ ...state, version: CHANNEL_VERSION }),
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
