// One BFF for several connectors: each site gets its own, and nothing of another.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Asset,
  type BffConnector,
  type BffConnectors,
  createBff,
  createSitesBff,
  SettingsError,
  type SitesBffOptions,
} from '../../src/bff/index.ts'

const OWN = 'https://chat.example.com'
const SHOP = 'https://shop.example.com'
const BANK = 'https://bank.example.org'
const SECRET = 'a-cookie-secret-of-thirty-two-chars!'

/** The connector tokens that the service was asked with. */
let asked: string[]
beforeEach(() => {
  asked = []
})

const fetch: BffConnector['fetch'] = async (_, init) => {
  const token = new Headers(init.headers).get('x-token') ?? ''
  asked.push(token)
  return Response.json({ access_token: `access-of-${token}`, expires_in: 3_600, token_type: 'Bearer' })
}
const SITES = {
  shop: {
    connectorToken: 'shop-token',
    connectorHost: 'shop.example.com',
    chatUrl: 'https://service-a.example.com',
    origins: [SHOP],
    unframedOrigins: [SHOP],
    imageOrigins: ['https://pictures.shop.example.com'],
    consent: 'required',
    page: true,
    expose: 'messages',
    answers: 'automatic',
    chunkJoin: 'space',
    fetch,
  },
  bank: {
    connectorToken: 'bank-token',
    connectorHost: 'bank.example.org',
    chatUrl: 'https://service-b.example.org',
    origins: [BANK],
    unframedOrigins: [BANK],
    fetch,
  },
} as const satisfies BffConnectors

const file = (name: string): Asset => ({
  body: new TextEncoder().encode(name === 'foyer-off.js' ? 'off(["#off"])' : name),
  type: 'text/javascript',
  immutable: false,
})
const sites = (connectors: SitesBffOptions['connectors'] = SITES, more: Partial<SitesBffOptions> = {}) =>
  createSitesBff({ connectors, cookieSecrets: [SECRET], assets: file, ...more })

const get = (bff: ReturnType<typeof sites>, path: string, origin?: string) =>
  bff.fetch(new Request(OWN + path, { headers: origin ? { origin } : {} }), { address: '192.0.2.1' })
const post = (
  bff: ReturnType<typeof sites>,
  path: string,
  { origin = OWN, body = {}, cookie = '' }: { origin?: string; body?: object; cookie?: string } = {},
) =>
  bff.fetch(
    new Request(OWN + path, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: JSON.stringify(body),
    }),
    { address: '192.0.2.1' },
  )
const json = async (response: Response) => (await response.json()) as Record<string, unknown>
const policyOf = async (bff: ReturnType<typeof sites>, path: string) =>
  (await get(bff, path)).headers.get('content-security-policy') ?? ''

describe('a connector', () => {
  it('gets tokens by its own name, from its own service', async () => {
    const bff = sites()
    expect(await json(await post(bff, '/foyer/shop/access-token'))).toMatchObject({
      access_token: 'access-of-shop-token',
      chat_url: 'https://service-a.example.com',
    })
    expect(await json(await post(bff, '/foyer/bank/access-token'))).toMatchObject({
      access_token: 'access-of-bank-token',
      chat_url: 'https://service-b.example.org',
    })
    expect(asked).toEqual(['shop-token', 'bank-token'])
  })

  it('is refused to the scripts of another connector’s origins, of which it gets no CORS either', async () => {
    const bff = sites()
    for (const [name, own, other] of [
      ['shop', SHOP, BANK],
      ['bank', BANK, SHOP],
    ] as const) {
      const refused = await post(bff, `/foyer/${name}/access-token`, { origin: other })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
      const granted = await post(bff, `/foyer/${name}/access-token`, { origin: own })
      expect([granted.status, granted.headers.get('access-control-allow-origin')]).toEqual([200, own])
      expect(await json(await get(bff, `/foyer/${name}/config`, other))).toMatchObject({ unframed: false })
      expect(await json(await get(bff, `/foyer/${name}/config`, own))).toMatchObject({ unframed: true })
    }
  })

  it('has a frame whose policy names its own pages, service and pictures alone', async () => {
    const bff = sites()
    const own = { shop: 'shop.example.com', bank: 'bank.example.org' }
    const services = { shop: 'service-a.example.com', bank: 'service-b.example.org' }
    for (const [name, other] of [
      ['shop', 'bank'],
      ['bank', 'shop'],
    ] as const) {
      const policy = await policyOf(bff, `/foyer/${name}/frame`)
      expect(policy).toContain(`frame-ancestors 'self' https://${own[name]}`)
      expect(policy).toContain(`wss://${services[name]}`)
      expect(policy).not.toContain(own[other])
      expect(policy).not.toContain(services[other])
      expect(policy.includes('pictures.shop.example.com')).toBe(name === 'shop')
    }
  })

  it('has a frame and a configuration with its own settings, and its name, alone', async () => {
    const bff = sites()
    expect(await (await get(bff, '/foyer/shop/frame')).text()).toContain(
      '<html lang="en" data-foyer-connector="shop" data-foyer-expose="messages" data-foyer-answers="automatic" data-foyer-images="https://pictures.shop.example.com" data-foyer-join="space" data-foyer-consent="required" data-foyer-page="true">',
    )
    expect(await (await get(bff, '/foyer/bank/frame')).text()).toContain(
      `<html lang="en" data-foyer-connector="bank" data-foyer-expose="none" data-foyer-answers="ai" data-foyer-images="https://service-b.example.org ${OWN}" data-foyer-join="none">`,
    )
    expect(await json(await get(bff, '/foyer/shop/config'))).toEqual({
      version: 1,
      enabled: true,
      unframed: true,
      imageOrigins: ['https://pictures.shop.example.com'],
      chunkJoin: 'space',
      consent: 'required',
      answers: 'automatic',
      page: true,
    })
    expect(await json(await get(bff, '/foyer/bank/config'))).toEqual({
      version: 1,
      enabled: true,
      unframed: true,
      imageOrigins: ['https://service-b.example.org', OWN],
      chunkJoin: 'none',
    })
    const module = await (await get(bff, '/foyer/shop/config.js')).text()
    expect(module).toMatch(/^export default \{.*"consent":"required"/)
  })

  it('resumes no token of another connector, by cookie or by text', async () => {
    const bff = sites()
    const first = await post(bff, '/foyer/shop/access-token', { body: { sealed: true } })
    const { sealed } = await json(first)
    const value = first.headers.get('set-cookie')?.split(';')[0]?.split('=')[1]
    const other = await post(bff, '/foyer/bank/access-token')
    const name = other.headers.get('set-cookie')?.split('=')[0]
    const answer = await json(
      await post(bff, '/foyer/bank/access-token', {
        body: { resume: true, sealed },
        cookie: `${name}=${value}`,
      }),
    )
    expect(answer).toMatchObject({ resumed: false, access_token: 'access-of-bank-token' })
  })

  it('has limits of its own: what one site uses up, another does not miss', async () => {
    const bff = sites({ shop: { ...SITES.shop, limits: { address: 1 } }, bank: SITES.bank })
    const statuses = []
    for (const name of ['shop', 'shop', 'bank', 'bank'])
      statuses.push((await post(bff, `/foyer/${name}/access-token`)).status)
    expect(statuses).toEqual([200, 429, 200, 200])
  })

  it('that does not exist gets nothing, and the answer does not repeat its name', async () => {
    for (const path of ['/foyer/other/frame', '/foyer/other/config', '/foyer/constructor/config']) {
      const response = await get(sites(), path)
      expect([path, response.status, await json(response)]).toEqual([
        path,
        404,
        { error: 'There is no connector with this name' },
      ])
    }
  })
})

describe('without a name', () => {
  it('an address means the only connector, in whose name everything is', async () => {
    const bff = sites({ shop: SITES.shop })
    expect(await json(await post(bff, '/foyer/access-token'))).toMatchObject({
      access_token: 'access-of-shop-token',
    })
    expect(await (await get(bff, '/foyer/frame')).text()).toContain('data-foyer-connector="shop"')
    expect(await json(await get(bff, '/foyer/config'))).toMatchObject({ consent: 'required' })
  })

  it('an address of several says how to name one', async () => {
    for (const path of ['/foyer/frame', '/foyer/config'])
      expect(await json(await get(sites(), path))).toEqual({
        error: expect.stringContaining('data-connector'),
      })
  })

  it('a connector may stand beside named ones', async () => {
    const bff = sites({ '': SITES.bank, shop: SITES.shop })
    expect(await json(await post(bff, '/foyer/access-token'))).toMatchObject({
      access_token: 'access-of-bank-token',
    })
  })
})

it.each(['assets', 'a/b', 'a b', 'x'.repeat(65), 'ä'])('a connector cannot be called %s', (name) => {
  expect(() => sites({ [name]: SITES.shop })).toThrowError('is not a name of a connector')
})

describe('a chat that is switched off', () => {
  const off = { shop: { ...SITES.shop, enabled: false }, bank: SITES.bank }

  it('says so in its configuration and its frame, and no other chat does', async () => {
    const bff = sites(off)
    expect(await json(await get(bff, '/foyer/shop/config'))).toMatchObject({ enabled: false })
    expect(await json(await get(bff, '/foyer/bank/config'))).toMatchObject({ enabled: true })
    expect(await (await get(bff, '/foyer/shop/frame')).text()).toContain(' data-foyer-off="true"')
    expect(await (await get(bff, '/foyer/bank/frame')).text()).not.toContain('data-foyer-off')
  })

  it('begins no conversation, and a visitor who has one keeps it', async () => {
    let connectors: BffConnectors = SITES
    const bff = sites(() => connectors)
    const first = await post(bff, '/foyer/shop/access-token')
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    connectors = off
    const again = await post(bff, '/foyer/shop/access-token', { body: { resume: true }, cookie })
    expect(await json(again)).toMatchObject({ access_token: 'access-of-shop-token', resumed: true })
    for (const body of [{}, { resume: true }]) {
      const refused = await post(bff, '/foyer/shop/access-token', { body })
      expect([refused.status, await json(refused)]).toEqual([403, { error: 'This chat is switched off' }])
    }
    const fresh = await post(bff, '/foyer/shop/access-token', { body: {}, cookie })
    expect(fresh.status).toBe(403)
    expect(asked).toEqual(['shop-token'])
    expect((await post(bff, '/foyer/bank/access-token')).status).toBe(200)
  })

  it('is named in the script of the page, which is another one then, and kept for a minute at most', async () => {
    let connectors: BffConnectors = SITES
    const bff = sites(() => connectors)
    const script = async () => {
      const response = await get(bff, '/foyer.js')
      expect(response.headers.get('cache-control')).toBe('public, max-age=60')
      return response.text()
    }
    expect(await script()).toBe('foyer.js')
    connectors = off
    expect(await script()).toBe('off(["shop"])')
    connectors = { shop: off.shop, bank: { ...SITES.bank, enabled: false } }
    expect(await script()).toBe('off(["shop","bank"])')
    connectors = SITES
    expect(await script()).toBe('foyer.js')
  })

  it('has the script of the newest files, where those change while it is off', async () => {
    let release = { foyer: file('foyer.js'), off: file('foyer-off.js') }
    const assets = (name: string) => (name === 'foyer-off.js' ? release.off : release.foyer)
    const handlers = [sites(off, { assets }), sites(SITES, { assets })]
    const scripts = async () =>
      Promise.all(handlers.map(async (each) => (await get(each, '/foyer.js')).text()))
    expect(await scripts()).toEqual(['off(["shop"])', 'foyer.js'])
    release = {
      foyer: file('new.js'),
      off: { ...file('off'), body: new TextEncoder().encode('new(["#off"])') },
    }
    expect(await scripts()).toEqual(['new(["shop"])', 'new.js'])
  })

  it('is meant without its name where it is the only one', async () => {
    expect(await (await get(sites({ shop: off.shop }), '/foyer.js')).text()).toBe('off(["shop",""])')
    const one = createBff({ ...off.shop, cookieSecrets: [SECRET], assets: file })
    expect(await (await get(one, '/foyer.js')).text()).toBe('off([""])')
  })

  it('has the usual script where a host of its own has no other', async () => {
    const assets = (name: string) => (name === 'foyer.js' ? file(name) : undefined)
    expect(await (await get(sites(off, { assets }), '/foyer.js')).text()).toBe('foyer.js')
  })

  it.each(['"', "'", '`'])('has its names put in, whichever quotes a minifier chose: %s', async (quote) => {
    const assets = (name: string) =>
      name === 'foyer-off.js'
        ? { ...file(name), body: new TextEncoder().encode(`off([${quote}#off${quote}])`) }
        : file(name)
    expect(await (await get(sites(off, { assets }), '/foyer.js')).text()).toBe('off(["shop"])')
  })

  it('has a script that is packed as the usual one is', async () => {
    const packs = (name: string) => ({
      ...file(name),
      gzip: () => new Uint8Array(),
      brotli: new Uint8Array(),
    })
    const response = await sites(off, { assets: packs }).fetch(
      new Request(`${OWN}/foyer.js`, { headers: { 'accept-encoding': 'gzip, br' } }),
      { address: '192.0.2.1' },
    )
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const unpacked = response.body?.pipeThrough(new DecompressionStream('gzip'))
    expect(await new Response(unpacked).text()).toBe('off(["shop"])')
  })
})

describe('connectors that change', () => {
  it('are new at the next request: added, changed and removed', async () => {
    let connectors: BffConnectors = { shop: SITES.shop, bank: SITES.bank }
    const bff = sites(() => connectors)
    connectors = { shop: { ...SITES.shop, origins: ['https://new.example.com'] }, more: SITES.bank }
    expect(await policyOf(bff, '/foyer/shop/frame')).toContain("'self' https://new.example.com;")
    expect((await get(bff, '/foyer/more/config')).status).toBe(200)
    expect((await get(bff, '/foyer/bank/config')).status).toBe(404)
  })

  it('keep their counts, so that a change gives nobody more requests', async () => {
    const limited = { ...SITES.shop, limits: { address: 1 } }
    let connectors: BffConnectors = { shop: limited }
    const bff = sites(() => connectors)
    expect((await post(bff, '/foyer/shop/access-token')).status).toBe(200)
    connectors = { shop: { ...limited } }
    expect((await post(bff, '/foyer/shop/access-token')).status).toBe(429)
  })

  it.each<[string, () => BffConnectors, string]>([
    [
      'have an option that is wrong',
      () => ({ ...SITES, shop: { ...SITES.shop, origins: ['a;b'] } }),
      'origins',
    ],
    ['have a name that is none', () => ({ ...SITES, 'a b': SITES.shop }), '"a b" is not a name'],
    [
      'cannot be read',
      () => {
        throw new SettingsError('The file is gone.')
      },
      'The file is gone.',
    ],
    ['are no JSON', () => JSON.parse('{"token":"shop-token'), 'SyntaxError'],
  ])('that %s stay as they were, and the log says why once', async (_, wrong, reason) => {
    const lines: string[] = []
    let read: () => BffConnectors = () => SITES
    const bff = sites(() => read(), { log: (line) => lines.push(line) })
    for (const round of [1, 2]) {
      read = wrong
      for (const name of ['shop', 'bank', 'shop'])
        expect((await get(bff, `/foyer/${name}/frame`)).status).toBe(200)
      expect(lines).toEqual([expect.stringContaining(reason)])
      expect(lines.join()).not.toContain('shop-token')
      // Another mistake in place of the first.
      read = () => ({ 'another name': SITES.shop })
      for (const _ of [1, 2]) await get(bff, '/foyer/shop/frame')
      expect(lines.slice(1)).toEqual([expect.stringContaining('"another name" is not a name')])
      read = () => SITES
      expect([round, (await get(bff, '/foyer/shop/frame')).status]).toEqual([round, 200])
      expect(lines.splice(0).slice(2)).toEqual(['The connectors can be used again'])
    }
  })

  it('end the start if they are wrong then', () => {
    expect(() => sites(() => ({ 'a b': SITES.shop }))).toThrow('"a b" is not a name')
  })
})

it('an address that used up its tokens at one site still has those of another', async () => {
  const limits = { address: 1 }
  const bff = sites({ shop: { ...SITES.shop, limits }, bank: { ...SITES.bank, limits } })
  const statuses = []
  for (const name of ['shop', 'bank', 'shop'])
    statuses.push((await post(bff, `/foyer/${name}/access-token`)).status)
  expect(statuses).toEqual([200, 200, 429])
})
