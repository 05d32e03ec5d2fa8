// Holds the phrases that every agent of this folder says, by language.

import type { Language } from './language.ts'

export type Phrases = {
  helloAgain: string
  source(from: string): string
  sources(from: string): string
  /** The suggestion by which a visitor asks for a person. */
  person: string
  handoff: string
  /** `to`: how to reach a person, by the operator. */
  contact(to: string): string
}

const en: Phrases = {
  helloAgain: 'Hello! What would you like to know?',
  source: (from) => `*From ${from}.*`,
  sources: (from) => `*From ${from}.*`,
  person: 'Talk to a real person',
  handoff: 'I’ll pass you on: somebody from the front desk will be with you as soon as they can.',
  contact: (to) => `This is how you reach a person: ${to}`,
}

const de: Phrases = {
  helloAgain: 'Hallo! Welche Frage darf ich beantworten?',
  source: (from) => `*Aus ${from}.*`,
  sources: (from) => `*Aus ${from}.*`,
  person: 'Mit dem Team sprechen',
  handoff: 'Unser Team übernimmt: Jemand meldet sich, sobald es geht.',
  contact: (to) => `So ist unser Team zu erreichen: ${to}`,
}

const fr: Phrases = {
  helloAgain: 'Bonjour ! Que souhaitez-vous savoir ?',
  source: (from) => `*Source : ${from}.*`,
  sources: (from) => `*Sources : ${from}.*`,
  person: 'Parler à un conseiller',
  handoff: 'Je vous mets en relation avec un conseiller, qui vous répondra dès que possible.',
  contact: (to) => `Pour joindre un conseiller : ${to}`,
}

const PHRASES: Readonly<Partial<Record<Language, Phrases>>> = { en, de, fr }

/** In the visitor's language; in English if there are none. */
export const phrasesIn = (language: Language = 'en'): Phrases => PHRASES[language] ?? en

/** The reason that is stored with a handoff, for readers of the log. */
export const HANDOFF_REASON = 'The visitor asked for a person'
