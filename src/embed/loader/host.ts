// Draws the launcher and makes the handle. Every page loads this file, so it is terse and uses the bare document; the panel's
// container and its content begin nothing before the chat is opened (law L8), also where a site wants them prepared.
//
// At the press the launcher looks busy until the container is attached; only then the chat looks open.

import { CHANNEL_VERSION, type ToPanel } from '../channel.ts'
import { attempt, type Details, type Options, readOptions } from '../options.ts'
import type { Listener, PageEventType } from '../page-events.ts'
import css from './host.css?inline'
import { isTyped } from './typed.ts'
import { language, NOT_LOADED, openWord } from './words.ts'

/** The state of the chat that page and panel share. The panel's side updates it. */
export type State = {
  open: boolean
  status: string
  sessionId?: string | undefined
  unread: number
  version: number
}

/** The launcher and its page, for the panel's side. */
export type PanelHost = {
  /** Its shadow root has one child, which holds the launcher and is in the top layer where the browser has one. */
  element: HTMLElement
  launcher: HTMLButtonElement
  /** The key under which the page stores what it keeps of this chat, and the beginning of its other keys. */
  key: string
  state: State
  phone: MediaQueryList
  /** The current options. */
  options(): Options
  locale(): string
  /** Called once, with the container, which then gets all earlier calls. */
  attach(panel: PanelSide): void
  draw(): void
  /** Tells the page about an event. False if it was one `before-…` and a listener cancelled it. */
  tell(type: string, facts?: object): boolean
  open(): void
  /** Called when the visitor closes the panel. */
  close(): void
  /** Called if the panel's code could not be loaded. The next opening tries again; nobody is told of what was only prepared. */
  failed(): void
}

/** The container, as the launcher knows it. Until it is told something, it prepares the panel out of sight and no more. */
export type PanelSide = {
  /** Tells the panel. With `show` the focus moves, to the panel or back, if the visitor did it. */
  say(message: ToPanel): void
  /** Draws the current state and options. */
  draw(): void
  remove(): void
}

/** Loads the container and attaches it; with a text only shows a teaser, with an empty one swells the launcher once. */
export type OpenPanel = (host: PanelHost, teaser?: string) => void

/** What the file of the container exports. `origin`: of the BFF. */
export type PlacePanel = (origin: string, isolation: Options['isolation']) => OpenPanel

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
  /** Resolves once the launcher is on the page, or would be, where the chat is destroyed before. */
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
  /** Changes these options, the others stay. An empty text, null or undefined takes one back to its default. */
  update(options: { [Name in Changeable]?: Options[Name] | '' | null | undefined }): void
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
  getState(): State
  /** Calls back on each event of the type; returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
  /** For developers' tools: reaches a panel whose own server allows it. */
  tool(name: 'cut' | 'offline' | 'online'): void
}

/** The part of `navigator` by which some browsers tell that the visitor wants to save data. */
type Saver = { connection?: { saveData?: boolean } }

/** The options that are tokens of the launcher: the name of the token, and a CSS property that takes its values. */
const TOKENS = [
  ['accent', 'accent', 'color'],
  ['offsetX', 'offset-x', 'top'],
  ['offsetY', 'offset-y', 'top'],
] as const

/** `fetchContainer`: loads the file of the container, and nothing else. */
export function createHost(
  options: Options,
  key: string,
  openPanel: OpenPanel,
  fetchContainer?: () => unknown,
): Handle {
  const layout = options.layout ?? 'float'
  const floats = layout === 'float'
  const element = document.createElement('foyer-host')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  const layer = document.createElement('div')
  const launcher = document.createElement('button')
  const alert = document.createElement('p')
  const phone = matchMedia('(max-width:480px),(max-height:480px) and (pointer:coarse)')
  /** Said to the container before it is attached. */
  const waiting: ToPanel[] = []
  const state: State = { open: false, status: 'idle', unread: 0, version: CHANNEL_VERSION }
  let looks = options
  /** The container. `prepared`: asked for out of sight. `lost`: there is none, and only who wants it loads it again. */
  let container: 'none' | 'prepared' | 'wanted' | 'lost' = 'none'
  /** Once it is attached. */
  let panel: PanelSide | undefined
  /** The panel and the page were told that the chat is open. */
  let shown = false
  let gone = false
  let count = 0
  const sizes = new ResizeObserver(draw)

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const draws = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name)
  const icon = draws('svg')
  const path = draws('path')
  icon.setAttribute('viewBox', '0 0 20 20')
  path.setAttribute('d', 'M4 5.5h12v8.5H9.5L6 17v-3H4z')
  icon.append(path)
  // Content that the page puts into the host element replaces the icon.
  const slot = document.createElement('slot')
  slot.append(icon)
  launcher.append(slot)
  launcher.part = 'launcher'
  alert.role = 'alert'
  alert.lang = 'en'
  layer.append(launcher)
  root.append(layer)

  const locale = () => looks.locale ?? (document.documentElement.lang || navigator.language)
  /** The visitor's consent is still missing, or was refused. */
  const lacksConsent = () => looks.consent === 'required' || looks.consent === 'refused'

  function draw(): void {
    // Onto the page, and again where a router replaced what was on it; a chat that does not float goes with its place. The target of
    // one that is embedded may stand further down in the page.
    if (!element.isConnected) {
      if (gone || (!floats && element.dataset.foyerState)) return
      const parent =
        attempt(() => document.querySelector(layout === 'embedded' ? (options.target as string) : 'body')) ||
        (document.readyState !== 'loading' && document.body)
      if (!parent) return
      parent.append(element)
    }
    const open = state.open && panel !== undefined
    // An attribute of our own, since the page's styles could match a class.
    const states = [layout, options.position, open && 'open', phone.matches && 'phone']
    element.dataset.foyerState = states.filter((each) => each).join(' ')
    launcher.hidden =
      !(floats || alert.isConnected) || options.launcher === 'hidden' || (open && phone.matches)
    launcher.ariaLabel = openWord(language(locale()))
    launcher.ariaExpanded = `${open}`
    launcher.ariaBusy = `${open !== state.open}`
    rise()
    panel?.draw()
  }

  /**
   * Into the top layer, above the page whatever its z-index is; not above a modal dialog of the page (or what it
   * shows in full screen), and not where the page chose a layer.
   */
  function rise(): void {
    if (!floats || document.querySelector(':modal')) return
    if (getComputedStyle(element).getPropertyValue('--foyer-z-index')) return
    // Throws where it is there already, and where the browser has none.
    attempt(() => {
      layer.popover = 'manual'
      layer.showPopover()
    })
  }

  /** Dispatches an event on the page. False if it was cancelled, as those `before-…` can be. */
  function tell(type: string, facts?: object): boolean {
    return element.dispatchEvent(
      new CustomEvent(`foyer-${type}`, {
        detail: { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION },
        bubbles: true,
        cancelable: type.startsWith('before-'),
      }),
    )
  }

  function say(message: ToPanel): void {
    if (container !== 'wanted') return
    if (panel) panel.say(message)
    else waiting.push(message)
  }
  /** Loads the panel and sends it a message. */
  function ask(message: ToPanel): void {
    load()
    say(message)
  }

  const close = () => setOpen(false)
  const open = () => setOpen(true)
  const host: PanelHost = {
    element,
    launcher,
    state,
    phone,
    options: () => looks,
    locale,
    attach(side) {
      if (gone || (container === 'prepared' && lacksConsent())) {
        container = 'lost'
        return side.remove()
      }
      panel = side
      draw()
      waiting.splice(0).forEach(side.say)
    },
    draw,
    key,
    tell,
    open,
    close,
    failed() {
      if (container === 'wanted') {
        alert.textContent = NOT_LOADED
        layer.append(alert)
        tell('error', { code: 'not-loaded' })
      }
      drop()
      setOpen(false, false)
    },
  }

  function drop(): void {
    container = 'lost'
    panel?.remove()
    panel = undefined
  }
  function load(): void {
    if (gone || container === 'wanted') return
    alert.remove()
    const before = container
    container = 'wanted'
    if (before !== 'prepared') openPanel(host)
  }
  const mayPrepare = () =>
    container === 'none' && !lacksConsent() && !(navigator as Saver).connection?.saveData
  /** Loads the panel out of sight, once; starts no chat. */
  function prepare(): void {
    if (!mayPrepare()) return
    container = 'prepared'
    openPanel(host)
  }

  function setOpen(next: boolean, focus = true): void {
    draw()
    if (gone || next === state.open) return
    state.open = next
    if (next && !tell('before-open')) state.open = false
    // The page cancelled it, or closed or destroyed the chat while it was asked: nobody was told that it opens.
    if (state.open === shown) return draw()
    shown = state.open
    if (shown) load()
    draw()
    say({ type: 'show', shown, focus })
    tell(shown ? 'open' : 'close')
  }

  function redraw(changes: object): void {
    // Options that are empty or cannot be read go back to their defaults. Only `consent()` changes the consent.
    looks = readOptions({ consent: looks.consent }, { ...looks, ...changes })
    for (const [option, token, property] of TOKENS) {
      const value = looks[option] ?? ''
      // A value that cannot be one leaves the token.
      if (option in changes && (!value || CSS.supports(property, value)))
        element.style.setProperty(`--foyer-${token}`, value)
    }
    draw()
  }
  const teaser = (text?: string) => gone || openPanel(host, text || '')
  // Who presses a launcher that is busy wants the chat all the more.
  launcher.onclick = () => setOpen(!state.open || !panel)
  // Until the container is attached, which takes the keys from then on.
  launcher.onkeydown = (event) => {
    if (!shown || panel || lacksConsent() || !isTyped(event)) return
    say({ type: 'key', key: event.key })
    // It is for the chat: neither a press of the launcher nor a short cut of the page.
    event.preventDefault()
    event.stopPropagation()
  }
  launcher.onpointerenter = launcher.onfocus = () => mayPrepare() && fetchContainer?.()
  // The press begins as the pointer goes down.
  launcher.onpointerdown = prepare
  phone.onchange = draw
  // A launcher that was taken off the page has no size.
  sizes.observe(launcher)

  function begin(): void {
    draw()
    if (gone) return
    const carried = attempt((): string | undefined => sessionStorage[key])
    if (
      carried === 'open' ||
      !floats ||
      (options.autoOpen === true && !phone.matches && options.consent !== 'refused')
    )
      setOpen(true, false)
    else if (carried) ask({ type: 'show', shown: false })
    else if (options.teaser) openPanel(host, options.teaser)
    if (looks.prepare === 'idle') prepare()
    tell('ready')
  }
  const ready = new Promise<void>((arrived) => {
    redraw(options)
    if (element.isConnected) arrived()
    else document.addEventListener('DOMContentLoaded', arrived as () => void)
  }).then(begin)

  return {
    ready,
    open,
    close,
    toggle: () => setOpen(!state.open),
    show() {
      layer.hidden = false
    },
    hide() {
      layer.hidden = true
    },
    send: (text) => ask({ type: 'send', text }),
    setDraft: (text) => ask({ type: 'draft', text }),
    setLocale: (locale) => redraw({ locale }),
    update: redraw,
    consent(given) {
      // A panel that was prepared and never opened holds no data of the visitor.
      if (!given) {
        if (container === 'prepared' && panel) drop()
        // Only the panel can delete the data for which the visitor withdraws consent.
        if (looks.consent === 'given') load()
      }
      redraw({ consent: given ? 'given' : 'refused' })
    },
    restart: () => say({ type: 'restart' }),
    end: () => say({ type: 'end' }),
    // Loads the panel also for a conversation of an earlier page: only the panel can forget it.
    logout: () => ask({ type: 'logout' }),
    showTeaser: teaser,
    animateLauncher: () => teaser(),
    tool: (name) => say({ type: 'tool', name }),
    destroy() {
      if (gone) return
      gone = true
      state.open = false
      tell('destroy')
      drop()
      phone.onchange = null
      element.remove()
    },
    getState: () => ({ ...state }),
    on(type, listener) {
      const hear = (event: Event & { detail?: unknown }) => listener(event.detail as never)
      element.addEventListener(`foyer-${type}`, hear)
      return () => element.removeEventListener(`foyer-${type}`, hear)
    },
  }
}
