// Recognises the words for stop, start and help in messages of a carrier that does not recognise them itself.

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

/** The keyword that a whole message consists of, in any case. */
export function keywordOf(text: string): Keyword | undefined {
  const saidWord = text.trim().toLowerCase().normalize('NFC')
  return (Object.keys(WORDS) as Keyword[]).find((keyword) => WORDS[keyword].includes(saidWord))
}
