// Reads the service's frames for contestants that bring no transport of their own.

import { messages, service } from './contestant.ts'
import type { Line } from './words.ts'

export type Said = Line & { id: string; at: number }

export type Feed = {
  /** The messages of the session so far, a batch at a time. */
  replayed(said: readonly Said[]): void
  /** A message that came later. */
  message(said: Said): void
  /** A piece of an answer. */
  chunk(piece: { id: string; text: string; isLast: boolean }): void
}

type Frame = {
  type: string
  id?: string
  timestamp?: string
  payload: { events?: Frame[]; text?: string; message_id?: string; is_complete?: boolean }
}

const said = ({ type, id = '', timestamp = '', payload }: Frame): Said => ({
  id: payload.message_id ?? id,
  role: type === 'EVENT_TYPE_USER_MESSAGE' ? 'visitor' : 'agent',
  text: payload.text ?? '',
  at: Date.parse(timestamp),
})

const isMessage = ({ type }: Frame) =>
  type === 'EVENT_TYPE_USER_MESSAGE' || type === 'EVENT_TYPE_POLY_AGENT_MESSAGE'

/** Connects to the service. Returns the undo. */
export function connect({ replayed, message, chunk }: Feed): () => void {
  const socket = new WebSocket(service().replace('http', 'ws'))
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data) as Frame
    const { type, payload } = frame
    if (type === 'EVENT_TYPE_EVENT_BATCH') replayed((payload.events ?? []).filter(isMessage).map(said))
    else if (type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
      chunk({ id: payload.message_id ?? '', text: payload.text ?? '', isLast: payload.is_complete === true })
    else if (isMessage(frame)) message(said(frame))
  }
  return () => socket.close()
}

/** A feed that gives the whole history in one piece, for contestants that take it so. */
export function whole(feed: Feed): Feed {
  const all: Said[] = []
  return {
    ...feed,
    replayed(batch) {
      all.push(...batch)
      if (all.length === messages()) feed.replayed(all)
    },
  }
}
