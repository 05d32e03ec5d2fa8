// The launcher's words. It is drawn before anything else is loaded, so they are here and not in the panel.

const WORDS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  en: ['Open chat', 'Close chat'],
  de: ['Chat öffnen', 'Chat schließen'],
  ar: ['فتح المحادثة', 'إغلاق المحادثة'],
}
const TITLES: Readonly<Record<string, string>> = { ar: 'محادثة' }

const language = (locale: string): string => locale.toLowerCase().split('-')[0] ?? ''

/** What the launcher does when it is pressed, by a BCP 47 tag; English where there is no such language. */
export function launcherWord(locale: string, open: boolean): string {
  return (WORDS[language(locale)] ?? WORDS.en)?.[open ? 1 : 0] ?? ''
}

/** The frame's title. */
export const frameTitle = (locale: string): string => TITLES[language(locale)] ?? 'Chat'
