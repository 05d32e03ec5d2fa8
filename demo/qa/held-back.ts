// Notices answers whose pieces came in one burst although the service sent them one after the other.

import { words } from '../words.ts'

/** Fewer pieces, or a shorter time, say nothing. */
const FEWEST = 5
const SHORTEST_MS = 500
/** Pieces that came in less than this part of the time in which they were sent were held back. */
const PART = 0.25
/** Most answers that are measured at once. */
const MOST = 50

type Answer = { count: number; sent: number; came: number }
type Frame = {
  type?: unknown
  timestamp?: unknown
  payload?: { message_id?: unknown; is_complete?: unknown }
} | null

/** Takes each frame of the service and the time at which it came, in ms. Returns what is to be said once an answer ends. */
export function createHeldBack(): (text: string, came: number) => string | undefined {
  const answers = new Map<string, Answer>()
  return (text, came) => {
    const frame = read(text)
    if (frame?.type !== 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' || !frame.payload) return undefined
    const id = String(frame.payload.message_id)
    const sent = Date.parse(String(frame.timestamp))
    if (Number.isNaN(sent)) return undefined
    const answer = answers.get(id) ?? { count: 0, sent, came }
    answer.count++
    answers.set(id, answer)
    const [oldest] = answers.keys()
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
    if (frame.payload.is_complete !== true) return undefined
    answers.delete(id)
    const sending = sent - answer.sent
    const coming = came - answer.came
    if (answer.count < FEWEST || sending < SHORTEST_MS || coming > sending * PART) return undefined
    return words.heldBack(answer.count, sending, coming)
  }
}

function read(text: string): Frame {
  try {
    return JSON.parse(text) as Frame
  } catch {
    return null
  }
}
