// What a developer's tool does to frames: they come late, not at all or twice, in order, and only on later sockets.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** A socket whose other end is this test. */
class Line extends EventTarget {
  static OPEN = 1
  readyState = 1
  readonly sent: string[] = []
  send(text: string) {
    this.sent.push(text)
  }
  comes(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

let setFault: (name: unknown) => void
beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Line)
  vi.resetModules()
  ;({ setFault } = await import('../../../../src/embed/frame/chat/socket-faults.ts'))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function connect() {
  const socket = new (globalThis.WebSocket as unknown as new () => Line)()
  const heard: string[] = []
  const listener = (event: Event) => heard.push((event as MessageEvent).data)
  socket.addEventListener('message', listener)
  return { socket, heard, stop: () => socket.removeEventListener('message', listener) }
}
const FRAMES = ['1', '2', '3', '4', '5', '6']

it.each([
  ['slow', [], FRAMES],
  ['lost', ['1', '2', '3', '4', '6'], ['1', '2', '3', '4', '6']],
  ['doubled', FRAMES.flatMap((each) => [each, each]), FRAMES.flatMap((each) => [each, each])],
  ['whole', FRAMES, FRAMES],
  ['nonsense', FRAMES, FRAMES],
])('the fault `%s` treats the frames of either side alike', (fault, atOnce, later) => {
  setFault(fault)
  for (const way of ['down', 'up'] as const) {
    const { socket, heard } = connect()
    for (const frame of FRAMES) way === 'down' ? socket.comes(frame) : socket.send(frame)
    const arrived = way === 'down' ? heard : socket.sent
    expect(arrived).toEqual(atOnce)
    vi.advanceTimersByTime(1_500)
    expect(arrived).toEqual(later)
  }
})

it('a fault leaves the socket that is open alone, and all later ones once it is undone', () => {
  const { socket, heard } = connect()
  setFault('doubled')
  socket.comes('1')
  setFault('whole')
  const next = connect()
  next.socket.comes('2')
  expect([heard, next.heard]).toEqual([['1'], ['2']])
})

it('a fault sends nothing on a socket that closed meanwhile, and tells nobody who listens no more', () => {
  setFault('slow')
  const { socket, heard, stop } = connect()
  socket.send('1')
  socket.readyState = 3
  stop()
  socket.comes('1')
  vi.advanceTimersByTime(1_500)
  expect([socket.sent, heard]).toEqual([[], []])
})
