// Before the first answer a sample is drawn, which nobody sees or hears.

import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createPanel } from './world.ts'

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})

/** What is drawn of every kind of block, and what is done with an answer. */
const KINDS = ['p', 'em', 'strong', 'code', 'a', 'ul', 'ol', 'h4', '.code', 'table', '.tools']

let pauses: (() => void)[]
const cancelled = () => {}
let world: ReturnType<typeof createPanel>
beforeEach(() => {
  pauses = []
  vi.stubGlobal('requestIdleCallback', (act: () => void) => pauses.push(act))
  // It stays: Preact may undo an effect after the panel is gone.
  Object.assign(globalThis, { cancelIdleCallback: (id: number) => pauses.splice(id - 1, 1, cancelled) })
  world = createPanel()
})
afterEach(() => {
  world.remove()
  vi.unstubAllGlobals()
})

const panel = () => world.container.querySelector('.foyer') as HTMLElement
/** Passes the pauses that are asked for, one after the other. Resolves with what stood in the panel for a moment in each. */
async function pass(): Promise<string[]> {
  const seen: string[] = []
  vi.spyOn(panel(), 'append').mockImplementation((...nodes) => {
    for (const node of nodes as HTMLElement[]) {
      panel().appendChild(node)
      const { remove } = node
      node.remove = () => {
        seen.push(node.inert && node.className === 'hidden' ? node.innerHTML : 'seen by all')
        remove.call(node)
      }
    }
  })
  for (let next = 0; next < pauses.length; next++) pauses[next]?.()
  return seen
}
/** The part that reads aloud has come, which loads what draws answers first. */
const isReady = () => vi.waitFor(() => expect(pauses.length).toBeGreaterThanOrEqual(3), { timeout: 20_000 })

it('draws every kind of block, a part in each pause, and leaves nothing', async () => {
  await isReady()
  const before = panel().innerHTML
  const seen = await pass()
  expect(seen.length).toBeGreaterThanOrEqual(4)
  const all = document.createElement('div')
  all.innerHTML = seen.at(-1) ?? ''
  expect(KINDS.filter((kind) => !all.querySelector(kind))).toEqual([])
  // It grows, as an answer does: a part at a time.
  expect(new Set(seen.map(({ length }) => length)).size).toBeGreaterThanOrEqual(4)
  expect(seen).not.toContain('seen by all')
  expect(panel().innerHTML).toBe(before)
})

it('stops with the panel', async () => {
  await isReady()
  const first = pauses.length
  for (const act of pauses.slice()) act()
  // Of all that waits for a pause, the next part alone is left.
  expect(pauses).toHaveLength(first + 1)
  world.remove()
  await vi.waitFor(() => expect(pauses.at(-1)).toBe(cancelled), { timeout: 20_000 })
})
