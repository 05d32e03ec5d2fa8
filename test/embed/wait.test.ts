// The time that a panel may take, and the sentence that stands in its place.

import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createWait, type Wait } from '../../src/embed/wait.ts'
import { createPanelHost } from './panel-host.ts'

let box: HTMLElement
let wait: Wait
const sentence = () => box.querySelector('div')?.shadowRoot?.querySelector('[role="alert"]')

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const host = createPanelHost({})
  box = document.createElement('dialog')
  host.element.shadowRoot?.append(box)
  wait = createWait(host, box, 'https://chat.example.com', () => {})
  wait.want()
})
afterEach(() => {
  wait.dispose()
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the sentence that there is no answer is shown after 8 s', async () => {
  vi.advanceTimersByTime(8_000)
  await vi.dynamicImportSettled()
  expect(sentence()).not.toBeNull()
})

it.each([
  ['the panel comes', () => wait.over(), 'ready'],
  ['the chat is taken off the page', () => wait.dispose(), ''],
])('the sentence goes where %s, also if its own code is still on its way then', async (_, comes, look) => {
  for (const isShown of [false, true]) {
    wait.fail('silent')
    if (isShown) await vi.dynamicImportSettled()
    expect(sentence() != null).toBe(isShown)
    comes()
    await vi.dynamicImportSettled()
    expect(sentence() ?? undefined).toBeUndefined()
    expect(box.className).toBe(look)
  }
})
