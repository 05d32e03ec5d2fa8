// Mounts the panel on an element. Size, place, radius and shadow belong to the surrounding page.

import { effect, type Signal, signal } from '@preact/signals'
import { render } from 'preact'
import type { Chat, KeyValue } from '../../chat/index.ts'
import { PLAIN } from '../answer/plain.tsx'
import {
  type Announcements,
  type Extras,
  type MarkdownPart,
  Panel,
  type PanelState,
} from '../context/context.ts'
import type { SiteSettings } from '../context/site.ts'
import { focusComposer } from '../focus/focus.ts'
import type { OwnWords, Register } from '../locales/en.ts'
import { loadExtras, loadMarkdown } from '../parts/parts.ts'
import { paint } from '../theme/paint.ts'
import { adoptStyles } from '../theme/theme.ts'
import { createLanguage } from '../words/languages.ts'
import { PanelView } from './panel.tsx'

export type PanelOptions = {
  /** Where the styles are adopted. */
  root: Document | ShadowRoot
  /** The panel fills it. */
  container: HTMLElement | ShadowRoot
  chat: Chat
  /** Keeps what the visitor chose in the menu. Default: nothing is kept. */
  store?: KeyValue | undefined
  onClose(): void
  /** The visitor expands the panel, or brings it back. */
  onExpand?(expanded: boolean): void
  /** Elements that stand on the screen already, and what the visitor wrote in them: the panel goes on with them, once. */
  first?: { element: HTMLElement; draft(): string; leave(): void } | undefined
  /** When what the visitor does not need in order to write may be loaded. Default: at once. */
  later?: Promise<void> | undefined
} & PanelSettings

/** The settings that can change while the panel is mounted. */
export type PanelSettings = {
  /** BCP 47. Default `en`. */
  locale?: string | undefined
  theme?: 'light' | 'dark' | undefined
  /** A CSS colour; what is none is ignored. */
  accent?: string | undefined
  showHeader?: boolean | undefined
  /** Large targets, a lower header, safe areas. */
  phone?: boolean | undefined
  /** Whether the visitor can close it. Default true. */
  closable?: boolean | undefined
  /** Nothing beside it can be reached, such as the sheet on a phone. */
  modal?: boolean | undefined
  /** Origins whose pictures load by themselves. Default none: people are shown by their initials. */
  imageOrigins?: readonly string[] | undefined
  /** An agent without a model answers. Default: an AI. */
  automatic?: boolean | undefined
  /** Enter sends and Shift+Enter breaks the line. Default true; false: the other way round. */
  enterSends?: boolean | undefined
  /** Asks for a rating at the end of a chat. Default: only where the service asks, by stars. */
  rating?: 'stars' | 'thumbs' | undefined
  /** Whether the panel is expanded; undefined: it cannot be. */
  expanded?: boolean | undefined
  /** Whether a new message sounds, as the visitor may choose; undefined: nobody plays a sound. */
  sound?: PanelState['sound']['value']
  /** How German addresses the visitor: Sie or du. Default `formal`. */
  register?: Register | undefined
  /** Words of the site's own, in place of the locale's. What cannot be used is ignored. */
  words?: OwnWords | undefined
  /** Name, lines, features and parts of the site's own. */
  site?: SiteSettings | undefined
}

export type PanelHandle = {
  /** Resolves once the words of the asked language are drawn. */
  worded(): Promise<void>
  update(settings: PanelSettings): void
  /** Focuses the composer; with `itself` the panel, which raises no keyboard. */
  focus(itself?: boolean): void
  setDraft(text: string): void
  /** What the visitor is writing. */
  draft(): string
  dispose(): void
}

/** What the panel draws by, where a site says nothing. */
const DEFAULTS = {
  automatic: false,
  showHeader: true,
  closable: true,
  modal: false,
  imageOrigins: [] as readonly string[],
  site: {} as SiteSettings,
  enterSends: true,
  rating: undefined as PanelSettings['rating'],
  expanded: undefined as boolean | undefined,
  sound: undefined as PanelSettings['sound'],
}
type Given = { readonly [K in keyof typeof DEFAULTS]: Signal<(typeof DEFAULTS)[K]> }

export function mountPanel(options: PanelOptions): PanelHandle {
  const { root, container, chat, store, onClose, later = Promise.resolve() } = options
  adoptStyles(root)
  const first = options.first?.element.isConnected ? options.first : undefined
  const element = first?.element ?? document.createElement('div')
  if (!first) container.append(element)

  const ending = new AbortController()
  const { signal: gone } = ending
  const language = createLanguage(gone)
  const { locale, words } = language
  const given = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, signal(value)]),
  ) as Given
  const searching = signal(false)
  const deleted = signal(false)
  const kept = store?.get('announcements')
  const announcements = signal<Announcements>(kept === 'brief' || kept === 'none' ? kept : 'all')
  const unrated = signal(store?.get('unrated'))
  const draft = signal(first?.draft() ?? '')
  const markdown = signal<MarkdownPart>(PLAIN)
  const extras = signal<Extras>()
  void later.then(() => {
    void loadMarkdown(gone).then((part) => {
      adoptStyles(root, part.styles)
      markdown.value = part
    })
    void loadExtras(gone).then((part) => {
      adoptStyles(root, part.styles)
      extras.value = part
    })
  })
  let settings: PanelSettings = {}

  function update(changes: PanelSettings): void {
    const before = settings
    settings = { ...settings, ...changes }
    for (const name of Object.keys(DEFAULTS) as (keyof Given)[])
      (given[name] as Signal<unknown>).value = settings[name] ?? DEFAULTS[name]
    const { accent, theme = 'light', phone, words: own, site: { without = [] } = {} } = settings
    // Parts of an answer are hidden by their styles.
    const hidden = without.map((feature) => `without-${feature}`)
    element.className = ['foyer', theme === 'dark' && 'dark', phone && 'phone', ...hidden]
      .filter(Boolean)
      .join(' ')
    if (accent !== before.accent || (accent && theme !== (before.theme ?? 'light')))
      paint(element, accent, theme)
    if (own !== before.words) language.replace(own)
    language.address(settings.register)
    // Only a change of it: the conversation may have switched the language since.
    const { locale: asked = 'en' } = settings
    if (asked !== (before.locale ?? 'en')) language.speak(asked)
  }

  update(options)
  // The visitor's choice wins over the page's language, and over that of the conversation.
  let chosen = store?.get('language')
  if (chosen) language.speak(chosen)
  const stops = [
    chat.language.subscribe((asked) => {
      if (asked && !chosen && asked !== locale.peek()) language.speak(asked)
    }),
    effect(() => {
      element.lang = locale.value
      element.dir = words.value.direction
    }),
    effect(() => {
      const { value: status } = chat.status
      if (status !== 'idle' && status !== 'ended') deleted.value = false
    }),
  ]
  const state: PanelState = {
    ...given,
    chat,
    words,
    locale,
    markdown,
    extras,
    draft,
    withheld: new Set(),
    searching,
    deleted,
    announcements,
    setAnnouncements: (choice) => {
      announcements.value = choice
      store?.set('announcements', choice)
    },
    unrated,
    refuseRating: (sessionId) => {
      unrated.value = sessionId
      store?.set('unrated', sessionId)
    },
    setLocale: (tag) => {
      chosen = tag
      store?.set('language', tag)
      language.speak(tag)
    },
    deleteChat: () => {
      searching.value = false
      deleted.value = true
      void chat.logout()
    },
    onClose,
    onExpand: (expanded) => options.onExpand?.(expanded),
  }
  first?.leave()
  // What stands there already Preact takes for its own: the field stays the same element, with its focus and what an input method composes.
  render(
    <Panel.Provider value={state}>
      <PanelView />
    </Panel.Provider>,
    element,
  )
  return {
    worded: language.loaded,
    update,
    focus(itself) {
      // Who writes already goes on.
      const { activeElement } = element.getRootNode() as Document | ShadowRoot
      if (element.contains(activeElement) && activeElement?.localName === 'textarea') return
      if (itself) element.querySelector<HTMLElement>('[role="dialog"]')?.focus()
      else focusComposer(element)
    },
    setDraft: (text) => {
      draft.value = text
    },
    draft: () => draft.peek(),
    dispose() {
      ending.abort()
      for (const stop of stops) stop()
      render(null, element)
      element.remove()
    },
  }
}
