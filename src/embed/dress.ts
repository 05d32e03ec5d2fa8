// Reads what the site's options change in header and composer, before the panel's code has run: words, colours, a name. Loaded only
// where there is such an option.

import {
  attempt,
  enCore,
  isLocale,
  loadLanguage,
  type PanelSettings,
  paint,
  type Spoken,
  usableWords,
} from '../ui/index.ts'
import type { Start } from './channel.ts'
import type { ReadDetails } from './details.ts'
import { hasDetails } from './given.ts'

export type Dress = {
  locale: string
  spoken: Spoken
  details: ReadDetails | undefined
  /** Colours the panel's element. */
  colour(element: HTMLElement): void
}

/** `tag`: of the language that is spoken. Undefined where something stands before the chat. */
export async function readDress(
  given: Start,
  tag: string,
  { accent, theme = 'light' }: PanelSettings,
  gone: AbortSignal,
): Promise<Dress | undefined> {
  const { consent, form, starters, outsideHours } = given
  if ((consent ?? form ?? starters) !== undefined || outsideHours === 'closed') return
  const locale = isLocale(tag) ? tag : 'en'
  const [details, language] = await Promise.all([
    hasDetails(given)
      ? attempt(() => import('./details.ts')).then((module) => module.readDetails(given))
      : undefined,
    loadLanguage(locale, gone),
  ])
  return {
    locale,
    spoken: {
      words: { ...enCore, ...language },
      own: usableWords(details?.words, enCore),
      agentName: details?.site.agentName,
      enterSends: details?.enterSends ?? true,
    },
    details,
    colour(element) {
      for (const [name, value] of details?.tokens ?? [])
        document.documentElement.style.setProperty(`--foyer-${name}`, value)
      if (accent) paint(element, accent, theme)
    },
  }
}
