// The table of settings against whoever reads it: the code, the help, and the refusal of unknown names.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBffSettings } from '../../src/bff/index.ts'
import { HELP } from '../../src/cli/arguments.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { defaultInWords, SETTINGS, type Setting, valuesInWords } from '../../src/cli/settings-table.ts'
import { answersTo } from '../../src/cli/start/own-bff.ts'
import { defaultRuntimeSettings } from '../../src/runtime/index.ts'

const root = resolve(import.meta.dirname, '../..')
const TABLE = Object.entries(SETTINGS as Readonly<Record<string, Setting>>)
const NAMES = TABLE.map(([name]) => name)
/** Those that people set. */
const PUBLIC = TABLE.filter(([, { readBy }]) => readBy !== 'start')
const BFF = { FOYER_CONNECTOR_TOKEN: 'x', FOYER_CONNECTOR_HOST: 'y' }
const MODEL = { FOYER_AGENT: 'llm', FOYER_LLM_URL: 'http://127.0.0.1:9/v1', FOYER_LLM_MODEL: 'small' }

/** The names that are looked at, where each has a value. */
function looked(read: (env: Record<string, string | undefined>) => unknown): string[] {
  const names = new Set<string>()
  const env = new Proxy<Record<string, string | undefined>>(
    { ...BFF, ...MODEL },
    {
      get: (target, name) => {
        names.add(String(name))
        return target[String(name)]
      },
    },
  )
  read(env)
  return [...names].sort()
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sources(path) : [readFileSync(path, 'utf8')]
  })
}

describe('every setting', () => {
  it('is read by the part that the table names', () => {
    const of = (...readers: Setting['readBy'][]) =>
      TABLE.flatMap(([name, { readBy }]) => (readers.includes(readBy) ? [name] : [])).sort()
    expect(looked(readBffSettings)).toEqual(of('bff'))
    expect(looked((env) => readSettings(env, '.foyer'))).toEqual(
      // The demo refuses two of the BFF's; outside of it they are not looked at here.
      of('server', 'runtime'),
    )
  })

  it('is in the table if the source names it', () => {
    const named = sources(join(root, 'src')).flatMap((text) => text.match(/\bFOYER_[A-Z_]+\b/g) ?? [])
    const unknown = [...new Set(named)].filter((name) => !name.endsWith('_') && !NAMES.includes(name))
    expect(unknown).toEqual([])
  })

  it('says which values it takes', () => {
    expect(PUBLIC.filter(([, setting]) => valuesInWords(setting) === '').map(([name]) => name)).toEqual([])
  })

  it('is in --help with its default', () => {
    for (const [name, setting] of PUBLIC) {
      const line = HELP.split('\n').find((each) => each.trim().startsWith(`${name} `)) ?? ''
      expect(line).toContain(`(${defaultInWords(setting).replaceAll('`', '')})`)
    }
    expect(HELP).not.toContain('FOYER_DEMO_BY')
  })

  it('of the runtime has the runtime’s own default', () => {
    expect(readSettings({}, '.foyer').runtime).toEqual(
      Object.fromEntries(
        Object.entries(defaultRuntimeSettings).filter(
          ([name]) => !['callsAtOnce', 'beatSeconds', 'deadAfterSeconds'].includes(name),
        ),
      ),
    )
  })

  it('has the value that was given, in its own place', () => {
    const given = {
      PORT: '4801',
      HOST: '192.0.2.1',
      FOYER_AGENT: 'llm',
      FOYER_CARRIER: './carrier.mjs',
      FOYER_SOURCE_URL: 'https://shop.example.com/help/',
      FOYER_CONTACT: 'call us',
      FOYER_DISCLOSURE: 'a machine',
      FOYER_HANDOFF: 'on',
      FOYER_LLM_URL: 'https://models.example.com/v1',
      FOYER_LLM_MODEL: 'small',
      FOYER_LLM_KEY: 'key-of-the-model',
      FOYER_LLM_INSTRUCTIONS: 'who.md',
      FOYER_LLM_MCP: 'https://a.example.com/mcp, https://b.example.com/mcp',
      FOYER_LLM_TOKENS_PER_DAY: '101',
      FOYER_LLM_CONNECTOR_TOKENS_PER_DAY: '102',
      FOYER_LLM_SECONDS: '103',
      FOYER_LLM_PRICE: '0.25,0.5',
      FOYER_LLM_LINKS: 'any',
      FOYER_LLM_SUMMARY: 'on',
      FOYER_ACCESS_LOG: '1',
      FOYER_DRAIN_SECONDS: '104',
      FOYER_METRICS_PORT: '4802',
      FOYER_LOG: 'json',
      FOYER_DATABASE_URL: 'postgres://database.example.com/foyer',
      FOYER_DATABASE_CONNECTIONS: '105',
      FOYER_READ_SECONDS: '106',
      FOYER_SESSION_IDLE: '107',
      FOYER_HEARTBEAT: '108',
      FOYER_TOKEN_TTL: '109',
      FOYER_TOKENS_PER_MINUTE: '110',
      FOYER_TEXT_IDLE: '111',
      FOYER_TEXT_GRACE: '112',
      FOYER_CALL_RETENTION: '113',
      FOYER_CALL_QUEUE: '114',
      FOYER_DESK_WAIT: '115',
      FOYER_RETENTION_DAYS: '116',
      FOYER_MASK_CARDS: 'off',
      FOYER_CONNECTORS: 'sites.json',
      REDIS_URL: 'redis://redis.example.com',
      FOYER_REGION: 'euw-1',
      FOYER_HEADER_PREFIX: 'Acme',
      FOYER_EMBEDDINGS_URL: 'https://models.example.com/v2',
      FOYER_EMBEDDINGS_MODEL: 'near',
      FOYER_EMBEDDINGS_KEY: 'key-of-the-embeddings',
    }
    const elsewhere = ['FOYER_AGENT_KEY', 'FOYER_DATA', 'FOYER_DEMO']
    const own = TABLE.flatMap(([name, { readBy }]) => (['server', 'runtime'].includes(readBy) ? [name] : []))
    expect(Object.keys(given).sort()).toEqual(own.filter((name) => !elsewhere.includes(name)).sort())
    expect(readSettings(given, '.foyer')).toEqual({
      port: 4801,
      host: '192.0.2.1',
      demo: false,
      agent: {
        name: 'llm',
        sourceUrl: 'https://shop.example.com/help/',
        contact: 'call us',
        handsOff: true,
        url: 'https://models.example.com/v1',
        model: 'small',
        key: 'key-of-the-model',
        instructionsFile: 'who.md',
        mcp: ['https://a.example.com/mcp', 'https://b.example.com/mcp'],
        limits: { tokensPerDay: 101, connectorTokensPerDay: 102, seconds: 103 },
        price: { input: 0.25, output: 0.5 },
        links: 'any',
        summarise: true,
      },
      carrier: './carrier.mjs',
      accessLog: true,
      drainSeconds: 104,
      metricsPort: 4802,
      jsonLog: true,
      data: { databaseUrl: given.FOYER_DATABASE_URL, connections: 105, readSeconds: 106 },
      runtime: {
        sessionIdleSeconds: 107,
        heartbeatSeconds: 108,
        tokenTtlSeconds: 109,
        tokensPerMinute: 110,
        textIdleSeconds: 111,
        textGraceSeconds: 112,
        callRetentionSeconds: 113,
        callQueueSeconds: 114,
        deskWaitSeconds: 115,
        retentionDays: 116,
        maskCards: false,
      },
      tokensPerMinute: 110,
      disclosure: 'a machine',
      connectorsFile: 'sites.json',
      redisUrl: 'redis://redis.example.com',
      region: 'euw-1',
      headerPrefix: 'Acme',
      embeddings: { url: 'https://models.example.com/v2', model: 'near', key: 'key-of-the-embeddings' },
    })
  })

  it('of a number may be as large as its limit, and no larger', () => {
    const most: Record<string, number> = {
      PORT: 65_535,
      FOYER_METRICS_PORT: 65_535,
      FOYER_TOKENS_PER_MINUTE: 1_000_000,
      FOYER_DATABASE_CONNECTIONS: 1_000,
      FOYER_READ_SECONDS: 600,
      FOYER_RETENTION_DAYS: 36_500,
      FOYER_DRAIN_SECONDS: 3_600,
      FOYER_SESSION_IDLE: 3_153_600_000,
      FOYER_TEXT_GRACE: 3_153_600_000,
      FOYER_LLM_SECONDS: 600,
      FOYER_LLM_TOKENS_PER_DAY: 1_000_000_000,
      FOYER_LLM_CONNECTOR_TOKENS_PER_DAY: 1_000_000_000,
    }
    for (const [name, number] of Object.entries(most)) {
      const read = (value: number) => readSettings({ ...MODEL, [name]: String(value) }, '.foyer')
      expect(() => read(number), name).not.toThrow()
      expect(() => read(number + 1), name).toThrowError(`${name} is "${number + 1}"`)
    }
  })

  it('counts as not set when it is empty', () => {
    const empty = Object.fromEntries(NAMES.map((name) => [name, '']))
    expect(readSettings(empty, '.foyer')).toEqual(readSettings({}, '.foyer'))
    expect(readBffSettings({ ...empty, ...BFF })).toEqual(readBffSettings(BFF))
  })
})

describe('an unknown name', () => {
  const NEAREST: [string, string][] = [
    ['FOYER_ORIGIN', 'FOYER_ORIGINS'],
    ['FOYER_TRUSTED_PROXY', 'FOYER_TRUSTED_PROXIES'],
    ['FOYER_DATABSE_URL', 'FOYER_DATABASE_URL'],
    ['FOYER_CONECTOR_TOKEN', 'FOYER_CONNECTOR_TOKEN'],
    ['FOYER_origins', 'FOYER_ORIGINS'],
    [`FOYER_${'X'.repeat(100_000)}`, 'FOYER_'],
  ]
  it.each(NEAREST.map(([name, nearest]) => ({ name, nearest })))(
    'is refused, with the nearest setting: $name',
    ({ name, nearest }) => {
      const read = () => readSettings({ [name]: 'canary' }, '.foyer')
      expect(read).toThrowError(`There is no setting ${name.slice(0, 64)}. Did you mean ${nearest}`)
      expect(read).toThrowError(expect.not.stringContaining('canary'))
    },
  )

  it.each([
    'FOYER_SERVICE_HOST',
    'FOYER_PORT',
    'FOYER_PORT_4700_TCP',
    'FOYER_TEST_STORE',
    'FOYER_BENCH_X',
    'OTHER',
  ])('is accepted as %s, which orchestrators and tests set', (name) => {
    expect(() => readSettings({ [name]: 'x' }, '.foyer')).not.toThrow()
  })
})

describe('an invalid value', () => {
  it.each([
    ['PORT', 'abc', 'PORT is "abc", which is not a valid port'],
    ['PORT', '70000', 'not a valid port'],
    ['FOYER_SESSION_IDLE', '0', 'above 0'],
    ['FOYER_TEXT_GRACE', '-1', 'from 0'],
    ['FOYER_TOKENS_PER_MINUTE', '0', 'a whole number from 1'],
    ['FOYER_TOKENS_PER_MINUTE', '1.5', 'a whole number from 1'],
    ['FOYER_TOKENS_PER_MINUTE', '99999999', 'a whole number from 1'],
    ['FOYER_MASK_CARDS', 'yes', 'on or off'],
    ['FOYER_REGION', 'A B', 'lowercase letters'],
    ['FOYER_DATA', 'disk', 'It may be memory'],
    ['FOYER_LOG', 'xml', 'It may be text or json'],
    ['FOYER_METRICS_PORT', '0', 'not a valid port'],
    ['FOYER_METRICS_PORT', '4700', 'FOYER_METRICS_PORT is the same as PORT'],
    ['FOYER_AGENT', 'oracle', 'Choose one of: guide'],
    ['FOYER_EMBEDDINGS_URL', 'models', 'FOYER_EMBEDDINGS_URL is not a valid address'],
  ])('of %s is refused: %s', (name, value, text) => {
    expect(() => readSettings({ [name]: value }, '.foyer')).toThrowError(text)
  })

  it.each([
    ['FOYER_TRUSTED_PROXIES', 'loopback, proxy.example.com', '"proxy.example.com" is not an address'],
    ['FOYER_CHUNK_JOIN', 'dash', 'It may be none or space'],
    ['FOYER_CONSENT', 'yes', 'It may be required or page'],
    ['FOYER_PUBLIC_ORIGIN', 'https://a.example.com,https://b.example.com', 'Write one'],
    ['FOYER_IMAGE_ORIGINS', 'images.example.com', 'not an origin'],
    ['FOYER_CHAT_URL', 'https://a;b', 'FOYER_CHAT_URL'],
  ])('of %s is refused by the BFF: %s', (name, value, text) => {
    expect(() => readBffSettings({ ...BFF, [name]: value })).toThrowError(text)
  })

  it.each(['FOYER_DATABASE_URL', 'FOYER_COOKIE_SECRET'])('of %s, a secret, is not repeated', (name) => {
    const read = () => {
      readSettings({ [name]: 'canary' }, '.foyer')
      readBffSettings({ ...BFF, [name]: 'canary' })
    }
    expect(read).toThrowError(name)
    expect(read).toThrowError(expect.not.stringContaining('canary'))
  })
})

describe('the demo', () => {
  it('is on with FOYER_DEMO=1 and off with 0; any other word is refused', () => {
    const demo = (FOYER_DEMO: string) => readSettings({ FOYER_DEMO }, '.foyer').demo
    expect([demo('1'), demo('0'), demo('')]).toEqual([true, false, false])
    for (const word of ['true', 'yes', 'on', '01', ' 1', 'false'])
      expect(() => demo(word)).toThrowError(`FOYER_DEMO is "${word}". It may be 1 or 0.`)
  })

  it.each(['FOYER_CHAT_URL', 'FOYER_CONNECTOR_TOKEN', 'FOYER_CONNECTOR_HOST'])(
    'refuses %s, which has no effect in it',
    (name) => {
      expect(() => readSettings({ FOYER_DEMO: '1', [name]: 'canary' }, '.foyer')).toThrowError(
        new RegExp(`^${name} has no effect in the demo`),
      )
    },
  )

  it.each<[host: string | undefined, publicOrigin: string | undefined, yes: string[], no: string[]]>([
    [
      undefined,
      undefined,
      ['localhost', '127.0.0.1', '[::1]'],
      ['rebound.example.com', '192.0.2.1', '', 'localhost.example.com'],
    ],
    ['192.0.2.1', undefined, ['localhost', '192.0.2.1'], ['192.0.2.2', 'rebound.example.com']],
    ['2001:db8::1', undefined, ['[2001:db8::1]'], ['[2001:db8::2]']],
    ['Box.example.com', undefined, ['box.example.com'], ['other.example.com']],
    ['0.0.0.0', undefined, ['192.0.2.1', '[2001:db8::1]'], ['rebound.example.com', '1.2.3.4.example.com']],
    [undefined, 'https://demo.example.com', ['demo.example.com', 'localhost'], ['rebound.example.com']],
  ])(
    'with HOST %s and the public origin %s answers under the names set by hand',
    (host, publicOrigin, yes, no) => {
      const answers = answersTo(true, host, publicOrigin)
      for (const name of yes) expect(answers(name), name).toBe(true)
      for (const name of no) expect(answers(name), name).toBe(false)
      for (const name of [...yes, ...no]) expect(answersTo(false, host, publicOrigin)(name)).toBe(true)
    },
  )
})
