// Defines what stands in the container, and what it gets of it.

import type { Options } from '../../options.ts'
import type { PanelHost } from '../host/panel-host.ts'
import type { Ground } from './ground.ts'
import type { PageChannel } from './page-channel.ts'

/** What stands in the container: a frame, or the panel itself. */
export type Content = {
  /** Does what can be done before anybody wants the panel. */
  prepare(): void
  /** Starts the panel. Uses the prepared frame on the first call. */
  start(): void
  /** The panel may be entered by Tab from now on. */
  ready?(): void
  /** Undefined: the panel takes the focus when it learns that it is shown. */
  focus?(): void
  name?(title: string): void
  dispose(): void
}

/** The container on the page, with the data for what stands in it. */
export type Container = {
  host: PanelHost
  box: HTMLElement
  channel: PageChannel
  ground: Ground
  origin: string
  /** What the panel starts with. */
  start(): Options & { locale: string; theme: 'light' | 'dark'; phone: boolean; closable: boolean }
}
