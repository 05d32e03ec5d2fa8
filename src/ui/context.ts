// Provides the values that all parts of the panel share.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type ComponentType, createContext, type TargetedKeyboardEvent, type VNode } from 'preact'
import type {
  Chat,
  DividerEntry,
  Entry,
  Handoff,
  MessageEntry,
  NoticeEntry,
  OutboxItem,
  Refusal,
} from '../chat/index.ts'
import { type CoreWords, enCore } from './locales/en-core.ts'
import type { PlacedProps } from './placed.tsx'
import type { SiteSettings } from './site.ts'

/** What draws answers: answer.ts. */
export interface Answers {
  readonly Day: ComponentType<{ at: number }>
  readonly Extras: ComponentType<{ entry: MessageEntry; isLast: boolean; touched: boolean; near(): void }>
  readonly Markdown: ComponentType<{ content: MessageEntry['content'] }>
  readonly Note: ComponentType<{ entry: NoticeEntry | DividerEntry }>
  readonly Suggestions: ComponentType
  drawSaid(text: string): VNode
  drawSilence(at: number, locale: string): VNode
  drawTime(at: number, locale: string): VNode
  moveInLog(event: TargetedKeyboardEvent<HTMLElement>): void
  skipOlder(panel: Element): void
}

/** The parts that load beside the panel: rest.ts. */
export interface Rest {
  readonly Avatar: ComponentType<{ name: string | undefined; url: string | undefined; live: boolean }>
  readonly Byline: ComponentType<{ entry: MessageEntry }>
  readonly Notice: ComponentType
  readonly Outcome: ComponentType<{ id: string; state: OutboxItem['state'] | 'undelivered' }>
  readonly Over: ComponentType
  readonly Pill: ComponentType<{ onClick(): void }>
  readonly RatingPlace: ComponentType
  readonly Trouble: ComponentType<{ trouble: Refusal }>
  clockTime(at: number, locale: string): string
  counted(text: string, limit: number, locale: string): string
  queueText(words: CoreWords, locale: string, handoff: Extract<Handoff, { state: 'pending' }>): string
}

/** How much of an answer a screen reader is given. */
export type Announcements = 'all' | 'brief' | 'none'

export type Policy = { readonly title: string; readonly url: string }

/** Named in a language, by its BCP 47 tag. */
export type Policies = (locale: string) => readonly Policy[]

/** What draws the parts of the page. */
export type PageParts = {
  /** Draws the entries where the page has a say in them. */
  readonly Screened?: ComponentType<{ entry: Entry; before: Entry | undefined; isLast: boolean }> | undefined
  /** Draws a node of the page. */
  readonly Placed?: ComponentType<PlacedProps> | undefined
}

export type PanelState = {
  chat: Chat
  /** Where the styles of parts are adopted. */
  root: Document | ShadowRoot
  words: ReadonlySignal<CoreWords>
  locale: ReadonlySignal<string>
  /** The code that draws answers, once it is loaded. */
  answers: ReadonlySignal<Answers | undefined>
  /** Aborted once the panel is disposed. */
  gone: AbortSignal
  /** The parts that load beside the panel, once they are here. */
  rest: ReadonlySignal<Rest | undefined>
  draft: { value: string; peek(): string }
  disclosure: ReadonlySignal<string>
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
  /** The sound of a new message; undefined: nobody plays one. */
  sound: ReadonlySignal<{ readonly on: boolean; turn(on: boolean): void } | undefined>
  /** How a chat is rated at its end; undefined: only where the service asks, by stars. */
  rating: ReadonlySignal<'stars' | 'thumbs' | undefined>
  /** Pages of the site on privacy and the like. */
  policies: ReadonlySignal<Policies>
  /** Whether Enter sends and Shift+Enter breaks the line, or the other way round. */
  enterSends: ReadonlySignal<boolean>
  /** Origins whose pictures load by themselves. */
  imageOrigins: ReadonlySignal<readonly string[]>
  site: ReadonlySignal<SiteSettings & PageParts>
  /** The keys of the messages that the page does not let the panel show, now. */
  withheld: Set<string>
  /** Below the entries: where the tools of the newest answer stand. */
  dock: { current: HTMLDivElement | null }
  /** The site's own words, as they were given. */
  ownWords: ReadonlySignal<unknown>
  /** The lines above the first message, where a site has some of its own and they are here. */
  intro: ReadonlySignal<ComponentType | undefined>
  onClose(): void
}

/** So long the page may think about a message before its visitor is told that it waits. */
export const HELD_MS = 3_000

export const Panel = createContext<PanelState>({ words: signal(enCore) } as unknown as PanelState)
