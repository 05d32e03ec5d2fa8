// Tells the other processes of one database what has happened here. It may lose news, delay them and double them: stored events travel
// as their sequences, and whoever hears of them reads the store. Only events that are not stored travel themselves.
//
//   publish ─▶ gathered for 5 ms, and while a text is under way ─▶ one text ─▶ link ─▶ every process ─▶ news ─▶ hub
//                                      too much for one text: a gap ─┘                └─ gap: the hub looks at everything
//
// While no other process is known, nothing is sent. A process that starts sends a gap, which makes it known; the heartbeat counts the others.
//
// Strangers can write to the link and replay what they hear. So texts are signed, and each is accepted once, within a minute. Any other
// text, such as an unsigned one of an older version, counts as a gap, at most once a second.

import * as v from 'valibot'
import { type Log, type Meter, noMeter } from '../../api/index.ts'
import { deploymentOf } from './deployment.ts'
import { createSigner } from './signature.ts'

/** What happened on a topic: the last sequence of stored events, or events that are not stored; none: something that only the store shows. */
export type News =
  | { topic: string; sequence: number }
  | { topic: string; events: readonly Record<string, unknown>[] }

/** Carries texts to all processes, this one among them. */
export interface BusLink {
  /** The most bytes of a text. */
  readonly mostBytes: number
  /**
   * For a link that may lose texts without a word: everything is looked at every so many milliseconds. Default: every 5,000 while the link is
   * away, and once a minute otherwise.
   */
  readonly lookMs?: number
  /** True while the link can neither send nor hear. A link without this function counts as away. */
  isAway?(): boolean
  /**
   * Begins to hear. Resolves within seconds, even if nothing can be heard yet. `lost`: since the last text, others may have been missed.
   * `deployment`: what the processes of one database have in common, for a link that others use as well.
   */
  open(heard: (text: string) => void, lost: () => void, deployment: string): Promise<void>
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
  /** Tells the bus which other processes there are. */
  count(others: { count: number; strangers: number }): void
  /** Sends what is gathered, and closes the link. */
  close(): Promise<void>
}

/** Long enough to save texts, short enough to be invisible. */
const GATHER_MS = 5
const LOOK_MS = 5_000
/** So many looks are left out while nothing can be missed: one a minute remains. */
const LOOKS_LEFT_OUT = 11
/** A text holds at most so many pieces of news. */
const MOST_NEWS = 10_000
/** A text from longer ago, or from the future, is not taken. */
const FRESH_MS = 60_000
/** The least time between two looks, and between two lines in the log, because of texts that are not taken. */
const DOUBT_LOOK_MS = 1_000
const DOUBT_LOG_MS = 60_000

const UNKNOWN =
  'the bus carried a text that no process of this version sends: one of another version runs, or somebody else writes there. See "Who can write to the bus" in docs/several-processes.md'
const NOT_FRESH =
  'the bus carried a text twice, or from another minute: this process stood still, clocks of processes differ, or somebody else writes there. See "Who can write to the bus" in docs/several-processes.md'

const Sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const Topic = v.pipe(v.string(), v.maxLength(200))
const Piece = v.union([
  v.strictTuple([Topic, Sequence]),
  v.strictTuple([Topic, v.array(v.record(v.string(), v.unknown()))]),
])
const Text = v.object({
  from: v.string(),
  /** When it was sent, in milliseconds since 1970. Each text of a process has a later time than the one before. */
  at: v.pipe(v.number(), v.safeInteger()),
  kind: v.picklist(['news', 'gap']),
  news: v.pipe(v.array(Piece), v.maxLength(MOST_NEWS)),
})

export type BusOptions = {
  /** Signs the texts: the same for all processes of a database, and for no one else. */
  key: string
  /** Default: none, and everything is looked at while other processes are there. */
  link?: BusLink | undefined
  processId: string
  /** The time that the processes share. Default: the machine's. */
  now?: () => number
  log: Log
  meter?: Meter
}

const NO_LINK: BusLink = { mostBytes: 0, open: async () => {}, send: async () => {}, close: async () => {} }

export function createBus(options: BusOptions): Bus {
  const { key, link = NO_LINK, processId, now = Date.now, log, meter = noMeter } = options
  const signer = createSigner(key)
  let listener: BusListener = { heard() {}, gap() {} }
  let alone = true
  let closed = false
  /** The last sequences of stored events by topic, and what is not stored, in order. */
  let stored = new Map<string, number>()
  let gathered: v.InferOutput<typeof Piece>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const looks = createLooks(link, () => listener.gap())
  /** The text that is under way: on a slow link texts would queue up for longer than they are worth anything. */
  let sending: Promise<void> | undefined
  /** A gap is to be told once that text is sent. */
  let gapDue = false
  /** The time of the last text that this process sent, and of the last ones that it took, by their processes. */
  let sentAt = 0
  const takenAt = new Map<string, number>()
  const doubt = createDoubt(log, () => {
    if (!closed) gap()
  })

  const setAlone = (is: boolean): void => {
    if (alone === is) return
    alone = is
    looks.run(!is && !closed)
  }

  const say = (kind: 'news' | 'gap', news: typeof gathered = []): void => {
    gapDue ||= sending !== undefined
    if (sending) return
    sentAt = Math.max(now(), sentAt + 1)
    const text = signer.sign(JSON.stringify({ from: processId, at: sentAt, kind, news }))
    if (kind === 'news' && Buffer.byteLength(text) > link.mostBytes) return say('gap')
    if (kind === 'gap') meter.count('foyer_bus_gaps_total', 1, { direction: 'told' })
    else meter.count('foyer_bus_news_total', news.length, { direction: 'sent' })
    // What is not sent now is found: the others look at everything, and this process says so once it can send again.
    sending = Promise.resolve()
      .then(() => link.send(text))
      .then(sent, sent)
  }
  function sent(): void {
    sending = undefined
    if (gapDue) {
      gapDue = false
      say('gap')
    } else schedule()
  }
  function schedule(): void {
    if (!sending && !closed && stored.size + gathered.length > 0) timer ??= setTimeout(flush, GATHER_MS)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (sending) return
    const news = [...stored, ...gathered] as typeof gathered
    stored = new Map()
    gathered = []
    if (news.length > MOST_NEWS) say('gap')
    else if (news.length > 0) say('news', news)
  }

  function heard(text: string): void {
    const body = signer.open(text)
    const read = body === undefined ? undefined : v.safeParse(Text, JSON.parse(body))
    if (!read?.success) {
      setAlone(false)
      return doubt(UNKNOWN)
    }
    const { from, at, kind, news } = read.output
    if (from === processId) return
    setAlone(false)
    if (!isFresh(from, at)) return doubt(NOT_FRESH)
    if (kind !== 'news') return gap()
    meter.count('foyer_bus_news_total', news.length, { direction: 'received' })
    for (const [topic, what] of news)
      listener.heard(typeof what === 'number' ? { topic, sequence: what } : { topic, events: what })
  }

  /** True once for each text of a process, if they come in order. */
  function isFresh(from: string, at: number): boolean {
    const isOld = (time: number) => now() - time > FRESH_MS
    for (const [id, time] of takenAt) if (isOld(time)) takenAt.delete(id)
    if (isOld(at) || at - now() > FRESH_MS || at <= (takenAt.get(from) ?? 0)) return false
    takenAt.set(from, at)
    return true
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
      await link.open(heard, lost, deploymentOf(key))
      say('gap')
    },

    publish(news) {
      if (alone || closed) return
      if ('events' in news) gathered.push([news.topic, [...news.events]])
      else stored.set(news.topic, Math.max(stored.get(news.topic) ?? 0, news.sequence))
      schedule()
    },

    count(counted) {
      setAlone(counted.count === 0)
      if (!closed) looks.count(counted)
    },

    async close() {
      closed = true
      looks.run(false)
      await sending
      flush()
      await sending
      await link.close()
    },
  }
}

/** Calls `look` as often as something may be missed: a process of another build may tell less than this one, or otherwise. */
function createLooks(link: BusLink, look: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined
  let others = { count: 0, strangers: 0 }
  let leftOut = 0

  function tick(): void {
    const mayMiss = link.lookMs !== undefined || others.strangers > 0 || (link.isAway?.() ?? true)
    leftOut = mayMiss || leftOut >= LOOKS_LEFT_OUT ? 0 : leftOut + 1
    if (leftOut === 0) look()
  }
  return {
    run(is: boolean): void {
      clearInterval(timer)
      if (is) timer = setInterval(tick, link.lookMs ?? LOOK_MS).unref()
    },
    count(counted: typeof others): void {
      const isFewer = counted.count < others.count
      others = counted
      // A process that is gone may not have told what it stored.
      if (isFewer) look()
    },
  }
}

/**
 * Returns the function for a text that was not taken: what it tells, if anything, is in the store, so everything is looked at; now and then
 * a line says why.
 */
function createDoubt(log: Log, look: () => void): (line: string) => void {
  let lookPause: ReturnType<typeof setTimeout> | undefined
  let logPause: ReturnType<typeof setTimeout> | undefined
  /** Whether another such text came since the look. */
  let lookAgain = false

  function lookAfterDoubt(): void {
    lookPause = undefined
    if (!lookAgain) return
    lookAgain = false
    look()
    lookPause = setTimeout(lookAfterDoubt, DOUBT_LOOK_MS).unref()
  }
  return (line) => {
    if (!logPause) {
      log(line, 'warn')
      logPause = setTimeout(() => {
        logPause = undefined
      }, DOUBT_LOG_MS).unref()
    }
    lookAgain = true
    if (!lookPause) lookAfterDoubt()
  }
}
