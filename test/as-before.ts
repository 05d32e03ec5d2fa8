// Files that share a process: each finds the clock, the globals, the document and the stores as the first of them did.

import { h, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { act } from 'preact/test-utils'
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
  // Preact asks for one turn to run all effects that wait. Where a fake clock kept that turn, the effects of the next file would wait for it too.
  act(() => render(h(Effect, {}), document.createElement('div')))
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})

function Effect() {
  useEffect(() => {})
  return null
}
