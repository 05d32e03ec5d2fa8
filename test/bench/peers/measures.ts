// One measurement of one contestant each, in a page of its own. Times are milliseconds; those of main threads are processor time.

import { type Chromium, type Line, type Page, pause, type Spent } from './chromium.ts'
import type { Entrant } from './contestants.ts'
import type { Answer, Double } from './double.ts'
import type { Sites } from './sites.ts'
import { watch } from './watch.ts'
import { LAST_WORDS, lineOf, nameOf } from './words.ts'

export type Stage = { chromium: Chromium; double: Double; sites: Sites }
type Opened = { page: Page; launcher: Spent; panel: Spent; clicked: number; shown: number }

/** A contestant that has not shown what was waited for after so long is out of this measure. */
export const LIMIT_MS = 30_000
const APPENDS = 5
const MOUNTS = 100
const SCROLL_FRAMES = 60

const scriptOf = ({ framed }: Entrant): string => {
  const own = framed
    ? `if (window.parent !== window) window.contestant = { composer: () => ${framed.composer}, newest: () => ${framed.newest}, scroller: () => ${framed.scroller} };`
    : ''
  return `window.bench = (${watch.toString()})(); ${own}`
}

/** Reads where the panel stands. */
const inPanel = <T>(page: Page, { framed }: Entrant, expression: string): Promise<T> =>
  framed ? page.readFrame<T>(expression) : page.read<T>(expression)

const minus = (after: Spent, before: Spent): Spent => ({
  main: after.main - before.main,
  script: after.script - before.script,
})

/** Some draw older messages in idle time: so many pauses with nothing to do mean that all is drawn. */
const DRAWN = 12

/** Resolves once the main threads have had nothing to do for a while. */
async function settle(page: Page, pauses = 3, most = 20_000): Promise<void> {
  const until = Date.now() + most
  let before = (await page.spent()).main
  for (let quiet = 0; quiet < pauses && Date.now() < until; ) {
    await pause(100)
    const { main } = await page.spent()
    quiet = main - before < 4 ? quiet + 1 : 0
    before = main
  }
}

async function open(
  { chromium, double, sites }: Stage,
  entrant: Entrant,
  { throttle = 1, messages = 0, bytes = false } = {},
): Promise<Opened> {
  double.prepare(messages)
  const page = await chromium.open({ script: scriptOf(entrant), throttle, bytes })
  const began = Date.now()
  await page.go(sites.addressOf(entrant.file, { messages }))
  await page.read(
    `new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))`,
  )
  const hasLauncher = !entrant.cannot.launcher && !entrant.cannot.panel
  let launcher: Spent = { main: 0, script: 0 }
  let clicked = began
  if (hasLauncher) {
    await settle(page)
    launcher = await page.spent()
    clicked = await page.read<number>('(() => { const at = bench.now(); contestant.open(); return at })()')
  }
  const shown = await inPanel<number>(page, entrant, `bench.usable(${LIMIT_MS})`)
  return { page, launcher, panel: await page.spent(), clicked, shown }
}

export type StartFigures = { launcher: Spent; panel: Spent; shown: number; heap: number }

/** From the click to the panel; where there is no launcher, from the navigation. */
export async function measureStart(stage: Stage, entrant: Entrant, throttle: number): Promise<StartFigures> {
  const { page, launcher, panel, clicked, shown } = await open(stage, entrant, { throttle })
  await settle(page)
  const heap = throttle === 1 ? await page.heap() : 0
  await page.close()
  return { launcher, panel, shown: shown - clicked, heap }
}

/** So long the pointer of a person rests on a launcher before it is pressed; a guess, and not a long one. */
const REST_MS = 200

/**
 * As a person opens it: the pointer comes to the launcher, rests there, and presses. From the press until the composer is on the
 * screen; one in a frame has the focus then. `line`: of the network from the launcher on. Undefined: it did not come.
 */
export async function measurePress(
  stage: Stage,
  entrant: Entrant,
  throttle: number,
  line?: Line,
): Promise<number | undefined> {
  const { chromium, double, sites } = stage
  const { framed } = entrant
  double.prepare(0)
  const page = await chromium.open({ script: scriptOf(entrant), throttle, line })
  await page.go(sites.addressOf(entrant.file))
  await page.read(
    `new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))`,
  )
  await settle(page)
  const [x, y] = await page.read<[number, number]>(
    '(() => { const { x, y, width, height } = contestant.launcher().getBoundingClientRect(); return [x + width / 2, y + height / 2] })()',
  )
  if (line) await page.slow()
  const pressed = page.read<number>('bench.pressed()')
  await page.mouse('mouseMoved', x, y)
  await pause(REST_MS)
  void page.mouse('mousePressed', x, y)
  void page.mouse('mouseReleased', x, y)
  const shown = framed
    ? [
        page.read<number>(`bench.usable(${LIMIT_MS}, false, () => ${framed.frame})`),
        page.readFrame<number>(`bench.usable(${LIMIT_MS}, true)`),
      ]
    : [page.read<number>(`bench.usable(${LIMIT_MS})`)]
  const times = await Promise.all(shown)
  const at = await pressed
  await page.close()
  return times.includes(-1) ? undefined : Math.max(...times) - at
}

/** Bytes (gzip) of all that is requested until the panel can be used. */
export async function measureBytes(stage: Stage, entrant: Entrant): Promise<number> {
  const { page } = await open(stage, entrant, { bytes: true })
  await settle(page)
  await page.settled()
  // The page itself is the site's; data: addresses cost nothing of their own.
  const own = [...page.bodies].filter(([address]) => !/^data:|\/[\w-]+\/\?service=/.test(address))
  await page.close()
  return own.reduce((sum, [, size]) => sum + size, 0)
}

export type StreamFigures = Spent & { gap: number; longTasks: number; longest: number }

/** Undefined: it did not show the end. */
export async function measureStream(
  stage: Stage,
  entrant: Entrant,
  answer: Answer,
  throttle = 1,
): Promise<StreamFigures | undefined> {
  const { double } = stage
  const { page } = await open(stage, entrant, { throttle })
  await settle(page)
  for (let n = 0; entrant.listens && !double.isHeard() && n < 100; n++) await pause(50)
  double.setAnswer(answer)
  const isPaced = answer.chunksPerSecond !== undefined
  if (isPaced) await inPanel(page, entrant, 'bench.begin()')
  const before = await page.spent()
  const streamed = entrant.listens ? double.stream() : page.read('contestant.ask()')
  // What fails here is thrown below, where it is awaited.
  streamed.catch(() => {})
  const shown = await inPanel<number>(
    page,
    entrant,
    `bench.shows(${JSON.stringify(LAST_WORDS)}, ${LIMIT_MS}, 100)`,
  )
  await streamed
  let watched = { gap: 0, longTasks: 0, longest: 0 }
  if (isPaced) {
    // Some draw an answer once more when it is whole.
    await pause(200)
    watched = await inPanel(page, entrant, 'bench.end()')
  }
  await settle(page)
  const spent = minus(await page.spent(), before)
  await page.close()
  return shown < 0 ? undefined : { ...spent, ...watched }
}

export type MessagesFigures = {
  /** From the first batch of messages until the newest is on the screen. */
  shown: number
  /** Of the main thread, from the click until all is drawn and still. */
  opening: number
  scroll: number
  scrollGap: number
  append: number
  heap: number
}

export async function measureMessages(
  stage: Stage,
  entrant: Entrant,
  messages: number,
): Promise<MessagesFigures | undefined> {
  const { double } = stage
  const { page, launcher, clicked } = await open(stage, entrant, { messages })
  const see = (n: number) =>
    inPanel<number>(page, entrant, `bench.shows(${JSON.stringify(nameOf(n))}, ${LIMIT_MS})`)
  const shown = await see(messages)
  if (shown < 0) {
    await page.close()
    return undefined
  }
  const from = double.firstSent() || clicked
  await settle(page, messages > 200 ? DRAWN : 3, LIMIT_MS)
  const opening = minus(await page.spent(), launcher).main
  const append: number[] = []
  /** What the bench's own questions cost, which is half of it: as often asked, with nothing said. */
  const asked: number[] = []
  for (let n = 1; n <= APPENDS; n++) {
    const idle = await page.spent()
    await see(messages + n - 1)
    await settle(page)
    const before = await page.spent()
    asked.push(minus(before, idle).main)
    if (entrant.listens) double.say(messages + n)
    else {
      double.setAnswer({ text: lineOf(messages + n).text })
      await page.read(`contestant.append ? contestant.append(${messages + n}) : contestant.ask()`)
    }
    if ((await see(messages + n)) < 0) break
    await settle(page)
    append.push(minus(await page.spent(), before).main)
  }
  const before = await page.spent()
  await inPanel(page, entrant, 'bench.begin()')
  await inPanel(page, entrant, `bench.scroll(${SCROLL_FRAMES})`)
  const { gap } = await inPanel<{ gap: number }>(page, entrant, 'bench.end()')
  await settle(page)
  const scroll = minus(await page.spent(), before).main
  const heap = await page.heap()
  await page.close()
  return {
    shown: shown - from,
    opening,
    scroll,
    scrollGap: gap,
    append: median(append) - median(asked),
    heap,
  }
}

/** A hundred times on the page and off it again: main thread, and what of the heap stays. */
export async function measureMounts(
  { chromium, double, sites }: Stage,
  entrant: Entrant,
): Promise<{ main: number; kept: number }> {
  double.prepare(0)
  const page = await chromium.open({ script: scriptOf(entrant) })
  await page.go(sites.addressOf(entrant.mounts ?? entrant.file, { mounts: true }))
  await page.read(
    `new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))`,
  )
  const mount = (times: number) =>
    page.read(
      `(async () => { for (let n = 0; n < ${times}; n++) { await contestant.mount(); await new Promise(requestAnimationFrame); await contestant.unmount() } })()`,
    )
  // The first one loads what the others share.
  await mount(1)
  await settle(page)
  const [heap, before] = [await page.heap(), await page.spent()]
  await mount(MOUNTS)
  const main = minus(await page.spent(), before).main
  const kept = (await page.heap()) - heap
  await page.close()
  return { main, kept }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
