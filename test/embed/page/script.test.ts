// The script tag on a page whose HTML and scripts took every name before it.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { amendBy } from '../../../src/embed/page/off.ts'

beforeAll(() => {
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, onchange: null }),
    CSS: { supports: () => false },
  })
  Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} })
  document.adoptedStyleSheets = []
})

const page = window as unknown as Record<string, unknown>
const KEY = 'foyer:https://chat.example.com/'

/** Runs the script as a tag of this address and these attributes. `off`: the connectors that are switched off. */
async function run(
  src = 'https://chat.example.com/foyer.js',
  data: Record<string, string> = {},
  off?: readonly string[],
) {
  const script = document.createElement('script')
  script.type = 'inert'
  script.src = src
  Object.assign(script.dataset, data)
  vi.spyOn(Document.prototype, 'currentScript', 'get').mockReturnValue(script)
  vi.resetModules()
  if (off) {
    const { startScript } = await import('../../../src/embed/page/start.ts')
    startScript(amendBy(off))
  } else await import('../../../src/embed/page/script.ts')
  await Promise.resolve()
}
const hosts = () => document.querySelectorAll('foyer-host').length
const keys = () => Object.keys((page.Foyer as { all: object }).all)

beforeEach(() => {
  document.body.replaceChildren()
  delete page.Foyer
  delete page.foyerSettings
  sessionStorage.clear()
})
afterEach(() => vi.restoreAllMocks())

it('the script, included twice, is one chat; with another connector it is a second', async () => {
  await run()
  await run()
  expect(hosts()).toBe(1)
  await run('https://chat.example.com/foyer.js?connector=shop')
  await run('https://chat.example.com/foyer.js', { connector: 'shop' })
  expect(hosts()).toBe(2)
  expect(keys()).toEqual([KEY, `${KEY}shop`])
})

it.each([
  '<a id="foyerSettings" href="https://evil.example" data-origin="https://evil.example"></a>',
  '<form id="foyerSettings"><input name="origin" value="https://evil.example"></form>',
  '<img name="foyerSettings" alt="https://evil.example"><img name="foyerSettings" alt="x">',
  '<img name="currentScript" src="https://evil.example/foyer.js">',
  '<form name="currentScript"><input name="src" value="https://evil.example/foyer.js"></form>',
  '<iframe name="Foyer"></iframe><a id="Foyer" href="https://evil.example"></a>',
  '<object id="Foyer"></object><embed name="foyerSettings">',
])('the script takes nothing from %s', async (html) => {
  document.body.innerHTML = html
  await run()
  expect(keys()).toEqual([KEY])
  expect(hosts()).toBe(1)
})

it('the script takes no settings that are inherited', async () => {
  page.foyerSettings = Object.create({ origin: 'https://evil.example' })
  await run()
  expect(keys()).toEqual([KEY])
})

it('the script counts its own attributes more than the settings of the page, and these more than its address', async () => {
  page.foyerSettings = { origin: 'https://two.example.com', connector: 'two' }
  await run('https://chat.example.com/foyer.js?connector=one&origin=https://one.example.com', {
    origin: 'https://three.example.com',
  })
  expect(keys()).toEqual(['foyer:https://three.example.com/two'])
})

it('the script answers what was asked before it was here, once, and forgets nothing that was asked wrongly', async () => {
  page.Foyer = Object.assign(() => {}, { q: [['hide'], ['nothing of this name'], ['show'], []] })
  await run()
  expect(hosts()).toBe(1)
  expect(document.querySelector<HTMLElement>('foyer-host')?.dataset.foyerState).not.toContain('hidden')
})

describe('the script loaded again after destroy()', () => {
  type Foyer = ((command: string) => void) & {
    destroy(): void
    getState(): { open: boolean }
    all: Record<string, { destroy(): void; open(): void }>
  }
  const foyer = () => page.Foyer as Foyer

  it('is a chat as at first, which window.Foyer stands for, as often as a router does that', async () => {
    for (let round = 0; round < 3; round++) {
      await run()
      expect(hosts()).toBe(1)
      foyer()('open')
      expect(foyer().getState().open).toBe(true)
      foyer().destroy()
      expect([hosts(), keys()]).toEqual([0, []])
      // Nothing is left to open or to destroy.
      foyer()('open')
      foyer().destroy()
    }
  })

  it('stands for the next chat, also one of another connector', async () => {
    await run()
    foyer().destroy()
    await run('https://chat.example.com/foyer.js?connector=shop')
    foyer()('open')
    expect([keys(), foyer().getState().open]).toEqual([[`${KEY}shop`], true])
  })

  it('leaves the other chat of the page alone', async () => {
    await run()
    await run('https://chat.example.com/foyer.js?connector=shop')
    foyer().all[`${KEY}shop`]?.destroy()
    expect(keys()).toEqual([KEY])
    await run('https://chat.example.com/foyer.js?connector=shop')
    foyer()('open')
    expect([hosts(), keys(), foyer().getState().open]).toEqual([2, [KEY, `${KEY}shop`], true])
    foyer().destroy()
    await run('https://chat.example.com/foyer.js?connector=shop')
    expect([hosts(), keys()]).toEqual([1, [`${KEY}shop`]])
    await run()
    expect([hosts(), keys(), foyer().getState().open]).toEqual([2, [`${KEY}shop`, KEY], false])
  })
})

describe('the script of a chat that is switched off', () => {
  const tag = 'https://chat.example.com/foyer.js'
  /** Whether the launcher can be seen, and whether the chat has opened by itself. */
  const shown = () => {
    const button = document.querySelector('foyer-host')?.shadowRoot?.querySelector('button')
    return {
      launcher: button?.hidden === false,
      open: (page.Foyer as { getState(): { open: boolean } }).getState().open,
    }
  }

  it.each<[string, string, Record<string, string>, object | undefined]>([
    ['an attribute', tag, { connector: 'shop' }, undefined],
    ['its address', `${tag}?connector=shop`, {}, undefined],
    ['the settings of the page', tag, {}, { connector: 'shop' }],
  ])(
    'named by %s, draws no launcher, and nothing happens before somebody wants it',
    async (_, src, data, given) => {
      page.foyerSettings = given
      const load = vi.spyOn(console, 'warn').mockImplementation(() => {})
      await run(src, { ...data, autoOpen: 'true', teaser: 'May we help?', prepare: 'idle' }, ['bank', 'shop'])
      await vi.waitFor(() => expect(hosts()).toBe(1))
      expect(shown()).toEqual({ launcher: false, open: false })
      // A script of the page that is not there says so.
      expect(load.mock.calls).toEqual([])
    },
  )

  it('opens where a script of the page wants it, or where the page is the chat', async () => {
    await run(tag, {}, [''])
    ;(page.Foyer as (command: string) => void)('open')
    expect(shown()).toEqual({ launcher: false, open: true })
    document.body.replaceChildren()
    delete page.Foyer
    await run(tag, { layout: 'fullscreen' }, [''])
    await vi.waitFor(() => expect(shown().open).toBe(true))
  })

  it('is as always where a conversation of the page before goes on', async () => {
    sessionStorage[`${KEY}shop`] = 'closed'
    await run(tag, { connector: 'shop' }, ['shop'])
    expect(shown()).toEqual({ launcher: true, open: false })
  })

  it.each<[string, Record<string, string>]>([
    ['of another connector', { connector: 'bank' }],
    ['without a name', {}],
    ['of another BFF', { connector: 'shop', origin: 'https://other.example.com' }],
  ])('leaves a chat %s as it is', async (_, data) => {
    await run(tag, data, ['shop'])
    expect(shown()).toEqual({ launcher: true, open: false })
  })
})
