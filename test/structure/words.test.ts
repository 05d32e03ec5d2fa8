// Every word of the panel is used, and every locale has exactly the words of English.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Words } from '../../src/ui/locales/en.ts'
import { en } from '../../src/ui/locales/en.ts'
import { files } from './graph.ts'

const root = resolve(import.meta.dirname, '../..')
const ui = join(root, 'src/ui')
/** Regions and registers say only what their language does not. */
const PARTIAL = ['en-GB', 'es-US', 'fr-CA', 'de-du']

const tags = readdirSync(join(ui, 'locales')).map((name) => name.replace('.ts', ''))
const panel = files
  .filter(({ name }) => name.startsWith('ui/') && !name.startsWith('ui/locales/'))
  .map(({ text }) => text)
  .join('\n')

async function wordsOf(tag: string): Promise<Partial<Words>> {
  const [words = {}] = Object.values<Partial<Words>>(await import(`../../src/ui/locales/${tag}.ts`))
  return words
}

/** Each call of a word that takes arguments, and the arguments that have to stand in its text. */
function callsOf(name: string): { given: unknown[]; shown: string[] }[] {
  if (['moreSuggestions', 'codeLines', 'rateStars'].includes(name))
    return ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => ({
      given: ['‹7›', form],
      shown: ['‹7›'],
    }))
  if (name === 'statusQueue')
    return [
      { given: ['‹3›', undefined], shown: ['‹3›'] },
      { given: ['‹3›', '‹2 min›'], shown: ['‹3›', '‹2 min›'] },
    ]
  return [{ given: ['‹first›', '‹second›'], shown: ['‹first›', '‹second›'] }]
}

function textsOf(name: string, word: unknown): string[] {
  if (typeof word !== 'function') return [String(word)]
  return callsOf(name).map(({ given }) => word(...given))
}

it('every word is used by the panel', () => {
  const unused = Object.keys(en).filter(
    (name) => !new RegExp(`\\b(say|words\\.value|words\\.peek\\(\\))\\.${name}\\b`).test(panel),
  )
  expect(unused).toEqual([])
})

it('no locale is added or lost', () => {
  const languages = 'ar de en es fr he hi it ja ko nl pl pt sv tr zh-Hans zh-Hant'.split(' ')
  expect([...tags].sort()).toEqual([...languages, ...PARTIAL].sort())
})

describe.each(tags)('the locale %s', (tag) => {
  it('has the words of English and no others', async () => {
    const words = await wordsOf(tag)
    const known = Object.keys(en)
    if (!PARTIAL.includes(tag)) expect(Object.keys(words).sort()).toEqual(known.sort())
    expect(Object.keys(words).filter((name) => !known.includes(name))).toEqual([])
    expect(Object.keys(words)).not.toEqual([])
  })

  it('takes the arguments that English takes, and says each of them', async () => {
    for (const [name, word] of Object.entries(await wordsOf(tag))) {
      const source = en[name as keyof Words]
      expect([name, typeof word]).toEqual([name, typeof source])
      if (typeof word !== 'function' || typeof source !== 'function') continue
      // A language without plurals does not look at the category.
      expect(word.length).toBeLessThanOrEqual(source.length)
      for (const { given, shown } of callsOf(name)) {
        const text = (word as (...given: unknown[]) => string)(...given)
        for (const argument of shown.slice(0, source.length)) expect(text).toContain(argument)
      }
    }
  })

  it('has no blank word, no space at an end, no markup and no straight quote', async () => {
    for (const [name, word] of Object.entries(await wordsOf(tag)))
      for (const text of textsOf(name, word)) {
        expect(text).toBe(text.trim())
        expect(text).toMatch(/[^\s]/)
        expect(text).not.toMatch(/[<>]|&#?\w+;|['"]|undefined/)
      }
  })

  it('has a row in the docs', () => {
    const docs = readFileSync(join(root, 'docs/appearance.md'), 'utf8')
    expect(docs.split('\n').filter((line) => line.startsWith(`| \`${tag}\``))).toHaveLength(1)
  })
})

it.each(PARTIAL)('the locale %s repeats no words of its language', async (tag) => {
  const base = await wordsOf(tag.slice(0, 2))
  for (const [name, word] of Object.entries(await wordsOf(tag)))
    expect([name, textsOf(name, word)]).not.toEqual([name, textsOf(name, base[name as keyof Words])])
})

describe('counts', () => {
  /** How many forms the panel uses for these counts, in each word that counts. */
  const formsOf = async (tag: string, counts: readonly number[]) => {
    const { language, moreSuggestions, codeLines } = (await wordsOf(tag)) as Words
    const rules = new Intl.PluralRules(language)
    return [moreSuggestions, codeLines].map(
      (word) => new Set(counts.map((count) => word('#', rules.select(count)))).size,
    )
  }

  it.each([
    ['en', [1, 2], 2],
    ['de', [1, 2], 2],
    ['fr', [1, 2], 2],
    ['he', [1, 2], 2],
    ['pl', [1, 2, 5], 3],
    ['ar', [1, 2, 3, 11], 4],
  ] as const)('have the plurals of %s', async (tag, counts, forms) => {
    expect(await formsOf(tag, counts)).toEqual([forms, forms])
  })

  it.each(['ja', 'ko', 'tr', 'zh-Hans', 'zh-Hant'])('have one form in %s', async (tag) => {
    expect(await formsOf(tag, [0, 1, 2, 5, 11, 100])).toEqual([1, 1])
  })

  it('follow the rules of their own language', async () => {
    for (const tag of tags.filter((each) => !PARTIAL.includes(each)))
      expect((await wordsOf(tag)).language).toBe(tag)
    // In Polish by the last digits, in French zero is singular.
    expect(await formsOf('pl', [2, 22, 104])).toEqual([1, 1])
    expect(await formsOf('pl', [5, 12, 100])).toEqual([1, 1])
    expect(await formsOf('fr', [0, 1])).toEqual([1, 1])
  })
})
