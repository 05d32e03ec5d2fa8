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
  /** Returns the events of the waiting chunks, each once. */
  takeChunks(): NewEvent[]
  /** True once a chunk was taken: the message continues in chunks. */
  readonly isStreamed: boolean
  /** The event that completes a streamed message. */
  lastChunk(fields: Record<string, unknown>): NewEvent
  /** The sequence of the first chunk, once it is stored. */
  firstSequence: number | undefined
}

export type OpenMessageOptions = { id: string; streaming: boolean; redact: Redaction; now: () => Date }

export function createOpenMessage({ id, streaming, redact, now }: OpenMessageOptions): OpenMessage {
  const stream = redact.stream()
  const wordCutter = createWordCutter()
  const waiting: string[] = []
  let text = ''
  let index = 0
  let since: Date | undefined
  let firstSequence: number | undefined

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

  return {
    id,
    get text() {
      return text
    },
    get since() {
      return since
    },
    get isStreamed() {
      return index > 0
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
    close() {
      say(stream.rest())
      const lastWord = wordCutter.rest()
      if (lastWord !== '') waiting.push(lastWord)
    },
    takeChunks: () => waiting.splice(0).map((piece) => chunk({ text: piece })),
    lastChunk: (fields) => chunk({ ...fields, is_complete: true }),
  }
}
