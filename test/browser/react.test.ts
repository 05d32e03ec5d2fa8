// An app with the built entry `foyer-webchat/react` and a development build of React: one chat, which follows its props and goes with them.

import { createServer, type Server as HttpServer } from 'node:http'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countLeftovers, leftoversOf } from './leftovers.ts'
import { App, type Shown } from './react-app.ts'
import { counted, freePort, panelOf, type Server, sessionOf, useBrowser } from './world.ts'

const root = resolve(import.meta.dirname, '../..')
const { start, visit } = useBrowser()
let server: Server
let pages: HttpServer
let site: string
let code = ''
let html = ''

beforeAll(async () => {
  const port = await freePort()
  site = `http://127.0.0.1:${port}`
  ;[server, code] = await Promise.all([start({ FOYER_UNFRAMED_ORIGINS: site }), buildApp()])
  pages = createServer(({ url }, response) => {
    const isCode = url === '/app.js'
    response.setHeader('content-type', `text/${isCode ? 'javascript' : 'html'}; charset=utf-8`)
    response.end(isCode ? code : html)
  })
  await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve))
})
afterAll(() => pages?.close())

/** The app as a site would build it to debug it, from the built entry. */
async function buildApp(): Promise<string> {
  const built = await build({
    ...{ configFile: false, root, publicDir: false, logLevel: 'error' },
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      alias: [
        { find: /^.*src\/embed\/react\/index\.ts$/, replacement: join(root, 'dist/foyer-webchat/react.js') },
      ],
    },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      modulePreload: false,
      lib: { entry: join(import.meta.dirname, 'react-app.ts'), formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [chunk] = 'close' in built ? [] : [built].flat().flatMap(({ output }) => output)
  return chunk?.type === 'chunk' ? chunk.code : ''
}

const SHOWN = (): Shown => ({ origin: server.origin })

/** `drawn`: a server has drawn the app, with the chat that is shown. */
async function at(shown: Shown | undefined, drawn = false) {
  const sent = drawn ? renderToString(createElement(App, { first: shown })) : ''
  html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Larkspur Cycles</title><link rel="icon" href="data:,"><style>.tall{height:400px}</style><div id="root">${sent}</div><script type="module">import { run } from '/app.js'; run(${JSON.stringify(shown)})</script></html>`
  const visited = await visit()
  await countLeftovers(visited.page)
  await visited.page.goto(site)
  await visited.page.getByRole('button', { name: 'Talk to us' }).waitFor()
  return {
    ...visited,
    /** Nothing threw, and neither React nor the chat said a word. */
    async leave() {
      expect(visited.traces.errors).toEqual([])
      expect(visited.traces.console.filter((line) => !/React DevTools/.test(line))).toEqual([])
      await visited.context.close()
    },
  }
}

const show = (page: Page, shown: Shown | undefined) =>
  page.evaluate((next) => (window as unknown as { show(next: unknown): void }).show(next), shown)
const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' })
const talk = (page: Page) => page.getByRole('button', { name: 'Talk to us' })
const told = (page: Page, state: string) =>
  page.getByRole('status').getByText(state, { exact: true }).waitFor()
const composer = (page: Page, name = 'Message') => panelOf(page, 'frame').getByRole('textbox', { name })
async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
  await panelOf(page, 'frame').getByText(text, { exact: true }).waitFor()
}
const isSame = (page: Page) => page.evaluate('document.querySelector("foyer-host") === window.kept')
const keep = (page: Page) => page.evaluate('window.kept = document.querySelector("foyer-host"); 0')

describe('in StrictMode', () => {
  it('a button elsewhere opens the one chat, and learns its state; new props leave the conversation as it is', async () => {
    const { page, traces, leave } = await at(SHOWN())
    await counted(() => launcher(page).count(), 1)
    await keep(page)
    await told(page, 'closed')
    await talk(page).click()
    await told(page, 'open, live')
    await say(page, 'hello')
    expect(await composer(page).getAttribute('placeholder')).toBe('Ask about your bicycle')
    await show(page, { ...SHOWN() })
    await show(page, { ...SHOWN(), locale: 'de' })
    await composer(page, 'Nachricht').waitFor()
    await panelOf(page, 'frame').getByText('hello', { exact: true }).waitFor()
    expect(await isSame(page)).toBe(true)
    expect(traces.sockets).toHaveLength(1)
    await expect.poll(() => page.evaluate('heard')).toContainEqual(['message', 'agent'])
    await leave()
  })

  it('an option that only a beginning takes begins the chat anew, and the conversation goes on', async () => {
    const { page, traces, leave } = await at(SHOWN())
    await keep(page)
    await talk(page).click()
    await say(page, 'hello')
    await told(page, 'open, live')
    await show(page, { ...SHOWN(), position: 'left' })
    await counted(() => traces.sockets.length, 2)
    expect(new Set(traces.sockets.map(sessionOf)).size).toBe(1)
    await panelOf(page, 'frame').getByText('hello', { exact: true }).waitFor()
    await told(page, 'open, live')
    expect(await page.locator('foyer-host').count()).toBe(1)
    expect(await isSame(page)).toBe(false)
    await leave()
  })

  it('a press before the chat is on the page opens it once it is', async () => {
    const { page, leave } = await at(undefined)
    await talk(page).click()
    await told(page, 'closed')
    await show(page, SHOWN())
    await told(page, 'open, live')
    await leave()
  })

  it('a chat that goes leaves no element, listener, timer or socket', async () => {
    const { page, leave } = await at(undefined)
    const left = () => leftoversOf(page)
    await expect.poll(async () => (await left()).timers).toBe(0)
    const before = await left()
    for (let round = 0; round < 2; round++) {
      await show(page, SHOWN())
      await talk(page).click()
      await told(page, 'open, live')
      await say(page, `hello ${round}`)
      expect((await left()).elements).toBe(1)
      await show(page, undefined)
      await told(page, 'closed')
      await expect.poll(left).toEqual(before)
    }
    await leave()
  })
})

describe('HTML that a server has drawn', () => {
  it('is taken up without a word, and the chat that is embedded stands in its element', async () => {
    const { page, leave } = await at({ ...SHOWN(), layout: 'embedded', className: 'tall' }, true)
    expect(html).toMatch(/<div id="[^"]+" class="tall"><\/div>/)
    await told(page, 'open, live')
    await say(page, 'hello')
    const heights = () =>
      page.evaluate(() =>
        ['.tall', '.tall > foyer-host'].map((each) => document.querySelector(each)?.clientHeight),
      )
    expect(await heights()).toEqual([400, 400])
    await show(page, undefined)
    await counted(() => page.locator('foyer-host, .tall').count(), 0)
    await leave()
  })

  it('has nothing of a chat that floats, which comes all the same', async () => {
    const { page, leave } = await at(SHOWN(), true)
    expect(html).toContain('<output>closed</output></p></div>')
    await launcher(page).click()
    await told(page, 'open, live')
    await leave()
  })
})

it('without a frame, parts are drawn by the functions of the newest props', async () => {
  const shown: Shown = { ...SHOWN(), isolation: 'none' }
  const { page, leave } = await at({ ...shown, heading: 'The old workshop' })
  await show(page, { ...shown, heading: 'Ask the workshop' })
  await talk(page).click()
  await page.getByRole('heading', { name: 'Ask the workshop' }).waitFor()
  await show(page, { ...shown, heading: 'Ask Fern' })
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('hello')
  await field.press('Enter')
  await page.locator('b', { hasText: 'Ask Fern' }).waitFor()
  await expect.poll(() => page.evaluate('heard')).toContainEqual(['Ask Fern', 'agent'])
  await leave()
})
