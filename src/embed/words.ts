// The launcher's words. It is drawn before anything else is loaded, so they are here and not in the panel.

type Launcher = readonly [open: string, close: string, notLoaded: string]
const WORDS: Readonly<Record<string, Launcher | undefined> & { en: Launcher }> = {
  __proto__: null as never,
  en: ['Open chat', 'Close chat', 'The chat can’t be loaded.'],
  de: ['Chat öffnen', 'Chat schließen', 'Der Chat lässt sich nicht laden.'],
  ar: ['فتح المحادثة', 'إغلاق المحادثة', 'تعذّر تحميل المحادثة'],
}

/** The language of a BCP 47 tag. */
export const language = (locale: string): string => locale.toLowerCase().split('-')[0] ?? ''

const word = (locale: string, index: 0 | 1 | 2) => (WORDS[language(locale)] ?? WORDS.en)[index]

/** What the launcher does when it is pressed, by a BCP 47 tag; English where there is no such language. */
export const launcherWord = (locale: string, open: boolean): string => word(locale, open ? 1 : 0)

/** What the launcher says where the code of the panel could not be loaded. */
export const notLoaded = (locale: string): string => word(locale, 2)
