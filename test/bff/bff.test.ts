// Every row of what the BFF answers, with a service that is a small real machine.

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Asset,
  type BffConnectors,
  type BffOptions,
  createBff,
  createSitesBff,
  folderAssets,
  readBffSettings,
  readConnectors,
} from '../../src/bff/index.ts'
import { createSeal } from '../../src/bff/tokens/seal.ts'

const OWN = 'https://chat.example.com'
const SHOP = 'https://shop.example.com'
const SECRET = 'a-cookie-secret-of-thirty-two-chars!'
const CANARY = 'canary-connector-token'

let upstream: { request: Request; body: string }[]
let answer: () => Response | Promise<Response>
let log: string[]
let now: number

beforeEach(() => {
  upstream = []
  log = []
  now = 1_800_000_000_000
  let count = 0
  answer = () =>
    Response.json({ access_token: `canary-access-token-${++count}`, expires_in: 3_600, token_type: 'Bearer' })
})

type Options = Partial<BffOptions> & { connectors?: BffConnectors }
/** With further connectors, whose service is the same. */
function bff({ connectors, ...more }: Options = {}) {
  const options: BffOptions = {
    connectorToken: CANARY,
    connectorHost: 'shop.example.com',
    chatUrl: 'https://service.example.com',
    origins: [SHOP],
    cookieSecrets: [SECRET],
    now: () => now,
    log: (line) => log.push(line),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      upstream.push({ request, body: await request.clone().text() })
      return answer()
    },
    ...more,
  }
  if (!connectors) return createBff(options)
  const others = Object.entries(connectors).map(([name, each]) => [name, { fetch: options.fetch, ...each }])
  return createSitesBff({ ...options, connectors: { '': options, ...Object.fromEntries(others) } })
}

type Ask = {
  origin?: string | null
  body?: string
  type?: string
  cookie?: string
  path?: string
  method?: string
  address?: string
}
function ask(
  handler: ReturnType<typeof bff>,
  {
    origin = OWN,
    body = '{}',
    type = 'application/json',
    cookie,
    path = '/foyer/access-token',
    method = 'POST',
    address = '1.2.3.4',
  }: Ask = {},
) {
  const headers: Record<string, string> = { 'content-type': type }
  if (origin !== null) headers.origin = origin
  if (cookie) headers.cookie = cookie
  return handler.fetch(new Request(OWN + path, { method, headers, ...(method === 'POST' && { body }) }), {
    address,
  })
}
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
const json = async (response: Response) => (await response.json()) as Record<string, unknown>

describe('a token', () => {
  it('is requested with the connector token and host of the settings only', async () => {
    const response = await ask(bff(), {
      body: '{"host":"evil.example.com","chat_url":"https://evil.example.com"}',
    })
    expect(response.status).toBe(200)
    expect(await json(response)).toEqual({
      access_token: 'canary-access-token-1',
      expires_in: 3_600,
      token_type: 'Bearer',
      resumed: false,
      chat_url: 'https://service.example.com',
    })
    const [{ request, body } = { request: new Request(OWN), body: '' }] = upstream
    expect(request.url).toBe('https://service.example.com/api/v1/access-token')
    expect([request.headers.get('x-token'), request.headers.get('x-host'), body]).toEqual([
      CANARY,
      'shop.example.com',
      '{}',
    ])
    expect(request.redirect).toBe('manual')
  })

  it('is not cached, and scripts cannot read its cookie', async () => {
    const response = await ask(bff())
    expect(
      Object.fromEntries(
        ['cache-control', 'pragma', 'vary', 'x-content-type-options', 'referrer-policy'].map((name) => [
          name,
          response.headers.get(name),
        ]),
      ),
    ).toEqual({
      'cache-control': 'no-store',
      pragma: 'no-cache',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-foyer-[\da-f]{16}=[\w.-]+; Secure; HttpOnly; SameSite=None; Partitioned; Path=\/; Max-Age=3600$/,
    )
    expect(response.headers.get('set-cookie')).not.toContain('canary')
  })

  it('is the same token with {"resume": true}, with the remaining seconds', async () => {
    const handler = bff()
    const cookie = cookieOf(await ask(handler))
    now += 600_000
    const again = await json(await ask(handler, { body: '{"resume":true}', cookie }))
    expect(again).toMatchObject({ access_token: 'canary-access-token-1', expires_in: 3_000, resumed: true })
    expect(upstream).toHaveLength(1)
  })

  it.each([
    ['there is no cookie', () => ''],
    ['the cookie was tampered with', (cookie: string) => `${cookie.slice(0, -4)}AAAA`],
    ['the cookie is not ours', (cookie: string) => `${cookie.split('=')[0]}=nonsense`],
  ])('is fresh if %s', async (_, change) => {
    const handler = bff()
    const cookie = change(cookieOf(await ask(handler)))
    expect(await json(await ask(handler, { body: '{"resume":true}', cookie }))).toMatchObject({
      access_token: 'canary-access-token-2',
      resumed: false,
    })
  })

  it.each([
    [3_539, true, 61],
    [3_540, false, 3_600],
    [3_600, false, 3_600],
  ])(
    'is given out until its last minute, by the clock of its request: after %i of 3600 s resumed is %s',
    async (seconds, resumed, expires_in) => {
      const given = answer
      answer = () => {
        // A slow service: the token is as old as its request.
        now += 9_000
        return given()
      }
      const handler = bff()
      const cookie = cookieOf(await ask(handler))
      now += seconds * 1000 - 9_000
      expect(await json(await ask(handler, { body: '{"resume":true}', cookie }))).toMatchObject({
        resumed,
        expires_in,
      })
    },
  )

  it('is kept for a day at most, by a cookie that never outlives it', async () => {
    const ages = []
    for (const expires_in of [200_000, 86_401, 86_399]) {
      answer = () => Response.json({ access_token: 'canary', expires_in, token_type: 'Bearer' })
      const handler = bff()
      const first = await ask(handler)
      now += 100_000 * (expires_in > 100_000 ? 1 : 0)
      const named = await ask(handler, {
        body: '{"resume":true,"session_id":"session-1"}',
        cookie: cookieOf(first),
      })
      for (const { headers } of [first, named])
        ages.push(Number(/Max-Age=(\d+)/.exec(headers.get('set-cookie') ?? '')?.[1]))
    }
    expect(ages).toEqual([86_400, 86_400, 86_400, 86_400, 86_399, 86_399])
  })

  it('is sealed for one origin and one connector: any other refuses the cookie', async () => {
    const handler = bff({
      unframedOrigins: [SHOP],
      connectors: { second: { connectorToken: 'x', connectorHost: 'y' } },
    })
    const [, value] = cookieOf(await ask(handler)).split(/=(.*)/s)
    const ours = cookieOf(await ask(handler)).split('=')[0]
    const foreign = cookieOf(await ask(handler, { origin: SHOP })).split('=')[0]
    const second = cookieOf(await ask(handler, { path: '/foyer/second/access-token' })).split('=')[0]
    expect(new Set([ours, foreign, second]).size).toBe(3)
    expect(
      await json(
        await ask(handler, { origin: SHOP, body: '{"resume":true}', cookie: `${foreign}=${value}` }),
      ),
    ).toMatchObject({ resumed: false })
    expect(
      await json(
        await ask(handler, {
          path: '/foyer/second/access-token',
          body: '{"resume":true}',
          cookie: `${second}=${value}`,
        }),
      ),
    ).toMatchObject({ resumed: false })
  })

  it('survives a change of secrets while the old secret is configured', async () => {
    const cookie = cookieOf(await ask(bff()))
    const rotated = bff({
      cookieSecrets: ['a-new-secret-of-thirty-two-characters', 'a-second-secret-of-thirty-two-signs', SECRET],
    })
    expect(await json(await ask(rotated, { body: '{"resume":true}', cookie }))).toMatchObject({
      resumed: true,
    })
    const forgotten = bff({ cookieSecrets: ['a-new-secret-of-thirty-two-characters'] })
    expect(await json(await ask(forgotten, { body: '{"resume":true}', cookie }))).toMatchObject({
      resumed: false,
    })
  })

  it('is sealed by the first secret, so that an old secret can be removed once its cookies have expired', async () => {
    const NEW = 'a-new-secret-of-thirty-two-characters'
    const handler = bff({ cookieSecrets: [NEW, SECRET] })
    const cookie = cookieOf(await ask(handler))
    const resumes = async (...cookieSecrets: string[]) =>
      (await json(await ask(bff({ cookieSecrets }), { body: '{"resume":true}', cookie }))).resumed
    expect([await resumes(NEW), await resumes(SECRET)]).toEqual([true, false])
  })

  it('is forgotten by DELETE', async () => {
    const response = await ask(bff(), { method: 'DELETE' })
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0')
  })

  it('comes with the BFF’s own origin as chat_url by default', async () => {
    expect(await json(await ask(bff({ chatUrl: undefined })))).toMatchObject({ chat_url: OWN })
  })
})

describe('the origin of a request', () => {
  it.each([
    SHOP,
    'null',
    'https://evil.chat.example.com',
    'https://chat.example.com.evil.example.com',
    'http://chat.example.com',
    'https://chat.example.com:444',
    'https://CHAT.example.com',
    '',
  ])('is refused if it is %s', async (origin) => {
    const response = await ask(bff(), { origin: origin === '' ? null : origin })
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(upstream).toEqual([])
  })

  it('is allowed by unframedOrigins, by CORS with credentials', async () => {
    const handler = bff({ unframedOrigins: [SHOP] })
    const preflight = await ask(handler, { origin: SHOP, method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(SHOP)
    const response = await ask(handler, { origin: SHOP })
    expect(response.status).toBe(200)
    expect([
      response.headers.get('access-control-allow-origin'),
      response.headers.get('access-control-allow-credentials'),
    ]).toEqual([SHOP, 'true'])
    for (const other of [
      `${SHOP}.evil.example.com`,
      'https://evil.shop.example.com',
      'http://shop.example.com',
    ])
      expect((await ask(handler, { origin: other })).status, other).toBe(403)
  })

  it('is the public origin behind a proxy', async () => {
    const handler = bff({ publicOrigin: 'https://public.example.com', chatUrl: undefined })
    expect(await json(await ask(handler, { origin: 'https://public.example.com' }))).toMatchObject({
      chat_url: 'https://public.example.com',
    })
    expect((await ask(handler)).status).toBe(403)
  })
})

describe('the host of a request', () => {
  const from = (host: string, path: string, more: Partial<BffOptions> = {}) =>
    bff({ chatUrl: undefined, ...more }).fetch(new Request(`https://${host}${path}`), { address: '1.2.3.4' })

  it.each(['chat.example.com', 'foyer_bff', 'localhost:4700', '192.0.2.1:80', '[2001:db8::1]:4700'])(
    '%s reaches the policy of the frame',
    async (host) => {
      const response = await from(host, '/foyer/frame')
      expect(response.headers.get('content-security-policy')).toContain(new URL(`https://${host}`).origin)
    },
  )

  it.each([
    "chat.example.com;script-src'unsafe-inline'",
    'a,b.example.com',
    "'self'",
    '*.example.com',
    'a"b',
    'a$b',
    'a..b',
  ])('%s is refused', async (host) => {
    for (const path of ['/foyer/frame', '/foyer/config', '/foyer/access-token']) {
      const response = await from(host, path)
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain(host)
    }
  })

  it('has no effect if the public origin is configured', async () => {
    const response = await from('a;b', '/foyer/frame', { publicOrigin: OWN })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).not.toContain('a;b')
  })
})

describe('the configuration', () => {
  const config = async (origin: string | null, more?: Partial<BffOptions>) => {
    const response = await ask(bff(more), { path: '/foyer/config', method: 'GET', origin })
    return { response, body: await json(response) }
  }

  it('is readable by scripts of every origin, without credentials', async () => {
    for (const origin of [OWN, SHOP, 'https://stranger.example.com', 'null', null]) {
      const { response } = await config(origin)
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      expect(response.headers.get('vary')).toBe('Origin')
    }
    expect(upstream).toEqual([])
  })

  it.each([
    [OWN, true],
    [SHOP, true],
    [null, true],
    ['https://evil.shop.example.com', false],
    [`${SHOP}.evil.example.com`, false],
    ['https://stranger.example.com', false],
    ['null', false],
  ])('tells the origin %j whether a widget without a frame gets a token there', async (origin, unframed) => {
    const options = { unframedOrigins: [SHOP] }
    expect((await config(origin, options)).body.unframed).toBe(unframed)
    if (origin !== null) expect((await ask(bff(options), { origin })).status).toBe(unframed ? 200 : 403)
  })

  it('lists the origins of pictures that load at once: the chat hosts and the BFF, or the setting', async () => {
    expect((await config(OWN)).body.imageOrigins).toEqual(['https://service.example.com', OWN])
    const imageOrigins = ['https://images.example.com', 'http://localhost:9000']
    expect((await config(OWN, { imageOrigins })).body.imageOrigins).toEqual(imageOrigins)
    const frame = await ask(bff({ imageOrigins }), { path: '/foyer/frame', method: 'GET' })
    expect(frame.headers.get('content-security-policy')).toContain('http://localhost:9000;')
    expect(
      readBffSettings({
        FOYER_CONNECTOR_TOKEN: CANARY,
        FOYER_CONNECTOR_HOST: 'shop.example.com',
        FOYER_IMAGE_ORIGINS: imageOrigins.join(', '),
      }).imageOrigins,
    ).toEqual(imageOrigins)
  })

  it('says that visitors are asked for consent, as the frame does, if consent is required', async () => {
    const asking = bff({ consent: 'required' })
    const get = async (path: string) =>
      (await asking.fetch(new Request(`${OWN}${path}`), { address: '192.0.2.1' })).text()
    expect(JSON.parse(await get('/foyer/config'))).toMatchObject({ consent: 'required' })
    expect(await get('/foyer/frame')).toContain('data-foyer-consent="required"')
  })

  it('is also a script, for a page whose policy forbids requests', async () => {
    const answer = await ask(bff({ consent: 'required' }), {
      path: '/foyer/config.js',
      method: 'GET',
      origin: 'https://stranger.example.com',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const source = await answer.text()
    const module = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    expect(module.default).toMatchObject({ version: 1, unframed: false, consent: 'required' })
  })

  it.each(['none', 'messages', 'wire'] as const)(
    'says in the frame that the page learns %s',
    async (expose) => {
      const answer = await bff({ expose }).fetch(new Request(`${OWN}/foyer/frame`), { address: '192.0.2.1' })
      expect(await answer.text()).toContain(
        `<html lang="en" data-foyer-connector="" data-foyer-expose="${expose}" data-foyer-answers="ai" data-foyer-images="https://service.example.com https://chat.example.com" data-foyer-join="none">`,
      )
    },
  )

  it('says in the frame, and to a panel without one, that no model answers', async () => {
    const handler = bff({ answers: 'automatic' })
    const ask = async (path: string) =>
      (await handler.fetch(new Request(OWN + path), { address: '192.0.2.1' })).text()
    expect(await ask('/foyer/frame')).toContain('data-foyer-answers="automatic"')
    expect(JSON.parse(await ask('/foyer/config'))).toMatchObject({ answers: 'automatic' })
  })

  it('has what the panel needs, and nothing more', async () => {
    expect((await config(OWN)).body).toEqual({
      version: 1,
      enabled: true,
      unframed: true,
      imageOrigins: ['https://service.example.com', OWN],
      chunkJoin: 'none',
    })
    const imageOrigins = ['https://images.example.com']
    expect((await config(SHOP, { expose: 'messages', chunkJoin: 'space', imageOrigins })).body).toEqual({
      version: 1,
      enabled: true,
      unframed: false,
      imageOrigins,
      chunkJoin: 'space',
    })
  })
})

describe('the files of the widget', () => {
  const file = (text: string, immutable: boolean): Asset => ({
    body: new TextEncoder().encode(text),
    type: 'text/javascript',
    immutable,
  })
  const assets = (name: string) =>
    new Map([
      ['foyer.js', file('loader', false)],
      ['v/0.2.0/foyer.js', file('loader of 0.2.0', true)],
      ['panel-1a2b3c4d.js', file('panel', true)],
    ]).get(name)
  const get = (path: string, headers: Record<string, string> = {}, more: Partial<BffOptions> = { assets }) =>
    bff(more).fetch(new Request(OWN + path, { headers }), { address: '1.2.3.4' })

  describe('without which the panel does not begin are named in the page of the frame, before its script:', () => {
    const chunk = (name: string, more: object = {}) => ({ file: `${name}-12345678.js`, name, ...more })
    const LANGUAGES = ['de', 'fr', 'fr-CA', 'zh-Hant', 'en-GB']
    const MANIFEST = {
      'src/embed/frame/panel.ts': { file: 'entry-12345678.js', name: 'entry', imports: ['_panel'] },
      _panel: chunk('panel', { dynamicImports: [...LANGUAGES, 'markdown', 'extras', 'gone'] }),
      markdown: chunk('markdown-part'),
      extras: chunk('extras'),
      ...Object.fromEntries(LANGUAGES.map((name) => [name, chunk(name)])),
    }
    const named = async (query: string, manifest = JSON.stringify(MANIFEST)) => {
      const found = (name: string) => (name === 'manifest.json' ? file(manifest, false) : undefined)
      const page = await (await get(`/foyer/frame${query}`, {}, { assets: found })).text()
      // What is asked for first gets the connection that is open already.
      const [before = ''] = page.split('<script')
      const hrefs = before.matchAll(/rel="modulepreload" href="\/foyer\/assets\/([^"]*)-.{8}\.js"/g)
      return Array.from(hrefs, ([, name]) => name)
    }
    it.each([
      ['', []],
      ['?locale=en', []],
      ['?locale=en-US', []],
      ['?locale=x"y', []],
      ['?locale=de-AT', ['de']],
      ['?locale=fr-CA', ['fr', 'fr-CA']],
      ['?locale=zh-TW', ['zh-Hant']],
      ['?locale=en-GB', ['en-GB']],
    ])('for the query %j those of the panel, and of the languages %j', async (query, words) => {
      expect(await named(query)).toEqual(['panel', ...words])
    })

    it.each(['', '{', '[]', '{"src/embed/frame/panel.ts":{"file":"entry.js"}}'])(
      'none where the manifest is %j',
      async (text) => {
        expect(await named('?locale=de', text)).toEqual([])
      },
    )

    it('those of the release that is served, while another one is', async () => {
      const release = (name: string) => {
        const files: Record<string, Asset> = {
          'manifest.json': file(JSON.stringify({ ...MANIFEST, _panel: chunk(name) }), false),
          'first.json': file(JSON.stringify({ style: `.${name}{}`, words: { en: {} } }), false),
        }
        return (each: string) => files[each]
      }
      const releases = ['old', 'new'].map(release)
      for (const round of [1, 2])
        for (const [index, name] of ['old', 'new'].entries()) {
          const page = await (await get('/foyer/frame', {}, { assets: releases[index] })).text()
          expect([round, /assets\/(\w+)-/.exec(page)?.[1], /<style>\.(\w+)/.exec(page)?.[1]]).toEqual([
            ...[round, name],
            name,
          ])
        }
    })

    it('none where the files cannot be read', async () => {
      const broken = { assets: () => Promise.reject(new Error('no disk')) }
      expect((await get('/foyer/frame', {}, broken)).status).toBe(200)
    })
  })

  it('are the same for every site, and requested again only when they may have changed', async () => {
    const response = await get('/foyer.js')
    expect(await response.text()).toBe('loader')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const etag = response.headers.get('etag') ?? ''
    expect((await get('/foyer.js', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/foyer.js', { 'if-none-match': '"other"' })).status).toBe(200)
    const hashed = await get('/foyer/assets/panel-1a2b3c4d.js')
    expect(hashed.headers.get('access-control-allow-origin')).toBe('*')
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('have the script of each version under an address whose bytes never change, for a tag with integrity', async () => {
    const response = await get('/foyer/v/0.2.0/foyer.js')
    expect(await response.text()).toBe('loader of 0.2.0')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    for (const path of [
      '0.3.0/foyer.js',
      '0.2.0/other.js',
      '/foyer.js',
      '0.2.0/../0.2.0/foyer.js/',
      '%2e%2e/foyer.js',
    ])
      expect([path, (await get(`/foyer/v/${path}`)).status]).toEqual([path, 404])
  })

  it.each([
    ['gzip, deflate, br, zstd', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['br, gzip ; q=0.05', true],
    ['gzip;q=1.000, br', true],
    ['gzip;q=0, br', false],
    ['gzip;q=0.000', false],
    ['gzipped', false],
    ['identity', false],
    ['', false],
  ])(
    'with “Accept-Encoding: %s” come in gzip: %s, each form under its own ETag',
    async (accepted, isPacked) => {
      const gzip = () => new Uint8Array(gzipSync('loader'))
      const packed = { assets: () => ({ ...file('loader', false), gzip }) }
      const response = await get('/foyer.js', { 'accept-encoding': accepted }, packed)
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect(response.headers.get('content-encoding')).toBe(isPacked ? 'gzip' : null)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      expect(String(isPacked ? gunzipSync(bytes) : Buffer.from(bytes))).toBe('loader')
      const etag = response.headers.get('etag') ?? ''
      const again = async (encoding: string) =>
        (await get('/foyer.js', { 'accept-encoding': encoding, 'if-none-match': etag }, packed)).status
      expect([await again('gzip'), await again('identity')]).toEqual(isPacked ? [304, 200] : [200, 304])
    },
  )

  it('and the page of the frame come in gzip to who takes it', async () => {
    const [plain, gzip] = [
      await get('/foyer/frame'),
      await get('/foyer/frame', { 'accept-encoding': 'br, gzip' }),
    ]
    expect([plain, gzip].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip'])
    expect([plain, gzip].map(({ headers }) => headers.get('vary'))).toEqual(Array(2).fill('Accept-Encoding'))
    expect(gzip.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'))
    expect(String(gunzipSync(new Uint8Array(await gzip.arrayBuffer())))).toBe(await plain.text())
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['gzip;q=1, BR;q=0.5', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip, brx, abr', 'gzip'],
    ['identity', null],
  ])(
    'with “Accept-Encoding: %s” and brotli beside them come in the encoding %s',
    async (accepted, encoding) => {
      const packed = {
        ...file('loader', false),
        gzip: () => new Uint8Array(gzipSync('loader')),
        brotli: new Uint8Array(brotliCompressSync('loader')),
      }
      const response = await get('/foyer.js', { 'accept-encoding': accepted }, { assets: () => packed })
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? '']
      expect(String(unpack ? unpack(bytes) : Buffer.from(bytes))).toBe('loader')
      const brotliAlone = { assets: () => ({ ...packed, gzip: undefined }) }
      const { headers } = await get('/foyer.js', { 'accept-encoding': accepted }, brotliAlone)
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([
        encoding === 'br' ? 'br' : null,
        'Accept-Encoding',
      ])
    },
  )

  it('come as they are where nobody can pack them', async () => {
    const response = await get('/foyer.js', { 'accept-encoding': 'gzip' })
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([null, null])
    expect(await response.text()).toBe('loader')
  })

  it('have an address beside the script of the page where pages name them themselves', async () => {
    const named = { assets: (name: string) => (name === 'compat.js' ? file('compat', false) : undefined) }
    const response = await get('/foyer/compat.js', {}, named)
    expect(await response.text()).toBe('compat')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect((await get('/foyer/place.js', {}, named)).status).toBe(404)
  })

  it('are answered with 404 under unknown names, and a BFF without files names the option', async () => {
    expect((await get('/foyer/assets/other.js')).status).toBe(404)
    const none = await get('/foyer.js', {}, {})
    expect(none.status).toBe(404)
    expect(await json(none)).toEqual({ error: expect.stringContaining('assets') })
  })

  describe('in a folder', () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'foyer-assets-'))
      mkdirSync(join(folder, 'assets'))
      writeFileSync(join(folder, 'foyer.js'), 'loader')
      writeFileSync(join(folder, 'assets/panel-1a2b3c4d.js'), 'panel')
      writeFileSync(join(folder, 'assets/secret.txt'), 'secret')
      mkdirSync(join(folder, 'v/0.2.0'), { recursive: true })
      writeFileSync(join(folder, 'v/0.2.0/foyer.js'), 'loader of 0.2.0')
    })
    afterEach(() => rmSync(folder, { recursive: true }))

    it('are read once at the start, and requests do not touch the folder', async () => {
      const table = folderAssets(folder)
      rmSync(folder, { recursive: true })
      mkdirSync(join(folder, 'assets'), { recursive: true })
      writeFileSync(join(folder, 'assets/later.js'), 'later')
      const found = [
        'foyer.js',
        'panel-1a2b3c4d.js',
        'v/0.2.0/foyer.js',
        'later.js',
        'secret.txt',
        'nothing.js',
        '__proto__',
      ].map((name) => table(name))
      expect(found.map((each) => each && new TextDecoder().decode((each as Asset).body))).toEqual([
        'loader',
        'panel',
        'loader of 0.2.0',
        undefined,
        undefined,
        undefined,
        undefined,
      ])
    })

    it('are cached for ever only with a hash in their names', () => {
      const names = [
        'panel-Za_2b-4d.js',
        'place.js',
        'place-words.js',
        'a-b.css',
        'panel-1a2b3c4d5.js',
        'x1a2b3c4d.js',
      ]
      for (const name of names) writeFileSync(join(folder, 'assets', name), name)
      const table = folderAssets(folder)
      expect(names.filter((name) => (table(name) as Asset).immutable)).toEqual(['panel-Za_2b-4d.js'])
    })

    it('are packed once, when somebody asks', () => {
      const asset = folderAssets(folder)('foyer.js') as Required<Asset>
      const packed = asset.gzip?.()
      expect(new Uint8Array(gunzipSync(packed ?? ''))).toEqual(asset.body)
      expect(asset.gzip?.()).toBe(packed)
    })

    it('have the brotli that the build put beside them, and the packed file itself is not served', () => {
      writeFileSync(join(folder, 'foyer.js.br'), 'packed')
      const table = folderAssets(folder)
      expect(String(Buffer.from((table('foyer.js') as Asset).brotli ?? []))).toBe('packed')
      expect((table('panel-1a2b3c4d.js') as Asset).brotli).toBeUndefined()
      expect(table('foyer.js.br')).toBeUndefined()
    })

    it('are found by a file URL too', () => {
      expect(folderAssets(pathToFileURL(folder))('foyer.js')).toMatchObject({ immutable: false })
    })

    it('are checked at the start, which throws if one is missing', () => {
      expect(() => folderAssets(join(folder, 'nowhere'))).toThrowError(/^There is no foyer\.js in .*nowhere/)
    })
  })
})

describe('a request', () => {
  it.each([
    ['with a text as its type', 415, { type: 'text/plain' }],
    ['with JSONP as its type', 415, { type: 'application/jsonp' }],
    ['without JSON in its body', 400, { body: 'nonsense' }],
    ['with a list as its body', 400, { body: '[]' }],
    ['with a body that is too large', 413, { body: `{"a":"${'x'.repeat(5_000)}"}` }],
    ['for an unknown connector', 404, { path: '/foyer/nobody/access-token' }],
    ['with another method', 405, { method: 'PUT' }],
    ['for a file outside the folder', 404, { path: '/foyer/assets/../secret', method: 'GET' }],
  ])('%s is answered with %i', async (_, status, wrong) => {
    const response = await ask(bff(), wrong)
    expect(response.status).toBe(status)
    expect(await json(response)).toEqual({ error: expect.any(String) })
    expect(upstream).toEqual([])
  })

  it('beyond the limit is answered with 429 and the wait', async () => {
    const handler = bff({ limits: { address: 3, connector: 1_000 } })
    for (let count = 0; count < 3; count++) expect((await ask(handler)).status).toBe(200)
    const response = await ask(handler)
    expect(response.status).toBe(429)
    const wait = Number(response.headers.get('retry-after'))
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true)
    expect((await ask(handler, { address: '5.6.7.8' })).status).toBe(200)
  })

  it.each([undefined, { connector: 1_000 }])(
    'of one address is answered 60 times a minute where the limits are %j',
    async (limits) => {
      const handler = bff(limits && { limits })
      for (let count = 0; count < 60; count++) expect((await ask(handler)).status).toBe(200)
      expect((await ask(handler)).status).toBe(429)
    },
  )

  it('is answered with 429 if its network sends too many: a visitor owns a /64 of IPv6', async () => {
    const handler = bff({ limits: { address: 1, connector: 1_000 } })
    const statuses = []
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '1.2.3.4', '::ffff:1.2.3.4'])
      statuses.push((await ask(handler, { address })).status)
    expect(statuses).toEqual([200, 429, 200, 200, 429])
  })

  it('is answered with 429 if its connector gets too many, from any address', async () => {
    const second = { connectorToken: 'x', connectorHost: 'y' }
    const handler = bff({ limits: { address: 10, connector: 2 }, connectors: { second } })
    const statuses = []
    for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) statuses.push(await ask(handler, { address }))
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(Number(statuses[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(handler, { path: '/foyer/second/access-token' })).status).toBe(200)
  })

  it('beyond the limit is answered with a Retry-After that scripts of a trusted origin can read', async () => {
    const handler = bff({ limits: { address: 0, connector: 1 }, unframedOrigins: [SHOP] })
    const response = await ask(handler, { origin: SHOP })
    expect([response.status, response.headers.get('access-control-expose-headers')]).toEqual([
      429,
      'Retry-After',
    ])
  })
})

it('the request to the service has the address of the visitor', async () => {
  const visitors: unknown[] = []
  const handler = bff({
    fetch: async (_, __, visitor) => {
      visitors.push(visitor)
      return answer()
    },
  })
  await ask(handler, { address: '5.6.7.8' })
  expect(visitors).toEqual([{ address: '5.6.7.8' }])
})

describe('a service that fails', () => {
  it.each([
    ['refuses', () => Response.json({ error: `bad token ${CANARY}` }, { status: 401 }), 502],
    ['breaks', () => new Response(`<h1>${CANARY}</h1>`, { status: 500 }), 502],
    ['answers a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 502],
    ['answers nonsense', () => Response.json({ access_token: '' }), 502],
    [
      'answers without end',
      () => Response.json({ access_token: 'x'.repeat(100_000), expires_in: 5, token_type: 'Bearer' }),
      502,
    ],
    ['cannot be reached', () => Promise.reject(new TypeError(`connect to ${CANARY}`)), 502],
    [
      'redirects',
      () => new Response(null, { status: 307, headers: { location: `https://evil.example.com/${CANARY}` } }),
      502,
    ],
    ['is busy', () => new Response(CANARY, { status: 429, headers: { 'retry-after': '7' } }), 429],
  ])('and %s is never quoted in an answer, a log line or a header', async (_, failing, status) => {
    answer = failing
    const response = await ask(bff())
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(text).toMatch(/^\{"error":/)
    expect(text + log.join() + JSON.stringify([...response.headers])).not.toContain('canary')
  })
})

describe('the answer of a service', () => {
  const token = { access_token: 'canary-access-token', expires_in: 3_600, token_type: 'Bearer' }
  const without = (name: keyof typeof token) =>
    Object.fromEntries(Object.entries(token).filter(([each]) => each !== name))

  it.each([
    ['the type in lower case', { ...token, token_type: 'bearer' }, 3_600],
    ['no type', without('token_type'), 3_600],
    ['no type, but null', { ...token, token_type: null }, 3_600],
    ['a fraction of seconds', { ...token, expires_in: 3_599.9 }, 3_599],
    ['more fields', { ...token, scope: 'chat' }, 3_600],
  ])('may have %s', async (_, body, seconds) => {
    answer = () => Response.json(body)
    const response = await ask(bff())
    expect(await json(response)).toEqual({
      ...token,
      expires_in: seconds,
      resumed: false,
      chat_url: 'https://service.example.com',
    })
  })

  it.each([
    ['expires_in', { ...token, expires_in: 0 }],
    ['expires_in', { ...token, expires_in: 0.9 }],
    ['expires_in', { ...token, expires_in: -1 }],
    ['expires_in', { ...token, expires_in: 1e300 }],
    ['expires_in', { ...token, expires_in: 'canary' }],
    ['expires_in', without('expires_in')],
    ['access_token', { ...token, access_token: '' }],
    ['access_token', { ...token, access_token: { canary: 1 } }],
    ['access_token', without('access_token')],
    ['token_type', { ...token, token_type: 'canary' }],
  ])(
    'is not handed on where its %s does not fit, which the log names without its value: %j',
    async (field, body) => {
      answer = () => Response.json(body)
      const response = await ask(bff())
      expect([response.status, response.headers.get('set-cookie')]).toEqual([502, null])
      expect(log).toHaveLength(1)
      expect(log[0]).toMatch(new RegExp(`no usable answer.* does not fit at ${field}\\b`))
      expect(log.join()).not.toContain('canary')
    },
  )
})

it('the BFF logs what the service answers once a minute, however many ask, and at once where the answer changes', async () => {
  const handler = bff()
  const askTimes = async (times: number, status: number) => {
    answer = () => new Response(null, { status })
    for (let n = 0; n < times; n++) await ask(handler)
  }
  await askTimes(3, 500)
  await askTimes(3, 401)
  now += 59_999
  await askTimes(1, 401)
  now += 1
  await askTimes(2, 401)
  await askTimes(2, 400)
  // A clock that was set back silences nothing.
  now -= 3_600_000
  await askTimes(2, 400)
  expect(log).toEqual(
    [500, 401, 401, 400, 400].map((status) => `access-token: the service answered ${status}`),
  )
})

describe('a region', () => {
  const inRegion = { chatUrl: 'https://chat.{region}.example.com/{region}', region: 'euw-1' }

  it('is filled into the address of the service, for the BFF and for the browser', async () => {
    const handler = bff(inRegion)
    const filled = 'https://chat.euw-1.example.com/euw-1'
    expect(await json(await ask(handler))).toMatchObject({ chat_url: filled })
    expect(upstream[0]?.request.url).toBe(`${filled}/api/v1/access-token`)
    const frame = await ask(handler, { path: '/foyer/frame', method: 'GET' })
    expect(frame.headers.get('content-security-policy')).toContain('wss://chat.euw-1.example.com')
  })

  it('comes from the environment too, for one connector and for those of a file', () => {
    const env = {
      FOYER_CONNECTOR_TOKEN: CANARY,
      FOYER_CONNECTOR_HOST: 'shop.example.com',
      FOYER_REGION: 'us-1',
    }
    expect(readBffSettings({ ...env, FOYER_CHAT_URL: 'https://{region}.example.com' }).chatUrl).toBe(
      'https://us-1.example.com',
    )
    const file = JSON.stringify({
      shop: { token: CANARY, host: 'shop.example.com', chatUrl: 'https://{region}.example.com' },
    })
    expect(readConnectors(file, { env }).shop?.chatUrl).toBe('https://us-1.example.com')
    expect(() => readConnectors(file, { env: {} })).toThrow(
      /^shop\.chatUrl holds \{region\}, and FOYER_REGION/,
    )
  })

  it.each([undefined, '', 'a.b', 'x@evil', '../', 'A'])(
    'that is %j is refused where an address needs one',
    (region) => {
      expect(() => bff({ ...inRegion, region })).toThrow(/^region is missing/)
      const env = {
        FOYER_CONNECTOR_TOKEN: CANARY,
        FOYER_CONNECTOR_HOST: 'shop.example.com',
        FOYER_REGION: region,
      }
      const given = { ...env, FOYER_CHAT_URL: 'https://{region}.example.com' }
      expect(() => readBffSettings(given)).toThrow(/FOYER_REGION is not set or not a region/)
    },
  )
})

describe('a service that is busy', () => {
  it.each([
    ['7', '7'],
    ['0', '5'],
    ['soon', '5'],
    [undefined, '5'],
    ['-1', '5'],
    ['1e9', '5'],
    ['999999999', '3600'],
    [new Date(1_800_000_012_000).toUTCString(), '12'],
    [new Date(1_700_000_000_000).toUTCString(), '5'],
  ])('and says %s makes visitors wait for %s seconds', async (said, wait) => {
    answer = () =>
      new Response('', { status: 429, headers: said === undefined ? {} : { 'retry-after': said } })
    const response = await ask(bff())
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, wait])
  })
})

describe('the frame', () => {
  const frame = async (more?: Partial<BffOptions>) => ask(bff(more), { path: '/foyer/frame', method: 'GET' })

  it('may be embedded by the origins of the settings, and has a strict policy', async () => {
    const policy = (await frame()).headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      `frame-ancestors 'self' ${SHOP}`,
      "require-trusted-types-for 'script'",
      'wss://service.example.com',
    ])
      expect(policy).toContain(part)
    expect(policy).not.toContain('unsafe')
  })

  it.each([
    ['https://second.example.com/base', 'https://second.example.com'],
    ['http://localhost:9000', 'http://localhost:9000'],
    [undefined, OWN],
  ])('may reach the chat host, by request and by socket: %s', async (chatUrl, origin) => {
    const policy = (await frame({ chatUrl })).headers.get('content-security-policy') ?? ''
    const allowed = /connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ')
    const origins = [...new Set([origin, OWN])]
    const sockets = origins.map((each) => each.replace('http', 'ws'))
    expect(allowed?.sort()).toEqual(["'self'", ...origins, ...sockets].sort())
  })

  it('may be embedded by a page with a Cross-Origin-Embedder-Policy, and shows pictures of any host there', async () => {
    const { headers } = await frame()
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('cross-origin-embedder-policy')).toBe('credentialless')
  })

  it('has the one embedder policy that every engine knows where the page says that it is isolated', async () => {
    const { headers } = await ask(bff(), { path: '/foyer/frame?locale=en&isolated=true', method: 'GET' })
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
    const plain = await ask(bff(), { path: '/foyer/frame?locale=en&isolated=false', method: 'GET' })
    expect(plain.headers.get('cross-origin-embedder-policy')).toBe('credentialless')
  })

  it('contains no script of its own, and the one style that its policy names', async () => {
    const first = { style: 'p>b{color:red}', words: { en: { direction: 'ltr', send: 'Send "now"' }, de: {} } }
    const assets = (name: string) =>
      name === 'first.json'
        ? {
            body: new TextEncoder().encode(JSON.stringify(first)),
            type: 'application/json',
            immutable: false,
          }
        : undefined
    const page = await bff({ assets }).fetch(new Request(`${OWN}/foyer/frame?first=field&locale=de-AT`), {
      address: '192.0.2.1',
    })
    const text = await page.text()
    expect(text).toContain('<html lang="de" ')
    const hasField = async (more: Partial<BffOptions>) =>
      (
        await (
          await ask(bff({ assets, ...more }), { path: '/foyer/frame?first=field', method: 'GET' })
        ).text()
      ).includes('<textarea')
    expect([
      await hasField({}),
      await hasField({ consent: 'required' }),
      await hasField({ enabled: false }),
    ]).toEqual([true, false, false])
    expect(text).toContain('<script type="module" src="/foyer/assets/first.js">')
    expect(text).toContain(`<style>${first.style}</style>`)
    const hash = createHash('sha256').update(first.style).digest('base64')
    expect(page.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)
    const bare = text.replace(/<script type="module" src="[^"]*"><\/script>|<style>[^<]*<\/style>/g, '')
    expect(bare).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    // Without the build's file the panel draws all of it.
    const plain = await frame()
    expect(await plain.text()).toContain('<body></body>')
    expect(plain.headers.get('content-security-policy')).toContain("style-src 'self';")
  })
})

describe('the seal', () => {
  it('opens a text in its one spelling only, whichever sign is changed', async () => {
    const seal = createSeal([SECRET])
    const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // Tokens of three lengths: the last sign of each part has no, two and four unused bits.
    for (const token of ['a', 'ab', 'abc']) {
      const content = { token, connector: '', origin: OWN, expires: 1 }
      const text = await seal.seal(content)
      expect(await seal.open(text)).toEqual({ ...content, sessionId: undefined })
      const parts = text.split('.')
      for (const [index, part] of parts.entries()) {
        const others = [...signs].map((sign) => part.slice(0, -1) + sign).filter((other) => other !== part)
        for (const other of [...others, `${part}=`, `${part}==`, `${part}A`, `${part} `, `${part}\n`])
          expect(await seal.open(parts.with(index, other).join('.')), other).toBeUndefined()
      }
    }
  })

  it('opens no text that it did not make', async () => {
    const seal = createSeal([SECRET])
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => (await seal.open(text)) === undefined),
      { numRuns: 200 },
    )
  })
})

it('every answer says that its type is not to be guessed', async () => {
  const assets = () => ({ body: new Uint8Array(), type: 'text/javascript', immutable: true })
  for (const path of [
    '/foyer.js',
    '/foyer/frame',
    '/foyer/config',
    '/foyer/config.js',
    '/foyer/health',
    '/foyer/nothing',
  ]) {
    const response = await ask(bff({ assets }), { path, method: 'GET' })
    expect([path, response.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
  }
})

describe('the settings', () => {
  const good = { FOYER_CONNECTOR_TOKEN: CANARY, FOYER_CONNECTOR_HOST: 'shop.example.com' }
  it.each([
    [/^FOYER_CONNECTOR_TOKEN is not set/, {}],
    [/^FOYER_CONNECTOR_HOST is not set/, { ...good, FOYER_CONNECTOR_HOST: '' }],
    [
      /^FOYER_ORIGINS holds "shop.example.com", which is not an origin/,
      { ...good, FOYER_ORIGINS: 'shop.example.com' },
    ],
    [/\/path", which is not an origin/, { ...good, FOYER_ORIGINS: `${SHOP}/path` }],
    [/;b", which is not an origin/, { ...good, FOYER_ORIGINS: 'https://a;b' }],
    [/^FOYER_CHAT_URL/, { ...good, FOYER_CHAT_URL: 'chat' }],
    [/^FOYER_CHAT_URL/, { ...good, FOYER_CHAT_URL: 'https://user:canary@service.example.com' }],
    [/^FOYER_CHAT_URL/, { ...good, FOYER_CHAT_URL: 'https://canary@service.example.com' }],
    [/^FOYER_CHAT_URL/, { ...good, FOYER_CHAT_URL: 'https://:canary@service.example.com' }],
    [/^FOYER_COOKIE_SECRET is too short/, { ...good, FOYER_COOKIE_SECRET: 'canary-short' }],
    [/^FOYER_COOKIE_SECRET is too short/, { ...good, FOYER_COOKIE_SECRET: `${SECRET},canary-short` }],
    [/^FOYER_PUBLIC_ORIGIN holds several origins/, { ...good, FOYER_PUBLIC_ORIGIN: `${OWN},${SHOP}` }],
    [/^FOYER_UNFRAMED_ORIGINS holds "a"/, { ...good, FOYER_UNFRAMED_ORIGINS: `${SHOP},a` }],
    [/^FOYER_IMAGE_ORIGINS holds "a"/, { ...good, FOYER_IMAGE_ORIGINS: `${SHOP},a` }],
    [/^FOYER_CHUNK_JOIN is "page"/, { ...good, FOYER_CHUNK_JOIN: 'page' }],
    [/^FOYER_CONSENT is "space"/, { ...good, FOYER_CONSENT: 'space' }],
    [/^FOYER_PAGE is "true"\. It may be on or off/, { ...good, FOYER_PAGE: 'true' }],
    [/^FOYER_TRUSTED_PROXIES: "a" is not an address/, { ...good, FOYER_TRUSTED_PROXIES: 'loopback,a' }],
  ])('that are invalid say which, and what to do: %s', (text, env) => {
    expect(() => readBffSettings(env)).toThrowError(text)
    expect(() => readBffSettings(env)).toThrowError(expect.not.stringContaining('canary'))
  })

  it('are each read from their own variable, and have defaults', () => {
    expect(readBffSettings(good)).toEqual({
      ...{ connectorToken: CANARY, connectorHost: 'shop.example.com', chatUrl: undefined },
      ...{ origins: [], unframedOrigins: [], imageOrigins: undefined, chunkJoin: 'none', consent: 'page' },
      ...{ page: false, publicOrigin: undefined, cookieSecrets: [], trustedProxies: [] },
    })
    const given = {
      ...good,
      FOYER_CHAT_URL: 'https://service.example.com',
      FOYER_ORIGINS: 'https://a.example.com, https://b.example.com',
      FOYER_UNFRAMED_ORIGINS: 'https://c.example.com',
      FOYER_IMAGE_ORIGINS: 'https://d.example.com',
      FOYER_CHUNK_JOIN: 'space',
      FOYER_CONSENT: 'required',
      FOYER_PAGE: 'on',
      FOYER_PUBLIC_ORIGIN: OWN,
      FOYER_COOKIE_SECRET: `${SECRET}, ${SECRET}2`,
      FOYER_TRUSTED_PROXIES: 'loopback,10.0.0.0/8',
    }
    expect(readBffSettings(given)).toEqual({
      ...{
        connectorToken: CANARY,
        connectorHost: 'shop.example.com',
        chatUrl: 'https://service.example.com',
      },
      origins: ['https://a.example.com', 'https://b.example.com'],
      ...{ unframedOrigins: ['https://c.example.com'], imageOrigins: ['https://d.example.com'] },
      ...{ chunkJoin: 'space', consent: 'required', page: true, publicOrigin: OWN },
      ...{ cookieSecrets: [SECRET, `${SECRET}2`], trustedProxies: ['loopback', '10.0.0.0/8'] },
    })
  })
})
