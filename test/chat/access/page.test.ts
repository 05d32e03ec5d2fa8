// Which page of the site the service is told for a new session, and what no page that a site names can do to the chat.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Chat, ChatOptions } from '../../../src/chat/index.ts'
import { createService, pass } from '../service.ts'

const SHOP = { url: 'https://shop.example.com/bikes/7', title: 'Heron' }

let service: ReturnType<typeof createService>
let chat: Chat

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
})
afterEach(() => {
  chat.dispose()
  vi.useRealTimers()
})

async function open(page: unknown): Promise<void> {
  chat = service.page({ page: page as NonNullable<ChatOptions['page']> })
  chat.open()
  await pass(100)
}
/** What each request for a new session says. */
const told = () =>
  service.requests
    .filter(({ method, url }) => method === 'POST' && url.endsWith('/sessions'))
    .map(({ body }) => (body as { page?: unknown }).page)

describe('the page on which a chat begins', () => {
  it('is asked for and told with each session that is made, as it is then, and not for one that goes on', async () => {
    const page = vi.fn(() => Promise.resolve(SHOP))
    await open(page)
    expect(told()).toEqual([SHOP])
    service.drop()
    await pass(60_000)
    chat.dispose()
    await open(page)
    expect(page).toHaveBeenCalledOnce()
    const next = { url: 'https://shop.example.com/cart', title: 'Cart' }
    page.mockImplementation(() => Promise.resolve(next))
    chat.restart()
    await pass(100)
    expect(told()).toEqual([SHOP, next])
  })

  it('is not asked for before the chat is opened', async () => {
    const page = vi.fn(() => SHOP)
    chat = service.page({ page })
    await pass(60_000)
    expect(page).not.toHaveBeenCalled()
  })

  it.each<[string, unknown]>([
    ['that the site does not name', () => undefined],
    ['of a site that answers without an object', () => 'https://shop.example.com/'],
    ['of a site that has none to answer', async () => null],
    [
      'of a site that throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['of a site that rejects', () => Promise.reject(new Error('broken'))],
    ['without an address', () => ({ title: 'Heron' })],
    ['without a whole address', () => ({ ...SHOP, url: '/bikes/7' })],
    ['of another kind than the web’s', () => ({ ...SHOP, url: 'file:///home/ada/shop.html' })],
    ['that runs as a script', () => ({ ...SHOP, url: 'javascript:alert(1)' })],
    [
      'with an address of over 2 KB',
      () => ({ ...SHOP, url: `https://shop.example.com/${'x'.repeat(2_048)}` }),
    ],
  ])('is left out, and the chat begins at once, for one %s', async (_, page) => {
    await open(page)
    expect(told()).toEqual([undefined])
    expect(chat.status.value).toBe('live')
  })

  it('is left out where the site takes longer than a second, and nothing comes of what it says later', async () => {
    const answers: ((page: typeof SHOP) => void)[] = []
    await open(() => new Promise((resolve) => answers.push(resolve)))
    expect(told()).toEqual([])
    await pass(1_000)
    expect(told()).toEqual([undefined])
    for (const answer of [...answers, ...answers]) answer(SHOP)
    await pass(1_000)
    expect(told()).toEqual([undefined])
    expect(chat.status.value).toBe('live')
  })

  it('makes no session for a chat that is closed while the site is asked', async () => {
    let answer = (_: typeof SHOP) => {}
    await open(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    chat.dispose()
    answer(SHOP)
    await pass(10_000)
    expect(service.sessions.size).toBe(0)
  })
})

describe('what is told of a page', () => {
  const saidOf = async (page: Partial<typeof SHOP>) => {
    await open(() => ({ ...SHOP, ...page }))
    return told()[0]
  }

  it.each([
    ['https://ada:secret@shop.example.com/a?token=secret#secret', 'https://shop.example.com/a'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    [
      `https://shop.example.com/${'x'.repeat(2_023)}?${'y'.repeat(9_000)}`,
      `https://shop.example.com/${'x'.repeat(2_023)}`,
    ],
  ])('has no credentials, query or fragment: %s', async (url, address) => {
    expect(await saidOf({ url })).toEqual({ ...SHOP, url: address })
  })

  it.each([
    ['Two\nlines\u2028and\u0000more', 'Two lines and more'],
    ['\u202eyrros\u202c ', 'yrros'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['  ', ''],
    [undefined, ''],
    [7, ''],
    ['é'.repeat(200), 'é'.repeat(200)],
    ['é'.repeat(201), 'é'.repeat(200)],
    [`${'a'.repeat(199)}\u{1F6B2}`, 'a'.repeat(199)],
    // A card that is cut would not be known, and not masked.
    [`${'a'.repeat(180)} 4111 1111 1111 1111 123`, 'a'.repeat(180)],
    ['x'.repeat(2 ** 20), 'x'.repeat(200)],
    ['\n'.repeat(2 ** 20), ''],
  ])('has a title of one line, and of 200 characters at most: %#', async (title, line) => {
    expect(await saidOf({ title } as never)).toEqual({ ...SHOP, title: line })
  })
})
