// Holds the phrases of the language-model agent for when the model gives no answer, by language.

import type { Language } from './language.ts'

type Words = {
  failed: string
  cut: string
  tooMuch: string
  unsaid: string
  tryAgain: string
}

const en: Words = {
  failed:
    'Sorry, I can’t answer right now: the language model does not respond. Please try again in a moment.',
  cut: 'Sorry, the answer broke off here.',
  tooMuch: 'You have reached today’s limit for automatic answers.',
  unsaid: 'Sorry, I have no answer to that.',
  tryAgain: 'Try again',
}

const de: Words = {
  failed:
    'Leider kann ich gerade nicht antworten: Das Sprachmodell meldet sich nicht. Bitte versuche es gleich noch einmal.',
  cut: 'Leider ist die Antwort hier abgebrochen.',
  tooMuch: 'Für heute ist die Grenze für automatische Antworten erreicht.',
  unsaid: 'Darauf habe ich leider keine Antwort.',
  tryAgain: 'Noch einmal versuchen',
}

const fr: Words = {
  failed:
    'Désolé, je ne peux pas répondre pour le moment : le modèle de langage ne répond pas. Veuillez réessayer dans un instant.',
  cut: 'Désolé, la réponse s’est interrompue ici.',
  tooMuch: 'La limite de réponses automatiques est atteinte pour aujourd’hui.',
  unsaid: 'Désolé, je n’ai pas de réponse à cela.',
  tryAgain: 'Réessayer',
}

export const llmWordsIn = (language: Language | undefined): Words => ({ en, de, fr })[language as 'en'] ?? en

/** Whether the visitor tapped or typed “Try again”, in any language. */
export const asksAgain = (text: string): boolean =>
  [en, de, fr].some(({ tryAgain }) => tryAgain.toLowerCase() === text.trim().toLowerCase())
