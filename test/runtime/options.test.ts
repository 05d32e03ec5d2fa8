// The options of createRuntime, createBff and createClient in wrong shapes, as JavaScript allows them.

import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { createBff, createSitesBff } from '../../src/bff/index.ts'
import { createClient } from '../../src/client/client.ts'
import { createRuntime, type Runtime } from '../../src/runtime/index.ts'

const SECRET = 'canary-secret-of-thirty-two-characters'
const URL_WITH_PASSWORD = `postgres://user:${SECRET}@127.0.0.1:1/foyer`
/** Values of every type that an option can be given by mistake; each may hold a secret. */
const WRONG: readonly unknown[] = [
  null,
  5,
  Number.NaN,
  true,
  SECRET,
  '',
  [SECRET],
  [null],
  { other: SECRET },
  () => SECRET,
]

const agent = { name: 'Echo', async *act() {} }
const connector = {
  id: 'CON-test0001',
  token: SECRET,
  host: 'shop.example.com',
  accountId: 'ws-test0001',
  projectId: 'PROJECT-test0001',
  environment: 'live',
}
const RUNTIME = { data: 'memory', agent, connectors: [connector] }
const BFF = { connectorToken: SECRET, connectorHost: 'shop.example.com', cookieSecrets: [SECRET] }

let opened: Runtime | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

/** What a factory throws; undefined if it takes the options. */
async function problemOf(make: () => unknown): Promise<Error | undefined> {
  try {
    opened = (await make()) as Runtime
    await opened?.close?.()
    opened = undefined
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** One sentence that begins with the option, and repeats nothing of what was given. */
function expectSentence(error: Error | undefined, option: string): void {
  expect(error, option).toBeDefined()
  expect(error?.message.replace(/^createRuntime: /, '')).toMatch(
    new RegExp(`^${option.replace(/[[\].]/g, '\\$&')}\\b.* (must|is|holds) `),
  )
  // As a log prints it, with all its properties.
  expect(inspect(error, { depth: 9 })).not.toContain('canary')
}

const runtime = (options: unknown) => problemOf(() => createRuntime(options as never))
const bff = (options: unknown) => problemOf(() => createBff(options as never))
const client = (options: unknown) => problemOf(() => createClient(options as never))

describe('data of a runtime', () => {
  it.each<[string, unknown]>([
    ['a URL', URL_WITH_PASSWORD],
    ['an object with url', { url: URL_WITH_PASSWORD }],
    ['a folder and a database', { folder: `.${SECRET}`, databaseUrl: URL_WITH_PASSWORD }],
    ['a URL of another kind', { databaseUrl: `https://user:${SECRET}@127.0.0.1` }],
    ['a URL that is none', { databaseUrl: `postgres://user:${SECRET}@:port` }],
    ['a number in place of a URL', { databaseUrl: 5 }],
    ['no connection', { databaseUrl: `postgres://user:${SECRET}@127.0.0.1`, connections: 0 }],
    ['a time in words', { databaseUrl: `postgres://user:${SECRET}@127.0.0.1`, readSeconds: 'long' }],
    ['an empty folder', { folder: '' }],
    ['a database that is none', { database: { url: URL_WITH_PASSWORD } }],
    ['nothing', undefined],
    ...WRONG.map((value): [string, unknown] => [typeof value, value]),
  ])('that is %s is refused in a sentence that names the four forms', async (_, data) => {
    const error = await runtime({ ...RUNTIME, data })
    expectSentence(error, 'data')
    for (const form of ['memory', 'folder', 'databaseUrl', 'database']) expect(error?.message).toContain(form)
  })

  it.each([
    URL_WITH_PASSWORD,
    'postgresql://127.0.0.1:1/foyer',
    `postgres://user:${SECRET}@/foyer?host=/nowhere`,
  ])('may be the address of a database, whose failure repeats no password: %s', async (databaseUrl) => {
    const error = await runtime({ ...RUNTIME, data: { databaseUrl } })
    expect(error?.message).toMatch(/ECONNREFUSED|ENOENT/)
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
  })
})

describe('an option of the wrong shape', () => {
  const fits = new Set(['region true', 'log function', 'agent function'])
  it.each([
    ...['agent', 'connectors', 'projects', 'keys', 'bus', 'carrier', 'embeddings', 'settings', 'signingKeys'],
    ...['region', 'headerPrefix', 'clock', 'log', 'meter', 'disclosure'],
  ])('of createRuntime is named: %s', async (option) => {
    for (const value of WRONG) {
      if (typeof value === 'string' && ['region', 'headerPrefix'].includes(option) && value) continue
      if (fits.has(`${option} ${typeof value}`)) continue
      // A list of texts is a list of keys that sign.
      if (option === 'signingKeys' && Array.isArray(value) && value[0] === SECRET) continue
      expectSentence(await runtime({ ...RUNTIME, [option]: value }), option)
    }
  })

  it.each(Object.keys(connector))(
    'of a connector of createRuntime is named with its place: %s',
    async (option) => {
      for (const value of [undefined, null, 5, [SECRET], { [SECRET]: SECRET }])
        expectSentence(
          await runtime({ ...RUNTIME, connectors: [connector, { ...connector, [option]: value }] }),
          `connectors[1].${option}`,
        )
    },
  )

  it.each([
    ['tokenTtlSeconds', SECRET],
    ['tokenTtlSeconds', -1],
    ['tokenTtlSeconds', undefined],
    ['maskCards', 'off'],
    ['tokenTTL', 5],
  ])('among the settings of createRuntime is named: %s', async (name, value) => {
    expectSentence(await runtime({ ...RUNTIME, settings: { [name]: value } }), `settings.${name}`)
  })

  it.each([
    { de: ' ' },
    { de: 'x'.repeat(301) },
    { german: 'Eine KI' },
    {},
    Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`de-${index}`, 'Eine KI'])),
    'on',
  ])('among the texts of a disclosure is named: %j', async (disclosure) => {
    expectSentence(await runtime({ ...RUNTIME, disclosure }), 'disclosure')
    const project = { id: 'PROJECT-a', slug: 'a', accountId: 'ws-a', accountSlug: 'a', disclosure }
    expectSentence(await runtime({ ...RUNTIME, projects: [project] }), 'projects[0].disclosure')
  })

  it('of an agent is named: what it answers with', async () => {
    const agent = { name: 'Own', act() {}, answers: 'robot' }
    expectSentence(await runtime({ ...RUNTIME, agent }), 'agent')
  })

  it.each([
    ...[
      'connectorToken',
      'connectorHost',
      'cookieSecrets',
      'chatUrl',
      'enabled',
      'origins',
      'unframedOrigins',
    ],
    ...['imageOrigins', 'expose', 'chunkJoin', 'answers', 'consent', 'limits', 'fetch', 'assets', 'now'],
    ...['page', 'publicOrigin', 'log'],
  ])('of createBff is named: %s', async (option) => {
    for (const value of WRONG) {
      if (value === SECRET && ['connectorToken', 'connectorHost'].includes(option)) continue
      if (typeof value === 'boolean' && ['enabled', 'page'].includes(option)) continue
      if (typeof value === 'function' && ['fetch', 'assets', 'now', 'log'].includes(option)) continue
      // Limits may be none of those that there are.
      if (option === 'limits' && typeof value === 'object' && value !== null) continue
      if (Array.isArray(value) && value[0] === SECRET && /rigins|cookieSecrets/.test(option)) continue
      expectSentence(await bff({ ...BFF, [option]: value }), option)
    }
  })

  it.each([
    ['origins', ['https://shop.example.com; script-src *']],
    ['imageOrigins', ['https://a.example.com,https://b.example.com']],
    ['limits.address', undefined],
    ['limits.connector', undefined],
    ['limits.store', undefined],
    ['region', undefined],
  ])('of createBff is named where it would do harm: %s', async (option, value) => {
    const [name = '', inner] = option.split('.')
    const more = option === 'region' ? { chatUrl: 'https://{region}.example.com' } : {}
    expectSentence(await bff({ ...BFF, ...more, [name]: inner ? { [inner]: SECRET } : value }), option)
  })

  it('of one of several connectors is named with the name of the connector', async () => {
    const error = await problemOf(() =>
      createSitesBff({ cookieSecrets: [SECRET], connectors: { shop: { ...BFF, chatUrl: SECRET } } }),
    )
    expectSentence(error, 'connectors.shop.chatUrl')
  })

  it.each([
    ...['apiUrl', 'chatUrl', 'apiKey', 'authToken', 'connectorId', 'connectorToken', 'host', 'region'],
    ...['headerPrefix', 'fetch', 'timeoutMs', 'retries', 'clock', 'random'],
  ])('of createClient is named: %s', async (option) => {
    for (const value of WRONG) {
      if (typeof value === 'string' && !/Url|Ms|retries|fetch|clock|random/.test(option)) continue
      if (value === '' && /Url/.test(option)) continue
      if (typeof value === 'function' && ['fetch', 'random'].includes(option)) continue
      if (value === 5 && ['timeoutMs', 'retries'].includes(option)) continue
      const error = await client({ [option]: value })
      expectSentence(error, option)
      expect(error).toMatchObject({ name: 'InputError', field: option })
    }
  })

  it.each([
    ['createRuntime', runtime],
    ['createBff', bff],
    ['createClient', client],
  ])('is an error of one sentence also where %s gets no object', async (_, make) => {
    for (const value of [undefined, ...WRONG]) {
      const error = await make(value)
      if (error === undefined)
        expect([make, Array.isArray(value) || typeof value]).toEqual([client, expect.anything()])
      else expect(error.message).toMatch(/^(createRuntime: )?[\w ]+ must /)
      expect(inspect(error)).not.toContain('canary')
    }
  })
})
