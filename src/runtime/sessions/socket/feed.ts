// Sends one socket its replay, as fast as the reader takes it, then live events.
//
//   store ─▶ read ─ page by page, each batch awaited ─▶ sink ─▶ reader
//   hub ─▶ deliver ─┬─ while reading: held, within bounds; what does not fit is read from the store
//    │              └─ live: sent at once; at 1 MiB of backlog the socket is closed
//    └──▶ reach: another process has stored events, which are read from the store

import { CLOSE } from '../../../protocol/index.ts'
import type { WireEvent } from '../hub.ts'

const BATCH_BYTES = 16 * 1024
/** Bytes reserved for the envelope of a batch. */
const HEAD_BYTES = 256
const HELD_BYTES = 64 * 1024
const BACKLOG_BYTES = 1024 * 1024

/** The destination of frames. */
export interface FrameSink {
  isOpen(): boolean
  /** Bytes that the reader has not taken yet. */
  backlog(): number
  /** `taken` is called once the reader has taken the frame, or the sink is closed. */
  send(text: string, taken?: () => void): void
  close(code: number, reason?: string): void
}

/** Some events after a sequence, oldest first; `more` if others follow. */
export type Page = { events: WireEvent[]; more: boolean }

export type FeedOptions = {
  /** The sequence from which the replay begins. */
  cursor: number
  read(after: number): Promise<Page>
  sink: FrameSink
  /** Makes the frame of a batch without its payload. */
  head(): Omit<WireEvent, 'payload'>
  failed(error: unknown): void
}

export interface Feed {
  /** Writes the replay. Resolves once the reader has it; false if the sink closed first. */
  replay(): Promise<boolean>
  /** Sends a live event, stored or not. */
  deliver(event: WireEvent): void
  /** Sends what another process has stored, up to this sequence. */
  reach(sequence: number): void
  /** Writes an event that only this socket gets. */
  write(frame: object): void
}

type Held = { event: WireEvent; text: string }

export function createFeed({ cursor, read, sink, head, failed }: FeedOptions): Feed {
  let sentSequence = cursor
  let readingStore = true
  /** Live events that wait until the store is read. */
  let heldEvents: Held[] = []
  let heldBytes = 0
  /** Held events were dropped: read the store once more. */
  let heldDropped = false
  /** Others stored events while it was read: read it once more. */
  let readAgain = false
  /** The highest known sequence, and the sequence up to which the last read covers the store. */
  let heardSequence = 0
  let coveredSequence = 0
  let replayBegun = false

  function write(frame: object): void {
    writeText(JSON.stringify(frame))
  }
  function writeText(text: string): void {
    if (!sink.isOpen()) return
    if (sink.backlog() > BACKLOG_BYTES) return sink.close(CLOSE.tryLater, 'the reader is too slow')
    sink.send(text)
  }
  const taken = (text: string) => new Promise<void>((resolve) => sink.send(text, resolve))

  function hold(event: WireEvent): void {
    heardSequence = Math.max(heardSequence, event.sequence ?? 0)
    if (heldDropped) return
    const text = JSON.stringify(event)
    heldEvents.push({ event, text })
    heldBytes += text.length
    if (heldBytes <= HELD_BYTES) return
    heldEvents = []
    heldBytes = 0
    heldDropped = true
  }

  function deliver(event: WireEvent, text?: string): void {
    if (event.sequence !== null && event.sequence <= sentSequence) return
    if (readingStore) return hold(event)
    if (event.sequence !== null) {
      if (event.sequence > sentSequence + 1 && event.sequence > coveredSequence) {
        // Another process stored an event that this feed has not seen: read it before sending later ones.
        hold(event)
        void catchUp(oneByOne)
        return
      }
      sentSequence = event.sequence
    }
    writeText(text ?? JSON.stringify(event))
    if (event.type === 'EVENT_TYPE_SESSION_END') sink.close(CLOSE.clean)
  }

  const oneByOne = (events: readonly WireEvent[]) => events.map((event) => JSON.stringify(event))

  /**
   * Writes the stored events at the reader's pace, then the events held meanwhile. False if the sink
   * closed first.
   */
  async function catchUp(frames: (events: readonly WireEvent[]) => string[]): Promise<boolean> {
    readingStore = true
    let hasEnded = false
    try {
      for (let more = true; more || heldDropped || readAgain; ) {
        heldDropped = false
        readAgain = false
        coveredSequence = heardSequence
        const page = await read(sentSequence)
        for (const text of frames(page.events)) {
          if (!sink.isOpen()) return false
          await taken(text)
        }
        more = page.more
        sentSequence = page.events.at(-1)?.sequence ?? sentSequence
        hasEnded ||= page.events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')
      }
    } catch (error) {
      failed(error)
      return false
    }
    readingStore = false
    const heldMeanwhile = heldEvents
    heldEvents = []
    heldBytes = 0
    for (const { event, text } of heldMeanwhile) deliver(event, text)
    if (hasEnded) sink.close(CLOSE.clean)
    return sink.isOpen()
  }

  /** Joins events into batches of at most 16 KiB, or of one event. The first batch of a replay may be empty. */
  function batches(events: readonly WireEvent[]): string[] {
    const texts: string[] = []
    let frameTexts: string[] = []
    let bytes = HEAD_BYTES
    const close = () => {
      texts.push(`${JSON.stringify(head()).slice(0, -1)},"payload":{"events":[${frameTexts.join(',')}]}}`)
      frameTexts = []
      bytes = HEAD_BYTES
    }
    for (const event of events) {
      const text = JSON.stringify(event)
      const eventBytes = Buffer.byteLength(text) + 1
      if (frameTexts.length > 0 && bytes + eventBytes > BATCH_BYTES) close()
      frameTexts.push(text)
      bytes += eventBytes
    }
    if (frameTexts.length > 0 || !replayBegun) close()
    replayBegun = true
    return texts
  }

  return {
    replay: () => catchUp(batches),
    deliver: (event) => deliver(event),
    reach(sequence) {
      if (sequence <= Math.max(sentSequence, coveredSequence)) return
      heardSequence = Math.max(heardSequence, sequence)
      if (readingStore) readAgain = true
      else void catchUp(oneByOne)
    },
    write,
  }
}
