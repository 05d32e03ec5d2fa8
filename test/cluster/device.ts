// The second device of a visitor: a socket that only listens, and connects again by the engine's own waits.

import { WebSocket } from 'ws'
import { backoff } from '../../src/chat/session/table.ts'
import type { Line } from './verdict.ts'

type Frame = {
  type: string
  id: string
  sequence?: number | null
  first_sequence?: number
  payload: { events?: Frame[]; text?: string; message?: string; message_id?: string; chunk_index?: number }
}

const HANDSHAKE_MS = 10_000
/** A socket that is silent for so long is given up: the process, or the way to it, stands still. */
const PROBE_MS = 5_000
const SILENT_MS = 12_000

export type Device = {
  /** What it was sent, in the order of a transcript. */
  lines(): Line[]
  /** The sequences of stored events, as they came. */
  sequences: number[]
  /** How often it connected. */
  connections: number
  isOpen(): boolean
  /** Connects anew, maybe to another process. */
  move(): void
  close(): void
}

/** `hears`: called with the text of each message of the visitor. */
export function openDevice(addressAfter: (cursor: number) => string, hears: (text: string) => void): Device {
  const messages = new Map<string, { place: number; role: Line['role']; text: string }>()
  const sequences: number[] = []
  let socket: WebSocket
  let cursor = 0
  let fails = 0
  let heardAt = 0
  let closed = false
  let waiting: NodeJS.Timeout | undefined

  function take(event: Frame): void {
    const { type, sequence, payload } = event
    if (typeof sequence !== 'number') return
    sequences.push(sequence)
    cursor = Math.max(cursor, sequence)
    const place = event.first_sequence ?? sequence
    const set = (key: string, role: Line['role'], text: string) => {
      const known = messages.get(key)
      messages.set(key, { place: Math.min(place, known?.place ?? place), role, text })
    }
    const key = payload.message_id ?? event.id
    if (type === 'EVENT_TYPE_USER_MESSAGE') {
      // A message that comes twice is a line twice.
      set(String(sequences.length), 'visitor', payload.text ?? '')
      hears(payload.text ?? '')
    }
    if (type === 'EVENT_TYPE_SYSTEM_MESSAGE') set(String(sequences.length), 'system', payload.message ?? '')
    if (type === 'EVENT_TYPE_POLY_AGENT_MESSAGE') set(key, 'agent', payload.text ?? '')
    if (type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
      set(key, 'agent', (messages.get(key)?.text ?? '') + (payload.text ?? ''))
  }

  function connect(): void {
    waiting = undefined
    const own = new WebSocket(addressAfter(cursor), {
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_MS,
    })
    socket = own
    own.on('error', () => {})
    own.on('open', () => {
      fails = 0
      heardAt = Date.now()
      device.connections++
    })
    own.on('message', (data) => {
      heardAt = Date.now()
      if (own !== socket || closed) return
      const frame = JSON.parse(String(data)) as Frame
      for (const event of frame.payload.events ?? [frame]) take(event)
    })
    own.on('close', () => {
      if (closed || own !== socket) return
      waiting = setTimeout(connect, backoff(fails++, Math.random()))
    })
  }

  const probing = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (Date.now() - heardAt > SILENT_MS) socket.terminate()
    else socket.send('{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}')
  }, PROBE_MS)

  const device: Device = {
    lines: () =>
      [...messages.values()].sort((a, b) => a.place - b.place).map(({ role, text }) => ({ role, text })),
    sequences,
    connections: 0,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    move() {
      fails = 0
      clearTimeout(waiting)
      const former = socket
      connect()
      former.terminate()
    },
    close() {
      closed = true
      clearTimeout(waiting)
      clearInterval(probing)
      socket.terminate()
    },
  }
  connect()
  return device
}
