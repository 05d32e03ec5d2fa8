// Tells the other processes of one database what has happened here. It may lose news, delay them and double them: stored events travel
// as their sequences, and whoever hears of them reads the store. Only events that are not stored travel themselves.
//
//   publish ─▶ gathered for 5 ms ─▶ one text ─▶ link ─▶ every process ─▶ news ─▶ hub
//                                     └─ too much for one text: a gap                └─ gap: the hub looks at everything
//
// While no other process is known, nothing is sent. A process that starts sends a gap, which makes it known; the heartbeat counts the others.

import * as v from 'valibot'
import { type Log, type Meter, noMeter } from '../../api/index.ts'

/** What happened on a topic: the last sequence of stored events, or events that are not stored. */
export type News =
  | { topic: string; sequence: number }
  | { topic: string; events: readonly Record<string, unknown>[] }

/** Carries texts to all processes, this one among them. */
export interface BusLink {
  /** The most bytes of a text. */
  readonly mostBytes: number
  /** How often everything is looked at, in milliseconds, since texts may be lost without a word. Default: 5,000. */
  readonly lookMs?: number
  /** Begins to hear. Resolves within seconds, even if nothing can be heard yet. `lost`: since the last text, others may have been missed. */
  open(heard: (text: string) => void, lost: () => void): Promise<void>
  /** Rejects if the text cannot be sent now. */
  send(text: string): Promise<void>
  close(): Promise<void>
}

export interface BusListener {
  heard(news: News): void
  /** Some news may be missing: everything has to be looked at. */
  gap(): void
}

export interface Bus {
  /** Begins to hear, and makes this process known to the others. */
  open(listener: BusListener): Promise<void>
  publish(news: News): void
  /** Tells the bus how many other processes there are. */
  count(others: number): void
  /** Sends what is gathered, and closes the link. */
  close(): Promise<void>
}

/** Long enough to save texts, short enough to be invisible. */
const GATHER_MS = 5
const LOOK_MS = 5_000
/** A text holds at most so many pieces of news. */
const MOST_NEWS = 10_000

const Sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const Topic = v.pipe(v.string(), v.maxLength(200))
const Piece = v.union([
  v.strictTuple([Topic, Sequence]),
  v.strictTuple([Topic, v.array(v.record(v.string(), v.unknown()))]),
])
const Text = v.object({
  from: v.string(),
  kind: v.picklist(['news', 'gap']),
  news: v.pipe(v.array(Piece), v.maxLength(MOST_NEWS)),
})

export type BusOptions = {
  /** Default: none, and everything is looked at while other processes are there. */
  link?: BusLink | undefined
  processId: string
  log: Log
  meter?: Meter
}

const NO_LINK: BusLink = { mostBytes: 0, open: async () => {}, send: async () => {}, close: async () => {} }

export function createBus({ link = NO_LINK, processId, log, meter = noMeter }: BusOptions): Bus {
  let listener: BusListener = { heard() {}, gap() {} }
  let alone = true
  let closed = false
  /** The last sequences of stored events by topic, and what is not stored, in order. */
  let stored = new Map<string, number>()
  let gathered: v.InferOutput<typeof Piece>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: ReturnType<typeof setInterval> | undefined
  let sending: Promise<void> = Promise.resolve()

  const setAlone = (is: boolean): void => {
    if (alone === is) return
    alone = is
    clearInterval(looking)
    if (!is && !closed) looking = setInterval(() => listener.gap(), link.lookMs ?? LOOK_MS).unref()
  }

  const say = (kind: 'news' | 'gap', news: typeof gathered = []): void => {
    const text = JSON.stringify({ from: processId, kind, news })
    if (kind === 'news' && Buffer.byteLength(text) > link.mostBytes) return say('gap')
    if (kind === 'gap') meter.count('foyer_bus_gaps_total', 1, { direction: 'told' })
    else meter.count('foyer_bus_news_total', news.length, { direction: 'sent' })
    // What is not sent now is found: the others look at everything, and this process says so once it can send again.
    sending = sending.then(() => link.send(text)).catch(() => {})
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const news = [...stored, ...gathered] as typeof gathered
    stored = new Map()
    gathered = []
    if (news.length > 0) say(news.length > MOST_NEWS ? 'gap' : 'news', news)
  }

  function heard(text: string): void {
    const read = v.safeParse(Text, parse(text))
    if (!read.success) return log('ignored a malformed message on the bus', 'warn')
    const { from, kind, news } = read.output
    if (from === processId) return
    setAlone(false)
    if (kind !== 'news') return gap()
    meter.count('foyer_bus_news_total', news.length, { direction: 'received' })
    for (const [topic, what] of news)
      listener.heard(typeof what === 'number' ? { topic, sequence: what } : { topic, events: what })
  }

  /** The link was cut: this process may have missed news, and the others those of this one. */
  function lost(): void {
    if (!alone) gap()
    say('gap')
  }

  function gap(): void {
    meter.count('foyer_bus_gaps_total', 1, { direction: 'noticed' })
    listener.gap()
  }

  return {
    async open(given) {
      listener = given
      await link.open(heard, lost)
      say('gap')
    },

    publish(news) {
      if (alone || closed) return
      if ('events' in news) gathered.push([news.topic, [...news.events]])
      else stored.set(news.topic, Math.max(stored.get(news.topic) ?? 0, news.sequence))
      timer ??= setTimeout(flush, GATHER_MS)
    },

    count: (counted) => setAlone(counted === 0),

    async close() {
      closed = true
      clearInterval(looking)
      flush()
      await sending
      await link.close()
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
