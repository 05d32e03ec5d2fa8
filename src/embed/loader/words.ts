// The launcher's words. It is drawn before anything else is loaded, so they are here and not in the panel.
// Similar ones stand together, which compresses better.

import { languagesOf } from '../../protocol/index.ts'

const WORDS: Readonly<Record<string, string | undefined>> = {
  ar: 'فتح المحادثة',
  he: 'פתיחת הצ׳אט',
  hi: 'चैट खोलें',
  ja: 'チャットを開く',
  ko: '채팅 열기',
  zh: '打开聊天',
  'zh-Hant': '開啟聊天',
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

/** The launcher's label for a BCP 47 tag; English if it is missing. */
export const openWord = (tag: string): string => wordsIn(WORDS, tag) ?? 'Open chat'

/** What a table of words has for a BCP 47 tag. */
export const wordsIn = <T>(table: Readonly<Record<string, T | undefined>>, tag: string): T | undefined =>
  languagesOf(tag)
    .map((each) => table[each])
    .find(Boolean)

/**
 * The launcher's message if the panel's code cannot be loaded. Only in English: the words of other languages could not be
 * loaded either, and most pages never need them.
 */
export const NOT_LOADED = 'The chat can’t be loaded.'
