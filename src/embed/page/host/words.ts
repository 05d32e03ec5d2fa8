// Holds the words that the page's side says: at the launcher, around the panel, and in its place while there is none. The page needs these
// words where nothing else has loaded.

import { languagesOf } from '../../../protocol/index.ts'

export type PageWords = {
  /** Name of the launcher. */
  open: string
  /** Name of the buttons that close the chat. */
  close: string
  /** Name of the chat. */
  title: string
  newMessage: string
  dismiss: string
  unreachable: string
  retry: string
  notHere: string
}

type Row = readonly [
  open: string,
  close: string,
  title: string,
  newMessage: string,
  dismiss: string,
  unreachable: string,
  retry: string,
  notHere: string,
]

const ENGLISH: Row = [
  'Open chat',
  'Close chat',
  'Chat',
  'New message',
  'Dismiss',
  'The chat can’t be reached right now.',
  'Try again',
  'The chat isn’t available on this page.',
]
const WORDS: Readonly<Record<string, Row | undefined>> = {
  __proto__: null as never,
  ar: [
    'فتح المحادثة',
    'إغلاق المحادثة',
    'محادثة',
    'رسالة جديدة',
    'تجاهل',
    'تعذّر الوصول إلى المحادثة الآن.',
    'حاول مرة أخرى',
    'المحادثة غير متاحة في هذه الصفحة.',
  ],
  de: [
    'Chat öffnen',
    'Chat schließen',
    'Chat',
    'Neue Nachricht',
    'Ausblenden',
    'Der Chat ist gerade nicht erreichbar.',
    'Erneut versuchen',
    'Auf dieser Seite gibt es keinen Chat.',
  ],
  es: [
    'Abrir el chat',
    'Cerrar el chat',
    'Chat',
    'Mensaje nuevo',
    'Descartar',
    'No se puede acceder al chat en este momento.',
    'Reintentar',
    'El chat no está disponible en esta página.',
  ],
  fr: [
    'Ouvrir le chat',
    'Fermer le chat',
    'Chat',
    'Nouveau message',
    'Ignorer',
    'Le chat est injoignable pour le moment.',
    'Réessayer',
    'Le chat n’est pas disponible sur cette page.',
  ],
  he: [
    'פתיחת הצ׳אט',
    'סגירת הצ׳אט',
    'צ׳אט',
    'הודעה חדשה',
    'סגירה',
    'לא ניתן להגיע לצ׳אט כרגע.',
    'ניסיון נוסף',
    'הצ׳אט אינו זמין בדף זה.',
  ],
  hi: [
    'चैट खोलें',
    'चैट बंद करें',
    'चैट',
    'नया संदेश',
    'हटाएँ',
    'अभी चैट से संपर्क नहीं हो पा रहा है।',
    'फिर से कोशिश करें',
    'इस पेज पर चैट उपलब्ध नहीं है।',
  ],
  it: [
    'Apri la chat',
    'Chiudi la chat',
    'Chat',
    'Nuovo messaggio',
    'Ignora',
    'Al momento la chat non è raggiungibile.',
    'Riprova',
    'La chat non è disponibile in questa pagina.',
  ],
  ja: [
    'チャットを開く',
    'チャットを閉じる',
    'チャット',
    '新しいメッセージ',
    '閉じる',
    '現在チャットに接続できません。',
    '再試行',
    'このページではチャットを利用できません。',
  ],
  ko: [
    '채팅 열기',
    '채팅 닫기',
    '채팅',
    '새 메시지',
    '닫기',
    '지금은 채팅에 연결할 수 없습니다.',
    '다시 시도',
    '이 페이지에서는 채팅을 사용할 수 없습니다.',
  ],
  nl: [
    'Chat openen',
    'Chat sluiten',
    'Chat',
    'Nieuw bericht',
    'Sluiten',
    'De chat is nu niet bereikbaar.',
    'Opnieuw proberen',
    'De chat is niet beschikbaar op deze pagina.',
  ],
  pl: [
    'Otwórz czat',
    'Zamknij czat',
    'Czat',
    'Nowa wiadomość',
    'Odrzuć',
    'Czat jest teraz nieosiągalny.',
    'Spróbuj ponownie',
    'Czat nie jest dostępny na tej stronie.',
  ],
  pt: [
    'Abrir o chat',
    'Fechar o chat',
    'Chat',
    'Nova mensagem',
    'Dispensar',
    'Não é possível acessar o chat agora.',
    'Tentar novamente',
    'O chat não está disponível nesta página.',
  ],
  sv: [
    'Öppna chatten',
    'Stäng chatten',
    'Chatt',
    'Nytt meddelande',
    'Avfärda',
    'Chatten kan inte nås just nu.',
    'Försök igen',
    'Chatten är inte tillgänglig på den här sidan.',
  ],
  tr: [
    'Sohbeti aç',
    'Sohbeti kapat',
    'Sohbet',
    'Yeni mesaj',
    'Kapat',
    'Sohbete şu anda ulaşılamıyor.',
    'Tekrar dene',
    'Sohbet bu sayfada kullanılamıyor.',
  ],
  zh: ['打开聊天', '关闭聊天', '聊天', '新消息', '忽略', '目前无法连接聊天。', '重试', '此页面不提供聊天。'],
  'zh-Hant': [
    '開啟聊天',
    '關閉聊天',
    '聊天',
    '新訊息',
    '忽略',
    '目前無法連接聊天。',
    '重試',
    '此頁面不提供聊天。',
  ],
}

/** The words for a BCP 47 tag; English if its language is missing. */
export function pageWords(locale: string): PageWords {
  const [open, close, title, newMessage, dismiss, unreachable, retry, notHere] =
    wordsIn(WORDS, locale) ?? ENGLISH
  return { open, close, title, newMessage, dismiss, unreachable, retry, notHere }
}

/** The direction in which these words are written. */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  wordsIn({ ar: 'rtl', he: 'rtl' } as const, locale) ?? 'ltr'

/** The entry of a table of words for a BCP 47 tag. */
const wordsIn = <T>(table: Readonly<Record<string, T | undefined>>, tag: string): T | undefined =>
  languagesOf(tag)
    .map((each) => table[each])
    .find(Boolean)
