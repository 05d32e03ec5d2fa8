// Whole visits, as a person makes them: the real BFF and runtime, a real Chromium, framed and unframed.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import {
  atRest,
  counted,
  focused,
  frameOf,
  freePort,
  leave,
  ONE_DOCUMENT,
  panelOf,
  type Server,
  sessionOf,
  startBrowser,
  startServer,
  visit,
} from './world.ts'

let server: Server
let browser: Browser
let closeBrowser: () => Promise<void>
let folder: string

/** What the documents say. The visits of a long run take the tour of Foyer’s own docs. */
const KNOWN = isLong
  ? { question: 'What is the runtime?', answer: /the service itself/i }
  : { question: 'Who mends bicycles?', answer: /Larkspur Cycles mends/ }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-browser-'))
  server = await startServer(await freePort(), folder, {}, isLong ? [] : ONE_DOCUMENT)
  ;({ browser, close: closeBrowser } = await startBrowser())
})
afterEach(leave)
afterAll(async () => {
  await closeBrowser?.()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

type Panel = Page | FrameLocator
const composer = (panel: Panel) => panel.getByRole('textbox', { name: 'Message' })
const log = (panel: Panel) => panel.getByRole('log', { name: 'Conversation' })
const said = (panel: Panel, text: string | RegExp) => log(panel).getByText(text)
const openChat = (page: Page) => page.getByRole('button', { name: 'Open chat' }).click()

async function ask(panel: Panel, text: string): Promise<void> {
  await composer(panel).fill(text)
  await panel.getByRole('button', { name: 'Send' }).click()
}

const PLACES = [
  { where: 'in a frame', path: '/embed.html', isolation: 'frame', options: {} },
  { where: 'without a frame', path: '/inline.html', isolation: 'none', options: {} },
  {
    where: 'on a phone',
    path: '/embed.html',
    isolation: 'frame',
    options: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
  },
] as const

// journey.test.ts goes the whole way in `npm test`.
describe.skipIf(!isLong).each(PLACES)('a visit $where', ({ path, isolation, options }) => {
  it('asks three questions, reloads in the middle of an answer, and loses or doubles nothing', async () => {
    const { context, page, traces } = await visit(browser, options)
    await page.goto(server.origin + path)
    await openChat(page)
    const panel = panelOf(page, isolation)
    await said(panel, /Ask me anything, or start/).waitFor()

    await ask(panel, 'How do I embed it with a script tag?')
    await said(panel, /chat\.example\.com is where your BFF runs|is where your BFF runs/).waitFor()
    await ask(panel, 'What happens when the connection drops?')
    await said(panel, /reconnects to the same session/).waitFor()
    await ask(panel, 'A long answer')
    await said(panel, 'What it can hold').waitFor()
    await page.reload()

    await said(panel, 'That is the end of the long answer').waitFor()
    await counted(() => log(panel).locator('article.visitor').count(), 3)
    const texts = ['What it can hold', /Ask me anything, or start/, 'That is the end of the long answer']
    for (const text of texts) expect(await said(panel, text).count()).toBe(1)
    expect(traces.sockets.length).toBeGreaterThanOrEqual(2)
    expect(new Set(traces.sockets.map(sessionOf)).size).toBe(1)
    // The cookie comes back, so the frame keeps no sealed text.
    const frame = page.frames().find((each) => each.url().includes('/foyer/frame')) ?? page.mainFrame()
    await expect.poll(() => frame.evaluate(() => Object.keys(localStorage))).toEqual(['foyer::session'])

    // The conversation goes on where it was.
    await ask(panel, 'Where are conversations stored?')
    await said(panel, /in an embedded PostgreSQL/i).waitFor()
    expect(await log(panel).locator('article.visitor').count()).toBe(4)
    for (const text of texts) expect(await said(panel, text).count()).toBe(1)
    expect(traces.errors).toEqual([])
    expect(traces.console.filter((line) => /Content.Security|TrustedHTML|Refused/i.test(line))).toEqual([])
    await context.close()
  })
})

describe('before the chat is opened', () => {
  it('there is one request, no cookie, no storage and no socket', async () => {
    const { context, page, traces } = await visit(browser)
    await page.goto(`${server.origin}/embed.html`)
    await page.getByRole('button', { name: 'Open chat' }).waitFor()
    await page.waitForLoadState('networkidle')
    const own = traces.requests.filter((url) => new URL(url).pathname.startsWith('/foyer'))
    expect(own.map((url) => new URL(url).pathname)).toEqual(['/foyer.js'])
    expect(traces.sockets).toEqual([])
    expect(await context.cookies()).toEqual([])
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ])
    expect(await page.locator('iframe').count()).toBe(0)
    await context.close()
  })
})

describe('the panel', () => {
  it('turns dark and light with the visitor’s system, on a page that does', async () => {
    const { context, page } = await visit(browser, { colorScheme: 'light' })
    await page.goto(`${server.origin}/embed.html`)
    await page.getByRole('button', { name: 'Open chat' }).click()
    const dialog = panelOf(page, 'frame').getByRole('dialog')
    const ground = () =>
      dialog.evaluate((each) => getComputedStyle(each.parentElement as Element).backgroundColor)
    await dialog.waitFor()
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(ground).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(ground).toBe(light)
    await context.close()
  })

  // The gallery has both themes, and panel.test.ts a panel in a frame.
  it.runIf(isLong).each(['light', 'dark'] as const)(
    'has nothing that axe objects to, in %s',
    async (theme) => {
      const { context, page } = await visit(browser, { colorScheme: theme })
      await page.goto(`${server.origin}/?theme=${theme}`)
      const panel = panelOf(page, 'frame')
      await ask(panel, 'A long answer')
      await said(panel, 'That is the end of the long answer').waitFor()
      await panel.getByRole('button', { name: 'An attachment' }).click()
      await said(panel, 'Opening hours').waitFor()
      await panel.getByRole('button', { name: 'An image' }).waitFor()
      const frame = await frameOf(page)
      await atRest(frame)
      await frame.evaluate(axe.source)
      const violations = await frame.evaluate(async () => {
        const runner = (window as unknown as { axe: typeof axe }).axe
        const { violations } = await runner.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        })
        return violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
        )
      })
      expect(violations).toEqual([])
      await context.close()
    },
  )
})

describe('by keyboard alone', () => {
  it.runIf(isLong)('the chat opens, is spoken to, and closes; the focus comes back', async () => {
    const { context, page } = await visit(browser)
    await page.goto(`${server.origin}/embed.html`)
    const launcher = page.getByRole('button', { name: 'Open chat' })
    await launcher.waitFor()
    await page.keyboard.press('Tab')
    // The code on the page can be scrolled, so it may come first.
    for (
      let tries = 0;
      tries < 3 && !(await launcher.evaluate((element) => element.matches(':focus')));
      tries++
    )
      await page.keyboard.press('Tab')
    await focused(launcher)
    await page.keyboard.press('Enter')
    const panel = panelOf(page, 'frame')
    await said(panel, /Ask me anything, or start/).waitFor()
    await focused(composer(panel))
    await page.keyboard.type('What is the sealed cookie?')
    await expect.poll(() => composer(panel).inputValue()).toBe('What is the sealed cookie?')
    await page.keyboard.press('Enter')
    await said(panel, /The first of the cookie secrets seals/).waitFor()
    await page.keyboard.press('Escape')
    await focused(launcher)
    await context.close()
  })
})

describe('scripts of another site', () => {
  it('find no way to the token', async () => {
    const { context, page, traces } = await visit(browser)
    // The page's script was there first, and listens to all it can reach.
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      const { fetch: realFetch, WebSocket: RealSocket } = window
      window.fetch = async (...call) => {
        const response = await realFetch(...call)
        seen.push(String(call[0]), await response.clone().text())
        return response
      }
      window.WebSocket = class extends RealSocket {
        constructor(url: string | URL, protocols?: string | string[]) {
          seen.push(String(url))
          super(url, protocols)
        }
      }
      window.addEventListener('message', (event) => seen.push(JSON.stringify(event.data)))
      const { postMessage } = MessagePort.prototype
      MessagePort.prototype.postMessage = function (this: MessagePort, ...call: unknown[]) {
        seen.push(JSON.stringify(call[0]))
        this.addEventListener('message', (event) => seen.push(JSON.stringify(event.data)))
        return postMessage.apply(this, call as [unknown])
      }
    })
    await page.goto(`${server.origin}/embed.html`)
    await openChat(page)
    const panel = panelOf(page, 'frame')
    await ask(panel, 'my secret question')
    await said(panel, 'my secret question').waitFor()
    await expect.poll(() => traces.tokens.size).toBe(1)
    const [token = ''] = traces.tokens
    const bff = new URL(traces.requests.find((url) => url.endsWith('/foyer.js')) ?? '').origin

    const attempts = await page.evaluate(async (origin) => {
      const results: string[] = []
      const attempt = async (run: () => unknown) => {
        try {
          results.push(JSON.stringify(await run()) ?? 'undefined')
        } catch (error) {
          results.push(`failed: ${(error as Error).name}`)
        }
      }
      const post = (init: RequestInit) =>
        fetch(`${origin}/foyer/access-token`, { method: 'POST', credentials: 'include', ...init }).then(
          (response) => response.text(),
        )
      await attempt(() => post({ headers: { 'content-type': 'application/json' }, body: '{"resume":true}' }))
      await attempt(() => post({ headers: { 'content-type': 'text/plain' }, body: '{"resume":true}' }))
      await attempt(() => post({ mode: 'no-cors', body: '{"resume":true}' }))
      await attempt(() =>
        fetch('/foyer/access-token', { method: 'POST', credentials: 'include' }).then((response) =>
          response.text(),
        ),
      )
      const frame = document.querySelector('foyer-host')?.shadowRoot?.querySelector('iframe')
      await attempt(() => frame?.contentDocument?.body.textContent ?? 'no document')
      await attempt(() => (frame?.contentWindow as Window | undefined)?.localStorage.length)
      await attempt(() => document.cookie)
      await attempt(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
      await attempt(() => performance.getEntries().map((entry) => entry.name))
      await attempt(() => document.documentElement.outerHTML)
      await attempt(() => (window as unknown as { Foyer: { getState(): unknown } }).Foyer.getState())
      await attempt(() => (window as unknown as { seen: string[] }).seen)
      return results
    }, bff)
    expect(attempts).toHaveLength(12)
    for (const result of attempts) expect(result).not.toContain(token)
    // What the visitor wrote stays in the frame too, but in the demo, whose BFF shows the wire to tools.
    expect(attempts.slice(0, 10).join()).not.toContain('my secret question')
    expect(attempts.slice(0, 3).every((result) => /failed|This origin may not ask|^""$/.test(result))).toBe(
      true,
    )
    await context.close()
  })

  it('are answered by CORS for no token, whatever they claim to be', async () => {
    for (const origin of ['https://evil.example.com', 'null', '']) {
      const response = await fetch(`${server.origin}/foyer/access-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(origin && { origin }) },
        body: '{}',
      })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('the tour', () => {
  it.runIf(isLong)(
    'goes through a handoff to a person and back, and through the end to a new chat',
    async () => {
      const { context, page } = await visit(browser)
      await page.goto(`${server.origin}/embed.html`)
      await openChat(page)
      const panel = panelOf(page, 'frame')
      await said(panel, /Ask me anything, or start/).waitFor()
      await ask(panel, 'A handoff')
      await panel.getByText('number 1 in the queue').first().waitFor()
      await said(panel, 'Sarah joined').waitFor()
      await said(panel, /this is Sarah/).waitFor()
      await ask(panel, 'Back to the assistant')
      await said(panel, 'Sarah left').waitFor()
      await ask(panel, 'An error')
      await said(panel, 'Something went wrong.').waitFor()
      await ask(panel, 'End the conversation')
      await panel.getByRole('button', { name: 'Start a new chat' }).click()
      await panel.getByText('A new chat starts here').first().waitFor()
      await said(panel, /Ask me anything, or start/)
        .nth(1)
        .waitFor()
      await context.close()
    },
  )
})

describe('a session that expires', () => {
  it('says so, keeps what was said, and goes on in a new one with the next message', async () => {
    const { context, page, traces } = await visit(browser)
    await page.goto(`${server.origin}/embed.html`)
    await openChat(page)
    const panel = panelOf(page, 'frame')
    await said(panel, /start with one of these/).waitFor()
    const session = sessionOf(traces.sockets.at(-1) ?? '')
    expect(
      await page.evaluate(
        (id) => fetch(`/demo/sessions/${id}/expire`, { method: 'POST' }).then(({ status }) => status),
        session,
      ),
    ).toBe(204)
    await panel
      .getByText(/ended due to inactivity/)
      .first()
      .waitFor()
    await ask(panel, KNOWN.question)
    // A message that follows the join is answered without a greeting, so the new session need not have one.
    await counted(() => said(panel, KNOWN.answer).count(), 1)
    await counted(() => new Set(traces.sockets.map(sessionOf)).size, 2)
    await context.close()
  })
})

describe('tokens', () => {
  it('leave no trace in log, console, storage, document or address', async () => {
    const { context, page, traces } = await visit(browser)
    await page.goto(`${server.origin}/inline.html`)
    await openChat(page)
    await said(page, /start with one of these/).waitFor()
    await ask(page, KNOWN.question)
    await said(page, KNOWN.answer).waitFor()
    await page.reload()
    await said(page, /start with one of these/).waitFor()
    const [token = 'none'] = traces.tokens
    expect(token).toMatch(/^ey/)
    const left = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        document.querySelector('foyer-host')?.shadowRoot?.innerHTML,
        performance.getEntries().map((entry) => entry.name),
        history.state,
      ]),
    )
    const secrets = [...traces.tokens, 'demo-connector']
    for (const secret of secrets) {
      expect(left).not.toContain(secret)
      expect(traces.console.join('\n')).not.toContain(secret)
      expect(server.output.join('')).not.toContain(secret)
      expect(traces.requests.filter((url) => !url.startsWith('ws')).join('\n')).not.toContain(secret)
    }
    await context.close()
  })
})
