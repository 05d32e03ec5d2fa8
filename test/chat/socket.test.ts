// One socket: its handshake has an end.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { socketOpener } from '../../src/chat/socket/socket.ts'
import { CLOSE } from '../../src/protocol/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a handshake that hangs counts as a lost network after 10 s', async () => {
  class Hanging {
    static CLOSING = 2
    readyState = 0
    addEventListener() {}
    removeEventListener() {}
    close() {}
  }
  const closed: number[] = []
  socketOpener(Hanging)('wss://chat.example.com/', {
    opened() {},
    frame() {},
    closed: (code) => closed.push(code),
  })
  await vi.advanceTimersByTimeAsync(9_900)
  expect(closed).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(closed).toEqual([CLOSE.networkLost])
})
