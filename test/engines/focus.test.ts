// Where the focus is in the engines that are no Chromium: Firefox focuses nothing that is still to become visible, WebKit lets no
// script focus a field in a frame of another site before a key was pressed there. A visitor who opens the chat can type at once.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOf } from '../../scripts/programs.mjs'
import { type Engine, eventually } from '../browser/engine.ts'
import { freePort, ONE_DOCUMENT, type Server, startServer } from '../browser/world.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const ENGINES = [
  { name: 'Firefox', missing: !pathOf('Firefox'), start: startFirefox },
  {
    name: 'WebKit',
    missing: !pathOf('WebKit'),
    start: () => startWebKit(['--enable-itp=true']),
  },
]
const ROUNDS = 12
const PATIENCE = 60_000
const ESCAPE = '\uE00C'
const LAUNCHER = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('button[aria-label="Open chat"]')`
const FOCUSED = `document.querySelector('foyer-host')?.shadowRoot?.activeElement?.localName ?? null`
/** What is pressed all over the pill, 3 and more pixels from its rim. */
const RIMS = `(() => {
  const { left, top, bottom, height } = document.querySelector('form.composer').getBoundingClientRect()
  const right = document.querySelector('form.composer button').getBoundingClientRect().left - 6
  const middle = top + height / 2
  return [[left + 24, top + 3], [left + 24, bottom - 3], [left + 4, middle], [left + 14, middle], [right, top + 3], [right, bottom - 3]]
    .map(([x, y]) => document.elementFromPoint(x, y).localName)
})()`
const COMPOSER = `document.querySelector('textarea')`

let server: Server
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-focus-'))
  server = await startServer(await freePort(), folder, {}, ONE_DOCUMENT)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe.each(ENGINES)('$name', ({ missing, start }) => {
  let engine: Engine
  beforeAll(async () => {
    if (!missing) engine = await start()
  })
  afterAll(() => engine?.close())

  it.skipIf(missing)(
    'each opening leads to the composer, without a click, and each closing back to the launcher',
    async () => {
      const window = await engine.open()
      await window.go(`${server.origin}/embed.html`)
      let typed = ''
      const rims: unknown[] = []
      for (let round = 0; round < ROUNDS; round++) {
        await eventually(() => window.click('page', LAUNCHER), PATIENCE)
        await eventually(async () => {
          if (!(await window.read('frame', `!!${COMPOSER}`))) throw new Error('There is no composer yet')
          expect(await window.read('page', FOCUSED)).toBe('iframe')
        }, PATIENCE)
        const letter = String.fromCharCode(97 + round)
        typed += letter
        await window.press(letter)
        await eventually(
          async () => expect(await window.read('frame', `${COMPOSER}.value`)).toBe(typed),
          PATIENCE,
        )
        rims.push(await window.read('frame', RIMS))
        await window.press(ESCAPE)
        await eventually(async () => expect(await window.read('page', FOCUSED)).toBe('button'), PATIENCE)
      }
      // The whole pill is the field.
      expect(rims).toEqual(Array(ROUNDS).fill(Array(6).fill('textarea')))
      await window.close()
    },
    240_000,
  )
})
