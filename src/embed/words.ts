// The launcher's words. It is drawn before anything else is loaded, so they are here and not in the panel. No
// native speaker has read those beside English and German.

const WORDS: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  ar: 'فتح المحادثة',
  de: 'Chat öffnen',
  es: 'Abrir el chat',
  fr: 'Ouvrir le chat',
  he: 'פתיחת הצ׳אט',
  hi: 'चैट खोलें',
  it: 'Apri la chat',
  ja: 'チャットを開く',
  ko: '채팅 열기',
  nl: 'Chat openen',
  pl: 'Otwórz czat',
  pt: 'Abrir o chat',
  sv: 'Öppna chatten',
  tr: 'Sohbeti aç',
  zh: '打开聊天',
  zt: '開啟聊天',
}

/** The language of a BCP 47 tag; `zt` is Chinese in traditional script. */
export const language = (locale: string): string =>
  /^zh-(hant|tw|hk|mo)/i.test(locale) ? 'zt' : (locale.toLowerCase().split('-')[0] as string)

/** The launcher's label for a BCP 47 tag; English if its language is missing. */
export const openWord = (locale: string): string => WORDS[language(locale)] ?? 'Open chat'

/**
 * The launcher's message if the panel's code cannot be loaded. Only in English: the words of other languages could not be
 * loaded either, and most pages never need them.
 */
export const NOT_LOADED = 'The chat can’t be loaded.'
