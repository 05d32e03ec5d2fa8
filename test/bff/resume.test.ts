// What a visitor's browser keeps for the BFF: the cookie, and the sealed text of a frame that gets none back.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type BffOptions, createSitesBff } from '../../src/bff/index.ts'

const OWN = 'https://chat.example.com'
const SHOP = 'https://shop.example.com'
const SECRET = 'a-cookie-secret-of-thirty-two-chars!'
const ANOTHER = 'a-new-secret-of-thirty-two-characters'

let now: number
let minted: number
let log: string[]
/** How long a token of the service is. */
let tokenLength: number

beforeEach(() => {
  now = 1_800_000_000_000
  minted = 0
  log = []
  tokenLength = 40
})

function bff(more: Partial<BffOptions> = {}) {
  const options: BffOptions = {
    connectorToken: 'canary-connector-token',
    connectorHost: 'shop.example.com',
    chatUrl: 'https://service.example.com',
    unframedOrigins: [SHOP],
    cookieSecrets: [SECRET],
    now: () => now,
    log: (line) => log.push(line),
    fetch: async () => {
      const access_token = `canary-${++minted}-`.padEnd(tokenLength, 'x')
      return Response.json({ access_token, expires_in: 3_600, token_type: 'Bearer' })
    },
    ...more,
  }
  const second = { ...options, connectorToken: 'x', connectorHost: 'y', chatUrl: 'https://y.example.com' }
  return createSitesBff({ ...options, connectors: { '': options, second } })
}

type Answer = { status: number; cookie: string | undefined; setCookie: string } & Record<string, unknown>

/** A browser. `returns` is whether its cookies come back. */
function browser(handler: ReturnType<typeof bff>, returns: boolean, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  return async (
    body: object,
    { method = 'POST', path = '/foyer/access-token' }: { method?: 'POST' | 'DELETE'; path?: string } = {},
  ): Promise<Answer> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await handler.fetch(
      new Request(OWN + path, {
        method,
        headers: {
          origin: OWN,
          'content-type': 'application/json',
          ...(cookie && returns && { cookie }),
          ...headers,
        },
        ...(method === 'POST' && { body: JSON.stringify(body) }),
      }),
      { address: '1.2.3.4' },
    )
    const setCookie = response.headers.get('set-cookie') ?? ''
    const [name = '', value = ''] = setCookie.split(';')[0]?.split('=') ?? []
    if (setCookie.includes('Max-Age=0')) jar.delete(name)
    else if (setCookie) jar.set(name, value)
    const json = response.status === 204 ? {} : ((await response.json()) as object)
    return { status: response.status, cookie: value || undefined, setCookie, ...json }
  }
}

describe('a frame whose cookie does not come back', () => {
  it('gets the content of the cookie as a text, and the same token for that text', async () => {
    const ask = browser(bff(), false)
    const first = await ask({ sealed: true })
    expect(first.sealed).toBe(first.cookie)
    expect(first.sealed).not.toContain('canary')
    now += 600_000
    const again = await ask({ resume: true, sealed: first.sealed })
    expect(again).toMatchObject({
      access_token: first.access_token,
      expires_in: 3_000,
      resumed: true,
      sealed: first.sealed,
    })
    expect(minted).toBe(1)
  })

  it('names a session, and the text of that answer resumes the session', async () => {
    const ask = browser(bff(), false)
    const { sealed } = await ask({ sealed: true })
    const named = await ask({ resume: true, sealed, session_id: 'session-1' })
    expect(named).toMatchObject({ resumed: true, session_id: 'session-1' })
    expect(named.sealed).not.toBe(sealed)
    expect(await ask({ resume: true, sealed: named.sealed })).toMatchObject({ session_id: 'session-1' })
    expect(await ask({ resume: true, sealed })).not.toHaveProperty('session_id')
  })

  it('gets a fresh token and a fresh text if the old text has expired', async () => {
    const ask = browser(bff(), false)
    const first = await ask({ sealed: true })
    now += 3_550_000
    const again = await ask({ resume: true, sealed: first.sealed })
    expect(again).toMatchObject({ resumed: false, expires_in: 3_600 })
    expect(again.sealed).toBe(again.cookie)
    expect(again.access_token).not.toBe(first.access_token)
  })

  it('gets no text that is too long for its next request', async () => {
    const outcomes = new Set<string>()
    for (tokenLength = 2_000; tokenLength < 2_700; tokenLength += 50) {
      const ask = browser(bff(), false)
      const { sealed } = await ask({ sealed: true })
      if (sealed === undefined) {
        outcomes.add('none')
        continue
      }
      const named = await ask({ resume: true, sealed, session_id: 's'.repeat(200) })
      expect(named).toMatchObject({ status: 200, resumed: true, sealed: expect.any(String) })
      expect(await ask({ resume: true, sealed: named.sealed })).toMatchObject({ status: 200, resumed: true })
      outcomes.add(named.session_id === undefined ? 'unnamed' : 'named')
    }
    expect(outcomes).toEqual(new Set(['named', 'unnamed', 'none']))
  })
})

describe('a frame whose cookie comes back', () => {
  it('gets no text once the cookie has come back', async () => {
    const ask = browser(bff(), true)
    const { sealed } = await ask({ sealed: true })
    const check = await ask({ resume: true, sealed, session_id: 'session-1' })
    expect(check).toMatchObject({ resumed: true, session_id: 'session-1' })
    expect(check).not.toHaveProperty('sealed')
    expect(await ask({ sealed: true })).not.toHaveProperty('sealed')
  })

  it('names a session, and the cookie alone resumes the session', async () => {
    const ask = browser(bff(), true)
    await ask({ sealed: true })
    const named = await ask({ resume: true, session_id: 'session-1' })
    expect(named.setCookie).toMatch(/; Secure; HttpOnly; SameSite=None; Partitioned; Path=\/; Max-Age=3600$/)
    const again = await ask({ resume: true, sealed: true })
    expect(again).toMatchObject({ resumed: true, session_id: 'session-1', setCookie: '' })
    expect(minted).toBe(1)
  })

  it('says of the session that it has named that the service tells how it stands, and of no other', async () => {
    const ask = browser(bff(), true)
    await ask({})
    const status = { resume: true, session_id: 'session-1', session_status: true }
    // Not named yet, or replaced by another tab meanwhile.
    expect(await ask(status)).not.toHaveProperty('session_id')
    await ask({ resume: true, session_id: 'session-1' })
    for (const session_status of [false, 'true', 1, null, undefined])
      expect(await ask({ ...status, session_status })).not.toHaveProperty('session_status')
    expect(await ask(status)).toMatchObject({ session_id: 'session-1', session_status: true })
    expect(await ask({ resume: true })).toMatchObject({ session_id: 'session-1', session_status: true })
    expect((await ask(status)).setCookie).toBe('')
    const next = await ask({ resume: true, session_id: 'session-2' })
    expect(next).toMatchObject({ session_id: 'session-2' })
    expect(next).not.toHaveProperty('session_status')
    expect(await ask({})).not.toHaveProperty('session_status')
    expect(minted).toBe(2)
  })

  it('gets a cookie with the content of the answer if another tab had replaced the cookie', async () => {
    const ask = browser(bff(), true)
    const mine = await ask({ sealed: true })
    const other = await ask({})
    expect(await ask({ resume: true, sealed: mine.sealed })).toMatchObject({
      access_token: mine.access_token,
      cookie: mine.sealed,
    })
    expect((await ask({ resume: true })).access_token).toBe(mine.access_token)
    expect(other.access_token).not.toBe(mine.access_token)
  })

  it('resumes by its cookie if the text is damaged or expired', async () => {
    const ask = browser(bff(), true)
    const first = await ask({ sealed: true })
    const spoilt = `${String(first.sealed).slice(0, -4)}AAAA`
    for (const sealed of [spoilt, 'x', '', 5, null, ['x'], 'x'.repeat(3_600)])
      expect(await ask({ resume: true, sealed })).toMatchObject({ access_token: first.access_token })
    expect(minted).toBe(1)
  })

  it('cannot name a session with a malformed id', async () => {
    const ask = browser(bff(), true)
    await ask({})
    for (const session_id of ['', 'a b', 'ä', 'x'.repeat(201), 5, null, {}, ['x'], 'x\u0000'])
      expect(await ask({ resume: true, session_id })).not.toHaveProperty('session_id')
  })
})

describe('the sealed text', () => {
  it('is returned only to clients that ask for it', async () => {
    const ask = browser(bff(), false)
    expect(await ask({})).not.toHaveProperty('sealed')
    expect(await ask({ resume: true })).not.toHaveProperty('sealed')
  })

  it.each([
    ['by CORS', { origin: SHOP }],
    ['by CORS, from the same site', { origin: SHOP, 'sec-fetch-site': 'same-site' }],
    ['with our origin, as a browser says from elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['with our origin, as a browser says from the same site', { 'sec-fetch-site': 'same-site' }],
  ])('is neither returned nor accepted %s', async (_, headers) => {
    const handler = bff()
    const { sealed } = await browser(handler, false)({ sealed: true })
    const ask = browser(handler, false, headers)
    expect(await ask({ sealed: true })).not.toHaveProperty('sealed')
    const again = await ask({ resume: true, sealed, session_id: 'session-1' })
    expect(again).toMatchObject({ status: 200, resumed: false })
    expect(again).not.toHaveProperty('sealed')
    expect(again).not.toHaveProperty('session_id')
  })

  it('is valid for its own connector only, while its secret is configured', async () => {
    const { sealed } = await browser(bff(), false)({ sealed: true })
    const resumed = async (handler: ReturnType<typeof bff>, path?: string) =>
      (await browser(handler, false)({ resume: true, sealed }, path ? { path } : {})).resumed
    expect(await resumed(bff(), '/foyer/second/access-token')).toBe(false)
    expect(await resumed(bff({ cookieSecrets: [ANOTHER, SECRET] }))).toBe(true)
    expect(await resumed(bff({ cookieSecrets: [ANOTHER] }))).toBe(false)
    expect(await resumed(bff({ publicOrigin: SHOP }))).toBe(undefined)
  })

  it('is never resumed or logged if the BFF did not seal it', async () => {
    const ask = browser(bff({ limits: { address: 10_000, connector: 10_000 } }), false)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{1,40}\.[\w-]{0,4}\.\w{4}\.\w{8}\.\w{4}$/)),
        async (sealed) => (await ask({ resume: true, sealed })).resumed === false,
      ),
      { numRuns: 100 },
    )
    expect(log).toEqual([])
  })
})

describe('signing out', () => {
  it('deletes the cookie of the own origin and of trusted origins, and of no other', async () => {
    const handler = bff()
    for (const origin of [OWN, SHOP]) {
      const ask = browser(handler, true, { origin })
      const { cookie } = await ask({})
      expect(await ask({ resume: true })).toMatchObject({ resumed: true })
      const gone = await ask({}, { method: 'DELETE' })
      expect(gone.status).toBe(204)
      expect(gone.setCookie).toMatch(
        /^__Host-foyer-[\da-f]{16}=; Secure; HttpOnly; SameSite=None; Partitioned; Path=\/; Max-Age=0$/,
      )
      expect(await ask({ resume: true })).toMatchObject({ resumed: false })
      expect(cookie).toBeDefined()
    }
    const foreign = browser(handler, true, { origin: 'https://evil.example.com' })
    expect(await foreign({}, { method: 'DELETE' })).toMatchObject({ status: 403, setCookie: '' })
  })

  it('deletes the cookie of its connector, and no other cookie', async () => {
    const ask = browser(bff(), true)
    const second = { path: '/foyer/second/access-token' }
    await ask({})
    await ask({}, second)
    await ask({}, { method: 'DELETE', ...second })
    expect(await ask({ resume: true })).toMatchObject({ resumed: true })
    expect(await ask({ resume: true }, second)).toMatchObject({ resumed: false })
  })
})
