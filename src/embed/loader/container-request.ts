// Asks for the panel's container once, and keeps what is said until the container is attached.
//
//   new ──prepare──▶ prepared ──want──▶ wanted ──drop──▶ lost ──want──▶ wanted
//    └──────────────── want ──────────────▲

import type { ToPanel } from '../channel.ts'
import type { PanelSide } from './panel-host.ts'

export type ContainerRequest = {
  /** The container, once it is attached. */
  panel(): PanelSide | undefined
  isNew(): boolean
  isWanted(): boolean
  /** Asks for it out of sight. */
  prepare(): void
  want(): void
  /** To a container that somebody wants; it gets what is said before it is attached. */
  post(message: ToPanel): void
  attach(panel: PanelSide): void
  /** Removes it. Only who wants it asks for it again. */
  drop(): void
}

export type ContainerRequestOptions = {
  open(): void
  /** Whether a container that comes now is not to be used. `prepared`: nobody wants it yet. */
  isRefused(prepared: boolean): boolean
  onWanted(): void
  onAttached(): void
}

export function createContainerRequest({
  open,
  isRefused,
  onWanted,
  onAttached,
}: ContainerRequestOptions): ContainerRequest {
  let state: 'new' | 'prepared' | 'wanted' | 'lost' = 'new'
  let panel: PanelSide | undefined
  const waiting: ToPanel[] = []
  return {
    panel: () => panel,
    isNew: () => state === 'new',
    isWanted: () => state === 'wanted',
    prepare() {
      state = 'prepared'
      open()
    },
    want() {
      if (state === 'wanted') return
      onWanted()
      const before = state
      state = 'wanted'
      if (before !== 'prepared') open()
    },
    post(message) {
      if (state !== 'wanted') return
      if (panel) panel.say(message)
      else waiting.push(message)
    },
    attach(side) {
      if (isRefused(state === 'prepared')) {
        state = 'lost'
        return side.remove()
      }
      panel = side
      onAttached()
      waiting.splice(0).forEach(side.say)
    },
    drop() {
      state = 'lost'
      panel?.remove()
      panel = undefined
    },
  }
}
