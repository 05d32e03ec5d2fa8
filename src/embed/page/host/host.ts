// Opens and closes the chat, and makes the handle. Every page loads this folder, so it is terse and uses the bare document; the panel's
// container and its content begin nothing before the chat is opened (law L8), also where a site wants them prepared.

import { CHANNEL_VERSION, type Tool, type ToPanel } from '../../channel.ts'
import { attempt, lacksConsent, type Options, readOptions } from '../../options.ts'
import type { Listener, PageEventType } from '../../page-events.ts'
import { createPageEvents } from './events.ts'
import { createLauncher } from './launcher.ts'
import type { OpenPanel, PanelHost, PanelSide, State } from './panel-host.ts'

/** Options that can be changed while the chat is on the page: all but these. `consent()` changes the consent. */
type Changeable = Exclude<
  keyof Options,
  | 'origin'
  | 'connector'
  | 'isolation'
  | 'layout'
  | 'target'
  | 'platform'
  | 'streaming'
  | 'autoOpen'
  | 'compat'
  | 'prepare'
  | 'position'
  | 'teaser'
  | 'teaserWhen'
  | 'consent'
>

/** The calls of a page to its chat. `window.Foyer` has the same members. */
export type Handle = {
  /** Resolves once the launcher is on the page, or would be, where the chat is destroyed before. */
  readonly ready: Promise<void>
  /** Opens the panel. */
  open(): void
  /** Closes the panel. The conversation goes on. */
  close(): void
  /** Opens the panel, or closes an open one. */
  toggle(): void
  /** Shows launcher and panel again after `hide`. */
  show(): void
  /** Hides launcher and panel. */
  hide(): void
  /** Sends a text as a message of the visitor. Loads the panel where it is not loaded. */
  send(text: string): void
  /** Puts a text into the message field, in place of what is there. */
  setDraft(text: string): void
  /** Changes the language of the chat: a BCP 47 tag. */
  setLocale(locale: string): void
  /**
   * Changes these options, the others stay. An empty text, null or undefined takes an option back to its default, and so does an invalid
   * value, with a warning in the console.
   */
  update(options: { [Name in Changeable]?: Options[Name] | '' | null | undefined }): void
  /** Ends the conversation and begins a new one below it. */
  restart(): void
  /** Ends the conversation. The messages stay on the screen. */
  end(): void
  /** Ends the conversation and forgets it, for the next person at this browser. */
  logout(): void
  /**
   * What the visitor said to the page's own question. `false` ends the conversation and wipes what is stored. Where the
   * BFF itself requires consent, only the visitor's press in the panel gives it.
   */
  consent(given: boolean): void
  /** Shows a text on a small card beside the launcher, until the visitor opens the chat or dismisses it for good. */
  showTeaser(text: string): void
  /** Swells the launcher once; not where the visitor wants reduced motion. */
  animateLauncher(): void
  /** Removes launcher and panel from the page. Later calls of the handle have no effect. */
  destroy(): void
  /** A copy of the state now. */
  getState(): State
  /** Calls back on each event of the type; returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
  /** For developers' tools: reaches a panel whose own server allows it. */
  tool(name: Tool): void
}

/** The part of `navigator` by which some browsers tell that the visitor wants to save data. */
type Saver = { connection?: { saveData?: boolean } }

/** `own`: the page's own element for the chat, which holds it where it is embedded, and dispatches its events. */
export function createHost(options: Options, key: string, openPanel: OpenPanel, own?: HTMLElement): Handle {
  const launcher = createLauncher(options, { draw, press: () => setOpen(!state.open) }, own)
  const { element, button, phone } = launcher
  const state: State = { open: false, status: 'idle', unread: 0, version: CHANNEL_VERSION }
  let looks = options
  /** The panel and the page were told that the chat is open. */
  let shown = false
  let gone = false
  const { tell, on } = createPageEvents(element, own)
  const locale = () => looks.locale ?? (document.documentElement.lang || navigator.language)

  /** Undefined before anybody wants it. */
  let panel: PanelSide | undefined
  /** The panel holds a chat that somebody wanted; before, it is prepared and no more. */
  let wanted = false

  function draw(): void {
    if (!gone && launcher.draw(looks, locale(), state.open)) panel?.draw()
  }

  const host: PanelHost = {
    element,
    launcher: button,
    state,
    phone,
    options: () => looks,
    locale,
    attach(side) {
      panel = side
      draw()
    },
    draw,
    key,
    tell,
    open: () => setOpen(true),
    close: () => setOpen(false),
  }
  const place = () => panel ?? openPanel(host)
  function want(): void {
    if (gone) return
    wanted = true
    place()
  }
  function prepare(): void {
    if (!lacksConsent(looks) && !(navigator as Saver).connection?.saveData) place()
  }
  /** To a panel that somebody wants. */
  const post = (message: ToPanel) => wanted && panel?.say(message)
  function ask(message: ToPanel): void {
    want()
    post(message)
  }
  function drop(): void {
    panel?.remove()
    panel = undefined
  }

  function setOpen(next: boolean, focus = true): void {
    draw()
    if (gone || next === state.open) return
    state.open = next
    if (next && !tell('before-open')) state.open = false
    // The page cancelled it, or closed or destroyed the chat while it was asked: nobody was told that it opens.
    if (state.open === shown) return draw()
    shown = state.open
    if (shown) want()
    draw()
    post({ type: 'show', shown, focus })
    tell(shown ? 'open' : 'close')
  }

  function redraw(changes: object): void {
    // Options that are empty or cannot be read go back to their defaults. Only `consent()` changes the consent.
    looks = readOptions({ consent: looks.consent }, { ...looks, ...changes })
    launcher.setTokens(looks, changes)
    draw()
  }
  function begin(): void {
    draw()
    if (gone) return
    const carried = attempt((): string | undefined => sessionStorage[key])
    if (
      carried === 'open' ||
      (options.layout ?? 'float') !== 'float' ||
      (options.autoOpen === true && !phone.matches && options.consent !== 'refused')
    )
      setOpen(true, false)
    else if (carried) ask({ type: 'show', shown: false })
    else if (options.teaser) openPanel(host, options.teaser)
    if (looks.prepare === 'idle') prepare()
    tell('ready')
  }
  redraw(options)

  return {
    ready: launcher.placed().then(begin),
    open: host.open,
    close: host.close,
    toggle: () => setOpen(!state.open),
    show: () => launcher.hide(false),
    hide: () => launcher.hide(true),
    send: (text) => ask({ type: 'send', text }),
    setDraft: (text) => ask({ type: 'draft', text }),
    setLocale: (locale) => redraw({ locale }),
    update: redraw,
    consent(given) {
      // A panel that was prepared and never opened holds no data of the visitor.
      if (!given) {
        if (!wanted) drop()
        // Only the panel can delete the data for which the visitor withdraws consent.
        if (looks.consent === 'given') want()
      }
      redraw({ consent: given ? 'given' : 'refused' })
    },
    restart: () => post({ type: 'restart' }),
    end: () => post({ type: 'end' }),
    // Loads the panel also for a conversation of an earlier page: only the panel can forget it.
    logout: () => ask({ type: 'logout' }),
    showTeaser: (text) => gone || openPanel(host, text || ''),
    animateLauncher: () => gone || openPanel(host, ''),
    tool: (name) => post({ type: 'tool', name }),
    destroy() {
      if (gone) return
      gone = true
      state.open = false
      tell('destroy')
      drop()
      launcher.remove()
    },
    getState: () => ({ ...state }),
    on,
  }
}
