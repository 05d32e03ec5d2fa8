// The operator's words on how to reach a person where no live agent can take over.

import type { Language } from './language.ts'

/** Markdown: one text for all visitors, or one for each language (`en`, `de`); `*` is for the languages that are missing. */
export type Contact = string | Readonly<Record<string, string>>

/** Empty where there is none. */
export function contactIn(contact: Contact | undefined, language: Language = 'en'): string {
  if (contact === undefined || typeof contact === 'string') return contact ?? ''
  return contact[language] ?? contact['*'] ?? contact.en ?? Object.values(contact)[0] ?? ''
}
