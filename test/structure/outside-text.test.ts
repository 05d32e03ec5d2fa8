// Everything that reads text from outside takes time that grows with the length of the text, whatever the text is.

import { describe, expect, it } from 'vitest'
import { findStep } from '../../demo/server/tour/tour.ts'
import { wordsSaid } from '../../src/agents/guide/guide.ts'
import { asksForPerson, languageSaid, smallTalkOf, withoutAnd } from '../../src/agents/guide/small-talk.ts'
import { spokenWords } from '../../src/agents/guide/speech.ts'
import { languageOf, wordsOf } from '../../src/agents/language.ts'
import { saidIn } from '../../src/agents/llm/phone-gate.ts'
import { goesOn } from '../../src/agents/search/follow-up.ts'
import {
  type Block,
  createSlugs,
  plainText as plainHeading,
  readPassages,
  slugOf,
} from '../../src/agents/search/passages.ts'
import { quote, sourceAddress } from '../../src/agents/search/quote.ts'
import { readDateTime } from '../../src/api/values.ts'
import { isHost } from '../../src/bff/host.ts'
import { readCookie } from '../../src/bff/tokens/cookie.ts'
import { commentOf } from '../../src/chat/outbox/requests.ts'
import { failureOf } from '../../src/client/client-error.ts'
import { drawPage, firstSentence, readPage } from '../../src/docs/page.ts'
import type { Shell } from '../../src/docs/shell.ts'
import { searchIndex } from '../../src/docs/texts.ts'
import { decodeHTMLStrict } from '../../src/markdown/entities.ts'
import { addressesIn, findAddresses, hiddenHost } from '../../src/markdown/index.ts'
import { parseFrame, readRetryAfter } from '../../src/protocol/index.ts'
import { plainText } from '../../src/runtime/conversations/log/plain-text.ts'
import { folded, operandsOf, spaced } from '../../src/runtime/conversations/search/language.ts'
import { createRedaction } from '../../src/runtime/redact.ts'
import { createWordCutter } from '../../src/runtime/turns/word-cutter.ts'
import { dialled } from '../../src/ui/answer/cards.tsx'
import { withoutIncomplete } from '../../src/ui/answer/incomplete-markdown.ts'
import { linked } from '../../src/ui/answer/markdown.tsx'
import { createReader } from '../../src/ui/speech/sentences.ts'
import { beginningOf } from '../../src/ui/transcript/folded-text.tsx'
import { drawVisitorText } from '../../src/ui/transcript/visitor-text.tsx'
import { isLong } from '../long.ts'

const redaction = createRedaction({ cards: true })
const request = {
  family: 'chat',
  effect: 'acts',
  advice: { unauthorized: '', forbidden: '', unreachable: '' },
} as const

/** Gives a text in short pieces, as a stream does. */
function inPieces(text: string, take: (piece: string) => unknown): void {
  for (let at = 0; at < text.length; at += 256) take(text.slice(at, at + 256))
}

/** A site with one page that has one block. */
const siteOf = (kind: Block['kind'], source: string): Shell => {
  const page = readPage('# A\n\nb', 'a.md')
  const passages = page.passages.map((passage) => ({ ...passage, blocks: [{ kind, source }] }))
  const home = { ...page, name: 'a', version: '', passages }
  const contents = { groups: [], documents: [home], home, flaws: [] }
  return { contents, home, pageOf: () => 'a.html', title: '', origin: undefined }
}

/** Every function that text of visitors, models, files, carriers, services or pages reaches before its length is bounded. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  // What a visitor says, to the guide.
  wordsSaid: (text) => wordsSaid({ channel: 'SMS', text, attributes: {} }),
  wordsOf,
  languageOf: (text) => languageOf(text, 'en'),
  languageSaid,
  smallTalkOf,
  goesOn,
  withoutAnd,
  asksForPerson,
  findStep: (text) => findStep({ text, memory: {} }),
  // Files of a folder.
  readPassages: (text) => readPassages(text, 'a.md'),
  'readPassages of front matter': (text) =>
    readPassages(`---\ntitle:${text}x\u2028x\nquestions:\n-${text}x\u2028x\n---\n# A\n\nb`, 'a.md'),
  'readPassages of hints': (text) => readPassages(`---\nasked:\n  - ${text}\n---\n# A\n\nb`, 'a.md'),
  'readPassages of a comment': (text) => readPassages(`# A\n\n<!-- ${text} -->\n\nb`, 'a.md'),
  'readPassages of a list': (text) => readPassages(`- ${text}`, 'a.md'),
  plainHeading,
  slugOf,
  'anchors of headings': (text) => text.split('\n').map(createSlugs()),
  spokenWords,
  quote: (text) =>
    quote(
      {
        passage: {
          ...{
            file: 'a.md',
            title: '',
            language: 'en',
            heading: '',
            slug: '',
            above: [],
            questions: [],
            asked: [],
          },
          blocks: [{ kind: 'prose', source: text }],
        },
        words: new Set(['cost']),
      },
      sourceAddress('https://example.com/'),
      text.length,
    ),
  // Pages of documents.
  'readPage and drawPage': (text) => drawPage(readPage(text, 'a.md'), ({ to }) => to),
  firstSentence: (text) => firstSentence([{ slug: '', blocks: [{ kind: 'prose', source: text }] }], ''),
  ...Object.fromEntries(
    (['prose', 'code', 'table'] as const).map((kind) => [
      `searchIndex of ${kind}`,
      (text: string) => searchIndex(siteOf(kind, text)),
    ]),
  ),
  // What the service stores, logs and sends to phones.
  mask: redaction.text,
  'mask in pieces': (text) => {
    const stream = redaction.stream()
    inPieces(text, stream.push)
    return stream.rest()
  },
  'cut into words': (text) => {
    const cutter = createWordCutter()
    inPieces(text, cutter.push)
    return cutter.rest()
  },
  plainText,
  spaced,
  folded,
  'query of a search': (text) => operandsOf(text.slice(0, 1_000)),
  // Requests and answers.
  readDateTime,
  readRetryAfter: (text) => readRetryAfter({ get: () => text } as never, 0),
  readCookie: (text) => readCookie(text, 'a'),
  isHost,
  parseFrame,
  failureOf: (text) => failureOf(request, text, { status: 500 } as never, ['secret']),
  commentOf,
  // What the panel shows and says. What its parser does besides is counted in markdown.test.tsx.
  drawVisitorText: (text) => drawVisitorText(text, undefined, linked),
  'the beginning of a paste': (text) => beginningOf(text),
  hiddenHost: (text) => hiddenHost(text, 'https://example.com/'),
  withoutIncomplete,
  'sentences of a stream': (text) => {
    const reader = createReader((text) => text, String)
    inPieces(text, (piece) => reader.add(piece, false))
    return reader.add('', true)
  },
  decodeHTMLStrict,
  dialled,
  // What a model says.
  findAddresses,
  addressesIn,
  saidIn,
}

/** Runs that make a careless pattern try again from every place. */
const RUNS = [
  ...'[]()<>{}`*_~#|!?.,:;-+=/\\\'"’@&%$ \n\r\t\u2028\u00a0\u0301\u200b',
  ...[
    '1',
    'a',
    'A',
    'é',
    '你',
    '😀',
    '👍🏽',
    'ا',
    'aA',
    'a1',
    'a ',
    ' a',
    'a\n',
    'a.',
    'a-',
    'a_',
    'a’',
    'a@',
    'a,',
  ],
  ...['1 ', '1-', '12 ', '4111 ', '4111-1111-', '+1', '41111111-', '1.', '٤ '],
  ...[
    '[a',
    '![',
    '](',
    '[](',
    '[](a',
    '[a]: b\n',
    '[a](b',
    '[a](b ',
    '[a](b "',
    '(a',
    '<a',
    '<a ',
    '<!--',
    '&a',
    '&#',
    '&#x',
  ],
  ...[
    '`a',
    '`` ',
    '```\n',
    '**a',
    '**a ',
    '*a ',
    '__a ',
    '_a ',
    '~~a ',
    '\\[',
    '- ',
    '-  ',
    '- - ',
    '* ',
    '1. ',
    '> ',
  ],
  ...['# ', '#\n', '| ', '|-', '|a|\n', ' \n', '\n ', '\n\n- ', '>\n', '...', '. ', '." ', '.\n'],
  ...[
    'https://',
    'http://a.',
    'www.',
    'www.a',
    'a.b@',
    'secret',
    '<metadata>',
    'asked:',
    '-->',
    ': ',
    '; ',
    ', ',
  ],
  ...['is ', 'it ', 'not ', 'geht ', "n't ", 'how to ', 'how much ', 'real ', 'mit ', 'hhh', 'please '],
]
/** What stands before and behind a run, so that it is found, opened or not closed. `npm test` tries each run with one of these; a long run with all. */
const ENDS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['x', 'x'],
  ['[](<metadata>', '\u2028x</metadata>'],
]

const KIB = 1_024
const hostile = (run: string, [before, behind]: readonly [string, string], length: number) =>
  before + run.repeat(Math.floor(length / run.length)) + behind

/** CPU milliseconds that it takes: a busy machine adds none. */
function costOf(read: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage()
  read(text)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/** Lengths in characters. */
const WHOLE = 32 * KIB
/** Of texts in front matter, which is not read beyond 16 KiB. The first row has its text twice. */
const SHORTER: Readonly<Record<string, number>> = {
  'readPassages of front matter': 7 * KIB,
  'readPassages of hints': 15 * KIB,
}
/** Read so quickly, an eighth is no matter even where its time grows with the square of its length. */
const QUICK_MS = 0.5
/** So slow that it need not be measured further. */
const SLOW_MS = 100
/** Eight times the text takes eight times the time; 64 would be a square. */
const MOST_GROWTH = 24
/** One that is fast enough tells that the reader is. A busy machine makes many slow, and hardly all of them. */
const ATTEMPTS = 30

/** True where it is slow each time: once, the engine may have compiled or collected garbage. */
const isSlow = (read: (text: string) => unknown, text: string, attempts: number): boolean =>
  Array.from({ length: attempts }).every(() => costOf(read, text) > SLOW_MS)

/** How many times as long the whole takes as an eighth; undefined where it is read quickly. */
function growthOf(
  read: (text: string) => unknown,
  textOf: (length: number) => string,
  { whole: length = WHOLE, attempts = ATTEMPTS } = {},
): number | undefined {
  // What is worse than a square shows in a short text already, and would not end in a long one.
  if (isSlow(read, textOf(KIB), attempts)) return Number.POSITIVE_INFINITY
  const [eighth, whole] = [textOf(length / 8), textOf(length)]
  if (isSlow(read, eighth, attempts)) return Number.POSITIVE_INFINITY
  let growth: number | undefined
  for (let attempt = 0; attempt < attempts && (growth === undefined || growth > MOST_GROWTH); attempt++) {
    const short = costOf(read, eighth)
    if (short < QUICK_MS) return undefined
    growth = Math.min(growth ?? Number.POSITIVE_INFINITY, costOf(read, whole) / short)
  }
  return growth
}

describe('text from outside', { timeout: 180_000 }, () => {
  it('is told where a reader begins again at every place, and where one does so twice', () => {
    const square = (text: string) => /a+b/.test(text)
    const cube = (text: string) => /a*a*b/.test(text)
    for (const read of [square, cube])
      expect(growthOf(read, (length) => 'a'.repeat(length), { attempts: 1 })).toBeGreaterThan(MOST_GROWTH)
  })
  it.each(Object.entries(FUNCTIONS))('is read in time that grows with its length: %s', (name, read) => {
    const slow: string[] = []
    for (const [index, run] of RUNS.entries())
      for (const ends of isLong ? ENDS : ENDS.slice(index % ENDS.length).slice(0, 1)) {
        const growth = growthOf(read, (length) => hostile(run, ends, length), {
          whole: SHORTER[name] ?? WHOLE,
        })
        if (growth !== undefined && growth > MOST_GROWTH)
          slow.push(`${JSON.stringify(ends.join(`${run}…`))}: ${growth.toFixed(1)} times`)
        // A few say enough.
        if (slow.length > 4) return expect(slow).toEqual([])
      }
    expect(slow).toEqual([])
  })
})
