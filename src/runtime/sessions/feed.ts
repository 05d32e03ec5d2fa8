// Sends one socket its replay, as fast as the reader takes it, then live events.
//
//   store ─▶ read ─ page by page, each batch awaited ─▶ line ─▶ reader
//   hub ─▶ deliver ─┬─ while reading: held, within bounds; what does not fit is read from the store
//                   └─ live: sent at once; at 1 MiB of backlog the socket is closed

import { CLOSE } from '../../protocol/index.ts'
import type { WireEvent } from './hub.ts'

const BATCH_BYTES = 16 * 1024
/** Bytes reserved for the envelope of a batch. */
const HEAD_BYTES = 256
const HELD_BYTES = 64 * 1024
const BACKLOG_BYTES = 1024 * 1024

/** The destination of frames. */
export interface Line {
  isOpen(): boolean
  /** Bytes that the reader has not taken yet. */
  backlog(): number
  /** `taken` is called once the reader has taken the frame, or the line is gone. */
  send(text: string, taken?: () => void): void
  close(code: number, reason?: string): void
}

/** Some events after a sequence, oldest first; `more` where others follow. */
export type Page = { events: WireEvent[]; more: boolean }

export type FeedOptions = {
  /** The sequence from which the replay begins. */
  cursor: number
  read(after: number): Promise<Page>
  line: Line
  /** A batch without its payload. */
  head(): Omit<WireEvent, 'payload'>
  failed(error: unknown): void
}

export interface Feed {
  /** Writes the replay. Resolves once the reader has it; false where the line ended first. */
  replay(): Promise<boolean>
  /** Sends a live event, stored or not. */
  deliver(event: WireEvent): void
  /** Writes an event that only this socket gets. */
  write(frame: object): void
}

type Held = { event: WireEvent; text: string }

export function createFeed({ cursor, read, line, head, failed }: FeedOptions): Feed {
  let sent = cursor
  let reading = true
  /** Live events that wait until the store is read. */
  let held: Held[] = []
  let heldBytes = 0
  /** Held events were dropped: read the store once more. */
  let gaveUp = false
  /** The highest known sequence, and the sequence up to which the last read covers the store. */
  let heard = 0
  let covered = 0
  let begun = false

  function write(frame: object): void {
    writeText(JSON.stringify(frame))
  }
  function writeText(text: string): void {
    if (!line.isOpen()) return
    if (line.backlog() > BACKLOG_BYTES) return line.close(CLOSE.tryLater, 'the reader is too slow')
    line.send(text)
  }
  const taken = (text: string) => new Promise<void>((resolve) => line.send(text, resolve))

  function hold(event: WireEvent): void {
    heard = Math.max(heard, event.sequence ?? 0)
    if (gaveUp) return
    const text = JSON.stringify(event)
    held.push({ event, text })
    heldBytes += text.length
    if (heldBytes <= HELD_BYTES) return
    held = []
    heldBytes = 0
    gaveUp = true
  }

  function deliver(event: WireEvent, text?: string): void {
    if (event.sequence !== null && event.sequence <= sent) return
    if (reading) return hold(event)
    if (event.sequence !== null) {
      if (event.sequence > sent + 1 && event.sequence > covered) {
        // Another process stored an event that this feed has not seen: read it before sending later ones.
        hold(event)
        void catchUp((events) => events.map((one) => JSON.stringify(one)))
        return
      }
      sent = event.sequence
    }
    writeText(text ?? JSON.stringify(event))
    if (event.type === 'EVENT_TYPE_SESSION_END') line.close(CLOSE.clean)
  }

  /**
   * Writes the stored events at the reader's pace, then the events held meanwhile. False where the line ended
   * first.
   */
  async function catchUp(frames: (events: readonly WireEvent[]) => string[]): Promise<boolean> {
    reading = true
    let isOver = false
    try {
      for (let more = true; more || gaveUp; ) {
        gaveUp = false
        covered = heard
        const page = await read(sent)
        for (const text of frames(page.events)) {
          if (!line.isOpen()) return false
          await taken(text)
        }
        more = page.more
        sent = page.events.at(-1)?.sequence ?? sent
        isOver ||= page.events.some(({ type }) => type === 'EVENT_TYPE_SESSION_END')
      }
    } catch (error) {
      failed(error)
      return false
    }
    reading = false
    const behind = held
    held = []
    heldBytes = 0
    for (const { event, text } of behind) deliver(event, text)
    if (isOver) line.close(CLOSE.clean)
    return line.isOpen()
  }

  /** Batches of at most 16 KiB, or one event; the first also where there is nothing. */
  function batches(events: readonly WireEvent[]): string[] {
    const texts: string[] = []
    let parts: string[] = []
    let bytes = HEAD_BYTES
    const close = () => {
      texts.push(`${JSON.stringify(head()).slice(0, -1)},"payload":{"events":[${parts.join(',')}]}}`)
      parts = []
      bytes = HEAD_BYTES
    }
    for (const event of events) {
      const text = JSON.stringify(event)
      const size = Buffer.byteLength(text) + 1
      if (parts.length > 0 && bytes + size > BATCH_BYTES) close()
      parts.push(text)
      bytes += size
    }
    if (parts.length > 0 || !begun) close()
    begun = true
    return texts
  }

  return {
    replay: () => catchUp(batches),
    deliver: (event) => deliver(event),
    write,
  }
}
