// The sentence that a machine answers: which text a conversation gets, and what it costs as an SMS.

import { describe, expect, it } from 'vitest'
import { disclosureText } from '../../src/runtime/turns/disclosure-text.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
/** The basic alphabet of GSM 03.38, as far as sentences need it. */
const GSM = /^[A-Za-z0-9 .,:;!?'"()\-èéùìòÇØøÅåÉÄÖÑÜäöñüà]+$/

describe.each(['ai', 'automatic'] as const)('the built-in texts of an agent that is %s', (answers) => {
  it.each(LANGUAGES)('in %s have one of their own, in the alphabet of a single SMS', (language) => {
    const found = disclosureText(language, { answers })
    expect(found?.language).toBe(language)
    expect(found?.text).toMatch(GSM)
    expect(found?.text.length).toBeLessThan(60)
  })

  it('differ in each language', () => {
    expect(new Set(LANGUAGES.map((language) => disclosureText(language, { answers })?.text)).size).toBe(7)
  })
})

it('an agent that says nothing about itself is called an AI', () => {
  expect(disclosureText('en', {})?.text).toMatch(/\bAI\b/)
  expect(disclosureText('en', { answers: 'automatic' })?.text).not.toMatch(/\bAI\b/)
})

describe('the language of the text', () => {
  it.each([
    ['pt-BR', undefined, 'pt'],
    ['DE-at', undefined, 'de'],
    ['ja', undefined, 'en'],
    [undefined, undefined, 'en'],
    ['constructor', undefined, 'en'],
    ['de-AT', { de: 'a', 'de-AT': 'b' }, 'de-at'],
    ['de-CH', { de: 'a', 'de-AT': 'b' }, 'de'],
    ['fr', { de: 'a', '*': 'b' }, '*'],
    [undefined, { de: 'a', '*': 'b' }, '*'],
    ['fr', { de: 'a', en: 'b' }, 'fr'],
    ['ja', { de: 'a', en: 'b' }, 'en'],
    ['ja', { de: 'a' }, 'en'],
  ])('of a conversation in %s, with the texts %j, is %s', (language, setting, expected) => {
    const found = disclosureText(language, {}, setting)
    expect(found?.language).toBe(expected)
    const own = Object.entries(setting ?? {}).find(([tag]) => tag.toLowerCase() === expected)
    if (own) expect(found?.text).toBe(own[1])
  })

  it('is none where the setting is off', () => {
    expect(disclosureText('de', {}, 'off')).toBeUndefined()
  })
})
