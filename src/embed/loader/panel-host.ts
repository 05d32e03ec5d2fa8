// Defines what the launcher and the container know of each other. Either may be of another release, so their names stay.

import type { ToPanel } from '../channel.ts'
import type { Options } from '../options.ts'

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
