// A long history in WebKit and Firefox: messages that the engine skips while they are far from the screen are there once a reader scrolls to
// them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOf } from '../../scripts/programs.mjs'
import { type Engine, eventually } from '../browser/engine.ts'
import { startToldService } from '../browser/service.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const ENGINES = [
  {
    name: 'WebKit',
    missing: !pathOf('WebKit'),
    start: () => startWebKit(),
  },
  { name: 'Firefox', missing: !pathOf('Firefox'), start: startFirefox },
]
const PATIENCE = 60_000
const COUNT = 3_150
/** No message is lower than its line. */
const LINE = 22

describe.each(ENGINES)('$name', { timeout: 300_000 }, ({ missing, start }) => {
  let engine: Engine
  beforeAll(async () => {
    if (!missing) engine = await start()
  })
  afterAll(() => engine?.close())

  // It was WebKit that gave skipped groups no height.
  it.skipIf(missing)('has all of a long history when it is scrolled through', async () => {
    const service = await startToldService()
    service.say('SESSION_START', { capabilities: { streaming: true } })
    for (let n = 1; n <= COUNT; n++)
      service.say(n % 2 ? 'USER_MESSAGE' : 'POLY_AGENT_MESSAGE', { message_id: `m${n}`, text: `No ${n}.` })
    const window = await engine.open({ width: 900, height: 900 })
    await window.go(service.site)
    const launcher = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('button[aria-label="Open chat"]')`
    await eventually(() => window.click('page', launcher), PATIENCE)
    const count = () => window.read('frame', `document.querySelectorAll('article').length`)
    await eventually(async () => expect(await count()).toBe(COUNT), PATIENCE)

    const box = `document.querySelector('.scroll')`
    /** The groups that are too low for their messages, once the reader is at `place`. */
    const lowAt = async (place: string) => {
      const low = `[...document.querySelectorAll('.group')]
        .map((each) => [each.className, each.getBoundingClientRect().height, each.querySelectorAll('article').length])
        .filter(([, height, count]) => height < count * ${LINE})`
      const act = `(${box}.scrollTop = ${place}, JSON.stringify([${box}.scrollTop, ${low}]))`
      return JSON.parse(String(await window.read('frame', act))) as [top: number, low: unknown[]]
    }
    await window.read(
      'frame',
      `(window.drawn = 0, requestAnimationFrame(function step() { drawn++; requestAnimationFrame(step) }), 1)`,
    )
    for (const part of [0.5, 0.4, 0.3, 0.2, 0.1, 0]) {
      await lowAt(`${box}.scrollHeight * ${part}`)
      const from = Number(await window.read('frame', 'drawn'))
      // The engine lays groups out, and skips others, some frames after the reader has scrolled.
      await eventually(
        async () => expect(await window.read('frame', 'drawn')).toBeGreaterThan(from + 10),
        PATIENCE,
      )
      expect((await lowAt(`${box}.scrollTop`))[1]).toEqual([])
    }
    const isSeen = `(() => {
      const { top, bottom } = ${box}.getBoundingClientRect()
      const first = document.querySelector('article').getBoundingClientRect()
      return first.top >= top && first.bottom <= bottom
    })()`
    await eventually(async () => expect(await window.read('frame', isSeen)).toBe(true), PATIENCE)
    await window.close()
    service.close()
  })
})
