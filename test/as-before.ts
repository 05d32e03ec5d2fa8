// Files that share a process: each finds the clock, the globals, the document and the stores as the first of them did.

import { afterAll, vi } from 'vitest'

const CLOCK = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'queueMicrotask',
  'Date',
] as const
const kept = Symbol.for('foyer.test.clock')
const shared = globalThis as unknown as Record<symbol, Partial<typeof globalThis> | undefined>

// Vitest restores spies once more between two files: one on a function of a fake clock would bring that back.
shared[kept] ??= Object.fromEntries(CLOCK.map((name) => [name, globalThis[name]]))
Object.assign(globalThis, shared[kept])

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  if (!('document' in globalThis)) return
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})
