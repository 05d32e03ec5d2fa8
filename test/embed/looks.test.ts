// A change of looks while the part that reads the details is still on its way.

import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openPanel } from '../../src/embed/panel.ts'
import { openIn } from './open-panel.ts'

const { arrival, arrive } = vi.hoisted(() => {
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  return { arrival, arrive: () => arrive() }
})
vi.mock('../../src/embed/details.ts', async (original) => {
  await arrival
  return original()
})

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})
let undo = () => {}
afterEach(() => {
  undo()
  localStorage.clear()
  vi.unstubAllGlobals()
})

it('changes what needs no details at once, and the rest when they are there', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}))
  const { say, container, undo: leave } = openIn(openPanel, { start: { consent: 'given' } })
  undo = leave
  const theme = () => container.querySelector('.foyer')?.classList.contains('dark')
  await vi.waitFor(() => expect(theme()).toBe(false), 20_000)
  say({
    type: 'looks',
    looks: { consent: 'given', theme: 'dark', greeting: 'Hello there' },
  })
  await vi.waitFor(() => expect(theme()).toBe(true), 20_000)
  expect(container.textContent).not.toContain('Hello there')
  arrive()
  await vi.waitFor(() => expect(container.textContent).toContain('Hello there'), 20_000)
})
