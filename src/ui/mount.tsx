// Mounts the panel on an element. Size, place, radius and shadow belong to the surrounding page.

import { computed, effect, type Signal, signal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import type { Chat, KeyValue } from '../chat/index.ts'
import { focusComposer } from './composer.tsx'
import {
  type Announcements,
  type Answers,
  type PageParts,
  Panel,
  type PanelState,
  type Policies,
  type Rest,
} from './context.ts'
import { isLocale } from './locale.ts'
import { type CoreWords, enCore } from './locales/en-core.ts'
import type { OwnWords } from './locales/index.ts'
import { PanelView } from './panel.tsx'
import { arrived, persist } from './persist.ts'
import type { Shell } from './shell.ts'
import type { SiteSettings } from './site.ts'
import { whenIdle } from './soon.ts'
import { adoptStyles } from './theme.ts'

export type PanelOptions = {
  /** Where the styles are adopted. */
  root: Document | ShadowRoot
  /** The panel fills it. */
  container: HTMLElement | ShadowRoot
  chat: Chat
  /** Stands already, in the container, and is taken over with what was written in it. */
  shell?: Shell | undefined
  /** Keeps what the visitor chose in the menu. Default: nothing is kept. */
  store?: KeyValue | undefined
  onClose(): void
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
  /** Says that an AI answers. Default: the locale's words. */
  disclosure?: string | undefined
  /** Enter sends and Shift+Enter breaks the line. Default true; false: the other way round. */
  enterSends?: boolean | undefined
  /** Asks for a rating at the end of a chat. Default: only where the service asks, by stars. */
  rating?: 'stars' | 'thumbs' | undefined
  /** Pages of the site on privacy and the like, shown in the menu. */
  policies?: Policies | undefined
  /** Whether a new message sounds, as the visitor may choose; undefined: nobody plays a sound. */
  sound?: PanelState['sound']['value']
  /** Words of the site's own, in place of the locale's. What cannot be used is ignored. */
  words?: OwnWords | undefined
  /** Name, lines, features and parts of the site's own. */
  site?: (SiteSettings & PageParts) | undefined
}

export type PanelHandle = {
  /** Resolves once the words of the asked language are drawn. */
  worded(): Promise<void>
  update(settings: PanelSettings): void
  focusComposer(): void
  /** Focuses the panel itself, which raises no keyboard. */
  focus(): void
  setDraft(text: string): void
  /** What the visitor is writing. */
  draft(): string
  /** A key, by its `KeyboardEvent.key`, that was pressed for the composer and could not reach it. */
  press(key: string): void
  dispose(): void
}

/** What the panel draws by, where a site says nothing. */
const DEFAULTS = {
  disclosure: '',
  showHeader: true,
  closable: true,
  modal: false,
  imageOrigins: [] as readonly string[],
  site: {} as SiteSettings & PageParts,
  words: undefined as unknown,
  enterSends: true,
  rating: undefined as PanelSettings['rating'],
  policies: (() => []) as Policies,
  sound: undefined as PanelSettings['sound'],
}
type Given = { readonly [K in keyof typeof DEFAULTS]: Signal<(typeof DEFAULTS)[K]> }

export function mountPanel(options: PanelOptions): PanelHandle {
  const { root, container, chat, store, shell, onClose } = options
  arrived(import.meta.url)
  adoptStyles(root)
  const element = shell?.element ?? document.createElement('div')
  // What is in its place stays there: a moved field loses the focus.
  if (!shell) container.append(element)

  const first = shell?.spoken
  const spoken = signal<CoreWords>(first?.words ?? enCore)
  const own = signal<Partial<CoreWords>>(first?.own ?? {})
  const words = computed<CoreWords>(() => ({ ...spoken.value, ...own.value }))
  const locale = signal('en')
  const given = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, signal(value)]),
  ) as Given
  const { closable, site } = given
  const intro = signal<ComponentType | undefined>(undefined)
  const searching = signal(false)
  const deleted = signal(false)
  const kept = store?.get('announcements')
  const announcements = signal<Announcements>(kept === 'brief' || kept === 'none' ? kept : 'all')
  const draft = signal(shell?.field.value ?? '')
  const answers = signal<Answers | undefined>(undefined)
  const rest = signal<Rest | undefined>(undefined)
  const ending = new AbortController()
  const { signal: gone } = ending
  // Without it the visitor can still write and read.
  void persist(() => import('./rest.ts'), gone).then((module) => {
    adoptStyles(root, module.styles, true)
    rest.value = module
    // The first format of a page takes longer than drawing a screen of messages, so it is made before one comes.
    whenIdle(() => module.clockTime(0, locale.peek()))
  })
  // Without it answers stand as plain text, which can be read.
  void persist(() => import('./answer.ts'), gone).then((module) => {
    adoptStyles(root, module.styles)
    answers.value = module
  })
  /** Asks for a part when it is first called, and not again while that is under way. */
  const once = <T,>(load: () => Promise<T>) => {
    let part: Promise<T> | undefined
    return () => (part ??= persist(load, gone))
  }
  /** Only English is here from the start. */
  const locales = once(() => import('./locales/index.ts'))
  const loadIntro = once(() => import('./intro.tsx'))
  let settings: PanelSettings = {}
  let worded = Promise.resolve()

  function draw(): void {
    const { theme, phone, site: { without = [] } = {} } = settings
    // Parts of an answer are hidden by their styles.
    const hidden = without.map((feature) => `without-${feature}`)
    element.className = ['foyer', theme === 'dark' && 'dark', phone && 'phone', ...hidden]
      .filter(Boolean)
      .join(' ')
    element.lang = locale.peek()
    element.dir = words.peek().direction
  }
  function speak(tag: string): void {
    const asked = isLocale(tag) ? tag : 'en'
    locale.value = element.lang = asked
    const load = /^en(-US)?$/i.test(asked)
      ? Promise.resolve(enCore)
      : locales().then((module) => module.loadWords(asked, gone))
    worded = load.then((loaded) => {
      // Another language may have been asked for since.
      if (asked !== locale.peek()) return
      spoken.value = loaded
      draw()
    })
  }
  function update(changes: PanelSettings): void {
    const before = settings
    settings = { ...settings, ...changes }
    for (const name of Object.keys(DEFAULTS) as (keyof Given)[])
      (given[name] as Signal<unknown>).value = settings[name] ?? DEFAULTS[name]
    const { greeting, disclaimer, links, hours, withdraw } = site.value
    if (!intro.value && (greeting || disclaimer || links?.length || hours || withdraw))
      // Without it the disclosure stands alone.
      void loadIntro().then(({ Intro, styles }) => {
        adoptStyles(root, styles)
        intro.value = Intro
      })
    const { accent, theme = 'light' } = settings
    if (accent !== before.accent || (accent && theme !== (before.theme ?? 'light')))
      // Without it the panel keeps its own colours.
      void persist(() => import('./paint.ts'), gone).then(
        ({ paint }) => accent === settings.accent && paint(element, accent, theme),
      )
    const { words: theirs } = settings
    if (theirs !== before.words)
      void locales().then((module) => {
        if (theirs === settings.words) own.value = module.checkWords(theirs)
      })
    // Only a change of it: the conversation may have switched the language since.
    const { locale: asked = 'en' } = settings
    if (asked !== (before.locale ?? 'en')) speak(asked)
    draw()
  }

  update(options)
  // The visitor's choice wins over the page's language.
  const chosen = store?.get('language')
  if (chosen) speak(chosen)
  const stopLanguage = chat.language.subscribe((language) => {
    if (language && language !== locale.peek()) speak(language)
  })
  const stopDeleted = effect(() => {
    const { value: status } = chat.status
    if (status !== 'idle' && status !== 'ended') deleted.value = false
  })
  render(
    <Panel.Provider
      value={{
        ...given,
        ownWords: given.words,
        chat,
        root,
        words,
        locale,
        answers,
        gone,
        rest,
        draft,
        withheld: new Set(),
        dock: { current: null },
        intro,
        searching,
        deleted,
        announcements,
        setAnnouncements: (choice) => {
          announcements.value = choice
          store?.set('announcements', choice)
        },
        setLocale: (tag) => {
          store?.set('language', tag)
          speak(tag)
        },
        deleteChat: () => {
          searching.value = false
          deleted.value = true
          void chat.logout()
        },
        onClose,
      }}
    >
      <PanelView />
    </Panel.Provider>,
    element,
  )
  if (shell?.pressed) shell.menu.click()
  return {
    worded: () => worded,
    update,
    focus: () => element.querySelector<HTMLElement>('[role="dialog"]')?.focus(),
    focusComposer: () => focusComposer(element),
    setDraft: (text) => {
      draft.value = text
    },
    draft: () => draft.peek(),
    press: (key) =>
      // By import() alone, which resolves in the order of the keys. Only WebKit needs it, which can ask for a module again.
      void import('./press.ts').then(
        ({ press }) => press(key, { panel: element, draft, close: () => closable.peek() && onClose() }),
        () => {},
      ),
    dispose() {
      ending.abort()
      stopLanguage()
      stopDeleted()
      render(null, element)
      element.remove()
    },
  }
}
