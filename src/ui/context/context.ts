// Provides the values that all parts of the panel share.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  type ComponentChild,
  type ComponentChildren,
  type ComponentType,
  createContext,
  type RefObject,
} from 'preact'
import { useContext } from 'preact/hooks'
import type { Chat, Content, Entry, MessageEntry } from '../../chat/index.ts'
import { en, type Words } from '../locales/en.ts'
import type { PrechatHandle, PrechatOptions } from './prechat-settings.ts'
import type { SiteSettings } from './site.ts'

/** What reads Markdown: markdown-part.ts, and until that is loaded plain.tsx. */
export interface MarkdownPart {
  readonly Markdown: ComponentType<{ content: MessageEntry['content'] }>
  /** Plain text with its bare addresses as links. */
  linked(text: string): ComponentChildren[]
  parseBlocks(text: string): { readonly blocks: readonly { readonly node: ComponentChildren }[] }
  /** The words of a text, for a voice. */
  readWords(text: string): string
  /** A text for people, without marks. Undefined: marks cannot be told from words yet. */
  plainText?(text: string): string
  /**
   * Reads what comes after `history` to screen readers: calls `say` line by line, with undefined once there is nothing more. Returns the
   * undo. Undefined: marks cannot be told from words yet.
   */
  readonly announce: undefined | Announce
}

export type Announce = (
  panel: PanelState,
  history: readonly Entry[],
  say: (text: string | undefined) => void,
) => () => void

/** What a visitor does not need to read and to write: extras.ts. */
export interface Extras {
  readonly Cards: ComponentType<{ content: Pick<Content, 'attachments' | 'callActions'> }>
  readonly Confirm: ComponentType<{ entry: MessageEntry; confirm: NonNullable<Content['confirm']> }>
  readonly Comment: ComponentType<{ answer: string; onDone(): void }>
  readonly FoldedText: ComponentType<{ text: string; draw(text: string): ComponentChild }>
  readonly Menu: ComponentType<{ button: RefObject<HTMLButtonElement | null>; onClose(): void }>
  readonly Rating: ComponentType<{ scale: 'stars' | 'thumbs'; onDismiss(): void }>
  readonly Search: ComponentType<{ log: RefObject<HTMLElement | null>; show(element: Element): void }>
  copy(panel: PanelState, entry: MessageEntry, done: () => void): void
  openPrechat(options: PrechatOptions): PrechatHandle
}

/** How much of an answer a screen reader is given. */
export type Announcements = 'all' | 'brief' | 'none'

export type PanelState = {
  chat: Chat
  words: ReadonlySignal<Words>
  locale: ReadonlySignal<string>
  markdown: ReadonlySignal<MarkdownPart>
  /** Undefined until they are loaded. */
  extras: ReadonlySignal<Extras | undefined>
  draft: { value: string; peek(): string }
  /** An agent without a model answers. */
  automatic: ReadonlySignal<boolean>
  showHeader: ReadonlySignal<boolean>
  closable: ReadonlySignal<boolean>
  modal: ReadonlySignal<boolean>
  /** Whether the visitor searches the transcript. */
  searching: Signal<boolean>
  /** The visitor deleted the chat, and began no other. */
  deleted: ReadonlySignal<boolean>
  deleteChat(): void
  /** The visitor chose a language. */
  setLocale(tag: string): void
  announcements: ReadonlySignal<Announcements>
  setAnnouncements(choice: Announcements): void
  /** The session whose visitor will not rate it. */
  unrated: ReadonlySignal<string | undefined>
  refuseRating(sessionId: string): void
  /** The sound of a new message; undefined: nobody plays one. */
  sound: ReadonlySignal<{ readonly on: boolean; turn(on: boolean): void } | undefined>
  /** Whether the panel is expanded; undefined: it cannot be. */
  expanded: ReadonlySignal<boolean | undefined>
  /** How a chat is rated at its end; undefined: only where the service asks, by stars. */
  rating: ReadonlySignal<'stars' | 'thumbs' | undefined>
  /** Whether Enter sends and Shift+Enter breaks the line, or the other way round. */
  enterSends: ReadonlySignal<boolean>
  /** Origins whose pictures load by themselves. */
  imageOrigins: ReadonlySignal<readonly string[]>
  site: ReadonlySignal<SiteSettings>
  /** The keys of the messages that the page does not let the panel show, now. */
  withheld: Set<string>
  onClose(): void
  onExpand(expanded: boolean): void
}

/** So long the page may think about a message before its visitor is told that it waits. */
export const HELD_MS = 3_000

export const Panel = createContext<PanelState>({ words: signal(en) } as unknown as PanelState)

export const useWords = (): Words => useContext(Panel).words.value
