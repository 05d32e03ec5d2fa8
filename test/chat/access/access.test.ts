// What is asked of the BFF and of the chat host, and what each of their answers means.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AccessOptions, createAccess } from '../../../src/chat/access/access.ts'
import { AccessError } from '../../../src/chat/access/request.ts'
import { createSealedText } from '../../../src/chat/access/sealed.ts'
import { memoryStore } from '../../../src/chat/index.ts'
import { createSleepingClock, pass } from '../service.ts'

const TOKEN_URL = 'https://site.example.com/foyer/access-token'
const CHAT_URL = 'https://chat.example.com'
const GRANT = {
  access_token: 't',
  expires_in: 86_400,
  token_type: 'Bearer',
  resumed: false,
  chat_url: CHAT_URL,
}

type Asked = { url: string; init: RequestInit }
type Answer = (asked: Asked) => Response | Promise<Response>

let asked: Asked[]
let clock: ReturnType<typeof createSleepingClock>
const never = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  clock = createSleepingClock()
})
afterEach(() => {
  vi.useRealTimers()
})

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })
let count = 0
/** `bff`, `host`: what they answer, in place of a token and a session. */
function access({
  bff,
  host,
  language = () => undefined,
  ...more
}: {
  bff?: Answer
  host?: Answer
  language?: () => string | undefined
} & Pick<Partial<AccessOptions>, 'sealed' | 'storedMark'> = {}) {
  return createAccess({
    tokenUrl: TOKEN_URL,
    platform: 'ios-web',
    streaming: false,
    language,
    clock,
    ...more,
    fetch: async (input, init = {}) => {
      // As a browser's: what was given up is not sent.
      init.signal?.throwIfAborted()
      const request = { url: String(input), init }
      asked.push(request)
      if (request.url === TOKEN_URL)
        return bff ? bff(request) : json({ ...GRANT, access_token: `t${++count}` })
      return host ? host(request) : json({ session_id: `s${++count}` })
    },
  })
}
/** Enters a session, which is not refused by `mayReplace`. */
async function enter(chat: ReturnType<typeof access>, resume?: string) {
  const entered = await chat.enter(resume, false, never)
  if (typeof entered === 'string') throw new Error(`no session was entered: ${entered}`)
  return entered
}
/** What the BFF was sent. */
const bodiesToBff = () =>
  asked
    .filter(({ url }) => url === TOKEN_URL)
    .map(({ init }) => JSON.parse(String(init.body)) as { session_id?: string; session_status?: boolean })
/** Why there is no session. */
const whyNot = async (answers: Parameters<typeof access>[0]): Promise<AccessError> => {
  const entering = access(answers).enter(undefined, false, never)
  const failed = entering.then(
    () => undefined,
    (error: unknown) => error,
  )
  await pass(10_000)
  const error = await failed
  if (!(error instanceof AccessError)) throw new Error('there is one')
  return error
}

it('no session is made for a page that was left while it waited for its token', async () => {
  const left = new AbortController()
  const chat = access({
    bff() {
      left.abort()
      return json(GRANT)
    },
  })
  await expect(chat.enter(undefined, false, left.signal)).rejects.toThrow(AccessError)
  expect(asked.map(({ url }) => url)).toEqual([TOKEN_URL])
})

describe('a first session', () => {
  it('takes a token with the cookie of the BFF, and a session without any; neither is followed elsewhere or kept', async () => {
    const entered = await access().enter(undefined, false, never)
    expect(entered).toMatchObject({ resumed: false, fresh: true })
    const [token, session] = asked
    expect(token).toMatchObject({
      url: TOKEN_URL,
      init: { method: 'POST', credentials: 'include', redirect: 'error', cache: 'no-store', body: '{}' },
    })
    expect(session).toMatchObject({
      url: `${CHAT_URL}/api/v1/sessions`,
      init: { method: 'POST', credentials: 'omit', redirect: 'error', cache: 'no-store' },
    })
    expect(JSON.parse(String(session?.init.body))).toEqual({ streaming_enabled: false, platform: 'ios-web' })
    expect(new Headers(session?.init.headers).get('authorization')).toMatch(/^Bearer t\d+$/)
    expect(new Headers(token?.init.headers).has('authorization')).toBe(false)
  })

  it('names the language of the visitor to the chat host, in the body, and by a header that needs no permission', async () => {
    let language: string | undefined = 'pt-BR'
    const entering = access({ language: () => language })
    const named = async () => {
      asked.length = 0
      await entering.enter(undefined, false, never)
      return asked.map(({ init }) => new Headers(init.headers).get('accept-language'))
    }
    expect(await named()).toEqual([null, 'pt-BR'])
    expect(JSON.parse(String(asked[1]?.init.body))).toMatchObject({ language: 'pt-BR' })
    for (const unfit of [undefined, '', 'de_DE', 'de\r\nx: y', 'de"', 'x'.repeat(36)]) {
      language = unfit
      expect((await named()).at(-1)).toBeNull()
    }
  })
})

describe('an answer', () => {
  it.each([
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [408, false],
    [425, false],
    [429, false],
    [500, false],
    [502, false],
    [503, false],
  ])('of status %i is a refusal: %s', async (status, refused) => {
    for (const who of ['bff', 'host'] as const)
      expect(await whyNot({ [who]: () => json({ error: 'no' }, status) })).toMatchObject({ refused, status })
  })
  it.each([
    [429, 7_000],
    [503, 7_000],
    [403, undefined],
  ])(
    'of status %i with “Retry-After: 7” has the next attempt wait, in ms: %s',
    async (status, retryAfter) => {
      const { retryAfter: heard } = await whyNot({ bff: () => json({}, status, { 'retry-after': '7' }) })
      expect(heard).toBe(retryAfter)
    },
  )
  it.each<[string, Answer]>([
    ['that is no JSON', () => new Response('<html>')],
    ['that is cut', () => new Response('{"access_token": "t')],
    ['that is nothing', () => json(null)],
    ['without a token', () => json({ ...GRANT, access_token: undefined })],
    ['with an empty token', () => json({ ...GRANT, access_token: '' })],
    ['with a token that is no text', () => json({ ...GRANT, access_token: 7 })],
    ['whose token is over already', () => json({ ...GRANT, expires_in: 0 })],
    ['that says in words how long the token lives', () => json({ ...GRANT, expires_in: '86400' })],
    ['that does not name the chat host', () => json({ ...GRANT, chat_url: undefined })],
    ['that is far too long', () => json({ ...GRANT, more: 'x'.repeat(65_536) })],
    [
      'that never comes',
      ({ init }) =>
        new Promise((_, reject) =>
          init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    ],
    ['that is an error of the network', () => Promise.reject(new TypeError('fetch failed'))],
  ])('%s is no refusal, and proves nothing', async (_, bff) => {
    expect(await whyNot({ bff })).toMatchObject({ refused: false, status: undefined })
    expect(asked).toHaveLength(1)
  })
  it('that names a chat host which cannot be one is a refusal: nothing mends that but its owner', async () => {
    expect(await whyNot({ bff: () => json({ ...GRANT, chat_url: 'ftp://chat.example.com' }) })).toMatchObject(
      {
        refused: true,
      },
    )
  })
  it.each([[{}], [{ session_id: '' }], [{ session_id: 7 }], [null]])(
    'of the chat host without a session is no refusal: %j',
    async (body) => {
      expect(await whyNot({ host: () => json(body) })).toMatchObject({ refused: false, status: undefined })
    },
  )
})

describe('a request', () => {
  it('is given up after 10 s, and not before', async () => {
    const signals: AbortSignal[] = []
    const entering = access({
      bff: ({ init }) => {
        signals.push(init.signal as AbortSignal)
        return new Promise(() => {})
      },
    }).enter(undefined, false, never)
    entering.catch(() => {})
    await pass(9_999)
    expect(signals[0]?.aborted).toBe(false)
    await pass(1)
    expect(signals[0]?.aborted).toBe(true)
  })
  it('is given up with the attempt that made it, and leaves no timer', async () => {
    const attempt = new AbortController()
    let signal: AbortSignal | undefined
    const failed = access({
      bff: ({ init }) => {
        signal = init.signal as AbortSignal
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        )
      },
    })
      .enter(undefined, false, attempt.signal)
      .catch(() => 'failed')
    await pass(5)
    attempt.abort()
    expect(await failed).toBe('failed')
    expect(signal?.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a session that is known', () => {
  it('is entered with the token that is here, where that is of this session and good for 30 s more', async () => {
    const chat = access()
    const { sessionId } = await enter(chat)
    const before = asked.length
    clock.sleep(86_400_000 - 30_001, 'counts')
    expect(chat.holds(sessionId)).toBe(true)
    expect(await chat.enter(sessionId, false, never)).toEqual({
      sessionId,
      resumed: true,
      fresh: false,
      named: expect.any(Promise),
    })
    expect(asked).toHaveLength(before)
    clock.sleep(1, 'counts')
    expect(chat.holds(sessionId)).toBe(false)
    await chat.enter(sessionId, false, never)
    expect(asked.slice(before).map(({ init }) => init.body)).toEqual(['{"resume":true}', expect.any(String)])
  })
  it('of another token is asked of the BFF, which may have it', async () => {
    const chat = access({ bff: () => json({ ...GRANT, resumed: true }) })
    await chat.enter(undefined, false, never)
    expect(await chat.enter('of-another-page', false, never)).toMatchObject({
      sessionId: 'of-another-page',
      resumed: true,
      fresh: false,
    })
    expect(asked.at(-1)).toMatchObject({ url: TOKEN_URL, init: { body: '{"resume":true}' } })
  })
  it('whose token is gone is replaced', async () => {
    const entered = await enter(access(), 'old')
    expect(entered).toMatchObject({ resumed: false, fresh: true })
    expect(entered.sessionId).not.toBe('old')
  })
})

describe('a session whose token the BFF gives back', () => {
  const text = 'a.b.c.d.e'
  /** A BFF that keeps the token `t`, which it knows as the one of `named`. */
  const resuming = (stored: string | undefined, named?: string) =>
    access({
      bff: () => json({ ...GRANT, resumed: true, session_id: named, sealed: text }),
      sealed: createSealedText(memoryStore()),
      storedMark: (sessionId) => (sessionId === 'stored' ? stored : undefined),
    })
  /** The mark of the token `t`. */
  const markOfT = async () => {
    const chat = access({ bff: () => json(GRANT) })
    return chat.markOf((await enter(chat)).sessionId)
  }

  it.each<[string, string, string | undefined, string | undefined]>([
    ['the one that is stored, which has the mark of that token', 'its own', 'named', 'stored'],
    [
      'the one that the BFF names, where the stored one was made with another token',
      'other',
      'named',
      'named',
    ],
    [
      'none, where the stored one was made with another token and the BFF names none',
      'other',
      undefined,
      undefined,
    ],
    ['the one that the BFF names, where the stored one has no mark', 'none', 'named', 'named'],
    ['the one that is stored, where it has no mark and the BFF names none', 'none', undefined, 'stored'],
  ])('is %s', async (_, kind, named, known) => {
    const mark = kind === 'its own' ? await markOfT() : kind === 'other' ? 'another' : undefined
    const { sessionId, resumed, fresh, named: told } = await enter(resuming(mark, named), 'stored')
    expect({ resumed, fresh }).toEqual({ resumed: known !== undefined, fresh: known === undefined })
    if (known !== undefined) expect(sessionId).toBe(known)
    else expect(['stored', 'named']).not.toContain(sessionId)
    // A BFF that knows another session, or none, is told.
    await told
    expect(bodiesToBff().flatMap(({ session_id }) => session_id ?? [])).toEqual(
      sessionId === named ? [] : [sessionId],
    )
  })
})

describe('a session whose token is gone', () => {
  const lost = (isElsewhere: (lost: string) => Promise<boolean>, isLate = () => false) =>
    access().enter('lost', false, never, { isElsewhere, isLate })
  const sessionsMade = () => asked.filter(({ url }) => url !== TOKEN_URL).length

  it('is not replaced where another page is connected to it', async () => {
    const names: string[] = []
    const answer = (is: boolean) => async (name: string) => {
      names.push(name)
      return is
    }
    expect(await lost(answer(true))).toBe('elsewhere')
    expect(sessionsMade()).toBe(0)
    expect(await lost(answer(false))).toMatchObject({ fresh: true })
    expect(sessionsMade()).toBe(1)
    expect(names).toEqual(['lost', 'lost'])
  })
  it('needs no question to the other pages where there was no session, or its token is here after all', async () => {
    const others = { isElsewhere: vi.fn(async () => true), isLate: () => false }
    expect(await access().enter(undefined, false, never, others)).toMatchObject({ fresh: true })
    const resuming = access({ bff: () => json({ ...GRANT, resumed: true }) })
    expect(await resuming.enter('kept', false, never, others)).toMatchObject({ sessionId: 'kept' })
    expect(others.isElsewhere).not.toHaveBeenCalled()
  })
  it('is forgotten with its token and its sealed text where another page has made one meanwhile', async () => {
    const store = memoryStore()
    const page = access({
      bff: () => json({ ...GRANT, sealed: 'a.b.c.d.e' }),
      sealed: createSealedText(store),
    })
    const others = { isElsewhere: async () => false, isLate: () => true }
    expect(await page.enter(undefined, false, never, others)).toBe('late')
    expect(store.get('sealed')).toBeUndefined()
    expect(page.holds('s')).toBe(false)
    expect(() => page.socketUrl('s', 0)).toThrow('no token')
  })
})

describe('a session that was entered', () => {
  const [before, first, second] = ['a.b.c.d.0', 'a.b.c.d.e', 'a.b.c.d.f']
  /** Whether the BFF counts as told of the session, before and after `given` answers. */
  const told = async (entered: { named: Promise<void> }, given: () => void) => {
    let named = false
    void entered.named.then(() => {
      named = true
    })
    await pass(0)
    const before = named
    given()
    await pass(0)
    return [before, named]
  }

  /** A page that has entered a session, of which its BFF has not been told yet. */
  async function naming() {
    const store = memoryStore()
    store.set('sealed', before)
    let answer = (_: Response) => {}
    let refuse = (_: Error) => {}
    const chat = access({
      sealed: createSealedText(store),
      bff: ({ init }) =>
        String(init.body).includes('session_id')
          ? new Promise<Response>((resolve, reject) => {
              answer = resolve
              refuse = reject
            })
          : json({ ...GRANT, sealed: first }),
    })
    const entered = await enter(chat)
    return {
      chat,
      entered,
      answer: (body: unknown, status?: number) => answer(json(body, status)),
      refuse: () => refuse(new TypeError('fetch failed')),
      text: () => store.get('sealed'),
    }
  }

  it.each<[string, string, (bff: Awaited<ReturnType<typeof naming>>) => void]>([
    ['has stored it', second, ({ answer }) => answer({ resumed: true, sealed: second })],
    ['has another token by now', first, ({ answer }) => answer({ resumed: false, sealed: second })],
    ['has answered with an error', first, ({ answer }) => answer({}, 500)],
    ['could not be reached', first, ({ refuse }) => refuse()],
  ])('is named once the BFF %s, and not before', async (_, text, respond) => {
    const page = await naming()
    expect(bodiesToBff()[0]).toEqual({ sealed: true })
    expect(page.text()).toBe(first)
    expect(await told(page.entered, () => respond(page))).toEqual([false, true])
    expect(page.text()).toBe(text)
  })
  it.each(['drop', 'close'] as const)(
    'leaves no text behind of an answer that comes after %s()',
    async (end) => {
      const { chat, entered, answer, text } = await naming()
      chat[end]()
      await told(entered, () => answer({ resumed: true, sealed: second }))
      expect(text()).not.toBe(second)
    },
  )
  it('is named at once where the BFF need not be told', async () => {
    expect(await told(await enter(access()), () => {})).toEqual([true, true])
    const named = access({
      sealed: createSealedText(memoryStore()),
      bff: () => json({ ...GRANT, resumed: true, session_id: 's', sealed: first }),
    })
    expect(await told(await enter(named, 's'), () => {})).toEqual([true, true])
  })
})

/** A page in the session `known`, whose chat host answers as given from then on. */
async function known(host: Answer, bff: Answer = () => json({ ...GRANT, resumed: true })) {
  const answers = { host: (() => json({ session_id: 'first' })) as Answer, bff }
  const chat = access({ host: (each) => answers.host(each), bff: (each) => answers.bff(each) })
  await chat.enter('known', false, never)
  asked.length = 0
  answers.host = host
  return { chat, answers }
}

describe('a session that may be lost', () => {
  it('is replaced by one that the chat host makes with the token that the browser keeps', async () => {
    const { chat } = await known(() => json({ session_id: 'other' }))
    expect(await chat.enter('known', true, never)).toMatchObject({
      sessionId: 'other',
      resumed: false,
      fresh: true,
    })
    expect(asked.map(({ url, init }) => [url, init.body])).toEqual([
      [TOKEN_URL, '{"resume":true}'],
      [`${CHAT_URL}/api/v1/sessions`, expect.any(String)],
    ])
    expect([chat.holds('other'), chat.holds('known')]).toEqual([true, false])
  })
  it('is replaced with the token that a reload will find, where another tab has replaced that one', async () => {
    const { chat, answers } = await known(() => json({ session_id: 'other' }))
    for (const resumed of [true, false]) {
      answers.bff = () => json({ ...GRANT, access_token: `new-${resumed}`, resumed })
      await chat.enter(resumed ? 'known' : 'other', true, never)
      expect(chat.socketUrl('other', 0)).toContain(`access_token=new-${resumed}`)
    }
  })
  const ANSWERS: [string, Answer][] = [
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['a page of a proxy', () => new Response('<html>502</html>')],
    ['an answer without a session', () => json({})],
    ...[400, 403, 404, 429, 500, 503].map((status): [string, Answer] => [
      `${status}`,
      () => json({}, status),
    ]),
  ]
  it.each(ANSWERS)('goes on with its own token where the chat host gives %s', async (_, host) => {
    const { chat, answers } = await known(host)
    answers.bff = () => json({ ...GRANT, access_token: 'fresh', resumed: false })
    expect(await chat.enter('known', true, never)).toMatchObject({ sessionId: 'known', fresh: false })
    expect(chat.socketUrl('known', 0)).toContain(`access_token=${GRANT.access_token}`)
  })
  it.each([...ANSWERS, ['401', () => json({}, 401)] as [string, Answer]])(
    'goes on where the BFF gives %s',
    async (_, bff) => {
      const { chat, answers } = await known(() => json({ session_id: 'other' }))
      answers.bff = bff
      expect(await chat.enter('known', true, never)).toMatchObject({ sessionId: 'known', fresh: false })
      expect(asked).toHaveLength(1)
    },
  )
  it('is lost with its token, which the chat host refuses', async () => {
    const statuses = [401, 200]
    const { chat } = await known(() => json({ session_id: 'new' }, statuses.shift()))
    expect(await chat.enter('known', true, never)).toMatchObject({ sessionId: 'new', fresh: true })
    expect(asked.map(({ init }) => init.body)).toEqual([
      '{"resume":true}',
      expect.any(String),
      '{}',
      expect.any(String),
    ])
  })
  it('leaves no token behind where the visitor signs out before the chat host answers', async () => {
    const left = new AbortController()
    const { chat } = await known(() => {
      chat.drop()
      left.abort()
      return json({ session_id: 'other' })
    })
    await chat.enter('known', true, left.signal)
    expect([chat.holds('known'), chat.holds('other')]).toEqual([false, false])
  })
})

describe('the question how a session stands', () => {
  const MUCH = ' '.repeat(70_000)
  it.each<[string, Answer, unknown]>([
    ...(['active', 'expired', 'ended', 'unknown'] as const).map((state): [string, Answer, unknown] => [
      state,
      () => json({ state }),
      state,
    ]),
    ['401', () => json({ error: 'Invalid access token' }, 401), 'unknown'],
    ['another word', () => json({ state: 'gone' }), undefined],
    ['no word', () => json({ state: ['unknown'] }), undefined],
    ['nothing', () => new Response(null, { status: 204 }), undefined],
    ['null', () => new Response('null'), undefined],
    ['a page', () => new Response('<html>{"state":"unknown"}</html>'), undefined],
    ['half an answer', () => new Response('{"state":"unknown"'), undefined],
    ['as much as an answer may hold', () => new Response('{"state":"unknown"}'.padStart(65_536)), 'unknown'],
    ['too much', () => new Response(`${MUCH}{"state":"unknown"}`), undefined],
    ['no answer', () => Promise.reject(new TypeError('fetch failed')), undefined],
    ...[400, 403, 404, 405, 410, 429, 500, 502, 503].map((status): [string, Answer, unknown] => [
      `${status}`,
      () => json({ state: 'unknown' }, status),
      undefined,
    ]),
  ])('is answered by %s', async (_, host, state) => {
    const { chat } = await known(host)
    expect(await chat.statusOf('known', never)).toBe(state)
    expect(chat.holds('known')).toBe(true)
  })
  it('goes to the session’s own address, with its token in a header alone', async () => {
    const { chat } = await known(() => json({ state: 'active' }))
    await chat.statusOf('a/b?c', never)
    expect(asked.map(({ url, init }) => [url, init.method ?? 'GET', init.credentials])).toEqual([
      [`${CHAT_URL}/api/v1/sessions/a%2Fb%3Fc`, 'GET', 'omit'],
    ])
    expect(new Headers(asked[0]?.init.headers).get('authorization')).toBe(`Bearer ${GRANT.access_token}`)
  })
  it('proves nothing where no answer comes within 10 s', async () => {
    const { chat } = await known(
      ({ init }) =>
        new Promise((_, reject) =>
          init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    )
    let state: unknown = 'none yet'
    void chat.statusOf('known', never).then((told) => {
      state = told
    })
    await pass(9_999)
    expect(state).toBe('none yet')
    await pass(1)
    expect(state).toBeUndefined()
  })
  it('reads no more of an endless answer than an answer may have', async () => {
    let read = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(stream) {
        read += 10_000
        stream.enqueue(new Uint8Array(10_000).fill(32))
      },
      cancel() {
        isCancelled = true
      },
    })
    const { chat } = await known(() => new Response(endless))
    expect(await chat.statusOf('known', never)).toBeUndefined()
    expect(isCancelled).toBe(true)
    expect(read).toBeLessThan(200_000)
  })
})

describe('the mark of a token', () => {
  it('tells tokens that differ in one character apart, is the same in every page, and reveals nothing of the token', async () => {
    const tokens = ['header.payload.signature-a', 'header.payload.signature-b', 'header.paylOad.signature-a']
    const mark = async (access_token: string) => {
      const chat = access({ bff: () => json({ ...GRANT, access_token }) })
      const { sessionId } = await enter(chat)
      expect(chat.markOf('another')).toBeUndefined()
      return chat.markOf(sessionId)
    }
    const marks = await Promise.all(tokens.map(mark))
    expect(new Set(marks).size).toBe(3)
    expect(await Promise.all(tokens.map(mark))).toEqual(marks)
    for (const each of marks) expect(each).toMatch(/^[a-z0-9]{1,7}$/)
  })
})

describe('signing out', () => {
  it('has the BFF wipe its cookie, though the page is left in this moment, and needs no answer', async () => {
    const chat = access({ bff: () => Promise.reject(new TypeError('fetch failed')) })
    await chat.forget()
    expect(asked).toMatchObject([
      { url: TOKEN_URL, init: { method: 'DELETE', credentials: 'include', keepalive: true } },
    ])
    expect(vi.getTimerCount()).toBe(0)
  })
  it('forgets the token and what was made with it', async () => {
    const chat = access()
    const { sessionId } = await enter(chat)
    chat.drop()
    expect(chat.holds(sessionId)).toBe(false)
    expect(() => chat.socketUrl(sessionId, 0)).toThrow('no token')
  })
})

describe('a last word', () => {
  it('is for the session of this page, though an earlier one of another page had its token', async () => {
    const from = access({ bff: () => json({ ...GRANT, resumed: true }) })
    await from.enter('s1', false, never)
    expect(await from.addressAgain('s2', true, 's2')).toContain('session_id=s2')
    expect(from.holds('s1')).toBe(true)
  })

  it('is for no session whose token was replaced by that of the session of this page', async () => {
    const from = access({ bff: () => json({ ...GRANT, resumed: true }) })
    await from.enter('s1', false, never)
    expect(await from.addressAgain('s0', true, 's1')).toBeUndefined()
    expect(from.holds('s1')).toBe(true)
  })

  it('goes with the token that the BFF keeps, where that is another one than the page has', async () => {
    const from = access({ bff: () => json({ ...GRANT, resumed: true, access_token: `kept-${++count}` }) })
    await from.enter('s1', false, never)
    expect(await from.addressAgain('s0', true, 's1')).toContain(`kept-${count}`)
    expect(from.holds('s1')).toBe(false)
  })

  it.each<[string, (chat: ReturnType<typeof access>) => unknown]>([
    ['the visitor signs out', (chat) => chat.drop()],
    ['a session is entered', (chat) => chat.enter('s1', false, never)],
  ])('is given up where %s before the BFF answers', async (_, act) => {
    let signal: AbortSignal | null | undefined
    const from = access({
      bff: ({ init }) => {
        if (asked.length === 1) return json({ ...GRANT, resumed: true })
        signal = init.signal
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        )
      },
    })
    await from.enter('s1', false, never)
    const address = from.addressAgain('s0', true, 's1').catch(() => 'given up')
    await pass(0)
    await act(from)
    expect(signal?.aborted).toBe(true)
    expect(await address).toBe('given up')
  })
})

it('the BFF of a chat where nothing can be stored is told once of each session whose state the service tells', async () => {
  const store = { get: () => undefined, set: () => {}, remove: () => {} }
  const chat = access({ sealed: createSealedText(store) })
  for (const session of ['s1', 's1', 's2']) {
    expect(chat.hasStatus('s2')).toBe(false)
    chat.noteStatus(session)
    expect(chat.hasStatus(session)).toBe(true)
  }
  await pass(0)
  expect(bodiesToBff()).toMatchObject([
    { session_id: 's1', session_status: true },
    { session_id: 's2', session_status: true },
  ])
})

it('a chat where nothing can be stored asks for the session of its cookie until a request is answered', async () => {
  let fails = true
  const store = { get: () => undefined, set: () => {}, remove: () => {} }
  const chat = access({
    sealed: createSealedText(store),
    bff: () => (fails ? json({}, 503) : json({ ...GRANT, resumed: true, session_id: 'old' })),
  })
  await chat.enter(undefined, false, never).catch(() => {})
  fails = false
  await chat.enter(undefined, false, never)
  expect(bodiesToBff().slice(0, 2)).toMatchObject([{ resume: true }, { resume: true }])
})
