// What every part of the panel may need, handed down once.

import { type ReadonlySignal, signal } from '@preact/signals'
import { type ComponentType, createContext } from 'preact'
import type { Chat } from '../chat/index.ts'
import { en, type Words } from './locales/index.ts'
import type { SiteSettings } from './site.ts'

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
  site: ReadonlySignal<SiteSettings>
  /** The site's own words, as they were given. */
  ownWords: ReadonlySignal<unknown>
  /** The lines above the first message, where a site has some of its own and they are here. */
  intro: ReadonlySignal<ComponentType | undefined>
  onClose(): void
}

export const Panel = createContext<PanelState>({ words: signal(en) } as unknown as PanelState)
