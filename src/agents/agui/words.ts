// Holds the phrases for when an agent by its address gives no answer, by language.

import type { Language } from '../language.ts'
import { llmWordsIn } from '../llm/words.ts'

/** `goOn`: asks whether the agent may do what it wants to do; `yes` and `no` answer it. */
type Words = { failed: string; wrongSetup: string; goOn: string; yes: string; no: string }

const en: Words = {
  failed: 'Sorry, I can’t answer right now: the assistant does not respond. Please try again in a moment.',
  wrongSetup:
    'Sorry, I can’t answer here at present: a setting of the assistant is wrong, and the operator has to correct it.',
  goOn: 'Shall I go on?',
  yes: 'Yes',
  no: 'No',
}

const de: Words = {
  failed:
    'Leider kann ich gerade nicht antworten: Der Assistent meldet sich nicht. Ein neuer Versuch hilft vielleicht.',
  wrongSetup:
    'Leider kann ich hier zurzeit nicht antworten: Eine Einstellung des Assistenten stimmt nicht, und der Betreiber muss sie berichtigen.',
  goOn: 'Soll ich fortfahren?',
  yes: 'Ja',
  no: 'Nein',
}

const fr: Words = {
  failed:
    'Désolé, je ne peux pas répondre pour le moment : l’assistant ne répond pas. Veuillez réessayer dans un instant.',
  wrongSetup:
    'Désolé, je ne peux pas répondre ici pour le moment : un réglage de l’assistant est incorrect, et l’exploitant doit le corriger.',
  goOn: 'Dois-je continuer ?',
  yes: 'Oui',
  no: 'Non',
}

/** The language model's phrases, except those that speak of a model. */
export const aguiWordsIn = (language: Language | undefined) => ({
  ...llmWordsIn(language),
  ...({ en, de, fr }[language as 'en'] ?? en),
})
