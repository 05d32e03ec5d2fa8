// Hostile words in every place where the panel shows words, whole and in pieces, in the real frame under its own policy: nothing
// runs, nothing is requested, and the chat goes on.

import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { some } from '../long.ts'
import { PAYLOADS } from './hostile-payloads.ts'
import { startToldService } from './service.ts'
import { frameOf, leave, newContext, startBrowser } from './world.ts'

let browser: Browser
let closeBrowser: () => Promise<void>
let service: Awaited<ReturnType<typeof startToldService>>

beforeAll(async () => {
  ;({ browser, close: closeBrowser } = await startBrowser())
})
afterAll(() => closeBrowser?.())
beforeEach(async () => {
  service = await startToldService()
})
afterEach(async () => {
  await leave()
  service?.close()
})

/** What a payload must not have done. */
async function traces(frame: Frame) {
  return frame.evaluate(() => {
    const scope = globalThis as unknown as { pwned?: unknown; violations: string[] }
    const all = [...document.querySelectorAll('body *')]
    return {
      ran: scope.pwned,
      polluted: ({} as { pwned?: unknown }).pwned,
      violations: scope.violations,
      elements: all
        .map((each) => each.localName)
        .filter((name) =>
          /^(script|style|link|meta|base|iframe|object|embed|form|video|audio|math|dialog|template|use|image|foreignObject|animate|set)$/.test(
            name,
          ),
        )
        .filter((name) => name !== 'form'),
      forms: document.forms.length,
      attributes: all.flatMap((each) =>
        [...each.attributes]
          .filter(({ name }) => /^(on|srcdoc|srcset|ping|formaction|background|poster)/.test(name))
          .map(({ name }) => `${each.localName} ${name}`),
      ),
      addresses: [...document.querySelectorAll('a')]
        .map((link) => link.href)
        .filter((href) => !/^(https?:\/\/(?![^/]*@)|mailto:|tel:)/.test(href)),
      pictures: [...document.images]
        .map((image) => image.currentSrc)
        .filter((source) => !source.startsWith('data:image/')),
      title: document.title,
      base: document.baseURI.replace(/\?.*/, ''),
    }
  })
}

async function openChat(page: Page): Promise<Frame> {
  await page.goto(service.site)
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.frameLocator('iframe[title="Chat"]').getByRole('textbox', { name: 'Message' }).waitFor()
  const frame = await frameOf(page)
  await frame.evaluate(() => {
    const scope = globalThis as unknown as { violations: string[] }
    scope.violations = []
    document.addEventListener('securitypolicyviolation', (event) =>
      scope.violations.push(`${event.violatedDirective}: ${event.blockedURI}`),
    )
  })
  return frame
}

/** So many share a page: what each changes is laid out with all that is on it. */
const ON_A_PAGE = 40

it('the hostile payloads are three hundred at least', () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(300)
})

/** Payloads of each kind, with addresses written in each of the three ways. */
const TRIED = some(PAYLOADS, 16)
const PAGES = Array.from({ length: Math.ceil(TRIED.length / ON_A_PAGE) }, (_, page) => page * ON_A_PAGE)
it.each(PAGES)(
  'hostile payloads neither run nor request anything, from payload %i on',
  { timeout: 900_000 },
  async (first) => {
    const payloads = TRIED.slice(first, first + ON_A_PAGE)
    const context = await newContext(browser, { viewport: { width: 900, height: 900 } })
    const page = await context.newPage()
    const requests: string[] = []
    const dialogs: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    context.on('page', (opened) => dialogs.push(`opened ${opened.url()}`))
    const frame = await openChat(page)
    const log = frame.getByRole('log', { name: 'Conversation' })
    await service.ready
    service.say('POLY_AGENT_MESSAGE', { message_id: 'hello', text: 'Ready to begin.' })
    await log.getByText('Ready to begin.').waitFor()
    const { origin, site } = service
    const own = (url: string) => url.startsWith(origin) || url.startsWith(site) || url.includes('/api/v1/')

    /** The end of the conversation is this. Nothing else is searched: every word on the page would be. */
    const ends = (text: string) => log.locator('article').last().filter({ hasText: text })

    for (const [offset, text] of payloads.entries()) {
      const id = `p${offset}`
      const attachment = {
        content_url: text,
        title: text,
        preview_image_url: text,
        call_to_action_text: text,
      }
      const safe = { ...attachment, content_url: `https://example.com/${offset}` }
      service.say('POLY_AGENT_JOINED', { agent_name: text, agent_avatar_url: text })
      service.say('POLY_AGENT_MESSAGE', {
        message_id: `${id}-whole`,
        text,
        agent_name: text,
        avatar_url: text,
        attachments: [
          { ...attachment, content_type: 'ATTACHMENT_CONTENT_TYPE_URL' },
          { ...attachment, content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' },
          { ...safe, content_type: 'ATTACHMENT_CONTENT_TYPE_URL' },
          {
            ...safe,
            content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
            content_url: 'https://example.com/other',
          },
        ],
        response_suggestions: [{ message_text: text, payload: text }],
        chat_call_actions: [
          { title: text, contact_number: text },
          { title: text, contact_number: '+15005550006' },
        ],
      })
      service.stream(`${id}-pieces`, text.slice(0, 200), (offset % 5) + 1)
      service.say('USER_MESSAGE', { text, message_id: `${id}-echo` })
      service.say('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: text })
      service.say('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text })
      service.say('POLY_AGENT_TRIGGERED_HANDOFF', {})
      service.say('HANDOFF_QUEUE_STATUS', { queue_name: text, position_in_queue: 1, display_message: text })
      service.say('HANDOFF_FAILED', { reason: text })
      service.say('CLIENT_HANDOFF_REQUIRED', { reason: text, queue_name: text, route: text })
      service.say('LIVE_AGENT_JOINED', { agent: { id: text, name: text, avatar_url: text } })
      service.say('LIVE_AGENT_TYPING', { agent_name: text, state: 'TYPING_STATE_STARTED' })
      service.say('LIVE_AGENT_MESSAGE', {
        message_id: `${id}-live`,
        text,
        agent_name: text,
        avatar_url: text,
      })
      service.say('LIVE_AGENT_LEFT', { agent_name: text, reason: text })
      service.say('LANGUAGE_CHANGED', { language_code: text.slice(0, 60) })
    }
    service.say('LANGUAGE_CHANGED', { language_code: 'en' })
    service.say('POLY_AGENT_MESSAGE', { message_id: 'done', text: 'All is through.' })
    await ends('All is through.').waitFor({ timeout: 240_000 })
    const seen = await traces(frame)
    expect(seen).toEqual({
      ran: undefined,
      polluted: undefined,
      violations: [],
      elements: [],
      forms: 1,
      attributes: [],
      addresses: [],
      pictures: [],
      title: 'Chat',
      base: `${origin}/foyer/frame`,
    })
    expect(requests.filter((url) => !own(url) && !url.startsWith('data:'))).toEqual([])
    expect(dialogs).toEqual([])

    // The chat goes on.
    const field = frame.getByRole('textbox', { name: 'Message' })
    await field.fill('<b>Still here?</b>')
    await field.press('Enter')
    await ends('<b>Still here?</b>').waitFor()

    // What is kept of it as a file runs and requests nothing either.
    await frame.getByRole('button', { name: 'More' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      frame.getByRole('menuitem', { name: 'Download as a web page' }).click(),
    ])
    const kept = await context.newPage()
    const asked: string[] = []
    kept.on('request', (request) => asked.push(request.url()))
    await kept.goto(`file://${await file.path()}`)
    await kept.getByText('Ready to begin.').waitFor()
    expect(await kept.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBe(undefined)
    expect(
      await kept.evaluate(() => document.querySelectorAll('script,iframe,object,embed,link,img').length),
    ).toBe(0)
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([])
    await context.close()
  },
)
