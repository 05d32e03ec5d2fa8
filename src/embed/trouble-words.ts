// Holds the words for a chat that cannot be loaded. Only English and German were read by native speakers.

import { language } from './words.ts'

type Words = { unreachable: string; retry: string; notHere: string }

const WORDS: Readonly<
  Record<string, readonly [unreachable: string, retry: string, notHere: string] | undefined>
> = {
  __proto__: null as never,
  ar: ['تعذّر الوصول إلى المحادثة الآن.', 'حاول مرة أخرى', 'المحادثة غير متاحة في هذه الصفحة.'],
  de: ['Der Chat ist gerade nicht erreichbar.', 'Erneut versuchen', 'Auf dieser Seite gibt es keinen Chat.'],
  es: [
    'No se puede acceder al chat en este momento.',
    'Reintentar',
    'El chat no está disponible en esta página.',
  ],
  fr: [
    'Le chat est injoignable pour le moment.',
    'Réessayer',
    'Le chat n’est pas disponible sur cette page.',
  ],
  he: ['לא ניתן להגיע לצ׳אט כרגע.', 'ניסיון נוסף', 'הצ׳אט אינו זמין בדף זה.'],
  hi: ['अभी चैट से संपर्क नहीं हो पा रहा है।', 'फिर से कोशिश करें', 'इस पेज पर चैट उपलब्ध नहीं है।'],
  it: ['Al momento la chat non è raggiungibile.', 'Riprova', 'La chat non è disponibile in questa pagina.'],
  ja: ['現在チャットに接続できません。', '再試行', 'このページではチャットを利用できません。'],
  ko: ['지금은 채팅에 연결할 수 없습니다.', '다시 시도', '이 페이지에서는 채팅을 사용할 수 없습니다.'],
  nl: ['De chat is nu niet bereikbaar.', 'Opnieuw proberen', 'De chat is niet beschikbaar op deze pagina.'],
  pl: ['Czat jest teraz nieosiągalny.', 'Spróbuj ponownie', 'Czat nie jest dostępny na tej stronie.'],
  pt: [
    'Não é possível acessar o chat agora.',
    'Tentar novamente',
    'O chat não está disponível nesta página.',
  ],
  sv: ['Chatten kan inte nås just nu.', 'Försök igen', 'Chatten är inte tillgänglig på den här sidan.'],
  tr: ['Sohbete şu anda ulaşılamıyor.', 'Tekrar dene', 'Sohbet bu sayfada kullanılamıyor.'],
  zh: ['目前无法连接聊天。', '重试', '此页面不提供聊天。'],
  zt: ['目前無法連接聊天。', '重試', '此頁面不提供聊天。'],
}

/** The words for a BCP 47 tag; English if its language is missing. */
export function troubleWords(locale: string): Words {
  const [unreachable, retry, notHere] = WORDS[language(locale)] ?? [
    'The chat can’t be reached right now.',
    'Try again',
    'The chat isn’t available on this page.',
  ]
  return { unreachable, retry, notHere }
}
