// The file of FOYER_CONNECTORS while the server runs.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../src/cli/settings.ts'
import { openConnectorsFile } from '../../src/cli/start/connectors-file.ts'

const SECRET = 'canary-token-of-the-shop'
const SHOP = { token: SECRET, host: 'shop.example.com' }
let folder: string
let path: string
let now: number
let lines: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-connectors-'))
  path = join(folder, 'connectors.json')
  now = 0
  lines = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (content: unknown) => writeFileSync(path, JSON.stringify(content))
const open = () => openConnectorsFile({ path, env: {}, now: () => now, log: (line) => lines.push(line) })

describe('the file of the connectors', () => {
  it('is read again after two seconds, and gives another object only where it says something else', () => {
    write({ shop: SHOP })
    const connectors = open()
    const first = connectors()
    write({ shop: { ...SHOP, enabled: false } })
    now += 1_999
    expect(connectors()).toBe(first)
    now += 1
    const second = connectors()
    expect(second.shop?.enabled).toBe(false)
    expect(lines).toEqual([`the connectors of ${path} have changed: shop (off)`])
    writeFileSync(path, JSON.stringify({ shop: { ...SHOP, enabled: false } }, null, 2))
    now += 2_000
    expect(connectors()).toBe(second)
    expect(lines).toHaveLength(1)
    write({ shop: SHOP })
    now += 1_999
    expect(connectors()).toBe(second)
    now += 1
    expect(connectors()).toEqual(first)
    expect(lines).toEqual([expect.anything(), `the connectors of ${path} have changed: shop`])
  })

  it('is not parsed again while it, and each file of a token, says the same, letter by letter', () => {
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, 'a-token')
    write({ shop: SHOP, desk: { host: 'desk.example.com', tokenFile } })
    const connectors = open()
    const parse = vi.spyOn(JSON, 'parse')
    now += 2_000
    connectors()
    expect(parse).not.toHaveBeenCalled()
    write({ shop: { ...SHOP, enabled: false } })
    now += 2_000
    connectors()
    expect(parse).toHaveBeenCalledOnce()
    parse.mockRestore()
  })

  it('takes each token that was written into its own file anew, and forgets the file that it names no more', () => {
    const site = (name: string) => ({ host: `${name}.example.com`, tokenFile: join(folder, name) })
    const token = (name: string, word: string) => writeFileSync(join(folder, name), word)
    token('shop', 'before')
    token('desk', 'before-too')
    write({ shop: site('shop'), desk: site('desk') })
    const connectors = open()
    const tokens = () => {
      now += 2_000
      return Object.values(connectors()).map(({ connectorToken }) => connectorToken)
    }
    token('shop', 'after')
    expect(tokens()).toEqual(['after', 'before-too'])
    token('desk', 'after-too')
    expect(tokens()).toEqual(['after', 'after-too'])
    write({ shop: site('shop') })
    expect(tokens()).toEqual(['after'])
    rmSync(join(folder, 'desk'))
    expect(tokens()).toEqual(['after'])
    token('shop', 'last')
    expect(tokens()).toEqual(['last'])
    expect(lines.join()).not.toMatch(/before|after|last|cannot/)
  })

  it('that cannot be used any more leaves the connectors as they were, and says why once', () => {
    write({ shop: SHOP })
    const connectors = open()
    const first = connectors()
    const look = () => {
      now += 2_000
      expect(connectors()).toBe(first)
    }
    write({ shop: { ...SHOP, enabled: 'no' } })
    look()
    look()
    expect(lines).toEqual([
      `${path} (FOYER_CONNECTORS): shop.enabled is "no". It may be true or false. Until then the connectors stay as they were.`,
    ])
    writeFileSync(path, `{"shop": {"token": "${SECRET}"`)
    look()
    rmSync(path)
    look()
    expect(lines.slice(1)).toEqual([
      expect.stringContaining('is not valid JSON'),
      expect.stringContaining('cannot be read (ENOENT)'),
    ])
    expect(lines.join()).not.toContain(SECRET)
    write({ shop: SHOP })
    look()
    expect(lines.at(-1)).toBe(`${path} can be used again`)
    // The same mistake is news again.
    rmSync(path)
    look()
    expect(lines.at(-1)).toContain('cannot be read (ENOENT)')
    expect(lines).toHaveLength(5)
  })

  it('may have a megabyte', () => {
    const text = JSON.stringify({ shop: SHOP })
    writeFileSync(path, text + ' '.repeat(2 ** 20 - text.length))
    expect(open()().shop?.connectorToken).toBe(SECRET)
  })

  it.each<[string, () => void, string]>([
    ['is not there', () => {}, 'of FOYER_CONNECTORS cannot be read (ENOENT). Correct the path'],
    ['is a mistake', () => write({ shop: {} }), '(FOYER_CONNECTORS): shop.host is missing.'],
    ['is too large', () => write({ shop: { ...SHOP, host: 'x'.repeat(2 ** 20) } }), 'It may have 1048576.'],
  ])('that %s ends the start', (_, make, sentence) => {
    make()
    expect(open).toThrowError(sentence)
  })
})

describe('FOYER_CONNECTORS', () => {
  const settings = (env: Record<string, string>) => readSettings(env, folder)
  it('stands in place of the settings of one connector, which are refused beside it', () => {
    expect(settings({ FOYER_CONNECTORS: 'a.json' }).connectorsFile).toBe('a.json')
    for (const name of [
      ...['FOYER_CONNECTOR_TOKEN', 'FOYER_CONNECTOR_HOST', 'FOYER_CHAT_URL', 'FOYER_ORIGINS'],
      ...['FOYER_UNFRAMED_ORIGINS', 'FOYER_IMAGE_ORIGINS', 'FOYER_CHUNK_JOIN', 'FOYER_CONSENT', 'FOYER_PAGE'],
    ])
      expect(() => settings({ FOYER_CONNECTORS: 'a.json', [name]: 'x' })).toThrowError(
        `${name} has no effect beside FOYER_CONNECTORS`,
      )
  })
  it('has no place in the demo', () => {
    expect(() => settings({ FOYER_CONNECTORS: 'a.json', FOYER_DEMO: '1' })).toThrowError(
      'FOYER_CONNECTORS has no effect in the demo',
    )
  })
})

describe('REDIS_URL', () => {
  it.each([
    'redis://localhost',
    'redis://:secret@localhost:6379/2',
    'rediss://user:secret@redis.example.com',
  ])('may be %s', (url) => expect(readSettings({ REDIS_URL: url }, folder).redisUrl).toBe(url))
  it.each(['localhost:6379', 'http://:canary@localhost', 'redis://:canary@localhost/name', 'redis://'])(
    'may not be %s, and the error does not repeat it',
    (url) => {
      expect(() => readSettings({ REDIS_URL: url }, folder)).toThrowError(
        'REDIS_URL is not the address of a Redis server. Write it as',
      )
      expect(() => readSettings({ REDIS_URL: url }, folder)).toThrowError(
        expect.not.stringContaining('canary'),
      )
    },
  )
})
