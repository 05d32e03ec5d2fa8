// The page's side: the launcher, and the handle. Every page pays for it, so it is terse, and draws with the bare
// document; the panel's place, and what is in it, comes only when it is wanted (law L8).

import { CHANNEL_VERSION, type ToPanel } from './channel.ts'
import type { Details } from './details.ts'
import css from './host.css?inline'
import { attempt, type Options, readOptions } from './options.ts'
import type { Listener, PageEventType } from './page-events.ts'
import { NOT_LOADED, openWord } from './words.ts'

/** What the panel and the page know of the chat. The panel's side writes what it hears. */
export type State = { open: boolean; status: string; sessionId: string | undefined; unread: number }

/** The launcher and its page, as the panel's side finds them. */
export type PanelHost = {
  /** Its shadow root has one child, which holds the launcher and is in the top layer where the browser has one. */
  element: HTMLElement
  launcher: HTMLButtonElement
  state: State
  phone: MediaQueryList
  /** As they are now. */
  options(): Options
  locale(): string
  /** Called once, with the panel's place. What was said until now goes to it. */
  attach(panel: PanelSide): void
  draw(): void
  /** Tells the page. False where a listener cancelled what may be cancelled. */
  tell(type: string, facts?: object, cancelable?: boolean): boolean
  /** Whether the next page is to carry the conversation on. */
  keep(live: boolean): void
  open(): void
  /** The visitor closes the panel. */
  close(): void
  /** The panel's code could not be loaded. The next opening tries again. */
  failed(): void
}

/** The panel's place, as the launcher knows it. */
export type PanelSide = {
  say(message: ToPanel): void
  /** Draws what the state and the options are now. */
  draw(): void
  /** The panel was opened or closed; by the visitor, who wants the focus there. */
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
  /** Takes everything off the page, now and for good: nothing the handle is asked later has an effect. */
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
  /** What was asked of the panel's place before it was there. */
  const waiting: ((side: PanelSide) => void)[] = []
  const state: State = { open: false, status: 'idle', sessionId: undefined, unread: 0 }
  let looks = options
  let panel: PanelSide | undefined
  /** The panel's place is there, or on its way. */
  let wanted = false
  let gone = false
  let live = false
  let count = 0

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const icon = draws('svg', 'viewBox', '0 0 20 20')
  icon.append(draws('path', 'd', 'M4 5.5h12v8.5H9.5L6 17v-3H4z'))
  // What a page puts into the host element stands in the icon's place.
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
    // An attribute of our own: a class would be at the mercy of the page's styles.
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

  /** The fact, as an event on the page. False where it was cancelled. */
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
  /** Says it to a panel that is loaded for it: a conversation of an earlier page is there too. */
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
    const carried = attempt(() => sessionStorage.getItem(key))
    live = !!carried
    if (carried === 'open' || !floats || (options.autoOpen === true && !phone.matches)) setOpen(true, false)
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
      redraw({ consent: given ? 'given' : 'refused' })
      // A conversation of an earlier page is forgotten too: its panel can reach it.
      if (!given) load()
    },
    restart: () => say({ type: 'restart' }),
    end: () => say({ type: 'end' }),
    logout() {
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
