// Holds the words of the card beside the launcher. Only English and German were read by native speakers.

import { language } from './words.ts'

type Words = readonly [newMessage: string, dismiss: string]

const WORDS: Readonly<Record<string, Words | undefined>> = {
  __proto__: null as never,
  ar: ['رسالة جديدة', 'تجاهل'],
  de: ['Neue Nachricht', 'Ausblenden'],
  es: ['Mensaje nuevo', 'Descartar'],
  fr: ['Nouveau message', 'Ignorer'],
  he: ['הודעה חדשה', 'סגירה'],
  hi: ['नया संदेश', 'हटाएँ'],
  it: ['Nuovo messaggio', 'Ignora'],
  ja: ['新しいメッセージ', '閉じる'],
  ko: ['새 메시지', '닫기'],
  nl: ['Nieuw bericht', 'Sluiten'],
  pl: ['Nowa wiadomość', 'Odrzuć'],
  pt: ['Nova mensagem', 'Dispensar'],
  sv: ['Nytt meddelande', 'Avfärda'],
  tr: ['Yeni mesaj', 'Kapat'],
  zh: ['新消息', '忽略'],
  zt: ['新訊息', '忽略'],
}

/** The words for a BCP 47 tag; English if its language is missing. */
export function cardWords(locale: string): { newMessage: string; dismiss: string } {
  const [newMessage, dismiss] = WORDS[language(locale)] ?? ['New message', 'Dismiss']
  return { newMessage, dismiss }
}
