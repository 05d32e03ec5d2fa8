// The launcher's words. It is drawn before anything else is loaded, so they are here and not in the panel. No
// native speaker has read those beside English and German. Similar ones stand together, which compresses better.

import { attempt } from '../options.ts'

const WORDS: Readonly<Record<string, string | undefined>> = {
  ar: 'فتح المحادثة',
  he: 'פתיחת הצ׳אט',
  hi: 'चैट खोलें',
  ja: 'チャットを開く',
  ko: '채팅 열기',
  zh: '打开聊天',
  zt: '開啟聊天',
  de: 'Chat öffnen',
  nl: 'Chat openen',
  sv: 'Öppna chatten',
  es: 'Abrir el chat',
  pt: 'Abrir o chat',
  it: 'Apri la chat',
  fr: 'Ouvrir le chat',
  pl: 'Otwórz czat',
  tr: 'Sohbeti aç',
}

/** The language of a BCP 47 tag, as the panel finds it: `iw` is `he`, and `zt` is Chinese in traditional script. */
export const language = (tag: string): string =>
  attempt(() => {
    const { language, script } = new Intl.Locale(tag).maximize()
    return language + script === 'zhHant' ? 'zt' : language
  }) ?? 'en'

/** The launcher's label for a language; English if it is missing. */
export const openWord = (language: string): string => WORDS[language] ?? 'Open chat'

/**
 * The launcher's message if the panel's code cannot be loaded. Only in English: the words of other languages could not be
 * loaded either, and most pages never need them.
 */
export const NOT_LOADED = 'The chat can’t be loaded.'
