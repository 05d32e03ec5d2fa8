// What a visitor chose about the widget: kept in this browser, and not before the visitor agrees.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Options } from '../../../../src/embed/index.ts'
import { createMemory, type Memory } from '../../../../src/embed/page/host/memory.ts'
import { createPanelHost } from '../panel-host.ts'

let name = ''
let count = 0
let asked: number
let element: HTMLElement
let memory: Memory

beforeEach(() => {
  localStorage.clear()
  // What was kept lasts as long as the page, by its name.
  name = `foyer:test:${++count}`
})
afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
})

/** `required`: whether the BFF requires consent. */
function make(options: Options = {}, required: boolean | 'unknown' = false) {
  asked = 0
  const host = createPanelHost(options)
  element = host.element
  memory = createMemory(host, name, async () => {
    asked++
    if (required === 'unknown') throw new Error('unknown')
    return required
  })
}
const consents = (given: boolean) =>
  element.dispatchEvent(new CustomEvent('foyer-consent', { detail: { given } }))
const settled = () => new Promise((resolve) => setTimeout(resolve))
const stored = () => localStorage.getItem(name)

it('what the visitor chose is kept where nobody asks for consent, and whether somebody does is asked once', async () => {
  make()
  memory.keep('none')
  memory.keep('one')
  await settled()
  expect([stored(), asked]).toEqual(['one', 1])
  memory.keep('two')
  await settled()
  expect([stored(), asked]).toEqual(['two', 1])
  memory.keep(undefined)
  expect([stored(), memory.read()]).toEqual([null, undefined])
})

it.each<[string, Options, boolean | 'unknown']>([
  ['the page', { consent: 'required' }, false],
  ['the visitor, who refused', { consent: 'refused' }, false],
  ['the BFF', {}, true],
  ['the BFF, whatever the page says', { consent: 'given' }, true],
  ['perhaps the BFF, which cannot be read', {}, 'unknown'],
])('what the visitor chose is not stored before the consent required by %s', async (_, options, required) => {
  make(options, required)
  memory.keep('one')
  await settled()
  expect([localStorage.length, memory.read()]).toEqual([0, 'one'])
  consents(true)
  expect(stored()).toBe('one')
  consents(false)
  expect(localStorage.length).toBe(0)
  memory.keep('two')
  await settled()
  expect(localStorage.length).toBe(0)
})

it.each<[string, (options: Options) => unknown]>([
  ['the visitor withdraws consent', () => consents(false)],
  ['the page begins to require consent', (options) => Object.assign(options, { consent: 'required' })],
])('what the visitor chose is not stored where %s while the BFF is asked', async (_, act) => {
  const options: Options = {}
  make(options)
  memory.keep('one')
  act(options)
  await settled()
  expect([asked, stored(), memory.read()]).toEqual([1, null, 'one'])
})

it('what the visitor chose is forgotten when consent is withdrawn on a later page, or before it', () => {
  localStorage.setItem(name, 'one')
  make({ consent: 'required' })
  expect(memory.read()).toBe('one')
  consents(true)
  expect(stored()).toBe('one')
  consents(false)
  expect(localStorage.length).toBe(0)
  localStorage.setItem(name, 'one')
  make({ consent: 'refused' })
  expect([localStorage.length, memory.read()]).toEqual([0, undefined])
})

it('what the visitor chose lasts as long as the page where the browser has no storage', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  for (const method of ['getItem', 'setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(denied)
  make()
  memory.keep('one')
  make()
  expect(memory.read()).toBe('one')
  memory.keep(undefined)
  expect(memory.read()).toBeUndefined()
})
