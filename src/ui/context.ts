// What every part of the panel may need, handed down once.

import { type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'
import type { Chat } from '../chat/index.ts'
import { en, type Words } from './locales/index.ts'
import type { parseBlocks } from './markdown.tsx'

export type PanelState = {
  chat: Chat
  words: ReadonlySignal<Words>
  locale: ReadonlySignal<string>
  /** The parser, once it is here. */
  markdown: ReadonlySignal<typeof parseBlocks | undefined>
  draft: { value: string; peek(): string }
  disclosure: ReadonlySignal<string>
  showHeader: ReadonlySignal<boolean>
  closable: ReadonlySignal<boolean>
  onClose(): void
}

export const Panel = createContext<PanelState>({ words: signal(en) } as unknown as PanelState)
