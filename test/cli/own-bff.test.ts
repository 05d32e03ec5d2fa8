// The BFF in the process of its runtime: its own secret, its limits, its connector.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type BffConnectors, createSitesBff } from '../../src/bff/index.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { answersTo, ownBffOptions, ownConnectors, readOwnBff } from '../../src/cli/start/own-bff.ts'
import type { Agent, Runtime } from '../../src/runtime/index.ts'

const TOKEN = 'sixteen-letters!'
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-own-'))
  mkdirSync(join(folder, 'public'))
  writeFileSync(join(folder, 'public/foyer.js'), '')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What the stores of the limits were asked for. */
const deployments: string[] = []
const env = { FOYER_CONNECTOR_TOKEN: TOKEN, FOYER_CONNECTOR_HOST: 'shop.example.com' }
const options = (
  more: Record<string, string> = {},
  { fetch, agent }: { fetch?: Runtime['fetch']; agent?: Agent } = {},
) => {
  const all = { ...env, ...more }
  return ownBffOptions({
    bff: readOwnBff(all, undefined, () => {}),
    settings: readSettings(more, join(folder, 'data'), { agent }),
    built: folder,
    runtime: { cookieSecret: async () => KEPT, files: { keep: async () => {} }, fetch } as unknown as Runtime,
    storeOf: (deployment) => {
      deployments.push(deployment)
      return undefined
    },
    log: () => {},
  })
}
/** The options of the only connector. */
async function connector(more: Record<string, string> = {}, agent?: Agent) {
  const { connectors } = await options(more, { agent })
  return (connectors as () => BffConnectors)()['']
}
const KEPT = 'the-secret-that-the-runtime-keeps'

it.each<Record<string, string>>([
  {},
  { FOYER_DATA: 'memory' },
  { FOYER_DATABASE_URL: 'postgres://database.example.com/foyer' },
])('the secret of the cookies is the one that the runtime keeps, wherever its data is: %j', async (more) => {
  expect((await options(more)).cookieSecrets).toEqual([KEPT])
  const given = 'a-secret-of-thirty-two-characters'
  expect((await options({ ...more, FOYER_COOKIE_SECRET: given })).cookieSecrets).toEqual([given])
})

it('the BFF limits each visitor by its default, and the connector to FOYER_TOKENS_PER_MINUTE', async () => {
  expect((await connector())?.limits).toEqual({ connector: 6_000 })
  expect((await connector({ FOYER_TOKENS_PER_MINUTE: '9' }))?.limits).toEqual({ connector: 9 })
})

it.each([
  [{}, 'automatic'],
  [{ FOYER_AGENT: 'llm', FOYER_LLM_URL: 'https://models.example.com/v1', FOYER_LLM_MODEL: 'm' }, 'ai'],
  [
    { FOYER_CHAT_URL: 'https://chat.example.com', FOYER_CONNECTOR_TOKEN: 'x', FOYER_CONNECTOR_HOST: 'y' },
    undefined,
  ],
])('with %j the panel says that answers are %s', async (more, answers) => {
  expect((await connector(more))?.answers).toBe(answers)
})

it.each([
  [undefined, 'ai'],
  ['ai', 'ai'],
  ['automatic', 'automatic'],
] as const)(
  'beside an agent of the program’s own, which says %s, the panel says %s',
  async (said, answers) => {
    const agent: Agent = { name: 'Own', answers: said, async *act() {} }
    expect((await connector({}, agent))?.answers).toBe(answers)
  },
)

it('the BFF accepts a connector token of 16 characters or more, and any token of another service', () => {
  const token = (more: Record<string, string>) =>
    ownConnectors(readOwnBff({ ...env, ...more }, undefined, () => {}))[0]?.token
  expect(token({})).toBe(TOKEN)
  expect(() => token({ FOYER_CONNECTOR_TOKEN: TOKEN.slice(1) })).toThrowError('fewer than 16 characters')
  expect(token({ FOYER_CONNECTOR_TOKEN: 'x', FOYER_CHAT_URL: 'https://chat.example.com' })).toBe('x')
})

it('in the demo, any page of this machine may embed the frame, over TLS too', async () => {
  const framePolicy = async (more: Record<string, string>) => {
    const bff = createSitesBff(await options(more))
    const frame = await bff.fetch(new Request('http://localhost/foyer/frame'), { address: '192.0.2.1' })
    return frame.headers.get('content-security-policy')
  }
  const policy = await framePolicy({ FOYER_DEMO: '1', FOYER_ORIGINS: 'https://shop.example.com' })
  for (const page of [
    'http://localhost:*',
    'https://localhost:*',
    'https://127.0.0.1:*',
    'https://shop.example.com',
  ])
    expect(policy).toMatch(new RegExp(`frame-ancestors[^;]* ${page.replace('*', '[*]')}`))
  expect(await framePolicy({})).not.toContain('localhost:*')
})

it.each(['0.0.0.0', '::'])(
  'with HOST %s, the demo answers under any address, and under no name but its own',
  (host) => {
    const answers = answersTo(true, host, 'https://demo.example.com')
    const names = ['192.0.2.1', '[2001:db8::1]', 'localhost', 'demo.example.com']
    expect(names.filter((name) => !answers(name))).toEqual([])
    expect(['rebound.example.com', '1.2.3.4.example.com', '[::1].example.com', ''].filter(answers)).toEqual(
      [],
    )
  },
)

it.each(['FOYER_SERVICES', 'FOYER_PORTS', 'FOYER_TESTING', 'FOYER_BENCHES', 'FOYER_', 'FOYER_constructor'])(
  '%s is not taken for a name that an orchestrator sets',
  (name) => expect(() => readSettings({ [name]: '1' }, folder)).toThrowError(`There is no setting ${name}.`),
)

it('the BFF counts requests by the secret of the cookies, so that two deployments may share a store', async () => {
  deployments.length = 0
  const secrets = ['a', 'b'].map((letter) => letter.repeat(32))
  for (const secret of [...secrets, secrets[0]]) await options({ FOYER_COOKIE_SECRET: `${secret}` })
  await options()
  const [one, other, again, kept] = deployments
  expect(again).toBe(one)
  // A second secret, which only opens, does not change it.
  await options({ FOYER_COOKIE_SECRET: secrets.join() })
  expect(deployments.pop()).toBe(one)
  expect(new Set([one, other, kept]).size).toBe(3)
  for (const name of deployments) expect(name).toMatch(/^[\w-]{16}$/)
  expect(deployments.join()).not.toMatch(/aaa|bbb/)
})

it('each connector of the file keeps what it says itself, and has the rest of this server', async () => {
  const path = join(folder, 'connectors.json')
  const site = (name: string) => ({ token: `a-token-of-the-${name}`, host: `${name}.example.com` })
  const away = { chatUrl: 'https://chat.example.com' }
  const asked: unknown[] = []
  const write = (more: object = {}) =>
    writeFileSync(
      path,
      JSON.stringify({
        shop: { ...site('shop'), limits: { connector: 5 }, answers: 'ai', ...more },
        desk: site('desk'),
        away: { ...site('away'), ...away },
      }),
    )
  write()
  const all = { FOYER_CONNECTORS: path, FOYER_TOKENS_PER_MINUTE: '9' }
  let now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const { connectors } = await options(all, {
    fetch: async (request, { address }) => {
      asked.push([request.url, address])
      return new Response()
    },
  })
  const read = connectors as () => BffConnectors
  const first = read()
  expect(Object.values(first).map(({ limits }) => limits?.connector)).toEqual([5, 9, 9])
  expect(Object.values(first).map(({ answers }) => answers)).toEqual(['ai', 'automatic', undefined])
  expect(first.away?.fetch).toBeUndefined()
  for (const name of ['shop', 'desk'])
    await first[name]?.fetch?.(new URL(`http://localhost/${name}`), {}, { address: `192.0.2.${name.length}` })
  expect(asked).toEqual([
    ['http://localhost/shop', '192.0.2.4'],
    ['http://localhost/desk', '192.0.2.4'],
  ])
  // They are the same ones until the file says something else, each time.
  expect(read()).toBe(first)
  for (const connector of [6, 7]) {
    write({ limits: { connector } })
    now += 2_000
    const next = read()
    expect(next.shop?.limits?.connector).toBe(connector)
    expect(read()).toBe(next)
  }
})
