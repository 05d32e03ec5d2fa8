import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { startChromium } from './chromium.ts'
import type { Engine } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { type FrontDesk, startFrontDesk } from './front-desk.ts'
import { journey } from './journey.ts'
import { personAt } from './person.ts'
import { startWebKit } from './webkit.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

const startITP = () => startWebKit(['--enable-itp=true'])

let desk: FrontDesk
beforeAll(async () => {
  desk = await startFrontDesk({ settings: { rating: 'stars' } })
})
afterAll(() => desk?.close())

/** Where the focus is once the chat is open: on a phone a focused field would raise the keyboard over the greeting. */
const FIELD = { frame: 'textbox Message', none: 'textbox Message' }
const PANEL = { frame: 'dialog Chat', none: 'dialog Chat' }
/** WebKit lets no script focus anything in a frame of another site. The first key that is pressed there leads to the field. */
const FIRST_KEY = { frame: 'nothing', none: 'textbox Message' }
const FIRST_KEY_PHONE = { frame: 'nothing', none: 'dialog Chat' }

describe.each([
  { name: 'Chromium', hands: 'keys', start: () => startChromium(), size: DESKTOP, opened: FIELD },
  {
    name: 'Chromium',
    hands: 'touch',
    start: () => startChromium({ touch: true }),
    size: PHONE,
    opened: PANEL,
  },
  { name: 'Firefox', hands: 'keys', start: startFirefox, size: DESKTOP, opened: FIELD },
  { name: 'Firefox', hands: 'touch', start: startFirefox, size: PHONE, opened: PANEL },
  { name: 'WebKit', hands: 'keys', start: startITP, size: DESKTOP, opened: FIRST_KEY },
  { name: 'WebKit', hands: 'keys', start: startITP, size: PHONE, opened: FIRST_KEY_PHONE },
] as const)('$name by $hands, $size.width px', ({ start, hands, size, opened }) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine?.close())

  afterEach(() => desk.clear())
  it.each(['frame', 'none'] as const)(
    'goes the whole way, isolation %s',
    { timeout: 240_000 },
    async (isolation) => {
      const window = await engine.open(size)
      await window.go(desk.address[isolation])
      const begun = performance.now()
      const seen = await journey(personAt(window, isolation, hands, opened[isolation]), desk.desk)
      console.log(isolation, hands, Math.round(performance.now() - begun), JSON.stringify(seen, null, 1))
      await window.close()
    },
  )
})
