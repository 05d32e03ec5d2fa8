// A busy machine is no failure: what a test waits for may take almost as long as the test itself, not Vitest's one second.

import { vi } from 'vitest'

export const PATIENCE_MS = 40_000

const { waitFor } = vi
vi.waitFor = (callback, options) => {
  const { timeout = 0, ...more } = typeof options === 'number' ? { timeout: options } : (options ?? {})
  return waitFor(callback, { ...more, timeout: Math.max(timeout, PATIENCE_MS) })
}
