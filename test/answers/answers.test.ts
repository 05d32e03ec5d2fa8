import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGuide, type Guide } from '../../src/agents/guide.ts'
import { wordsIn } from '../../src/agents/guide-words.ts'
import { type Library, openLibrary } from '../../src/agents/library.ts'
import { goesOn } from '../../src/agents/small-talk.ts'
import type { Act, Turn } from '../../src/runtime/index.ts'
import {
  laterQuestions,
  laterUnanswered,
  type NewQuestion,
  newQuestions,
  newUnanswered,
} from './new-questions.ts'
import { newcomerQuestions, newcomerUnanswered } from './newcomer-questions.ts'
import { questions, unanswered } from './questions.ts'
import { sealedQuestions, sealedUnanswered } from './sealed-questions.ts'
import { shopQuestions, shopUnanswered } from './shop-questions.ts'
import { visitorQuestions, visitorUnanswered } from './visitor-questions.ts'

const LEAST_TOP_1 = 0.85
const LEAST_TOP_3 = 0.95
const LEAST_NOT_KNOWN = 0.9
const MOST_SURELY_WRONG = 0.15
const MOST_SURELY_KNOWN = 0.3

const DOUBTS = (['en', 'de', 'fr'] as const).map((language) => wordsIn(language).inDoubt)

const turn = (text: string, memory: Turn['memory']): Turn => ({
  cause: 'message',
  text,
  sessionId: 's',
  channel: 'WEBCHAT',
  userNumber: '',
  attributes: {},
  variant: undefined,
  history: [],
  memory,
  mode: 'agent',
  signal: new AbortController().signal,
  sleep: async () => {},
  tally: async () => 0,
})

const anchor = ({ file, slug }: { file: string; slug: string }) => `${file.replace(/\.md$/, '')}#${slug}`

const opened = new Map<string, Promise<{ guide: Guide; library: Library }>>()
/** Reads a folder once for all lists. */
function open(folder: string) {
  const known =
    opened.get(folder) ??
    Promise.all([createGuide({ folder }), openLibrary({ folder, watch: false })]).then(
      ([guide, library]) => ({
        guide,
        library,
      }),
    )
  opened.set(folder, known)
  return known
}

async function examine(folder: string, asked: readonly NewQuestion[], unknown: readonly string[]) {
  const { guide, library } = await open(folder)
  /** The passages that the guide shows, first the best; none where it does not know. */
  async function shown(text: string, memory: Record<string, unknown> = {}) {
    const acts: Act[] = []
    for await (const act of guide.act(turn(text, memory))) acts.push(act)
    for (const act of acts) if (act.type === 'remember') Object.assign(memory, act.memory)
    const said = acts.map((act) => (act.type === 'text' ? act.text : '')).join('')
    const isSure = !DOUBTS.some((doubt) => said.startsWith(doubt))
    const isKnown = !acts.some((act) => act.type === 'understood' && act.outOfDomain)
    const { topic } = memory as { topic?: { shown: string[] } }
    return { memory, isSure, names: isKnown ? (topic?.shown ?? []).map((id) => id.replace('.md#', '#')) : [] }
  }
  const passages = new Set(library.passages().map(anchor))
  const missed: string[] = []
  const wrong: string[] = []
  const surelyWrong: string[] = []
  const inDoubt: string[] = []
  let top1 = 0
  let top3 = 0
  for (const { ask, is, after } of asked) {
    const { memory } = after ? await shown(after) : { memory: {} }
    const { names, isSure } = await shown(ask, memory)
    const isRight = names[0] !== undefined && is.includes(names[0])
    const before = after && goesOn(ask) ? { before: after } : {}
    const found = isRight ? [] : library.search(ask, before).hits
    const three = found.slice(0, 3).map((hit) => anchor(hit.passage))
    if (!isSure) inDoubt.push(ask)
    if (!isRight && names.length > 0 && isSure) surelyWrong.push(`${ask} → ${names.join(', ')}`)
    if (isRight) top1++
    else wrong.push(`${ask} → ${names.join(', ') || `unknown (${three.join(', ')})`}`)
    if (three.some((name) => is.includes(name)) || names.some((name) => is.includes(name))) top3++
    else missed.push(`${ask} → ${three.join(', ')}`)
  }
  const known: string[] = []
  const surelyKnown: string[] = []
  for (const ask of unknown) {
    const { names, isSure } = await shown(ask)
    if (names.length > 0 && isSure) surelyKnown.push(`${ask} → ${names.join(', ')}`)
    if (names.length > 0) known.push(`${ask} → ${names.join(', ')}`)
  }
  const strangers = [...new Set(asked.flatMap(({ is }) => is))].filter((name) => !passages.has(name))
  return { top1, top3, missed, wrong, surelyWrong, inDoubt, known, surelyKnown, strangers }
}

const figures: string[] = []
afterAll(async () => {
  for (const each of opened.values()) {
    const { guide, library } = await each
    guide.close()
    library.close()
  }
  const file = process.env.FOYER_TEST_FIGURES
  if (file) writeFileSync(file, figures.join('\n'))
})

describe.each([
  [
    'Foyer’s own docs',
    resolve('docs'),
    [...questions, ...newcomerQuestions, ...visitorQuestions],
    [...unanswered, ...newcomerUnanswered, ...visitorUnanswered],
  ],
  ['the handbook of a shop', join(import.meta.dirname, 'shop'), shopQuestions, shopUnanswered],
] as const)('over %s the guide', (name, folder, asked, unknown) => {
  const result = examine(folder, asked, unknown)

  it('is asked for passages that exist', async () => {
    expect((await result).strangers).toEqual([])
  })

  it('shows the right passage first', async () => {
    const { top1, top3, wrong, known, missed, surelyWrong, inDoubt } = await result
    figures.push(
      `${name}: ${top1} of ${asked.length} first, ${top3} among the first three, ${unknown.length - known.length} of ${unknown.length} unknown ones admitted; ${surelyWrong.length} wrong without a doubt, ${inDoubt.length} in doubt`,
    )
    if (process.env.FOYER_TEST_SHOW) console.log({ wrong, missed, known }, figures.at(-1))
    expect(top1 / asked.length, wrong.join('\n')).toBeGreaterThanOrEqual(LEAST_TOP_1)
  })

  it('finds the right passage among the first three', async () => {
    const { top3, missed } = await result
    expect(top3 / asked.length, missed.join('\n')).toBeGreaterThanOrEqual(LEAST_TOP_3)
  })

  it('admits what nothing answers', async () => {
    const { known } = await result
    expect(1 - known.length / unknown.length, known.join('\n')).toBeGreaterThanOrEqual(LEAST_NOT_KNOWN)
  })
})

describe.each([
  ['new questions', newQuestions, newUnanswered, 0.65],
  ['later questions', laterQuestions, laterUnanswered, 0.75],
  ['sealed questions', sealedQuestions, sealedUnanswered, 0.85],
] as const)('over %s the guide', (name, asked, unknown, least) => {
  const result = examine(resolve('docs'), asked, unknown)

  it('is asked for passages that exist', async () => {
    expect((await result).strangers).toEqual([])
  })

  it('shows the right passage first to most', async () => {
    const { top1, wrong } = await result
    expect(top1 / asked.length, wrong.join('\n')).toBeGreaterThanOrEqual(least)
  })

  it('is seldom sure of a wrong passage', async () => {
    const { top1, surelyWrong, inDoubt, wrong, known, surelyKnown } = await result
    figures.push(
      `${name}: ${top1} of ${asked.length} first, ${surelyWrong.length} wrong without a doubt, ${inDoubt.length} in doubt, ${surelyKnown.length} of ${unknown.length} unknown ones answered without a doubt`,
    )
    if (process.env.FOYER_TEST_SHOW) console.log({ wrong, surelyWrong, inDoubt, known }, figures.at(-1))
    expect(surelyWrong.length / asked.length, surelyWrong.join('\n')).toBeLessThanOrEqual(MOST_SURELY_WRONG)
    expect(surelyKnown.length / unknown.length, surelyKnown.join('\n')).toBeLessThanOrEqual(MOST_SURELY_KNOWN)
  })
})
