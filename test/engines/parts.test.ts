// Firefox asks no second time for a module whose request failed: the panel and its parts are there all the same once they can be had.
// It also loses what a frame stores first as its page goes.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { pathOf } from '../../scripts/programs.mjs'
import { type Engine, eventually, KEYS } from '../browser/engine.ts'
import { startToldService } from '../browser/service.ts'
import { startFirefox } from './firefox.ts'

const PATIENCE = 60_000
const missing = !pathOf('Firefox')
let engine: Engine
beforeAll(async () => {
  if (!missing) engine = await startFirefox()
}, 240_000)
afterAll(() => engine?.close(), 120_000)

it.skipIf(missing).each([1, 2])('parts that answer 503 %i times are there later in Firefox', async (most) => {
  const asked = new Map<string, number>()
  const service = await startToldService((path) => {
    const [, part] = /\/(markdown-part|extras)-[\w-]+\.js/.exec(path) ?? []
    if (!part) return false
    asked.set(part, (asked.get(part) ?? 0) + 1)
    return (asked.get(part) ?? 0) <= most
  })
  const window = await engine.open({ width: 900, height: 900 })
  await window.go(service.site)
  const launcher = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('button[aria-label="Open chat"]')`
  await eventually(() => window.click('page', launcher), PATIENCE)
  await service.ready
  service.say('POLY_AGENT_MESSAGE', { message_id: 'a1', text: 'It is **on its way**.' })
  const drawn = (what: string) =>
    eventually(async () => {
      if (!(await window.read('frame', `!!document.querySelector(${JSON.stringify(what)})`)))
        throw new Error(`There is no ${what} after ${JSON.stringify([...asked])}`)
    }, PATIENCE)
  await drawn('article strong')
  // The time, for a screen reader.
  await eventually(
    async () =>
      expect(await window.read('frame', `document.querySelector('article')?.textContent`)).toMatch(/\d:\d\d/),
    PATIENCE,
  )
  await eventually(
    () => window.click('frame', `document.querySelector('button[aria-label="More"]')`),
    PATIENCE,
  )
  await drawn('[role=menuitem]')
  expect(asked.get('extras')).toBeGreaterThan(most)
  await window.close()
  service.close()
})

it.skipIf(missing).each([
  ['de', { locale: 'de' }],
  ['de', { locale: 'de', accent: '#cc0033', agentName: 'Fern' }],
] as const)(
  'a chat whose %s file answers 503 twice is there later in Firefox, with %j',
  async (part, options) => {
    let asked = 0
    const service = await startToldService(
      (path) => new RegExp(`/${part}-[\\w-]+\\.js`).test(path) && ++asked <= 2,
    )
    const window = await engine.open({ width: 900, height: 900 })
    await window.go(service.site)
    await window.read('page', `(Foyer.update(${JSON.stringify(options)}), 1)`)
    const launcher = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('button')`
    await eventually(() => window.click('page', launcher), PATIENCE)
    const found = `JSON.stringify([
      document.querySelector('textarea')?.getAttribute('aria-label'),
      !!document.querySelector('.foyer')?.style.getPropertyValue('--accent'),
    ])`
    const wanted = ['Nachricht', 'accent' in options]
    await eventually(async () => {
      expect(JSON.parse(String(await window.read('frame', found)))).toEqual(wanted)
      expect(service.heard.some(({ name }) => name === 'REQUEST_POLY_AGENT_JOIN')).toBe(true)
    }, PATIENCE)
    expect(asked).toBeGreaterThan(2)
    await window.close()
    service.close()
  },
)

it.skipIf(missing)('a reload keeps what is filled in before a chat in Firefox', async () => {
  const service = await startToldService()
  const window = await engine.open({ width: 900, height: 900 })
  const launcher = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('button')`
  const field = `document.querySelector('form input')`
  async function visit() {
    await eventually(() => window.read('page', `void Foyer.update({ form: '[{"label":"Name"}]' })`), PATIENCE)
    await eventually(() => window.click('page', launcher), PATIENCE)
    await eventually(
      async () => expect(await window.read('frame', `!!${field}?.checkVisibility()`)).toBe(true),
      PATIENCE,
    )
  }
  await window.go(service.site)
  await visit()
  await window.click('frame', field)
  await window.press('Zora')
  await eventually(async () => expect(await window.read('frame', `${field}.value`)).toBe('Zora'), PATIENCE)
  await window.press(KEYS.tab)
  await window.reload()
  await visit()
  await eventually(async () => expect(await window.read('frame', `${field}.value`)).toBe('Zora'), PATIENCE)
  await window.close()
  service.close()
})
