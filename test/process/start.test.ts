// The process as whoever runs it meets it: how it starts, what it prints, and whom it answers.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tourWords } from '../../demo/server/tour/words.ts'
import { freePort, type Server } from '../browser/world.ts'
import { root, useFolder, visitor } from './starts.ts'

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
  const folder = useFolder()

  it('prints the address, the script tag and how to stop, and after Ctrl-C answers every request that comes before it is ready', async () => {
    const port = await freePort()
    const first = await folder.start(port, {}, ['--show-keys'])
    const text = first.output.join('')
    expect(text).toContain(`http://localhost:${port}`)
    expect(text).toContain(`<script src="http://127.0.0.1:${port}/foyer.js" async></script>`)
    expect(text).toContain('Ctrl-C')
    expect(text).toContain('demo-connector')
    expect(await first.stop('SIGINT')).toBe(0)
    // There is something to open now, which takes its time, as do Foyer’s own docs.
    const starting = folder.start(port, {}, [])
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
    const second = await starting
    // Until the process listens, the machine refuses; from then on every request has an answer.
    expect(failed.filter((code) => code !== 'ECONNREFUSED')).toEqual([])
    expect([...statuses].filter((status) => status !== 503 && status !== 200)).toEqual([])
    expect(statuses).toContain(503)
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200)
    expect(await second.stop('SIGINT')).toBe(0)
  })
})

/** A server, and the origin that its visitors' pages have. */
type Site = { at: string; origin: string }

/** What a visitor hears up to the first whole message: the greeting, or the answer to `question`. */
async function heard({ at, origin }: Site, question = '') {
  const person = visitor(origin)
  await person.token(false, at)
  const client = await person.connect(await person.session(at), 0, at)
  if (question) client.send('EVENT_TYPE_USER_MESSAGE', { text: question })
  else client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await client.until('whole message', () => client.events.some(isWhole))
  client.socket.close()
  return client.events
}
const isWhole = ({ payload }: { payload: Record<string, unknown> }) => payload.is_complete === true
const greeting = async (site: Site) => JSON.stringify((await heard(site)).find(isWhole))
async function tokens({ at, origin }: Site, forwarded: readonly string[]) {
  const statuses = []
  for (const each of forwarded) {
    const headers = { 'content-type': 'application/json', origin, 'x-forwarded-for': each }
    const response = await fetch(`${at}/foyer/access-token`, { method: 'POST', headers, body: '{}' })
    statuses.push(response.status)
    if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  return statuses
}
const hundred = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)

describe('the demo', () => {
  const folder = useFolder('all')
  let server: Server
  beforeAll(async () => {
    server = await folder.start(await freePort(), { FOYER_DATA: 'memory' }, [])
  })

  it('offers the tour of Foyer over Foyer’s own docs', async () => {
    expect(await greeting({ at: server.origin, origin: server.origin })).toContain(tourWords.start)
  })

  it('serves the widget’s files in brotli, which the build has made', async () => {
    for (const path of ['/foyer.js', '/foyer/assets/attention.js']) {
      const { headers } = await fetch(server.origin + path, { headers: { 'accept-encoding': 'br' } })
      expect(headers.get('content-encoding'), path).toBe('br')
    }
  })

  it('is served on loopback names', async () => {
    for (const path of ['/', '/embed.html', '/inline.html', '/foyer.js', '/foyer/frame', '/foyer/health'])
      expect((await fetch(server.origin + path)).status, path).toBe(200)
    expect(
      await (await fetch(`${server.origin.replace('localhost', '127.0.0.1')}/embed.html`)).text(),
    ).toContain(`${server.origin}/foyer.js`)
  })
})

describe('the demo of a program', () => {
  const folder = useFolder()

  it('has its pages beside a carrier of the program’s own', async () => {
    const child = fork(join(root, 'test/cluster/sender.mjs'), [], {
      cwd: folder.path(),
      env: { ...process.env, PORT: String(await freePort()), FOYER_DEMO: '1', FOYER_DATA: 'memory' },
      silent: true,
    })
    try {
      const [origin] = (await once(child, 'message')) as [string]
      for (const path of ['/', '/desk.html', '/phone.html'])
        expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 200])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('the demo with a folder, a name of its own and a trusted proxy', () => {
  const folder = useFolder('all')
  let port: number
  let site: Site
  beforeAll(async () => {
    mkdirSync(folder.path('notes'))
    writeFileSync(folder.path('notes/lamp.md'), '# The lighthouse\n\nThe lamp is lit at dusk.\n')
    port = await freePort()
    const origin = 'https://demo.example.com'
    const env = { FOYER_DATA: 'memory', FOYER_PUBLIC_ORIGIN: origin, FOYER_TRUSTED_PROXIES: 'loopback' }
    site = { at: (await folder.start(port, env, ['./notes'])).origin, origin }
  })

  it('offers no tour, and is met on the QA page', async () => {
    const offered = await greeting(site)
    expect(offered).not.toContain(tourWords.start)
    expect(offered).toContain('message_text')
    expect(await (await fetch(site.at)).text()).toContain('data-agent="guide"')
  })

  it('answers from the folder’s files', async () => {
    const events = await heard(site, 'when is the lamp lit?')
    const said = events.map(({ payload }) => payload.text ?? '').join('')
    expect(said).toContain('The lamp is lit at dusk.')
    expect(said).toContain('/docs/lamp#the-lighthouse')
  })

  it('answers for loopback names and its own, and for no other name', async () => {
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
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    expect(await asked(port, 'rebound.example.com', '/ws', upgrade)).toBe(403)
    expect(await asked(port, `localhost:${port}`, '/ws', upgrade)).not.toBe(403)
  })

  it('limits each visitor behind the proxy by the visitor’s own address', async () => {
    expect(new Set(await tokens(site, hundred))).toEqual(new Set([200]))
    // What a visitor wrote is left of what the proxy wrote.
    const forged = Array.from({ length: 130 }, (_, index) => `203.0.113.${index}, 192.0.2.1`)
    expect(await tokens(site, forged)).toContain(429)
  })
})

describe('outside of the demo', () => {
  const folder = useFolder()
  const own = {
    FOYER_DEMO: '',
    FOYER_DATA: 'memory',
    FOYER_CONNECTOR_TOKEN: 'a-connector-token',
    FOYER_CONNECTOR_HOST: 'localhost',
  }
  const warning = 'FOYER_PUBLIC_ORIGIN is not set'

  it('a start warns without a public origin, and refuses an invalid host name', async () => {
    const port = await freePort()
    const server = await folder.start(port, own)
    expect(server.output.join('')).toContain(warning)
    expect(await asked(port, 'a;b', '/foyer/frame')).toBe(400)
    expect(await asked(port, 'any.example.com', '/foyer/frame')).toBe(200)
  })

  it('a start does not warn with a public origin; a visitor cannot reset a limit by a header where no proxy is trusted, and the log says so once', async () => {
    const port = await freePort()
    const server = await folder.start(port, { ...own, FOYER_PUBLIC_ORIGIN: `http://localhost:${port}` })
    expect(server.output.join('')).not.toContain(warning)
    const site = { at: server.origin, origin: server.origin }
    expect(await tokens(site, [...hundred, ...hundred])).toContain(429)
    const said = server.output.join('').match(/FOYER_TRUSTED_PROXIES/g) ?? []
    expect(said).toHaveLength(1)
    expect(server.output.join('')).not.toContain('198.51.100.')
  })
})
