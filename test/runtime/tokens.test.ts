import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostMatches } from '../../src/runtime/accounts/access/hosts.ts'
import { createAccessTokens } from '../../src/runtime/accounts/access/tokens.ts'
import { readCursor } from '../../src/runtime/sessions/socket/handshake.ts'

const KEY = 'a-signing-key-of-at-least-32-bytes!!'
let now = 1_800_000_000_000
const make = (more: Partial<Parameters<typeof createAccessTokens>[0]> = {}) =>
  createAccessTokens({
    keys: [KEY],
    issuer: 'foyer:test',
    ttlSeconds: 3_600,
    now: () => now,
    uuid: () => 'token-id',
    ...more,
  })
const tokens = make()

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
/** Signs whatever it is given with the right key: only what is said can be wrong. */
function forge(claims: unknown, header: unknown = { alg: 'HS256', typ: 'JWT' }, key = KEY): string {
  const body = `${encode(header)}.${encode(claims)}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}
const seconds = () => Math.floor(now / 1000)
const good = () => ({
  connector: 'CON-1',
  host: 'h',
  iss: 'foyer:test',
  aud: 'foyer-chat',
  jti: 'j',
  iat: seconds(),
  exp: seconds() + 60,
})

describe('an access token', () => {
  it('has the claims that it was issued with', async () => {
    expect(await tokens.verify(await tokens.issue('CON-1', 'shop.example.com'))).toEqual({
      tokenId: 'token-id',
      connectorId: 'CON-1',
      host: 'shop.example.com',
    })
    expect(await tokens.verify(forge(good()))).toMatchObject({ connectorId: 'CON-1' })
  })

  it('is valid for its lifetime, and a minute more because clocks differ', async () => {
    const token = await tokens.issue('CON-1', 'h')
    const issued = now
    now = issued + 3_659_000
    expect(await tokens.verify(token)).toBeDefined()
    now = issued + 3_661_000
    expect(await tokens.verify(token)).toBeUndefined()
    now = issued - 59_000
    expect(await tokens.verify(token)).toBeDefined()
    now = issued - 61_000
    expect(await tokens.verify(token)).toBeUndefined()
    now = issued
  })

  it('signed by an older key is valid while that key is configured', async () => {
    const old = await tokens.issue('CON-1', 'h')
    expect(await make({ keys: ['another-key-of-at-least-32-bytes-!!', KEY] }).verify(old)).toBeDefined()
    expect(await make({ keys: ['another-key-of-at-least-32-bytes-!!'] }).verify(old)).toBeUndefined()
  })

  const without = (name: string) => Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name))
  const hostile: [string, () => string][] = [
    ...['none', 'None', 'NONE', 'HS384', 'HS512', 'RS256', '', 'hs256'].map((alg): [string, () => string] => [
      `alg ${alg}`,
      () => forge(good(), { alg, typ: 'JWT' }),
    ]),
    ['alg missing', () => forge(good(), { typ: 'JWT' })],
    ['alg a list', () => forge(good(), { alg: ['HS256'], typ: 'JWT' })],
    ['typ missing', () => forge(good(), { alg: 'HS256' })],
    ['typ of another kind', () => forge(good(), { alg: 'HS256', typ: 'id+jwt' })],
    ['a critical header', () => forge(good(), { alg: 'HS256', typ: 'JWT', crit: ['x'], x: 1 })],
    ['no signature', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good())}.`],
    ['another key', () => forge(good(), undefined, 'x'.repeat(36))],
    ['an empty key', () => forge(good(), undefined, '')],
    ...['exp', 'iat', 'jti', 'connector', 'host', 'iss', 'aud'].map((name): [string, () => string] => [
      `${name} missing`,
      () => forge(without(name)),
    ]),
    ...(
      [
        ['aud', 'other'],
        ['aud', ['foyer-chat', 'other']],
        ['aud', []],
        ['iss', 'foyer:other'],
        ['iss', ['foyer:test']],
        ['exp', 'tomorrow'],
        ['exp', null],
        ['exp', 0],
        ['exp', -1],
        ['iat', 'now'],
        ['jti', ''],
        ['jti', 5],
        ['jti', {}],
        ['connector', ''],
        ['connector', { id: 'CON-1' }],
        ['host', 5],
      ] as const
    ).map(([name, value]): [string, () => string] => [
      `${name} ${JSON.stringify(value)}`,
      () => forge({ ...good(), [name]: value }),
    ]),
    ['iat in the future', () => forge({ ...good(), iat: seconds() + 3_600, exp: seconds() + 7_200 })],
    ['nbf in the future', () => forge({ ...good(), nbf: seconds() + 3_600 })],
    ['claims that are a list', () => forge([good()])],
    ['claims that are no JSON', () => forge('nonsense')],
    ['an extra part', () => `${forge(good())}.x`],
    ['a missing part', () => forge(good()).split('.').slice(0, 2).join('.')],
    ['padding', () => `${forge(good())}=`],
    ['a space', () => ` ${forge(good())}`],
    ['nothing', () => ''],
    ['dots', () => '..'],
    ['more than 4 KiB', () => forge({ ...good(), more: 'x'.repeat(5_000) })],
  ]
  it(`is refused in ${hostile.length} hostile forms`, async () => {
    expect(hostile.length).toBeGreaterThanOrEqual(40)
    const accepted = []
    for (const [name, token] of hostile) if (await tokens.verify(token())) accepted.push(name)
    expect(accepted).toEqual([])
  })

  it('is refused with any bit turned', async () => {
    const token = await tokens.issue('CON-1', 'h')
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'ABCabc012-_.=!'), async (at, char) => {
        const changed = token.slice(0, at) + char + token.slice(at + 1)
        const verified = await tokens.verify(changed)
        return changed === token || verified === undefined
      }),
      { numRuns: 300 },
    )
  })
})

describe('a host', () => {
  it('must equal the registered host', () => {
    expect(hostMatches('shop.example.com', 'shop.example.com', false)).toBe(true)
    for (const host of [
      'SHOP.example.com',
      'www.shop.example.com',
      'example.com',
      'https://shop.example.com',
      'notshop.example.com',
    ])
      expect(hostMatches('shop.example.com', host, false)).toBe(false)
  })

  it('can be a subdomain where the connector allows it, never a name with the same ending', () => {
    for (const [registered, host] of [
      ['example.com', 'app.example.com'],
      ['https://example.com', 'https://app.example.com'],
      ['com.example.app', 'com.example.app'],
    ] as const)
      expect(hostMatches(registered, host, true)).toBe(true)
    for (const [registered, host] of [
      ['example.com', 'notexample.com'],
      ['example.com', 'example.com.evil.example.org'],
      ['example.com', 'evil.example.org/x.example.com'],
      ['example.com', 'evil.example.org#.example.com'],
      ['https://example.com', 'http://app.example.com'],
      ['https://example.com', 'app.example.com'],
      ['', 'anything.example.com'],
      ['example.com', '.example.com'],
      ['example.com', '..example.com'],
      ['example.com', 'app..example.com'],
      ['example.com', '.app.example.com'],
      ['https://example.com', 'https://.example.com'],
    ] as const)
      expect(hostMatches(registered, host, true)).toBe(false)
  })
})

describe('a cursor', () => {
  it('is a number, or seq:<number>; any other text is 0', () => {
    expect(
      [null, '', '5', 'seq:7', '-1', '1.5', 'x', 'seq:', '9'.repeat(20), ' 5', '0x5'].map(readCursor),
    ).toEqual([0, 0, 5, 7, 0, 0, 0, 0, 0, 0, 0])
  })
})
