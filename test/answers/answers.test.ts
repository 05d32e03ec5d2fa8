import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGuide, type Guide } from '../../src/agents/guide/guide.ts'
import { wordsIn } from '../../src/agents/guide/words.ts'
import { goesOn } from '../../src/agents/search/follow-up.ts'
import { type Library, openLibrary } from '../../src/agents/search/library.ts'
import type { AgentEvent } from '../../src/runtime/index.ts'
import { turnOf } from '../agents/turn.ts'
import { some } from '../long.ts'
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
import {
  campsiteQuestions,
  campsiteUnanswered,
  strangerQuestions,
  strangerUnanswered,
  workshopQuestions,
  workshopUnanswered,
} from './stranger-questions.ts'
import { visitorQuestions, visitorUnanswered } from './visitor-questions.ts'

const LEAST_TOP_1 = 0.85
const LEAST_TOP_3 = 0.95
const LEAST_NOT_KNOWN = 0.9
const LEAST_ADMITTED = 0.85
const MOST_SURELY_WRONG = 0.15
const MOST_SURELY_KNOWN = 0.3
/** Of what alone is in doubt, a few questions are taken for follow-ups of the one that happens to be before. */
const MOST_WORSE = 0.005

const DOUBTS = (['en', 'de', 'fr'] as const).map((language) =>
  wordsIn(language).inDoubt('').replace(/\s?:$/, ''),
)

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

/** One conversation with the guide. */
function talk(guide: Guide) {
  const memory: Record<string, unknown> = {}
  /** The passages that the guide shows, first the best, and how sure of them it is. */
  return async (text: string): Promise<Answer> => {
    const events: AgentEvent[] = []
    for await (const event of guide.act(turnOf(text, { memory: { ...memory } }))) events.push(event)
    const before = memory.topic
    for (const event of events) if (event.type === 'remember') Object.assign(memory, event.memory)
    const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
    const isKnown = !events.some((event) => event.type === 'understood' && event.outOfDomain)
    const topic = memory.topic as { shown: string[] } | undefined
    const names = topic === before ? [] : (topic?.shown ?? []).map((id) => id.replace('.md#', '#'))
    const isSure = isKnown && !DOUBTS.some((doubt) => said.startsWith(doubt))
    return { names, isSure, isKnown }
  }
}

type Answer = {
  names: string[]
  isSure: boolean
  /** Whether the guide does not say that it does not know. */
  isKnown: boolean
}

const answersAlone = new Map<Guide, Map<string, Promise<Answer>>>()
/** In a conversation of its own. Asked once, though several lists and rules look at it. */
function aloneTo(guide: Guide, { ask, after }: Pick<NewQuestion, 'ask' | 'after'>): Promise<Answer> {
  const known = answersAlone.get(guide) ?? new Map<string, Promise<Answer>>()
  answersAlone.set(guide, known)
  const key = JSON.stringify([after, ask])
  const answer = known.get(key) ?? answerTo({ ask, after }, talk(guide))
  known.set(key, answer)
  return answer
}

async function examine(folder: string, asked: readonly NewQuestion[], unknown: readonly string[]) {
  const { guide, library } = await open(folder)
  const passages = new Set(library.passages().map(anchor))
  const missed: string[] = []
  const wrong: string[] = []
  const surelyWrong: string[] = []
  const inDoubt: string[] = []
  const notKnown: string[] = []
  let top1 = 0
  let top3 = 0
  for (const { ask, is, after } of asked) {
    const { names, isSure, isKnown } = await aloneTo(guide, { ask, after })
    const isRight = names[0] !== undefined && is.includes(names[0])
    const before = after && goesOn(ask) ? { before: after } : {}
    const found = isRight ? [] : library.search(ask, before).hits
    const three = found.slice(0, 3).map((hit) => anchor(hit.passage))
    if (!isKnown) notKnown.push(`${ask} → ${names.join(', ')} (${three.join(', ')})`)
    else if (!isSure) inDoubt.push(ask)
    if (!isRight && names.length > 0 && isSure) surelyWrong.push(`${ask} → ${names.join(', ')}`)
    if (isRight) top1++
    else wrong.push(`${ask} → ${names.join(', ') || `unknown (${three.join(', ')})`}`)
    if (three.some((name) => is.includes(name)) || names.some((name) => is.includes(name))) top3++
    else missed.push(`${ask} → ${three.join(', ')}`)
  }
  const known: string[] = []
  const surelyKnown: string[] = []
  for (const ask of unknown) {
    const { names, isSure, isKnown } = await aloneTo(guide, { ask })
    if (names.length > 0 && isSure) surelyKnown.push(`${ask} → ${names.join(', ')}`)
    if (names.length > 0 && isKnown) known.push(`${ask} → ${names.join(', ')}`)
  }
  const strangers = [...new Set(asked.flatMap(({ is }) => is))].filter((name) => !passages.has(name))
  return { top1, top3, missed, wrong, surelyWrong, inDoubt, notKnown, known, surelyKnown, strangers }
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

describe.each([
  ['Foyer’s own docs', resolve('docs'), strangerQuestions, strangerUnanswered, 0.65, 0.75],
  [
    'the handbook of a workshop',
    join(import.meta.dirname, 'workshop'),
    workshopQuestions,
    workshopUnanswered,
    0.4,
    0.5,
  ],
  [
    'the guide of a campsite',
    join(import.meta.dirname, 'campsite'),
    campsiteQuestions,
    campsiteUnanswered,
    0.15,
    0.25,
  ],
] as const)('asked by a stranger over %s the guide', (name, folder, asked, unknown, least, leastOfThree) => {
  const result = examine(folder, asked, unknown)

  it('is asked for passages that exist', async () => {
    expect((await result).strangers).toEqual([])
  })

  it('shows the right passage', async () => {
    const { top1, top3, wrong, surelyWrong, inDoubt, notKnown, missed, known } = await result
    figures.push(
      `a stranger over ${name}: ${top1} of ${asked.length} first, ${top3} among three, ${surelyWrong.length} wrong without a doubt, ${inDoubt.length} in doubt, ${notKnown.length} not known, ${unknown.length - known.length} of ${unknown.length} unknown ones admitted`,
    )
    if (process.env.FOYER_TEST_SHOW) console.log({ wrong, notKnown, missed, known }, figures.at(-1))
    expect(top1 / asked.length, wrong.join('\n')).toBeGreaterThanOrEqual(least)
    expect(top3 / asked.length, missed.join('\n')).toBeGreaterThanOrEqual(leastOfThree)
  })

  it('is seldom sure of a wrong passage', async () => {
    const { surelyWrong } = await result
    expect(surelyWrong.length / asked.length, surelyWrong.join('\n')).toBeLessThanOrEqual(MOST_SURELY_WRONG)
  })

  it('admits what nothing answers', async () => {
    const { known } = await result
    expect(1 - known.length / unknown.length, known.join('\n')).toBeGreaterThanOrEqual(LEAST_ADMITTED)
  })
})

/** Worse is lower: right and sure, right in doubt, nothing right claimed, wrong and sure. `is` is empty where nothing answers. */
function gradeOf({ names, isSure, isKnown }: Answer, is: readonly string[]): number {
  if (is.length === 0) return names.length === 0 || !isKnown ? 2 : isSure ? 0 : 1
  if (names[0] !== undefined && is.includes(names[0])) return isSure ? 3 : 2
  return isSure ? 0 : 1
}

/** The same order for the same seed. */
function shuffled<T>(all: readonly T[], seed: number): T[] {
  let state = seed
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return all
    .map((each) => ({ each, place: chance() }))
    .sort((one, other) => one.place - other.place)
    .map(({ each }) => each)
}

const asQuestion = (ask: string): NewQuestion => ({ ask, is: [] })

describe.each([
  [
    'Foyer’s own docs',
    resolve('docs'),
    [
      ...questions,
      ...newcomerQuestions,
      ...visitorQuestions,
      ...newQuestions,
      ...laterQuestions,
      ...sealedQuestions,
      ...strangerQuestions,
      ...[...unanswered, ...newcomerUnanswered, ...visitorUnanswered, ...newUnanswered].map(asQuestion),
      ...[...laterUnanswered, ...sealedUnanswered, ...strangerUnanswered].map(asQuestion),
    ],
  ],
  [
    'the handbook of a shop',
    join(import.meta.dirname, 'shop'),
    [...shopQuestions, ...shopUnanswered.map(asQuestion)],
  ],
  [
    'the handbook of a workshop',
    join(import.meta.dirname, 'workshop'),
    [...workshopQuestions, ...workshopUnanswered.map(asQuestion)],
  ],
  [
    'the guide of a campsite',
    join(import.meta.dirname, 'campsite'),
    [...campsiteQuestions, ...campsiteUnanswered.map(asQuestion)],
  ],
] as const)('in one conversation over %s', (_, folder, asked) => {
  const alone = new Map<NewQuestion, Answer>()
  beforeAll(async () => {
    const { guide } = await open(folder)
    for (const question of asked) alone.set(question, await aloneTo(guide, question))
  })

  describe.each(some([1, 2, 3], 3))('in random order %i', (seed) => {
    const lost: string[] = []
    const worse: string[] = []
    beforeAll(async () => {
      const say = talk((await open(folder)).guide)
      for (const question of shuffled(asked, seed)) {
        const before = alone.get(question)
        const now = await answerTo(question, say)
        if (!before) continue
        const { ask, is, after } = question
        const story = `${ask} → ${now.names.join(', ') || 'unknown'} (alone ${before.names.join(', ')})`
        if (!after && before.isSure && (!now.isSure || now.names.join() !== before.names.join()))
          lost.push(story)
        if (gradeOf(now, is) < gradeOf(before, is)) worse.push(story)
      }
    })

    it('what alone has a sure answer gets it', () => {
      expect(alone.size).toBe(asked.length)
      expect(lost).toEqual([])
    })

    it('hardly any answer is worse than alone', () => {
      expect(worse.length / asked.length, worse.join('\n')).toBeLessThanOrEqual(MOST_WORSE)
    })
  })
})

async function answerTo(
  { ask, after }: Pick<NewQuestion, 'ask' | 'after'>,
  say: ReturnType<typeof talk>,
): Promise<Answer> {
  if (after) await say(after)
  return say(ask)
}
