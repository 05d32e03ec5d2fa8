// Recognises the words for stop, start and help, and holds the simulated carrier's replies. A real carrier has its own.

export type Keyword = 'STOP' | 'START' | 'HELP'

const WORDS: Readonly<Record<Keyword, readonly string[]>> = {
  STOP: [
    'stop',
    'stopall',
    'unsubscribe',
    'cancel',
    'end',
    'quit',
    'arret',
    'arrêt',
    'stopp',
    'alto',
    'baja',
  ],
  START: ['start', 'unstop', 'subscribe', 'commencer', 'starten', 'empezar', 'alta'],
  HELP: ['help', 'info', 'aide', 'hilfe', 'ayuda'],
}

export const infoMessages: Readonly<Record<Keyword, string>> = {
  STOP: 'You will get no more messages from this number. Reply START to get them again.',
  START: 'You will get messages from this number again. Reply STOP to stop them.',
  HELP: 'Reply STOP to get no more messages, START to get them again.',
}

/** The keyword that a whole message consists of, in any case. */
export function keywordOf(text: string): Keyword | undefined {
  const saidWord = text.trim().toLowerCase()
  return (Object.keys(WORDS) as Keyword[]).find((keyword) => WORDS[keyword].includes(saidWord))
}
