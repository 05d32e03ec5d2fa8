// Holds the words of the open launcher and of the panel's place, loaded with the place. Only English and German were read
// by native speakers.

import { language } from './words.ts'

/** `[close, title]`; without a title it is Chat. */
const WORDS: Readonly<Record<string, readonly [close: string, title?: string] | undefined>> = {
  __proto__: null as never,
  ar: ['إغلاق المحادثة', 'محادثة'],
  de: ['Chat schließen'],
  es: ['Cerrar el chat'],
  fr: ['Fermer le chat'],
  he: ['סגירת הצ׳אט', 'צ׳אט'],
  hi: ['चैट बंद करें', 'चैट'],
  it: ['Chiudi la chat'],
  ja: ['チャットを閉じる', 'チャット'],
  ko: ['채팅 닫기', '채팅'],
  nl: ['Chat sluiten'],
  pl: ['Zamknij czat', 'Czat'],
  pt: ['Fechar o chat'],
  sv: ['Stäng chatten', 'Chatt'],
  tr: ['Sohbeti kapat', 'Sohbet'],
  zh: ['关闭聊天', '聊天'],
  zt: ['關閉聊天', '聊天'],
}

/** The words for a BCP 47 tag; English if its language is missing. */
export function placeWords(locale: string): readonly [close: string, title: string] {
  const [close, title = 'Chat'] = WORDS[language(locale)] ?? ['Close chat']
  return [close, title]
}
