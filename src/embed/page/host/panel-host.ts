// Defines what the launcher and the container know of each other. A launcher of 0.1 asks for the container of today, so their names stay.

import type { ToPanel } from '../../channel.ts'
import type { Options } from '../../options.ts'

/** The state of the chat that page and panel share. The panel's side updates it. */
export type State = {
  open: boolean
  /** As in the event `connection`. */
  status: string
  /** Undefined before there is a session. */
  sessionId?: string | undefined
  /** The number of messages that arrived while the panel was closed. */
  unread: number
  /** Of the events and of this state, as each event has it. */
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
  /** Called once, with the container. */
  attach(panel: PanelSide): void
  draw(): void
  /** Tells the page about an event. False if it was one `before-…` and a listener cancelled it. */
  tell(type: string, facts?: object): boolean
  open(): void
  /** Called when the visitor closes the panel. */
  close(): void
}

/** The container, as the launcher knows it. Until it is told something, it prepares the panel out of sight and no more. */
export type PanelSide = {
  /** Tells the panel. With `show` the focus moves, to the panel or back, if the visitor did it. */
  say(message: ToPanel): void
  /** Draws the current state and options. */
  draw(): void
  remove(): void
}

/** Makes the container and attaches it; with a text only shows a teaser, with an empty one swells the launcher once. */
export type OpenPanel = (host: PanelHost, teaser?: string) => void
