// Words the sentence that a machine answers, in the language of the conversation, or as the operator words it.

import type { DisclosureSetting } from '../accounts/index.ts'
import type { Agent } from './agent.ts'

/** Written in the alphabet of GSM: any other letter makes an SMS cost twice as much. */
const TEXTS: Readonly<Record<'ai' | 'automatic', Readonly<Record<string, string>> & { en: string }>> = {
  ai: {
    en: "You're talking to an AI assistant.",
    de: 'Sie sprechen mit einem KI-Assistenten.',
    fr: 'Vous parlez à un assistant IA.',
    es: 'Le atiende un asistente de IA.',
    it: 'Sta parlando con un assistente IA.',
    pt: 'A conversa é com um assistente de IA.',
    nl: 'U spreekt met een AI-assistent.',
  },
  automatic: {
    en: "You're talking to an automated assistant.",
    de: 'Sie sprechen mit einem automatischen Assistenten.',
    fr: 'Vous parlez à un assistant automatique.',
    es: 'Le atiende un asistente automatizado.',
    it: 'Sta parlando con un assistente automatico.',
    pt: 'A conversa é com um assistente automatizado.',
    nl: 'U spreekt met een geautomatiseerde assistent.',
  },
}

/** `language`: of the text; `*` where one text is for every language. */
type DisclosureText = { text: string; language: string }

/** The text for a conversation. `language`: a BCP 47 tag. Undefined: the setting is `off`. */
export function disclosureText(
  language: string | undefined,
  { answers = 'ai' }: Pick<Agent, 'answers'>,
  setting: DisclosureSetting = {},
): DisclosureText | undefined {
  if (setting === 'off') return undefined
  const own = Object.fromEntries(Object.entries(setting).map(([tag, text]) => [tag.toLowerCase(), text]))
  const builtIn = TEXTS[answers]
  const tag = language?.toLowerCase() ?? ''
  const [base = ''] = tag.split('-')
  const found = (texts: Readonly<Record<string, string>>, ...tags: readonly string[]) =>
    tags
      .filter((each) => Object.hasOwn(texts, each))
      .map((each) => ({ text: texts[each] ?? '', language: each }))[0]
  return (
    found(own, tag, base, '*') ??
    found(builtIn, base) ??
    found(own, 'en') ?? { text: builtIn.en, language: 'en' }
  )
}
