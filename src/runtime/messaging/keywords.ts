// Recognises the words for stop, start and help in messages of a carrier that does not recognise them itself.

/** What a user asks of the carrier. */
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

/** Words that people choose by too. STOP, HELP, and what means nothing else than one of the three, always are keywords. */
const EVERYDAY = ['cancel', 'end', 'quit', 'start', 'subscribe', 'commencer', 'starten', 'empezar', 'info']

const saidWordOf = (text: string): string => text.trim().toLowerCase().normalize('NFC')

/** Whether a keyword may be meant as a choice, where a question offers it. */
export const mayBeChoice = (text: string): boolean => EVERYDAY.includes(saidWordOf(text))

/** The keyword that a whole message consists of, in any case. */
export function keywordOf(text: string): Keyword | undefined {
  const saidWord = saidWordOf(text)
  return (Object.keys(WORDS) as Keyword[]).find((keyword) => WORDS[keyword].includes(saidWord))
}
