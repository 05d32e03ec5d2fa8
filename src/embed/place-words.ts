// What stands in the panel's place while there is no panel. Fetched with the place, not with the launcher.

import { language, launcherWord } from './words.ts'

type Words = { title: string; unreachable: string; retry: string; notHere: string }

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    title: 'Chat',
    unreachable: 'The chat can’t be reached right now.',
    retry: 'Try again',
    notHere: 'The chat isn’t available on this page.',
  },
  de: {
    title: 'Chat',
    unreachable: 'Der Chat ist gerade nicht erreichbar.',
    retry: 'Erneut versuchen',
    notHere: 'Auf dieser Seite gibt es keinen Chat.',
  },
  ar: {
    title: 'محادثة',
    unreachable: 'تعذّر الوصول إلى المحادثة الآن.',
    retry: 'حاول مرة أخرى',
    notHere: 'المحادثة غير متاحة في هذه الصفحة.',
  },
}

/** By a BCP 47 tag; English where there is no such language. */
export function placeWords(locale: string): Words & { close: string; direction: 'ltr' | 'rtl' } {
  const tag = language(locale)
  const known = Object.hasOwn(WORDS, tag) ? WORDS[tag] : WORDS.en
  return {
    ...(known as Words),
    close: launcherWord(locale, true),
    direction: tag === 'ar' ? 'rtl' : 'ltr',
  }
}
