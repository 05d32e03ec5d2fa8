// Reads the checklist: which lines of the document it tells of, and what holds each.

import type { Title } from './titles.ts'

/** What a line may be beside sentences. Only these may share a row. */
const NO_SENTENCE: ReadonlySet<string> = new Set(['heading', 'blank', 'table head'])
const REASON = /^Not tested: \S+ \S+ \S+/
/** A name between backticks, and behind it the rows of its table that are meant. */
const NAMED = /^`([^`]+)`(?: \(([^)]+)\))?$/

type Row = { place: string; from: number; to: number; letter: string; told: string; held: string }

/** What is wrong with a checklist of a document of `last` lines, each in a sentence; empty where all is well. */
export function faultsOf(markdown: string, last: number, titles: readonly Title[]): string[] {
  const known = new Map(titles.map((title) => [title.name, title]))
  const faults: string[] = []
  const rows: Row[] = []
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|') || /^\|(?: (?:lines?|number) \||[-| :]+$)/.test(line)) continue
    const [place = '', told = '', held = '', ...more] = line.replace(/^\|\s*|\s*\|$/g, '').split(/\s*\|\s*/)
    const read = /^(\d+)(?:([a-z])|-(\d+))?$/.exec(place)
    if (!read || more.length > 0) {
      faults.push(`a row cannot be read: ${line}`)
      continue
    }
    const [, from, letter = '', to = from] = read
    rows.push({ place, from: Number(from), to: Number(to), letter, told, held })
  }

  const covered = new Set<number>()
  let before: Row | undefined
  for (const row of rows) {
    for (let line = row.from; line <= row.to; line++) covered.add(line)
    if (row.to > last) faults.push(`row ${row.place}: the document has ${last} lines`)
    const next = before?.to === row.from ? String.fromCharCode((before.letter || '`').charCodeAt(0) + 1) : ''
    const first = before === undefined || row.from > before.to
    if (first ? !['', 'a'].includes(row.letter) : row.letter !== next || before?.letter === '')
      faults.push(`row ${row.place}: it does not follow row ${before?.place ?? 'none'}`)
    before = row
    faults.push(...faultsIn(row, known).map((fault) => `row ${row.place}: ${fault}`))
  }
  for (let line = 1; line <= last; line++) if (!covered.has(line)) faults.push(`line ${line} is missing`)
  return faults
}

function faultsIn({ from, to, told, held }: Row, known: ReadonlyMap<string, Title>): string[] {
  if (NO_SENTENCE.has(told)) return held === '' ? [] : [`a ${told} needs no test`]
  if (to !== from) return ['sentences of several lines share it']
  if (told === '') return ['it does not say what the line says']
  if (held === '') return ['it has neither a test nor a reason']
  if (!held.includes('`')) return REASON.test(held) ? [] : [`it is no reason: ${held}`]
  return held.split(/\s*<br>\s*/).flatMap((part) => {
    const [, name = '', cases] = NAMED.exec(part) ?? []
    if (name === '') return [`it is no name of a test: ${part}`]
    const title = known.get(name)
    if (!title) return [`there is no test ${name}`]
    if (title.skipped) return [`the test is skipped: ${name}`]
    const meant = cases === undefined ? [] : cases.split('; ')
    return meant.filter((one) => !title.cases.includes(one)).map((one) => `there is no row ${one} in ${name}`)
  })
}
