// Pages of one visitor, in a frame: what comes back after a reload where cookies or storage are withheld.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Chat, type ChatOptions, type KeyValue, memoryStore } from '../../../src/chat/index.ts'
import { createService, pass } from '../service.ts'

const TOKEN_URL = 'https://chat.example.com/foyer/access-token'

type Body = { resume?: boolean; sealed?: unknown; session_id?: string; session_status?: boolean }

/** A browser and its BFF. The BFF knows what it sealed; the browser has one cookie and one storage. */
function createVisitor(service: ReturnType<typeof createService>) {
  const sealed = new Map<string, { token: string; session: string | undefined; hasStatus: boolean }>()
  const kept = memoryStore()
  const asked: Body[] = []
  let cookie: string | undefined
  let count = 0
  const browser = {
    returnsCookies: false,
    deniesStorage: false,
    bffDown: false,
    latency: 5,
    refusesNames: false,
  }

  function seal(token: string, session?: string, hasStatus = false): string {
    const text = `eyJ..iv${++count}.text${count}.tag`
    sealed.set(text, { token, session, hasStatus })
    return text
  }
  async function answer(body: Body): Promise<Response> {
    const seen = browser.returnsCookies ? cookie : undefined
    const text = typeof body.sealed === 'string' && sealed.has(body.sealed) ? body.sealed : seen
    const found = body.resume === true && text ? sealed.get(text) : undefined
    const token = found?.token ?? `secret-token-${++count}`
    const session = found && (body.session_id ?? found.session)
    const isNamed = found !== undefined && session === found.session
    const hasStatus = isNamed && (found.hasStatus || body.session_status === true)
    const isSame = isNamed && hasStatus === found.hasStatus
    const resealed = isSame && text ? text : seal(token, session, hasStatus)
    cookie = resealed
    return service.json({
      access_token: token,
      expires_in: 3_600,
      token_type: 'Bearer',
      resumed: found !== undefined,
      chat_url: 'https://chat.example.com',
      ...(session && { session_id: session }),
      ...(hasStatus && { session_status: true }),
      ...(body.sealed !== undefined && seen === undefined && { sealed: resealed }),
    })
  }
  const fetchIt: typeof fetch = async (input, init) => {
    if (String(input) !== TOKEN_URL) return service.fetch(input, init)
    await new Promise((resolve) => setTimeout(resolve, browser.latency))
    init?.signal?.throwIfAborted()
    const named = typeof init?.body === 'string' && init.body.includes('session_id')
    if (browser.bffDown || (browser.refusesNames && named)) throw new TypeError('fetch failed')
    if (init?.method === 'DELETE') {
      cookie = undefined
      return new Response(null, { status: 204 })
    }
    const body = JSON.parse(String(init?.body)) as Body
    asked.push(body)
    return answer(body)
  }
  const store: KeyValue = {
    get: (key) => (browser.deniesStorage ? undefined : kept.get(key)),
    set: (key, value) => void (browser.deniesStorage || kept.set(key, value)),
    remove: (key) => void (browser.deniesStorage || kept.remove(key)),
  }
  const pages: Chat[] = []
  function page(options: Partial<ChatOptions> = {}): Chat {
    const chat = service.page({
      tokenUrl: TOKEN_URL,
      fetch: fetchIt,
      sessionStore: store,
      keepSealed: true,
      ...options,
    })
    pages.push(chat)
    return chat
  }
  return {
    browser,
    asked,
    kept,
    cookie: () => cookie,
    pages,
    /** A page of this browser, with the chat in a frame. */
    page,
    /** Opens the chat on a page, and waits until it is connected. */
    async open(options?: Partial<ChatOptions>): Promise<Chat> {
      const chat = page(options)
      chat.open()
      await pass(100)
      expect(chat.status.value).toBe('live')
      return chat
    },
  }
}

let service: ReturnType<typeof createService>
let visitor: ReturnType<typeof createVisitor>

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  visitor = createVisitor(service)
})
afterEach(() => {
  for (const page of visitor.pages) page.dispose()
  vi.useRealTimers()
})

const screen = (chat: Chat) =>
  chat.transcript.value.map((entry) => {
    if (entry.kind === 'message') return `${entry.role}: ${entry.content.value.pieces.join('')}`
    return entry.kind === 'divider' ? `--- ${entry.reason}` : entry.notice
  })

describe('a browser that returns no cookie to the frame', () => {
  it('comes back to the conversation at each reload', async () => {
    const first = await visitor.open()
    first.send('one')
    await pass(50)
    first.dispose()
    for (let reload = 0; reload < 3; reload++) {
      const page = await visitor.open()
      expect(screen(page)).toEqual(['agent: Hello!', 'visitor: one', 'agent: You said one'])
      expect(visitor.asked.at(-1)).toEqual({ resume: true, sealed: visitor.kept.get('sealed') })
      page.dispose()
    }
    expect(service.sessions.size).toBe(1)
  })

  it('finds out in the background: a session waits for one answer only', async () => {
    const page = await visitor.open()
    expect(visitor.asked).toEqual([
      { sealed: true },
      { resume: true, sealed: expect.any(String), session_id: page.sessionId.value },
    ])
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it.each([
    ['the page is left meanwhile', { latency: 60_000 }],
    ['the BFF does not answer any more', { bffDown: true }],
  ])('keeps the text where %s', async (_, trouble) => {
    const page = visitor.page()
    page.open()
    await pass(8)
    // The token is there, the session on its way.
    Object.assign(visitor.browser, trouble)
    await pass(100)
    expect(page.status.value).toBe('live')
    page.dispose()
    Object.assign(visitor.browser, { latency: 5, bffDown: false })
    expect((await visitor.open()).sessionId.value).toBe(page.sessionId.value)
    expect(service.sessions.size).toBe(1)
  })

  it('says so where the text is gone although a session was there', async () => {
    const first = await visitor.open()
    first.dispose()
    visitor.kept.remove('sealed')
    expect(screen(await visitor.open())).toEqual(['--- lost', 'agent: Hello!'])
    expect(service.sessions.size).toBe(2)
  })

  it.each([
    ['not of its form', 'nonsense'],
    ['too long', `a..b.${'c'.repeat(4_000)}.d`],
    ['a token', 'eyJhbGciOiJIUzI1NiJ9.e30.signature'],
  ])('sends nothing that is %s', async (_, text) => {
    const first = await visitor.open()
    first.dispose()
    visitor.kept.set('sealed', text)
    visitor.asked.length = 0
    await visitor.open()
    expect(visitor.asked[0]).toEqual({ resume: true, sealed: true })
  })

  it('keeps nothing that is no sealed text, whatever the answer holds', async () => {
    for (const sealed of [5, null, {}, '', 'x', 'a.b.c', `a..b.${'c'.repeat(4_000)}.d`]) {
      service.faults.bff = () =>
        service.json({
          access_token: 'secret-token-x',
          expires_in: 60,
          token_type: 'Bearer',
          resumed: false,
          chat_url: 'https://chat.example.com',
          session_id: 5,
          sealed,
        })
      const page = await visitor.open({ tokenUrl: 'https://x.example.com/foyer/access-token' })
      expect(visitor.kept.get('sealed')).toBeUndefined()
      page.dispose()
    }
  })

  it('has a text for each new session, and none of the token in its storage', async () => {
    const page = await visitor.open()
    const first = visitor.kept.get('sealed')
    page.restart()
    await pass(200)
    const second = visitor.kept.get('sealed')
    expect([first, second]).toEqual([expect.any(String), expect.any(String)])
    expect(second).not.toBe(first)
    page.dispose()
    expect((await visitor.open()).sessionId.value).toBe(service.last().id)
    for (const key of ['session', 'sealed']) expect(visitor.kept.get(key)).not.toContain('secret-token')
    expect(JSON.stringify(service.wire)).not.toContain(second)
  })

  it('keeps the text of its newest session, though the answer for the one before comes after it', async () => {
    const page = visitor.page()
    page.open()
    await pass(8)
    // The token is there, the session on its way: what is asked next is about the cookie.
    visitor.browser.latency = 3_000
    await pass(100)
    visitor.browser.latency = 5
    page.restart()
    await pass(5_000)
    page.dispose()
    expect(service.sessions.size).toBe(2)
    expect((await visitor.open()).sessionId.value).toBe(service.last().id)
    expect(service.sessions.size).toBe(2)
  })

  it('takes a second window into the same conversation', async () => {
    const first = await visitor.open()
    first.send('one')
    await pass(50)
    const second = await visitor.open({ outboxStore: memoryStore() })
    expect(screen(second)).toEqual(screen(first))
    expect(service.sessions.size).toBe(1)
  })
})

describe('a browser that returns the cookie', () => {
  beforeEach(() => {
    visitor.browser.returnsCookies = true
  })

  it('keeps no text once that is known, and comes back by the cookie', async () => {
    const first = await visitor.open()
    expect(visitor.kept.get('sealed')).toBeUndefined()
    first.dispose()
    expect((await visitor.open()).sessionId.value).toBe(first.sessionId.value)
    expect(visitor.asked.at(-1)).toEqual({ resume: true, sealed: true })
  })

  it('has each new session named to its BFF, once', async () => {
    const page = await visitor.open()
    visitor.asked.length = 0
    page.restart()
    await pass(200)
    expect(visitor.asked).toEqual([
      { sealed: true },
      { resume: true, sealed: true, session_id: page.sessionId.value },
    ])
    page.dispose()
    visitor.asked.length = 0
    const next = await visitor.open()
    expect(next.sessionId.value).toBe(page.sessionId.value)
    expect(visitor.asked).toEqual([{ resume: true, sealed: true }])
  })

  it('and drops it later forgets the conversation with a divider, and keeps the next', async () => {
    const first = await visitor.open()
    first.dispose()
    visitor.browser.returnsCookies = false
    const second = await visitor.open()
    expect(screen(second)).toEqual(['--- lost', 'agent: Hello!'])
    second.dispose()
    expect((await visitor.open()).sessionId.value).toBe(second.sessionId.value)
  })
})

describe('a browser that denies storage to the frame', () => {
  beforeEach(() => {
    visitor.browser.returnsCookies = true
    visitor.browser.deniesStorage = true
  })

  it('comes back to the session that the BFF was told, by the cookie alone', async () => {
    const first = await visitor.open()
    expect(visitor.asked.at(-1)).toMatchObject({ resume: true, session_id: first.sessionId.value })
    first.dispose()
    const second = await visitor.open()
    expect(second.sessionId.value).toBe(first.sessionId.value)
    expect(screen(second)).toEqual(['agent: Hello!'])
    expect(service.sessions.size).toBe(1)
  })

  it('starts anew where the visitor asks for it, and comes back to that', async () => {
    const first = await visitor.open()
    first.restart()
    await pass(200)
    expect(service.sessions.size).toBe(2)
    expect(first.status.value).toBe('live')
    first.dispose()
    expect((await visitor.open()).sessionId.value).toBe(service.last().id)
  })

  it('begins with a fresh token where the BFF was never told a session', async () => {
    const unframed = await visitor.open({ keepSealed: false })
    unframed.dispose()
    visitor.asked.length = 0
    const page = await visitor.open()
    expect(visitor.asked.slice(0, 2)).toEqual([{ resume: true, sealed: true }, { sealed: true }])
    expect(page.sessionId.value).not.toBe(unframed.sessionId.value)
  })
})

const BROWSERS = [
  ['returns the cookie', { returnsCookies: true }],
  ['returns no cookie', { returnsCookies: false }],
  ['returns the cookie and denies storage', { returnsCookies: true, deniesStorage: true }],
] as const

describe.each(BROWSERS)('a reload behind a renewal, in a browser that %s', (_, kind) => {
  beforeEach(() => {
    Object.assign(visitor.browser, kind)
  })

  /** The host refuses the sockets of the old session, as after an outage that it did not outlive. */
  async function renewed(page: Chat): Promise<string> {
    const [old] = service.sessions.values()
    page.send('before')
    await pass(50)
    if (old) old.gone = true
    service.drop()
    page.send('behind it')
    while (!page.transcript.value.some((entry) => entry.kind === 'divider')) await pass(100)
    await pass(1_000)
    expect(page.sessionId.value).toBe(service.last().id)
    expect(service.stored(service.last())).toEqual(['behind it'])
    page.dispose()
    return service.last().id
  }

  it('shows the new conversation, which was made to prove that the host is up', async () => {
    const session = await renewed(await visitor.open())
    expect(visitor.asked.at(-1)).toMatchObject({ resume: true, session_id: session })
    for (let reload = 0; reload < 2; reload++) {
      const page = await visitor.open({ outboxStore: memoryStore() })
      expect(page.sessionId.value).toBe(session)
      expect(screen(page)).toEqual(['agent: Hello!', 'visitor: behind it', 'agent: You said behind it'])
      page.dispose()
    }
    expect(service.sessions.size).toBe(2)
  })

  it('shows the new conversation too where the token had to be replaced', async () => {
    const page = await visitor.open()
    // The host refuses the token of the page when it is asked for the proof.
    service.faults.refuseTokens = true
    const session = await renewed(page)
    expect(new Set([...service.sessions.values()].map(({ token }) => token)).size).toBe(2)
    expect((await visitor.open()).sessionId.value).toBe(session)
  })
})

describe('the session that the BFF names', () => {
  it.each([
    ['and of which it says that the service tells how it stands', 'truthful', 1, 15_000],
    ['and of which it says nothing', 'none', 0, 120_000],
  ] as const)(
    'where nothing can be stored, %s, is asked about by the next page as by this one',
    async (_, status, questions, within) => {
      service.faults.status = status
      Object.assign(visitor.browser, { returnsCookies: true, deniesStorage: true })
      const page = await visitor.open()
      const old = service.last()
      const said = () => visitor.asked.filter(({ session_status }) => session_status)
      expect(said()).toHaveLength(questions)
      page.reconnect()
      await pass(1_000)
      expect(said()).toHaveLength(questions)
      page.dispose()
      old.gone = true
      const next = visitor.page()
      next.open()
      await pass(within)
      expect(service.requests.filter(({ method }) => method === 'GET')).toHaveLength(questions)
      expect(next.status.value).toBe('live')
      expect(next.sessionId.value).toBe(service.last().id)
    },
  )

  it('is named to the BFF without how its state is told, where the browser can store that', async () => {
    visitor.browser.returnsCookies = true
    await visitor.open()
    expect(visitor.asked.some(({ session_status }) => session_status)).toBe(false)
  })

  it.each([true, false])(
    'counts less than the stored one, if that was made with the token that it gives (cookies come back: %s)',
    async (returnsCookies) => {
      visitor.browser.returnsCookies = returnsCookies
      const page = await visitor.open()
      const [old] = service.sessions.values()
      page.send('before')
      if (old) old.gone = true
      service.drop()
      // The BFF answers with the token, and is not reached when the session is to be named to it.
      visitor.browser.refusesNames = true
      while (page.sessionId.value === old?.id || page.status.value !== 'live') await pass(100)
      page.dispose()
      visitor.browser.refusesNames = false
      const next = await visitor.open({ outboxStore: memoryStore() })
      expect(next.sessionId.value).toBe(page.sessionId.value)
      // The BFF named the old one, and is told now.
      expect(visitor.asked.at(-1)).toMatchObject({ resume: true, session_id: page.sessionId.value })
      next.dispose()
      visitor.kept.remove('session')
    },
  )

  it('counts more than a stored one of another token', async () => {
    visitor.browser.returnsCookies = true
    const page = await visitor.open()
    const stored = visitor.kept.get('session') ?? ''
    page.restart()
    await pass(200)
    page.dispose()
    visitor.kept.set('session', stored)
    expect((await visitor.open()).sessionId.value).toBe(page.sessionId.value)
    expect(service.sessions.size).toBe(2)
  })

  it('counts more than a stored one of which nobody knows the token', async () => {
    visitor.browser.returnsCookies = true
    const page = await visitor.open()
    page.dispose()
    visitor.kept.set('session', JSON.stringify({ id: 'of an older page', at: Date.now() }))
    expect((await visitor.open()).sessionId.value).toBe(page.sessionId.value)
  })
})

describe('a chat that is not in a frame of its own', () => {
  it('neither asks for a sealed text nor keeps one that it is given', async () => {
    const page = await visitor.open({ keepSealed: false })
    expect(visitor.asked).toEqual([{}])
    page.dispose()
    visitor.kept.set('sealed', 'eyJ..iv.text.tag')
    await visitor.open({ keepSealed: false })
    expect(visitor.asked.at(-1)).toEqual({ resume: true })
  })
})

it('a page that is disposed of while the cookie is still looked for changes nothing in its store later', async () => {
  const page = visitor.page()
  page.open()
  await pass(8)
  visitor.browser.latency = 500
  await pass(100)
  const kept = visitor.kept.get('sealed')
  expect(kept).toBeDefined()
  page.dispose()
  await pass(2_000)
  expect(visitor.kept.get('sealed')).toBe(kept)
})

describe('signing out', () => {
  it.each([true, false])('leaves nothing for the next person (cookies come back: %s)', async (returns) => {
    visitor.browser.returnsCookies = returns
    const page = await visitor.open()
    service.faults.swallow = 'lost'
    page.send('a secret')
    await pass(20)
    service.faults.swallow = undefined
    const session = service.last()
    const ends: string[] = []
    page.on('end', ({ reason }) => ends.push(reason))
    const gone = page.logout()
    await pass(20)
    await gone
    expect([visitor.kept.get('session'), visitor.kept.get('sealed'), visitor.cookie()]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(service.outboxStore.get('outbox')).toBeUndefined()
    expect([page.transcript.value, page.outbox.value, page.sessionId.value]).toEqual([[], [], undefined])
    expect([page.status.value, ends]).toEqual(['ended', ['REASON_USER_END']])
    await pass(6_000)
    expect(session.state).toBe('ended')
    expect(service.outboxStore.get('outbox')).toBeUndefined()
    page.dispose()
    const next = await visitor.open()
    expect(screen(next)).toEqual(['agent: Hello!'])
    expect(next.sessionId.value).not.toBe(session.id)
  })

  it('forgets a conversation of an earlier page that was not opened on this one', async () => {
    const first = await visitor.open()
    first.dispose()
    const page = visitor.page()
    const gone = page.logout()
    await pass(20)
    await gone
    expect([visitor.kept.get('session'), visitor.kept.get('sealed'), page.sessionId.value]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    page.open()
    await pass(200)
    expect(service.sessions.size).toBe(2)
    expect(screen(page)).toEqual(['agent: Hello!'])
  })

  it('while the cookie is still looked for keeps no text that comes later', async () => {
    const page = visitor.page()
    page.open()
    await pass(8)
    visitor.browser.latency = 500
    await pass(100)
    expect(visitor.kept.get('sealed')).toBeDefined()
    const gone = page.logout()
    await pass(2_000)
    await gone
    expect(visitor.kept.get('sealed')).toBeUndefined()
  })

  it('is done on this side even where the BFF cannot be reached', async () => {
    const page = await visitor.open()
    visitor.browser.bffDown = true
    const gone = page.logout()
    await pass(20)
    await gone
    expect([visitor.kept.get('session'), visitor.kept.get('sealed')]).toEqual([undefined, undefined])
  })

  it('is done after 10 s where the BFF never answers', async () => {
    const hangs: typeof fetch = (input, init) =>
      init?.method === 'DELETE'
        ? new Promise((_, reject) =>
            init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          )
        : service.fetch(input, init)
    const page = service.page({ fetch: hangs })
    let done = false
    void page.logout().then(() => {
      done = true
    })
    await pass(9_900)
    expect(done).toBe(false)
    await pass(200)
    expect(done).toBe(true)
  })
})
