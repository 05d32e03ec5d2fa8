// Defines what the page and a panel without a frame give each other. Their files may be of different releases.

import type { Renderers } from '../ui/index.ts'
import type { Start } from './channel.ts'

/** Why the panel is missing: no answer, no code, or the BFF gives this page no tokens. */
export type Reason = 'silent' | 'code' | 'not-here'

/** The container on the page, with the data for its content. */
export type UnframedContainer = {
  box: HTMLElement
  /** The panel's end of the channel. */
  connect(): MessagePort
  /** Says that there is no panel. */
  fail(reason: Reason): void
  /** Tells the page about an event. False if the page cancelled it. */
  tell(type: string, detail: object): boolean
  origin: string
  start(): Start
  page: FromPage
}

/** The further arguments of `mount`. */
export type FromPage = {
  /** The page requests the wire log. */
  tools?: boolean | undefined
  /** The parts that the page draws itself; only without a frame. */
  render?: Renderers | undefined
}

export type Inline = {
  /** Opens the panel, in place of one that does not answer. */
  open(): void
  close(): void
}

/** Loads the code of a panel without a frame. */
export type LoadInline = () => Promise<{ createInline(place: UnframedContainer): Inline }>
