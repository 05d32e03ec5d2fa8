// Builds the current message from pieces of text: redacts it, and cuts it into chunks if the session streams.

import type { Redaction } from '../redact.ts'
import type { NewEvent } from '../sessions/index.ts'
import { createWordCutter } from './word-cutter.ts'

export interface OpenMessage {
  readonly id: string
  /** The text so far, without the part that redaction still holds back. */
  readonly text: string
  /** When the first chunk was ready. */
  readonly since: Date | undefined
  /** Adds a piece. True if chunks wait to be stored. */
  push(piece: string): boolean
  /** Releases the text that was held back, at the end of the message. */
  close(): void
  /** Closes the message. Returns the same each time, since its transaction may run again. `fields`: of the chunk that completes it. */
  end(fields: Record<string, unknown>): MessageEnding
  /** Returns what waits as one chunk, once; none if nothing waits. */
  takeChunks(): NewEvent[]
  /** The sequence of the first chunk, once it is stored. */
  firstSequence: number | undefined
}

/** `isStored`: earlier chunks are stored. `chunks`: those that still wait. `last`: completes a message that was sent in chunks. */
export type MessageEnding = { isStored: boolean; chunks: readonly NewEvent[]; last: NewEvent | undefined }

export type OpenMessageOptions = { id: string; streaming: boolean; redact: Redaction; now: () => Date }

export function createOpenMessage({ id, streaming, redact, now }: OpenMessageOptions): OpenMessage {
  const stream = redact.stream()
  const wordCutter = createWordCutter()
  const waiting: string[] = []
  let text = ''
  let index = 0
  let since: Date | undefined
  let firstSequence: number | undefined
  let closed = false
  let ending: MessageEnding | undefined

  function say(piece: string): void {
    text += piece
    if (!streaming || piece === '') return
    since ??= now()
    waiting.push(...wordCutter.push(piece))
  }
  const chunk = (fields: Record<string, unknown>): NewEvent => ({
    type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
    payload: {
      message_id: id,
      text: '',
      attachments: [],
      response_suggestions: [],
      chunk_index: ++index,
      is_complete: false,
      ...fields,
    },
    messageId: id,
  })

  function close(): void {
    if (closed) return
    closed = true
    say(stream.rest())
    const lastWord = wordCutter.rest()
    if (lastWord !== '') waiting.push(lastWord)
  }
  const takeChunks = () => {
    const words = waiting.splice(0).join('')
    return words === '' ? [] : [chunk({ text: words })]
  }

  return {
    id,
    get text() {
      return text
    },
    get since() {
      return since
    },
    get firstSequence() {
      return firstSequence
    },
    set firstSequence(sequence) {
      firstSequence ??= sequence
    },
    push(piece) {
      say(stream.push(piece))
      return waiting.length > 0
    },
    close,
    takeChunks,
    end(fields) {
      if (ending) return ending
      close()
      const isStored = index > 0
      const chunks = takeChunks()
      ending = { isStored, chunks, last: index > 0 ? chunk({ ...fields, is_complete: true }) : undefined }
      return ending
    },
  }
}
