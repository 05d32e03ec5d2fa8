// Reads the events of one AG-UI run from the body of its answer, within limits of size and count.

import { createParser } from 'eventsource-parser'
import { AguiError } from './agui-error.ts'

/** One event of the protocol: its type, and fields that are checked where they are used. */
export type AguiEvent = { type: string } & Readonly<Record<string, unknown>>

const MOST_BYTES = 4_000_000
const LONGEST_EVENT = 256_000
const MOST_EVENTS = 20_000
/** The parser looks for both kinds of line ends from each line to the end of what it is fed. */
const FED = 1_000

/** Throws an `AguiError` for an event that is no JSON object with a type, and for too much of anything. `heard`: bytes have come. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncIterable<AguiEvent> {
  const read: string[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ data }) => void read.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const decoder = new TextDecoder()
  let bytes = 0
  let events = 0
  for await (const chunk of body) {
    heard()
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new AguiError('excess', 'the stream is too long')
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length && !isTooLong; at += FED) parser.feed(text.slice(at, at + FED))
    if (isTooLong) throw new AguiError('excess', 'an event is too long')
    for (const data of read.splice(0)) {
      if (++events > MOST_EVENTS) throw new AguiError('excess', 'there are too many events')
      yield parseEvent(data)
    }
  }
}

function parseEvent(data: string): AguiEvent {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw new AguiError('malformed', 'an event is not JSON')
  }
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
    return value as AguiEvent
  throw new AguiError('malformed', 'an event has no type')
}
