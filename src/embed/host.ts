// Draws the launcher and makes the handle. Every page loads this file, so it is terse and uses the bare document; the panel's
// place and its content are loaded on intent (law L8).

import { CHANNEL_VERSION, type ToPanel } from './channel.ts'
import type { Details } from './details.ts'
import css from './host.css?inline'
import { attempt, type Options, readOptions } from './options.ts'
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
  /** Tells the page about an event. False if a listener cancelled it. */
  tell(type: string, facts?: object, cancelable?: boolean): boolean
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

/** Options that can be changed while the chat stands. */
type Changeable =
  | 'theme'
  | 'accent'
  | 'locale'
  | 'showHeader'
  | 'offsetX'
  | 'offsetY'
  | 'movable'
  | 'notify'
  | keyof Omit<Details, 'consent'>

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
  update(options: Pick<Options, Changeable>): void
  restart(): void
  end(): void
  /** Ends the conversation and forgets it, for the next person at this browser. */
  logout(): void
  /**
   * What the visitor said to the page's own question. `false` ends the conversation and wipes what is stored. Where the
   * BFF itself requires consent, only the visitor's press in the panel gives it.
   */
  consent(given: boolean): void
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

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const icon = draws('svg', 'viewBox', '0 0 20 20')
  icon.append(draws('path', 'd', 'M4 5.5h12v8.5H9.5L6 17v-3H4z'))
  // Content that the page puts into the host element replaces the icon.
  const slot = page.createElement('slot')
  slot.append(icon)
  launcher.append(slot)
  launcher.part = 'launcher'
  alert.role = 'alert'
  alert.lang = 'en'
  layer.append(launcher)
  root.append(layer)

  const locale = () => looks.locale ?? (page.documentElement.lang || navigator.language)

  function draw(hide = layer.hidden): void {
    layer.hidden = hide
    const { open } = state
    // An attribute of our own, since the page's styles could match a class.
    const states = [layout, options.position, open && 'open', phone.matches && 'phone']
    element.dataset.foyerState = states.filter(Boolean).join(' ')
    launcher.hidden =
      !(floats || alert.isConnected) || options.launcher === 'hidden' || (open && phone.matches)
    launcher.ariaLabel = openWord(locale())
    launcher.ariaExpanded = `${open}`
    paint('accent', looks.accent, 'color')
    paint('offset-x', looks.offsetX)
    paint('offset-y', looks.offsetY)
    rise()
    panel?.draw()
  }

  /** Sets a token, where the value is one that a property such as this takes. */
  function paint(token: string, value: string | undefined, property = 'top'): void {
    if (value && CSS.supports(property, value)) element.style.setProperty(`--foyer-${token}`, value)
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

  /** Dispatches an event on the page. False if it was cancelled. */
  function tell(type: string, facts?: object, cancelable = false): boolean {
    const detail = { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION }
    return element.dispatchEvent(
      new CustomEvent(`foyer-${type}`, { detail, bubbles: true, composed: true, cancelable }),
    )
  }

  function act(ask: (side: PanelSide) => void): void {
    if (panel) ask(panel)
    else if (wanted) waiting.push(ask)
  }
  const say = (message: ToPanel) => act((side) => side.say(message))
  /** Loads the panel and sends it a message. */
  function ask(message: ToPanel): void {
    load()
    say(message)
  }

  /** Tells the next page that a conversation goes on. */
  function keep(lives = live): void {
    live = lives
    attempt(() => sessionStorage[live ? 'setItem' : 'removeItem'](key, state.open ? 'open' : 'closed'))
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
      drop()
      alert.textContent = NOT_LOADED
      layer.append(alert)
      tell('error', { code: 'not-loaded' })
      setOpen(false, false)
      draw()
    },
  }

  function drop(): void {
    wanted = false
    panel?.remove()
    panel = undefined
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
    const found = layout === 'embedded' && target && attempt(() => page.querySelector(target))
    ;(found || page.body).append(element)
    draw()
    const carried = attempt((): string | undefined => sessionStorage[key])
    live = !!carried
    if (
      carried === 'open' ||
      !floats ||
      (options.autoOpen === true && !phone.matches && options.consent !== 'refused')
    )
      setOpen(true, false)
    else if (carried) ask({ type: 'show', shown: false })
    else if (teaser) openPanel(host, teaser)
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
    send: (text) => ask({ type: 'send', text }),
    setDraft: (text) => ask({ type: 'draft', text }),
    setLocale: (locale) => redraw({ locale }),
    update: redraw,
    consent(given) {
      // What is withdrawn here, or goes on from an earlier page, is forgotten: only its panel can reach it.
      if (!given && (live || looks.consent === 'given')) load()
      redraw({ consent: given ? 'given' : 'refused' })
    },
    restart: () => say({ type: 'restart' }),
    end: () => say({ type: 'end' }),
    logout() {
      // Load the panel also for a conversation of an earlier page: only the panel can forget it.
      ask({ type: 'logout' })
      keep(false)
    },
    showTeaser: teaser,
    animateLauncher: () => teaser(''),
    tool: (name) => say({ type: 'tool', name }),
    destroy() {
      if (gone) return
      gone = true
      tell('destroy')
      drop()
      phone.onchange = null
      element.remove()
      arrived()
    },
    getState: () => ({ ...state, version: CHANNEL_VERSION }),
    on(type, listener) {
      const hear = ({ detail }: Event & { detail?: unknown }) => listener(detail as never)
      element.addEventListener(`foyer-${type}`, hear)
      return () => element.removeEventListener(`foyer-${type}`, hear)
    },
  }
}

function draws(name: string, attribute: string, value: string): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  element.setAttribute(attribute, value)
  return element
}
