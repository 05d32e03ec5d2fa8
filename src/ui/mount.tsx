// The panel on an element. What surrounds it (size, place, radius, shadow) is not its business.

import { computed, signal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import type { Chat } from '../chat/index.ts'
import { Panel } from './context.ts'
import { checkWords, en, loadWords, type OwnWords, type Words } from './locales/index.ts'
import { PanelView } from './panel.tsx'
import type { SiteSettings } from './site.ts'
import { adoptStyles } from './theme.ts'

export type PanelOptions = {
  /** Where the styles are adopted. */
  root: Document | ShadowRoot
  /** The panel fills it. */
  container: HTMLElement | ShadowRoot
  chat: Chat
  onClose(): void
} & PanelSettings

/** What can be changed while the panel stands. */
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
  /** Words of the site's own, in place of the locale's. What cannot be used is ignored. */
  words?: OwnWords | undefined
  /** Name, lines, features and parts of the site's own. */
  site?: SiteSettings | undefined
}

export type PanelHandle = {
  update(settings: PanelSettings): void
  focusComposer(): void
  /** Focuses the panel itself, which raises no keyboard. */
  focus(): void
  setDraft(text: string): void
  dispose(): void
}

export function mountPanel(options: PanelOptions): PanelHandle {
  const { root, container, chat, onClose } = options
  adoptStyles(root)
  const element = document.createElement('div')
  container.append(element)

  const spoken = signal<Words>(en)
  const own = signal<Partial<Words>>({})
  const words = computed<Words>(() => ({ ...spoken.value, ...own.value }))
  const locale = signal('en')
  const disclosure = signal('')
  const showHeader = signal(true)
  const closable = signal(true)
  const modal = signal(false)
  const imageOrigins = signal<readonly string[]>([])
  const site = signal<SiteSettings>({})
  const ownWords = signal<unknown>(undefined)
  const intro = signal<ComponentType | undefined>(undefined)
  const draft = signal('')
  const markdown = signal<typeof import('./markdown.tsx') | undefined>(undefined)
  const parser = import('./markdown.tsx').then(
    (module) => {
      markdown.value = module
      return module
    },
    // Without it answers stand as plain text, which can be read.
    () => undefined,
  )
  let settings: PanelSettings = {}
  let disposed = false

  function draw(): void {
    const classes = ['foyer', settings.theme === 'dark' ? 'dark' : '', settings.phone ? 'phone' : '']
    element.className = classes.filter(Boolean).join(' ')
    element.lang = locale.peek()
    element.dir = words.peek().direction
  }
  function speak(tag: string): void {
    const asked = isLocale(tag) ? tag : 'en'
    locale.value = asked
    void loadWords(asked).then((loaded) => {
      // Another language may have been asked for since.
      if (disposed || asked !== locale.peek()) return
      spoken.value = loaded
      draw()
    })
  }
  function update(changes: PanelSettings): void {
    const before = settings
    settings = { ...settings, ...changes }
    disclosure.value = settings.disclosure ?? ''
    showHeader.value = settings.showHeader ?? true
    closable.value = settings.closable ?? true
    modal.value = settings.modal ?? false
    imageOrigins.value = settings.imageOrigins ?? []
    site.value = settings.site ?? {}
    ownWords.value = settings.words
    const { greeting, disclaimer, links, hours, withdraw } = site.value
    if (!intro.value && (greeting || disclaimer || links?.length || hours || withdraw))
      void import('./intro.tsx').then(
        ({ Intro, styles }) => {
          adoptStyles(root, styles)
          intro.value = Intro
        },
        // Without it the disclosure stands alone.
        () => {},
      )
    const { accent, theme = 'light' } = settings
    if (accent && (accent !== before.accent || theme !== (before.theme ?? 'light')))
      void import('./paint.ts').then(
        ({ paint }) => accent === settings.accent && paint(element, accent, theme),
        // Without it the panel keeps its own colours.
        () => {},
      )
    if (settings.words !== before.words) own.value = checkWords(settings.words)
    // Only a change of it: the conversation may have switched the language since.
    const { locale: asked = 'en' } = settings
    if (asked !== (before.locale ?? 'en')) speak(asked)
    draw()
  }

  update(options)
  const stopLanguage = chat.language.subscribe((language) => {
    if (language && language !== locale.peek()) speak(language)
  })
  render(
    <Panel.Provider
      value={{
        chat,
        words,
        locale,
        markdown,
        parser,
        draft,
        disclosure,
        showHeader,
        closable,
        modal,
        imageOrigins,
        site,
        ownWords,
        intro,
        onClose,
      }}
    >
      <PanelView />
    </Panel.Provider>,
    element,
  )
  return {
    update,
    focus: () => element.querySelector<HTMLElement>('[role="dialog"]')?.focus(),
    focusComposer: () => element.querySelector<HTMLElement>('textarea, .primary')?.focus(),
    setDraft: (text) => {
      draft.value = text
    },
    dispose() {
      disposed = true
      stopLanguage()
      render(null, element)
      element.remove()
    },
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
