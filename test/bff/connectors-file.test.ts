// The file with connectors: what it may hold, and errors that name the place, the cause and the cure, and no secret.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConnectors, SettingsError } from '../../src/bff/index.ts'

const SECRET = 'canary-token-of-the-shop'
const SHOP = { token: SECRET, host: 'shop.example.com' }
const read = (content: unknown, files: Record<string, string> = {}) =>
  readConnectors(typeof content === 'string' ? content : JSON.stringify(content), {
    env: { SHOP_TOKEN: SECRET, EMPTY: '' },
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' })
      return text
    },
  })

it('the file of the connectors has every setting of a connector', () => {
  const settings = {
    chatUrl: 'https://service.example.com/base',
    enabled: false,
    origins: ['https://shop.example.com', 'http://localhost:3000'],
    unframedOrigins: ['https://app.example.com'],
    imageOrigins: ['https://pictures.example.com'],
    chunkJoin: 'space',
    consent: 'required',
    page: true,
    expose: 'messages',
    answers: 'automatic',
    limits: { address: 10, connector: 1_000 },
  }
  expect(read({ shop: { ...SHOP, ...settings }, 'bank-2_b': SHOP })).toEqual({
    shop: { connectorToken: SECRET, connectorHost: 'shop.example.com', ...settings },
    'bank-2_b': { connectorToken: SECRET, connectorHost: 'shop.example.com' },
  })
})

it('the file of the connectors may name where a token is, in place of the token', () => {
  const { host } = SHOP
  const { env, file } = read(
    { env: { host, tokenEnv: 'SHOP_TOKEN' }, file: { host, tokenFile: '/run/token' } },
    { '/run/token': `${SECRET}\n` },
  )
  expect([env?.connectorToken, file?.connectorToken]).toEqual([SECRET, SECRET])
})

const ORIGIN = 'Write it as "https://shop.example.com".'
describe('an error says what in the file of the connectors is wrong, and what to do:', () => {
  it.each<[string, unknown, string]>([
    ['no object', '[]', 'The file must hold an object with the connectors by their names'],
    ['nothing', {}, 'The file holds no connector. Add one'],
    ['a name', { 'a b': SHOP }, '"a b" cannot be the name of a connector. Use letters'],
    ['a taken name', { assets: SHOP }, '"assets" cannot be the name of a connector'],
    ['a special name', `{"__proto__": ${JSON.stringify(SHOP)}}`, '"__proto__" cannot be the name'],
    ['no connector', { shop: 'x' }, 'shop is not a connector. Write it as an object: { … }.'],
    ['no token', { shop: { host: 'x' } }, 'shop needs its connector token once: as token, or where it is'],
    ['two tokens', { shop: { ...SHOP, tokenEnv: 'SHOP_TOKEN' } }, 'shop needs its connector token once'],
    ['a number as token', { shop: { ...SHOP, token: 5 } }, 'shop.token is not a token. Write it in quotes.'],
    ['an empty token', { shop: { ...SHOP, token: '' } }, 'shop.token is not a token.'],
    [
      'an unset variable',
      { shop: { host: 'x', tokenEnv: 'EMPTY' } },
      'shop.tokenEnv names an environment variable that is not set. Set it to the connector token.',
    ],
    [
      'a missing file',
      { shop: { host: 'x', tokenFile: '/none' } },
      'shop.tokenFile names a file that cannot be read (ENOENT). Correct the path or its permissions.',
    ],
    [
      'an empty file',
      { shop: { host: 'x', tokenFile: '/empty' } },
      'shop.tokenFile names a file that is empty. Write the connector token into it.',
    ],
    ['no host', { shop: { token: SECRET } }, 'shop.host is missing. Set it to the host'],
    [
      'another name',
      { shop: { ...SHOP, orgins: [] } },
      'shop.orgins is not a setting of a connector. There are:',
    ],
    [
      'an address with a path as origin',
      { shop: { ...SHOP, origins: ['https://a.example.com', 'https://b.example.com/x'] } },
      `shop.origins[1] is "https://b.example.com/x", which is not an origin. ${ORIGIN}`,
    ],
    ['an origin that ends a policy', { shop: { ...SHOP, origins: ['https://a;b'] } }, 'shop.origins[0] is'],
    [
      'one origin without a list',
      { shop: { ...SHOP, unframedOrigins: 'https://a.example.com' } },
      'shop.unframedOrigins is "https://a.example.com", which is not a list. Write it as ["https://shop.example.com"].',
    ],
    ['no address', { shop: { ...SHOP, chatUrl: 'chat' } }, 'shop.chatUrl is not a valid address.'],
    [
      'a word',
      { shop: { ...SHOP, consent: 'yes' } },
      'shop.consent is "yes". It may be "page" or "required".',
    ],
    ['wire', { shop: { ...SHOP, expose: 'wire' } }, 'shop.expose is "wire". It may be "none" or "messages".'],
    [
      'a text as switch',
      { shop: { ...SHOP, enabled: 'no' } },
      'shop.enabled is "no". It may be true or false.',
    ],
    ['a text as page', { shop: { ...SHOP, page: 'on' } }, 'shop.page is "on". It may be true or false.'],
    [
      'a limit of 0',
      { shop: { ...SHOP, limits: { address: 0 } } },
      'shop.limits.address is 0. It may be a whole number from 1 to 1000000.',
    ],
    ['a limit of 1.5', { shop: { ...SHOP, limits: { connector: 1.5 } } }, 'shop.limits.connector is 1.5.'],
    [
      'a limit of another name',
      { shop: { ...SHOP, limits: { visitor: 5 } } },
      'shop.limits.visitor is not a setting of the limits. There are: address, connector.',
    ],
  ])('%s', (_, content, sentence) => {
    const files = { '/empty': ' \n' }
    expect(() => read(content, files)).toThrowError(SettingsError)
    expect(() => read(content, files)).toThrowError(sentence)
  })

  it('no JSON, with the line where it can be told', () => {
    expect(() => read(`{\n  "shop": {\n    "token": "${SECRET}",\n  }\n}`)).toThrowError(
      /^The file is not valid JSON: there is a mistake( in line 4)?\. Often/,
    )
  })

  it('and repeats no secret, wherever it stands', () => {
    for (const content of [
      `{"shop": {"token": "${SECRET}" "host": "x"}}`,
      `{"shop": {"token": "${SECRET}}`,
      `${SECRET}`,
      { shop: { token: [SECRET], host: 'x' } },
      { shop: { token: { value: SECRET }, host: 'x' } },
      { shop: { tokenEnv: SECRET, host: 'x' } },
      { shop: { tokenFile: SECRET, host: 'x' } },
      { shop: { ...SHOP, origins: { token: SECRET } } },
      { shop: { ...SHOP, enabled: { token: SECRET } } },
      { shop: { ...SHOP, tokenFile: SECRET } },
    ]) {
      expect(() => read(content)).toThrowError(SettingsError)
      expect(() => read(content)).toThrowError(expect.not.stringContaining('canary'))
    }
  })

  it('and is a SettingsError, whatever stands in the file', () => {
    fc.assert(
      // None of these has a name with a token and a host.
      fc.property(
        fc.json({ maxDepth: 4 }).filter((text) => text !== '{}'),
        (text) => {
          expect(() => read(text)).toThrowError(SettingsError)
        },
      ),
      { numRuns: 300 },
    )
  })
})
