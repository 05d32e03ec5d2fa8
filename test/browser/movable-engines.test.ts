// The panel that its visitor moves and resizes, in the engines that are no Chromium: by the arrow keys on its strip, kept over a
// reload. With a frame, which is of another site than the page.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, eventually, KEYS, program, type Window } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { type FrontDesk, startFrontDesk } from './front-desk.ts'
import { startWebKit } from './webkit.ts'

/** `intoFrame`: a script of the page moves the focus into the frame, by way of the frame's own process. In WebKit only a person does. */
const ENGINES = [
  { name: 'Firefox', intoFrame: true, missing: !program('firefox-esr', 'firefox'), start: startFirefox },
  {
    name: 'WebKit',
    intoFrame: false,
    missing: !program('WebKitWebDriver') || !program('Xvfb'),
    start: () => startWebKit(['--enable-itp=true']),
  },
]
const PATIENCE = 60_000
const ROOT = `document.querySelector('foyer-host')?.shadowRoot`
const LAUNCHER = `${ROOT}?.querySelector('button')`
const STRIP = `${ROOT}?.querySelector('dialog > header')?.shadowRoot`
const FRAME = `${ROOT}.querySelector('iframe')`
const GRIP = `${STRIP}?.querySelector('i + button')`

let desk: FrontDesk
beforeAll(async () => {
  desk = await startFrontDesk({ settings: { movable: 'true' } })
}, 240_000)
afterAll(() => desk?.close(), 120_000)

type Rect = { x: number; y: number; width: number; height: number }
const place = async (window: Window): Promise<Rect> =>
  (await window.read(
    'page',
    `(({ x, y, width, height }) => ({ x, y, width, height }))(${ROOT}.querySelector('dialog').getBoundingClientRect())`,
  )) as Rect
async function open(window: Window, intoFrame: boolean): Promise<void> {
  await eventually(() => window.click('page', LAUNCHER), PATIENCE)
  await eventually(async () => {
    expect(await window.read('page', `${ROOT}?.querySelector('dialog.ready') !== null && !!${GRIP}`)).toBe(
      true,
    )
  }, PATIENCE)
  // The opening leads the focus into the frame. Given to the strip before that, it would be taken away again.
  await eventually(
    async () => expect(await window.read('page', `${ROOT}?.activeElement?.localName ?? null`)).toBe('iframe'),
    PATIENCE,
  )
  if (intoFrame)
    await eventually(async () => {
      const entered = await window.read('frame', 'document.hasFocus()')
      // A busy Firefox may forget that it was asked to enter the frame.
      if (!entered) await window.read('page', `void (${ROOT}.activeElement?.blur(), ${FRAME}.focus())`)
      expect(entered).toBe(true)
    }, PATIENCE)
}
/** Gives the strip the focus, and waits until it has it and the panel has come to rest. */
async function onStrip(window: Window): Promise<void> {
  await eventually(async () => {
    await window.read('page', `void ${GRIP}.focus()`)
    expect(await window.read('page', `${STRIP}.activeElement === ${GRIP}`)).toBe(true)
    expect(
      await window.read(
        'page',
        `${ROOT}.querySelector('dialog').getAnimations().every(({ playState }) => playState === 'finished')`,
      ),
    ).toBe(true)
  }, PATIENCE)
}

describe.each(ENGINES)('$name', ({ intoFrame, missing, start }) => {
  let engine: Engine
  beforeAll(async () => {
    if (!missing) engine = await start()
  }, 240_000)
  afterAll(() => engine?.close(), 120_000)

  it.skipIf(missing)(
    'the arrow keys on the strip move and resize the panel, Escape closes it, and a reload keeps its place',
    async () => {
      const window = await engine.open({ width: 1200, height: 900 })
      await window.go(desk.address.frame)
      await open(window, intoFrame)
      await onStrip(window)
      const before = await place(window)
      await window.press(KEYS.left + KEYS.left)
      await eventually(async () => expect((await place(window)).x).toBeCloseTo(before.x - 48, 0), PATIENCE)
      await window.press(KEYS.left, KEYS.shift)
      const moved = { ...before, x: before.x - 72, width: before.width + 24 }
      await eventually(async () => {
        const now = await place(window)
        for (const side of ['x', 'y', 'width', 'height'] as const)
          expect(now[side]).toBeCloseTo(moved[side], 0)
      }, PATIENCE)
      // The strip is on the surface of the panel, and the frame fills the rest.
      const rest = (await window.read(
        'page',
        `(() => { const [strip, frame] = ['dialog > header', 'iframe'].map((each) => ${ROOT}.querySelector(each).getBoundingClientRect()); return [strip.height, frame.top - strip.bottom, frame.width - strip.width] })()`,
      )) as number[]
      expect(rest.map(Math.round)).toEqual([24, 0, 0])

      await window.press(KEYS.escape)
      await eventually(
        async () => expect(await window.read('page', `${ROOT}.querySelector('dialog').inert`)).toBe(true),
        PATIENCE,
      )
      // What is kept is asked about at the BFF first.
      await eventually(
        async () =>
          expect(await window.read('page', `JSON.stringify({ ...localStorage })`)).toContain(':place'),
        PATIENCE,
      )
      await window.reload()
      await open(window, intoFrame)
      await eventually(async () => {
        const now = await place(window)
        for (const side of ['x', 'width'] as const) expect(now[side]).toBeCloseTo(moved[side], 0)
      }, PATIENCE)
      await window.close()
    },
    300_000,
  )
})
