// Words the warning that an idle conversation will end, in the language of the conversation.

/** `time`: how long the user still has, such as “10 minutes”. */
type Words = (time: string) => string

const en: Words = (time) => `Are you still there? Reply within ${time} to keep this conversation open.`
// In most languages a time after “within” is declined, so these sentences name a time that stays as it is.
const WORDS: Readonly<Record<string, Words>> = {
  en,
  de: (time) =>
    `Sind Sie noch da? Dieses Gespräch bleibt noch ${time} offen. Antworten Sie, um es fortzusetzen.`,
  fr: (time) =>
    `Êtes-vous toujours là ? Cette conversation reste ouverte encore ${time}. Répondez pour la poursuivre.`,
  es: (time) => `¿Sigue ahí? Esta conversación seguirá abierta durante ${time}. Responda para continuarla.`,
  it: (time) =>
    `È ancora qui? Questa conversazione resterà aperta ancora per ${time}. Risponda per continuarla.`,
  pt: (time) => `Ainda está aí? Esta conversa fica aberta por mais ${time}. Responda para a continuar.`,
  nl: (time) => `Bent u er nog? Dit gesprek blijft nog ${time} open. Antwoord om het voort te zetten.`,
}

/** `language`: a BCP 47 tag; in a language without words of its own, and in an empty one, the warning is in English. */
export function idleWarning(language: string, graceSeconds: number): string {
  const [base = ''] = language.toLowerCase().split('-')
  const known = Object.hasOwn(WORDS, base) ? base : 'en'
  return (WORDS[known] ?? en)(timeInWords(known, graceSeconds))
}

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/** The largest unit and the one below it, such as “1 hour and 30 minutes”; never more than the time that there is. */
function timeInWords(language: string, seconds: number): string {
  const number = (unit: string, value: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  const largest = UNITS.findIndex((each) => seconds >= each.seconds)
  const [first, second] = UNITS.slice(largest)
  if (!first || (seconds < 120 && seconds !== 60)) return number('second', Math.floor(seconds))
  const whole = Math.floor(seconds / first.seconds)
  const rest = second ? Math.floor((seconds % first.seconds) / second.seconds) : 0
  const parts = [number(first.unit, whole), ...(second && rest > 0 ? [number(second.unit, rest)] : [])]
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(parts)
}
