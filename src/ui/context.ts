// Provides the values that all parts of the panel share.

import { type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'
import type { Chat } from '../chat/index.ts'
import { en, type Words } from './locales/index.ts'

export type PanelState = {
  chat: Chat
  words: ReadonlySignal<Words>
  locale: ReadonlySignal<string>
  /** The parser, once it is here. */
  markdown: ReadonlySignal<typeof import('./markdown.tsx') | undefined>
  /** Resolves with the parser, or with undefined where it could not be loaded. */
  parser: Promise<typeof import('./markdown.tsx') | undefined>
  draft: { value: string; peek(): string }
  disclosure: ReadonlySignal<string>
  showHeader: ReadonlySignal<boolean>
  closable: ReadonlySignal<boolean>
  modal: ReadonlySignal<boolean>
  /** Origins whose pictures load by themselves. */
  imageOrigins: ReadonlySignal<readonly string[]>
  onClose(): void
}

export const Panel = createContext<PanelState>({ words: signal(en) } as unknown as PanelState)
