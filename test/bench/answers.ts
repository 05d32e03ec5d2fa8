// Measures the guide's search: seconds of the processor until a folder is in the index, and
// milliseconds of it for an answer.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary } from '../../src/agents/search/library.ts'

const BUDGET = { indexSeconds: 10, answerMs: 20 }
const SECTIONS = 6
const QUESTIONS = 300
const SMALL =
  'the of and to a in is it that for on with as are this be at by not have from or an they which you'.split(
    ' ',
  )
const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  )

export type AnswerFigures = {
  files: number
  passages: number
  indexSeconds: number
  p50: number
  p99: number
}

/** Of this process, so that other work on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** A seeded random number from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

export async function measureAnswers(files: number): Promise<AnswerFigures> {
  const random = seeded(1)
  const words = Array.from({ length: 30_000 }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * 3) },
      () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
    ).join(''),
  )
  // Few words are frequent and most are rare, as in any language.
  const telling = () => words[Math.floor(words.length * random() ** 4)] ?? ''
  // As in English, two words of five are small ones.
  const word = () => (random() < 0.4 ? (SMALL[Math.floor(random() * SMALL.length)] ?? '') : telling())
  const sentence = (length: number) => Array.from({ length }, word).join(' ')
  const folder = mkdtempSync(join(tmpdir(), 'foyer-answers-'))
  try {
    for (let n = 0; n < files; n++) {
      const below = join(folder, String(n % 50))
      mkdirSync(below, { recursive: true })
      const sections = Array.from(
        { length: SECTIONS },
        () => `## How to ${sentence(4)}\n\nThe ${sentence(60)}.\n\n- ${sentence(12)}\n- ${sentence(12)}\n`,
      )
      writeFileSync(join(below, `${n}.md`), `# ${sentence(3)}\n\n${sections.join('\n')}`)
    }
    const started = cpuMs()
    const library = await openLibrary({ folder, watch: false })
    const indexSeconds = (cpuMs() - started) / 1_000
    const times: number[] = []
    for (let n = 0; n < QUESTIONS; n++) {
      // One word in five is mistyped.
      const asked = `How do I ${sentence(5)} the ${random() < 0.2 ? telling().replace(/.(.)$/, '$1x') : telling()}?`
      const before = cpuMs()
      library.search(asked)
      times.push(cpuMs() - before)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
    const passages = library.passages().length
    library.close()
    return { files, passages, indexSeconds, p50: at(0.5), p99: at(0.99) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What is slower than it has to be, in words. */
export function answerProblems({ files, indexSeconds, p50 }: AnswerFigures): string[] {
  return [
    ...(indexSeconds > BUDGET.indexSeconds
      ? [`${files} files took ${indexSeconds.toFixed(1)} s to index`]
      : []),
    ...(p50 > BUDGET.answerMs ? [`an answer from ${files} files took ${p50.toFixed(1)} ms`] : []),
  ]
}
