// The process as whoever runs it meets it: how it starts, what it prints, and whom it answers.

import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tourWords } from '../../src/agents/guide/tour-words.ts'
import { freePort } from '../browser/world.ts'
import { useFolder, visitor } from './starts.ts'

const folder = useFolder()
const { start } = folder

/** The status of an answer to a request with this Host header. */
const asked = (port: number, host: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const going = request({ port, host: '127.0.0.1', path, headers: { ...headers, host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    going.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response.statusCode)
    })
    going.on('error', reject).end()
  })

describe('a start', () => {
  it('answers every request that comes before it is ready', async () => {
    // Something to open, which takes its time.
    await (await start(await freePort())).stop()
    const port = await freePort()
    // With Foyer's own docs, which take their time too.
    const starting = start(port, {}, [])
    let settled = false
    const settle = () => {
      settled = true
    }
    starting.then(settle, settle)
    const failed: unknown[] = []
    const statuses = new Set<number>()
    while (!settled) {
      const signal = AbortSignal.timeout(60_000)
      await fetch(`http://127.0.0.1:${port}/openapi.json`, { signal }).then(
        (response) => statuses.add(response.status),
        ({ name, cause }: Error & { cause?: { code?: string } }) => failed.push(cause?.code ?? name),
      )
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    // A start that failed says here why.
    await starting
    // Until the process listens, the machine refuses; from then on every request has an answer.
    expect(failed.filter((code) => code !== 'ECONNREFUSED')).toEqual([])
    expect([...statuses].filter((status) => status !== 503 && status !== 200)).toEqual([])
    expect(statuses).toContain(503)
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200)
  })

  it('offers the tour of Foyer over Foyer’s own docs only', async () => {
    const [own, others] = await Promise.all([
      start(await freePort(), { FOYER_DATA: 'memory' }, []),
      start(await freePort(), { FOYER_DATA: 'memory' }),
    ])
    const offeredBy = async ({ origin }: { origin: string }) => {
      const person = visitor(origin)
      await person.token(false)
      const client = await person.connect(await person.session(), 0)
      const greeting = () => client.events.find((event) => event.payload.is_complete === true)
      client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
      await client.until('greeting', () => greeting() !== undefined)
      client.socket.close()
      return JSON.stringify(greeting())
    }
    expect(await offeredBy(own)).toContain(tourWords.start)
    const offered = await offeredBy(others)
    expect(offered).not.toContain(tourWords.start)
    expect(offered).toContain('message_text')
    const home = await (await fetch(others.origin)).text()
    expect(home).toContain('data-agent="guide"')
  })

  it('prints the address, the script tag and how to stop, and survives Ctrl-C and a second start', async () => {
    const port = await freePort()
    const first = await start(port, {}, ['--show-keys'])
    const text = first.output.join('')
    expect(text).toContain(`http://localhost:${port}`)
    expect(text).toContain(`<script src="http://127.0.0.1:${port}/foyer.js" async></script>`)
    expect(text).toContain('Ctrl-C')
    expect(text).toContain('demo-connector')
    expect(await first.stop('SIGINT')).toBe(0)
    const second = await start(port)
    expect(await second.stop('SIGINT')).toBe(0)
  })

  it('with a folder answers from the folder’s files', async () => {
    const notes = folder.path('notes')
    mkdirSync(notes)
    writeFileSync(join(notes, 'lamp.md'), '# The lighthouse\n\nThe lamp is lit at dusk.\n')
    const server = await start(await freePort(), { FOYER_DATA: 'memory' }, ['./notes'])
    const person = visitor(server.origin)
    await person.token(false)
    const client = await person.connect(await person.session(), 0)
    client.send('EVENT_TYPE_USER_MESSAGE', { text: 'when is the lamp lit?' })
    await client.until('whole answer', () =>
      client.events.some((event) => event.payload.is_complete === true),
    )
    const said = client.events.map((event) => event.payload.text ?? '').join('')
    expect(said).toContain('The lamp is lit at dusk.')
    expect(said).toContain('/docs/lamp#the-lighthouse')
  })

  it('serves the pages of the demo on loopback names only', async () => {
    const port = await freePort()
    const server = await start(port, { FOYER_DATA: 'memory' }, [])
    for (const path of ['/', '/embed.html', '/inline.html', '/foyer.js', '/foyer/frame', '/foyer/health'])
      expect((await fetch(server.origin + path)).status, path).toBe(200)
    expect(await (await fetch(`http://127.0.0.1:${port}/embed.html`)).text()).toContain(
      `http://localhost:${port}/foyer.js`,
    )
  })

  it('answers the demo’s pages for loopback names and a HOST set by hand, and for no other name', async () => {
    const port = await freePort()
    await start(port, { FOYER_DATA: 'memory', FOYER_PUBLIC_ORIGIN: 'https://demo.example.com' })
    const paths = [
      '/',
      '/foyer/frame',
      '/foyer.js',
      '/demo/desk',
      '/openapi.json',
      '/v3/demo/front-desk/conversations',
      '/nowhere',
    ]
    for (const path of paths) {
      expect(await asked(port, 'rebound.example.com', path), path).toBe(403)
      expect(await asked(port, `localhost:${port}`, path), path).not.toBe(403)
      expect(await asked(port, 'demo.example.com', path), path).not.toBe(403)
    }
    expect(
      await asked(port, 'rebound.example.com', '/ws', { connection: 'upgrade', upgrade: 'websocket' }),
    ).toBe(403)
    expect(
      await asked(port, `localhost:${port}`, '/ws', { connection: 'upgrade', upgrade: 'websocket' }),
    ).not.toBe(403)
  })

  describe('outside of the demo', () => {
    const own = {
      FOYER_DEMO: '',
      FOYER_DATA: 'memory',
      FOYER_CONNECTOR_TOKEN: 'a-connector-token',
      FOYER_CONNECTOR_HOST: 'localhost',
    }
    const warning = 'FOYER_PUBLIC_ORIGIN is not set'

    it('warns without a public origin, and refuses an invalid host name', async () => {
      const port = await freePort()
      const server = await start(port, own)
      expect(server.output.join('')).toContain(warning)
      expect(await asked(port, 'a;b', '/foyer/frame')).toBe(400)
      expect(await asked(port, 'any.example.com', '/foyer/frame')).toBe(200)
    })

    it('does not warn with a public origin', async () => {
      const env = { ...own, FOYER_PUBLIC_ORIGIN: 'https://chat.example.com' }
      const server = await start(await freePort(), env)
      expect(server.output.join('')).not.toContain(warning)
    })
  })
})

describe('visitors behind a proxy', () => {
  const tokens = async (origin: string, forwarded: readonly string[]) => {
    const statuses = []
    for (const each of forwarded) {
      const headers = { 'content-type': 'application/json', origin, 'x-forwarded-for': each }
      const response = await fetch(`${origin}/foyer/access-token`, { method: 'POST', headers, body: '{}' })
      statuses.push(response.status)
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    return statuses
  }
  const hundred = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)

  it('are each limited by their own address when the proxy is trusted', async () => {
    const { origin } = await start(await freePort(), {
      FOYER_DATA: 'memory',
      FOYER_TRUSTED_PROXIES: 'loopback',
    })
    expect(new Set(await tokens(origin, hundred))).toEqual(new Set([200]))
    // What a visitor wrote is left of what the proxy wrote.
    const forged = Array.from({ length: 130 }, (_, index) => `203.0.113.${index}, 192.0.2.1`)
    expect(await tokens(origin, forged)).toContain(429)
  })

  it('cannot reset their limit by a header when no proxy is trusted, and the log says so once', async () => {
    const server = await start(await freePort(), { FOYER_DATA: 'memory' })
    expect(await tokens(server.origin, [...hundred, ...hundred])).toContain(429)
    const said = server.output.join('').match(/FOYER_TRUSTED_PROXIES/g) ?? []
    expect(said).toHaveLength(1)
    expect(server.output.join('')).not.toContain('198.51.100.')
  })
})
