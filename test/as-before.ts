// Files that share a process: each leaves the clock and the globals as it found them.

import { afterAll, vi } from 'vitest'

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
