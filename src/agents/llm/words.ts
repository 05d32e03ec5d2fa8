// Holds the phrases of the language-model agent for when the model gives no answer, by language.

import type { Turn } from '../../runtime/index.ts'
import type { Language } from '../language.ts'

type Words = {
  failed: string
  cut: string
  /** The key or another setting is wrong: to try again does not help. */
  wrongSetup: string
  takesLonger: string
  tooMuch: string
  tooMuchForAll: string
  unsaid: string
  tryAgain: string
}

const en: Words = {
  failed:
    'Sorry, I can’t answer right now: the language model does not respond. Please try again in a moment.',
  cut: 'Sorry, the answer broke off here.',
  wrongSetup:
    'Sorry, I can’t answer here at present: a setting of the language model is wrong, and the operator has to correct it.',
  takesLonger: 'The answer takes longer than usual.',
  tooMuchForAll: 'Sorry, today’s automatic answers on this site are used up.',
  tooMuch: 'You have reached today’s limit for automatic answers.',
  unsaid: 'Sorry, I have no answer to that.',
  tryAgain: 'Try again',
}

const de: Words = {
  failed:
    'Leider kann ich gerade nicht antworten: Das Sprachmodell meldet sich nicht. Ein neuer Versuch hilft vielleicht.',
  cut: 'Leider ist die Antwort hier abgebrochen.',
  wrongSetup:
    'Leider kann ich hier zurzeit nicht antworten: Eine Einstellung des Sprachmodells stimmt nicht, und der Betreiber muss sie berichtigen.',
  takesLonger: 'Die Antwort dauert länger als sonst.',
  tooMuchForAll: 'Leider sind die automatischen Antworten dieser Seite für heute aufgebraucht.',
  tooMuch: 'Für heute ist die Grenze für automatische Antworten erreicht.',
  unsaid: 'Darauf habe ich leider keine Antwort.',
  tryAgain: 'Noch einmal versuchen',
}

const fr: Words = {
  failed:
    'Désolé, je ne peux pas répondre pour le moment : le modèle de langage ne répond pas. Veuillez réessayer dans un instant.',
  cut: 'Désolé, la réponse s’est interrompue ici.',
  wrongSetup:
    'Désolé, je ne peux pas répondre ici pour le moment : un réglage du modèle de langage est incorrect, et l’exploitant doit le corriger.',
  takesLonger: 'La réponse prend plus de temps que d’habitude.',
  tooMuchForAll: 'Désolé, les réponses automatiques de ce site sont épuisées pour aujourd’hui.',
  tooMuch: 'La limite de réponses automatiques est atteinte pour aujourd’hui.',
  unsaid: 'Désolé, je n’ai pas de réponse à cela.',
  tryAgain: 'Réessayer',
}

export const llmWordsIn = (language: Language | undefined): Words => ({ en, de, fr })[language as 'en'] ?? en

/** Whether the visitor tapped or typed “Try again”, in any language. */
export const asksAgain = (text: string): boolean =>
  [en, de, fr].some(({ tryAgain }) => tryAgain.toLowerCase() === text.trim().toLowerCase())

/** What the visitor asks: the question before, where it is to be tried again. */
export function questionOf({ text, history }: Pick<Turn, 'text' | 'history'>): string {
  const before = history.findLast((each) => each.role === 'visitor' && !asksAgain(each.text))
  return asksAgain(text) && before ? before.text : text
}
