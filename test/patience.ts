// A busy machine is no failure: what a test waits for may take almost as long as the test itself, not Vitest's one second.

import { vi } from 'vitest'

const PATIENCE_MS = 40_000

const { waitFor } = vi
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options })
