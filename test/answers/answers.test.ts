import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGuide } from '../../src/agents/guide.ts'
import { openLibrary } from '../../src/agents/library.ts'
import { goesOn } from '../../src/agents/small-talk.ts'
import type { Act, Turn } from '../../src/runtime/index.ts'
import { newcomerQuestions, newcomerUnanswered } from './newcomer-questions.ts'
import { type Asked, questions, unanswered } from './questions.ts'
import { shopQuestions, shopUnanswered } from './shop-questions.ts'

const LEAST_TOP_1 = 0.85
const LEAST_TOP_3 = 0.95
const LEAST_NOT_KNOWN = 0.9

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

async function examine(folder: string, asked: readonly Asked[], unknown: readonly string[]) {
  const guide = await createGuide({ folder })
  const library = await openLibrary({ folder, watch: false })
  /** The passages that the guide shows, first the best; none where it does not know. */
  async function shown(text: string, memory: Record<string, unknown> = {}) {
    const acts: Act[] = []
    for await (const act of guide.act(turn(text, memory))) acts.push(act)
    for (const act of acts) if (act.type === 'remember') Object.assign(memory, act.memory)
    const isKnown = !acts.some((act) => act.type === 'understood' && act.outOfDomain)
    const { topic } = memory as { topic?: { shown: string[] } }
    return { memory, names: isKnown ? (topic?.shown ?? []).map((id) => id.replace('.md#', '#')) : [] }
  }
  const passages = new Set(library.passages().map(anchor))
  const missed: string[] = []
  const wrong: string[] = []
  let top1 = 0
  let top3 = 0
  for (const { ask, is, after } of asked) {
    const { memory } = after ? await shown(after) : { memory: {} }
    const { names } = await shown(ask, memory)
    const before = after && goesOn(ask) ? { before: after } : {}
    const three = library
      .search(ask, before)
      .hits.slice(0, 3)
      .map((hit) => anchor(hit.passage))
    if (names[0] && is.includes(names[0])) top1++
    else wrong.push(`${ask} → ${names.join(', ') || `unknown (${three.join(', ')})`}`)
    if (three.some((name) => is.includes(name)) || names.some((name) => is.includes(name))) top3++
    else missed.push(`${ask} → ${three.join(', ')}`)
  }
  const known: string[] = []
  for (const ask of unknown) {
    const { names } = await shown(ask)
    if (names.length > 0) known.push(`${ask} → ${names.join(', ')}`)
  }
  guide.close()
  library.close()
  const strangers = [...new Set(asked.flatMap(({ is }) => is))].filter((name) => !passages.has(name))
  return { top1, top3, missed, wrong, known, strangers, asked: asked.length, unknown: unknown.length }
}

const figures: string[] = []
afterAll(() => {
  const file = process.env.FOYER_TEST_FIGURES
  if (file) writeFileSync(file, figures.join('\n'))
})

describe.each([
  [
    'Foyer’s own docs',
    resolve('docs'),
    [...questions, ...newcomerQuestions],
    [...unanswered, ...newcomerUnanswered],
  ],
  ['the handbook of a shop', join(import.meta.dirname, 'shop'), shopQuestions, shopUnanswered],
] as const)('over %s the guide', (name, folder, asked, unknown) => {
  const result = examine(folder, asked, unknown)

  it('is asked for passages that exist', async () => {
    expect((await result).strangers).toEqual([])
  })

  it('shows the right passage first', async () => {
    const { top1, top3, wrong, known, missed } = await result
    figures.push(
      `${name}: ${top1} of ${asked.length} first, ${top3} among the first three, ${unknown.length - known.length} of ${unknown.length} unknown ones admitted`,
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
