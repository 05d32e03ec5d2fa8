// Pages as they are found: with names, styles and policies of their own, and with a network that fails.

import { createServer, type Server as HttpServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isLong, some } from '../long.ts'
import { counted, focused, frameOf, freePort, panelOf, type Server, useBrowser } from './world.ts'

const { start, visit } = useBrowser()
let server: Server
let pages: HttpServer
let site: string
/** Another origin, which wants its script to run. */
let evil: string
let evilServer: HttpServer
let asked: string[]
let html = ''
let policy = ''
/** Further headers of the page. */
let more: Record<string, string> = {}

const listen = async (answer: Parameters<typeof createServer>[1]) => {
  const made = createServer(answer as never)
  const port = await freePort()
  await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve))
  return { made, origin: `http://127.0.0.1:${port}` }
}

beforeAll(async () => {
  server = await start()
  ;({ made: pages, origin: site } = await listen((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (policy) response.setHeader('content-security-policy', policy)
    for (const [name, value] of Object.entries(more)) response.setHeader(name, value)
    response.end(`<!doctype html><html lang="en"><title>A page</title><body>${html}</body></html>`)
  }))
  ;({ made: evilServer, origin: evil } = await listen((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', request.url?.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.end(request.url?.endsWith('.js') ? 'window.pwned = true' : '')
  }))
})
afterAll(() => {
  pages?.close()
  evilServer?.close()
})
beforeEach(() => {
  asked = []
  policy = ''
  more = {}
})

const tag = (attributes = '') => `<script src="${server.origin}/foyer.js" ${attributes}></script>`
const openChat = (page: Page) => page.getByRole('button', { name: 'Open chat' }).click()
const composer = (page: Page) => panelOf(page, 'frame').getByRole('textbox', { name: 'Message' })
const says = (page: Page, text: string) => page.locator('foyer-host').getByText(text)

/** Requests that match wait until the returned function is called. */
async function holdBack(page: Page, files: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(files, async (route) => {
    await held
    await route.continue()
  })
  return () => release()
}

async function at(body: string, options?: Parameters<typeof visit>[0]) {
  html = body
  const visited = await visit(options)
  await visited.page.goto(site)
  return visited
}

it('a page that names the integrity of one version’s script, as the embed page shows it, has the chat, and none where the bytes differ', async () => {
  const shown = await (await fetch(`${server.origin}/embed.html`)).text()
  const [, pinned = ''] = /&lt;(script src="[^"]+\/foyer\/v\/[\s\S]*?)&gt;/.exec(shown) ?? []
  const [, address] = /src="([^"]+)"/.exec(pinned) ?? []
  expect(pinned).toContain(`crossorigin="anonymous"`)
  html = `<${pinned}></script>`
  const { page } = await visit()
  await page.goto(site)
  await openChat(page)
  await composer(page).waitFor()

  html = `<script src="${address}" integrity="sha384-${'A'.repeat(64)}" crossorigin="anonymous"></script>`
  const refused = page.waitForEvent('console', (said) => said.text().includes('integrity'))
  await page.reload()
  await refused
  expect(await page.locator('foyer-host').count()).toBe(0)
})

describe('names that the page’s HTML gives away', () => {
  const NAMES = ['currentScript', 'foyerSettings', 'Foyer', 'origin']
  const element: Record<string, (name: string) => string> = {
    a: (name) => `<a id="${name}" name="${name}" href="${evil}/x.js">a</a>`,
    area: (name) => `<map><area id="${name}" name="${name}" href="${evil}/x.js" alt=""></map>`,
    img: (name) => `<img id="${name}" name="${name}" src="${evil}/picture.png" alt="">`,
    form: (name) =>
      `<form id="${name}" name="${name}" action="${evil}"><input name="origin" value="${evil}"><input name="src" value="${evil}/x.js"><input name="dataset"><input name="q"><input name="all"></form>`,
    embed: (name) => `<embed id="${name}" name="${name}" src="${evil}/embed">`,
    object: (name) => `<object id="${name}" name="${name}" data="${evil}/object"></object>`,
    iframe: (name) => `<iframe id="${name}" name="${name}" src="${evil}/frame"></iframe>`,
  }

  const MIXED = { currentScript: 'form', foyerSettings: 'form', Foyer: 'iframe', origin: 'a' }
  const kindsOf: [string, Record<string, string>][] = [
    ['of several kinds', MIXED],
    ...Object.keys(element).map((kind): [string, Record<string, string>] => [
      kind,
      Object.fromEntries(NAMES.map((name) => [name, kind])),
    ]),
  ]
  it.each(some(kindsOf, kindsOf.length))('lead no script of another origin here: %s', async (_, given) => {
    const names = NAMES.map((name) => element[given[name] ?? '']?.(name))
    const { context, page, traces } = await at(`${names.join('')}${tag()}`)
    await openChat(page)
    await composer(page).waitFor()
    const src = await page.locator('iframe[title="Chat"]').getAttribute('src')
    expect(src?.startsWith(`${server.origin}/foyer/frame?`)).toBe(true)
    expect(asked.filter((path) => path.startsWith('/foyer') || path.endsWith('.js'))).toEqual([])
    expect(await page.evaluate(() => [typeof window.Foyer, 'pwned' in window] as unknown)).toEqual([
      'function',
      false,
    ])
    expect(traces.errors).toEqual([])
    await context.close()
  })

  it('and what a script added to every object stand behind the tag’s own attributes, and the stub’s calls are kept', async () => {
    const { context, page } = await at(
      `<script>Object.prototype.origin = '${evil}'; Object.prototype.isolation = 'none'; window.Foyer=function(){(Foyer.q=Foyer.q||[]).push(arguments)};foyerSettings={locale:'ar',theme:'dark'};Foyer('open')</script>${tag('data-locale="de"')}`,
    )
    await panelOf(page, 'frame').getByRole('textbox', { name: 'Nachricht' }).waitFor()
    expect(await page.locator('foyer-host').getAttribute('data-foyer-state')).toContain('dark')
    expect(asked.filter((path) => path.startsWith('/foyer'))).toEqual([])
    await context.close()
  })
})

describe.each(isLong ? ['require-corp', 'credentialless'] : ['require-corp'])(
  'a page whose Cross-Origin-Embedder-Policy is %s',
  (embedder) => {
    it.each(some([true, false], 2))(
      'has the chat, whether or not it is cross-origin isolated: %s',
      async (isolated) => {
        more = {
          'cross-origin-embedder-policy': embedder,
          ...(isolated && { 'cross-origin-opener-policy': 'same-origin' }),
        }
        const { context, page, traces } = await at(
          tag('data-locale="de" data-agent-name="Fern" data-auto-open="true"'),
        )
        expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated)
        const field = panelOf(page, 'frame').getByRole('textbox', { name: 'Nachricht' })
        await field.fill('How deep is the harbour?')
        await field.press('Enter')
        await panelOf(page, 'frame')
          .getByRole('log')
          .getByText(/I found nothing about that/)
          .waitFor()
        // Nothing of the panel was kept back.
        expect(traces.console.filter((line) => /^error|blocked|Foyer:/i.test(line))).toEqual([])
        expect(traces.errors).toEqual([])
        await context.close()
      },
    )
  },
)

describe('styles of the page', () => {
  it('reach nothing of the chat, whatever classes they name, and a colour that is none is not asked for', async () => {
    const words = ['float', 'light', 'dark', 'open', 'right', 'left', 'phone', 'hidden', 'undefined', 'foyer']
    const colour = `var(--x,url(${evil}/colour.png))`
    const { context, page } = await at(
      `<style>${words.map((word) => `.${word},#${word}`).join()}{display:none!important}</style>${tag(`data-accent="${colour}"`)}`,
    )
    await openChat(page)
    await composer(page).waitFor()
    await page.evaluate((accent) => window.Foyer.update({ accent }), colour)
    await page.evaluate(() => window.Foyer.update({ accent: 'rebeccapurple' }))
    const launcher = page.getByRole('button', { name: 'Close chat' })
    // As `oklch(0.44 0.16 303)`, since the launcher's ground is opaque whatever the accent is.
    await expect
      .poll(() => launcher.first().evaluate((element) => getComputedStyle(element).backgroundColor))
      .toMatch(/^oklch\(0\.440\d* 0\.160\d* 303\./)
    const frame = await frameOf(page)
    await expect
      .poll(() =>
        frame.evaluate(() =>
          document.querySelector<HTMLElement>('.foyer')?.style.getPropertyValue('--accent'),
        ),
      )
      .toBe('rgb(102 51 153)')
    expect(asked).toEqual([])
    expect(await page.locator('foyer-host').evaluate((element) => [element.className, element.id])).toEqual([
      '',
      '',
    ])
    await page.evaluate(() => window.Foyer.hide())
    await page.getByRole('button', { name: 'Close chat' }).first().waitFor({ state: 'hidden' })
    await page.evaluate(() => window.Foyer.show())
    await composer(page).waitFor()
    await context.close()
  })

  const rules = [
    ['zoomed', 'body{zoom:1.5}'],
    ['moved', 'body{transform:translate(40px,900px)}'],
    ['unset', '*{all:unset!important}'],
    ['of large type', 'html{font-size:40px;line-height:3}'],
    ['that does not scroll', 'html,body{overflow:hidden;height:100%}'],
  ] as const
  it('leave the whole panel in the window of a page that is zoomed, moved, unset, of large type or does not scroll', async () => {
    const { context, page } = await at(`<style id="own"></style>${tag()}`)
    await openChat(page)
    await composer(page).waitFor()
    for (const [which, rule] of rules) {
      await page.evaluate((text) => {
        const own = document.getElementById('own')
        if (own) own.textContent = text
      }, rule)
      const { x, y, width, height } = (await page.locator('iframe[title="Chat"]').boundingBox()) ?? {
        ...{ x: -1, y: -1, width: 0, height: 0 },
      }
      const isInside = [x >= 16, y >= 16, x + width <= 1264, y + height <= 724]
      expect([which, ...isInside]).toEqual([which, true, true, true, true])
      expect(height).toBeGreaterThan(550)
    }
    await context.close()
  })

  const heights = [
    ['without a height', '', 560],
    ['with a height', 'height:300px', 300],
    ['with a large height', 'height:640px', 640],
  ] as const
  it.each(some(heights, 3))('leave an embedded chat a usable height: target %s', async (_, style, height) => {
    const { context, page } = await at(
      `<div id="here" style="${style}"></div>${tag('data-layout="embedded" data-target="#here"')}`,
    )
    await composer(page).waitFor()
    const boxOf = (what: string) => page.locator(what).boundingBox()
    await expect.poll(async () => (await boxOf('iframe[title="Chat"]'))?.height).toBe(height)
    const [box, target] = [await boxOf('iframe[title="Chat"]'), await boxOf('#here')]
    expect(box?.width).toBeGreaterThan(1_000)
    expect([box?.x, box?.y]).toEqual([target?.x, target?.y])
    await context.close()
  })
})

describe('a chat that cannot be reached', () => {
  it('because the page’s policy allows no frame says so, once in the console with the cure', async () => {
    policy = `script-src ${server.origin}; frame-src 'none'`
    const { context, page, traces } = await at(tag())
    await openChat(page)
    await says(page, 'The chat can’t be reached right now.').waitFor()
    const lines = () => traces.console.filter((line) => line.includes('Foyer:'))
    await counted(() => lines().length, 1)
    expect(lines()[0]).toContain('frame-src')
    await page.locator('foyer-host').getByRole('button', { name: 'Close chat' }).last().click()
    await page.getByRole('button', { name: 'Open chat' }).waitFor()
    expect(lines()).toHaveLength(1)
    await context.close()
  })

  it('because the frame’s script fails is tried again by the visitor, and what was said is not lost', async () => {
    const { context, page } = await at(tag())
    await page.route('**/foyer/assets/first.js', (route) => route.abort())
    await openChat(page)
    await page.evaluate(() => window.Foyer.send('said into the dark'))
    await says(page, 'The chat can’t be reached right now.').waitFor()
    await page.unroute('**/foyer/assets/first.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await panelOf(page, 'frame').getByRole('log').getByText('said into the dark').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await context.close()
  })

  it('because the panel’s own code is slow takes what is typed meanwhile, and shows nothing else than the site chose', async () => {
    const { context, page } = await at(
      tag(
        `data-locale="ar" data-theme="dark" data-accent="#0a7" data-agent-name="Fern" data-words='{"menu":"☰"}'`,
      ),
    )
    const release = await holdBack(page, '**/foyer/assets/panel-*.js')
    // The service names its agent itself.
    const connect = await holdBack(page, '**/foyer/access-token')
    await page.locator('foyer-host').getByRole('button').click()
    const panel = page.locator('iframe').contentFrame()
    const field = panel.getByRole('textbox', { name: 'الرسالة' })
    await focused(field)
    // Letters of the driver's keyboard: it makes no keys of others.
    await page.keyboard.type('said early')
    await page.keyboard.press('Enter')
    await page.keyboard.type('salam')
    const look = () =>
      field.evaluate((each) => {
        const { className, dir } = each.closest('.foyer') as HTMLElement
        const language = each.closest<HTMLElement>('[lang]')?.lang
        return [className, dir, language, document.querySelector('h2')?.textContent]
      })
    expect(await look()).toEqual(['foyer dark', 'rtl', 'ar', 'Fern'])
    release()
    await panel.getByRole('button', { name: '☰' }).waitFor()
    expect(await look()).toEqual(['foyer dark', 'rtl', 'ar', 'Fern'])
    connect()
    await panel.getByRole('log').getByText('said early').waitFor()
    await expect.poll(() => field.evaluate((each) => document.activeElement === each)).toBe(true)
    await page.keyboard.type(', and late')
    await expect.poll(() => field.inputValue()).toBe('salam, and late')
    await context.close()
  })

  it.runIf(isLong)(
    'because the panel’s own code is slow leaves a visitor who went on with the page there',
    async () => {
      const { context, page } = await at(`<input aria-label="Search">${tag()}`)
      const release = await holdBack(page, '**/foyer/assets/panel-*.js')
      await openChat(page)
      await page.locator('foyer-host').getByRole('group').waitFor()
      // The first screen takes the focus when it comes. Only then does the visitor go on with the page.
      await focused(composer(page))
      const search = page.getByRole('textbox', { name: 'Search' })
      await search.click()
      await page.keyboard.type('abc')
      release()
      await panelOf(page, 'frame').getByRole('log').locator('article').first().waitFor()
      await page.keyboard.type('def')
      expect(await search.inputValue()).toBe('abcdef')
      expect(await composer(page).inputValue()).toBe('')
      await context.close()
    },
  )
})

describe('the tag', () => {
  it('twice is one chat, and with another connector a second', async () => {
    const { context, page } = await at(
      `${tag()}${tag()}${tag('data-connector="second" data-position="left"')}`,
    )
    await page.getByRole('button', { name: 'Open chat' }).nth(1).waitFor()
    expect(await page.locator('foyer-host').count()).toBe(2)
    await page.evaluate(() => window.Foyer.destroy())
    await expect.poll(() => page.locator('foyer-host').count()).toBe(1)
    expect(await page.locator('foyer-host').getAttribute('data-foyer-state')).toContain('left')
    await context.close()
  })
})

describe('without a frame', () => {
  it('on an origin that is not allowed says that there is no chat, and asks for no token', async () => {
    const { context, page, traces } = await at(tag('data-isolation="none"'))
    await openChat(page)
    await says(page, 'The chat isn’t available on this page.').waitFor()
    const lines = () => traces.console.filter((line) => line.includes('Foyer:'))
    await counted(() => lines().length, 1)
    expect(lines()[0]).toContain(`Add ${site} to its FOYER_UNFRAMED_ORIGINS`)
    expect(traces.requests.filter((url) => url.includes('access-token'))).toEqual([])
    await context.close()
  })
})

declare global {
  interface Window {
    Foyer: {
      update(looks: object): void
      setDraft(text: string): void
      send(text: string): void
      show(): void
      hide(): void
      destroy(): void
    }
  }
}
