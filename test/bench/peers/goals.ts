// What Foyer has to reach beside its peers and the floor.

import type { Line } from './chromium.ts'
import { EMPTY_FRAME, ENTRANTS, FLOOR, FOYER } from './contestants.ts'
import type { Figures } from './figures.ts'

export type Goal = { goal: string; measured: string; met: boolean }

/** A slow mobile line. */
export const SLOW_LINE: Line = { latencyMs: 400, kilobytesPerSecond: 50 }

/** Rows that goals are read from. */
export const ROWS = {
  press: (throttle: number) =>
    `panel on the screen after a press${throttle === 1 ? '' : `, ${throttle} times slower`}`,
  slowPress: `panel on the screen after a press, on a line of ${SLOW_LINE.latencyMs} ms and ${SLOW_LINE.kilobytesPerSecond} KB/s`,
  bytes: 'KB (gzip) until the panel can be used',
  stream: (characters: number) =>
    `answer of ${characters.toLocaleString('en')} characters, as fast as taken: main thread`,
  gap: (characters: number) =>
    `${characters.toLocaleString('en')} at 200 chunks/s, 4 times slower: longest gap between frames`,
  long: (characters: number) =>
    `${characters.toLocaleString('en')} at 200 chunks/s, 4 times slower: long tasks`,
  append: (messages: number) => `one more message after ${messages.toLocaleString('en')}: main thread`,
  shown: (messages: number) =>
    `${messages.toLocaleString('en')} messages: the newest on the screen after the first batch`,
}

const LENGTHS = [10_000, 20_000, 40_000]
/** What rounds on a quiet machine differ by: a ratio above its goal by less is no miss. */
const NOISE = 0.05

export function goalsOf(figures: Figures): Goal[] {
  const ours = (row: string) => figures.median(row, FOYER.name)
  const floor = (row: string) => figures.median(row, FLOOR.name)
  const goals: Goal[] = []
  const atMost = (goal: string, value: number | undefined, most: number, unit: string) => {
    if (value === undefined || Number.isNaN(value)) return
    goals.push({
      goal,
      measured: `${value.toFixed(value < 10 ? 2 : 0)}${unit}`,
      met: value <= most * (unit === '' ? 1 + NOISE : 1),
    })
  }
  const ratio = (over: number | undefined, under: number | undefined) =>
    over === undefined || under === undefined ? undefined : over / under

  // The floor is no widget: it has no styles and no Markdown.
  const peers = ENTRANTS.filter((one) => ![FOYER, FLOOR, EMPTY_FRAME].includes(one)).map(({ name }) => name)
  const least = Math.min(...peers.map((name) => figures.median(ROWS.bytes, name) ?? Number.POSITIVE_INFINITY))
  const bytes = ours(ROWS.bytes)
  if (bytes !== undefined && Number.isFinite(least))
    goals.push({
      goal: 'fewest bytes of all widgets',
      measured: `${bytes.toFixed(0)} KB; the next ${least.toFixed(0)} KB`,
      met: bytes < least,
    })
  for (const row of [ROWS.press(4), ROWS.slowPress])
    atMost(
      `${row}: at most 1.5 times an empty frame of another site`,
      ratio(ours(row), figures.median(row, EMPTY_FRAME.name)),
      1.5,
      '',
    )
  for (const length of LENGTHS) {
    const row = ROWS.stream(length)
    atMost(
      `streaming ${length.toLocaleString('en')} characters costs at most 1.5 times the floor's`,
      ratio(ours(row), floor(row)),
      1.5,
      '',
    )
  }
  atMost(
    'streaming is linear: 40,000 characters cost at most 4 times what 10,000 cost',
    ratio(ours(ROWS.stream(40_000)), ours(ROWS.stream(10_000))),
    4,
    '',
  )
  for (const length of LENGTHS) {
    const beside = floor(ROWS.gap(length))
    atMost(
      `no long task in ${length.toLocaleString('en')} characters at 200 chunks/s, 4 times slower`,
      ours(ROWS.long(length)),
      0,
      ' tasks',
    )
    atMost(
      `no gap between frames over 34 ms there (the floor: ${beside?.toFixed(0) ?? '–'} ms)`,
      ours(ROWS.gap(length)),
      34,
      ' ms',
    )
  }
  atMost(
    "a message after 100 costs at most 1.5 times the floor's",
    ratio(ours(ROWS.append(100)), floor(ROWS.append(100))),
    1.5,
    '',
  )
  atMost(
    'a message after 10,000 costs at most 1.2 times one after 100',
    ratio(ours(ROWS.append(10_000)), ours(ROWS.append(100))),
    1.2,
    '',
  )
  atMost(
    '10,000 messages open in at most twice the time of 100',
    ratio(ours(ROWS.shown(10_000)), ours(ROWS.shown(100))),
    2,
    '',
  )
  return goals
}
