// Words by language: their stems, and what means the same.

import { describe, expect, it } from 'vitest'
import { stemOf, tellingStemOf } from '../../src/agents/language.ts'
import { createSynonyms } from '../../src/agents/search/synonyms.ts'

describe('a word', () => {
  it('has the stem of its language, whichever language was asked before', () => {
    for (const [word, english, german] of [
      ['die', 'die', undefined],
      ['the', undefined, 'the'],
    ] as const) {
      expect([tellingStemOf(word, 'en'), tellingStemOf(word, 'de'), tellingStemOf(word, 'en')]).toEqual([
        english,
        german,
        english,
      ])
    }
    expect(stemOf('räder', 'de')).toBe(stemOf('räder', 'de'))
    expect(stemOf('cookies', 'en')).not.toBe(stemOf('cookies', 'fr'))
  })
})

describe('words of one meaning', () => {
  const synonyms = createSynonyms('skirt=kilt | röcke\nkilt skirt sporran\nmast=pole')
  const of = (word: string, language: 'en' | 'de') => Object.fromEntries(synonyms.of(word, language))

  it('mean the same where one group of several says so', () => {
    expect(of('skirt', 'en')).toMatchObject({ kilt: 1, sporran: 0.5 })
  })

  it('are found by each form, in their own language alone', () => {
    expect(of('skirts', 'en')).toMatchObject({ kilt: 1 })
    expect(of('rock', 'de')).toMatchObject({ skirt: 0.5 })
    expect(of('rock', 'en')).toEqual({})
  })

  it('of one folder are not those of another', () => {
    expect([...createSynonyms('mast=spar').of('mast', 'en').keys()]).not.toContain('pole')
    expect([...createSynonyms().of('mast', 'en').keys()]).toEqual([])
    expect(of('mast', 'en')).toMatchObject({ pole: 1 })
  })
})
