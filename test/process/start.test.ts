// The process as whoever runs it meets it: how it starts, what it prints, and whom it answers.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tourWords } from '../../demo/server/tour/words.ts'
import { freePort, ONE_DOCUMENT, type Server, SHORT_LIVED } from '../browser/world.ts'
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

/** The status and the body of an answer, or why there was none. */
const get = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(60_000) }).then(
    async (response) => ({ status: response.status, body: await response.text() }),
    ({ name, cause }: Error & { cause?: { code?: string } }) => cause?.code ?? name,
  )

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
/** What the addresses are answered, up to the first that is over its limit. */
async function tokens({ at, origin }: Site, forwarded: readonly string[]) {
  const statuses: number[] = []
  for (const each of forwarded) {
    const headers = { 'content-type': 'application/json', origin, 'x-forwarded-for': each }
    const response = await fetch(`${at}/foyer/access-token`, { method: 'POST', headers, body: '{}' })
    statuses.push(response.status)
    if (response.status !== 429) continue
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    break
  }
  return statuses
}
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${index}`)

describe('the demo over Foyer’s own docs', () => {
  const folder = useFolder('all')
  let port: number
  let server: Server
  let printed: string
  let code: number | null
  /** Each answer that came before the second server was ready, once. A text: why there was none. */
  const answers = {
    '/openapi.json': new Set<string>(),
    '/live': new Set<string>(),
    '/ready': new Set<string>(),
  }
  beforeAll(async () => {
    port = await freePort()
    const first = await folder.start(port, {}, [...ONE_DOCUMENT, '--show-keys'])
    printed = first.output.join('')
    code = await first.stop('SIGINT')
    // There is something to open now, which takes its time, as do Foyer’s own docs.
    const starting = folder.start(port, {}, [])
    let settled = false
    const settle = () => {
      settled = true
    }
    starting.then(settle, settle)
    while (!settled) {
      for (const [path, seen] of Object.entries(answers)) {
        const answer = await get(port, path)
        // The description of the API is long.
        seen.add(
          typeof answer === 'string' || path !== '/openapi.json'
            ? JSON.stringify(answer)
            : `${answer.status}`,
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    // A start that failed says here why.
    server = await starting
  })

  it('prints the address, the script tag and how to stop, and ends by Ctrl-C', () => {
    expect(printed).toContain(`http://localhost:${port}`)
    expect(printed).toContain(`<script src="http://127.0.0.1:${port}/foyer.js" async></script>`)
    expect(printed).toContain('Ctrl-C')
    expect(printed).toContain('demo-connector')
    expect(code).toBe(0)
  })

  it('answers every request that comes before it is ready', async () => {
    // Until the process listens, the machine refuses; from then on every request has an answer.
    const known = new Set(['"ECONNREFUSED"', '503', '200'])
    expect([...answers['/openapi.json']].filter((each) => !known.has(each))).toEqual([])
    expect(answers['/openapi.json']).toContain('503')
    expect(await get(port, '/openapi.json')).toMatchObject({ status: 200 })
  })

  it('tells by its probes that it starts: it is live from its first answer on, and then ready', async () => {
    const told = (path: '/live' | '/ready') =>
      [...answers[path]]
        .map((each) => JSON.parse(each) as string | { status: number; body: string })
        .filter((each) => each !== 'ECONNREFUSED')
    const live = { status: 200, body: '{"status":"live"}' }
    expect(told('/live')).toEqual([live])
    expect(told('/ready')[0]).toEqual({
      status: 503,
      body: '{"error":"The server is starting. Try again in a moment."}',
    })
    const ready = { status: 200, body: '{"status":"ready"}' }
    expect(told('/ready').slice(1)).toEqual(
      told('/ready')
        .slice(1)
        .map(() => ready),
    )
    expect(await get(port, '/ready')).toEqual(ready)
    expect(await get(port, '/foyer/health')).toEqual({ status: 200, body: '{"status":"ok"}' })
  })

  it('offers the tour of Foyer', async () => {
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
      execArgv: [...SHORT_LIVED],
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
  let output: string
  beforeAll(async () => {
    mkdirSync(folder.path('notes'))
    writeFileSync(folder.path('notes/lamp.md'), '# The lighthouse\n\nThe lamp is lit at dusk.\n')
    port = await freePort()
    const origin = 'https://demo.example.com'
    const env = { FOYER_DATA: 'memory', FOYER_PUBLIC_ORIGIN: origin, FOYER_TRUSTED_PROXIES: 'loopback' }
    const server = await folder.start(port, env, ['./notes'])
    output = server.output.join('')
    site = { at: server.origin, origin }
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

  it('uses its public origin, behind a proxy that ends TLS, in its output, on its pages and for tokens', async () => {
    const { at, origin } = site
    expect(output).toContain(`Foyer is ready:  ${origin}`)
    expect(output).toContain(`<script src="${origin}/foyer.js" async></script>`)
    const page = await fetch(`${at}/embed.html`)
    expect(await page.text()).toContain(`<script  src="${origin}/foyer.js" async></script>`)
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const part of [`script-src 'self' ${origin};`, `frame-src 'self' ${origin};`, 'wss://localhost:'])
      expect(policy).toContain(part)
    const token = (from: string) =>
      fetch(`${at}/foyer/access-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: from },
        body: '{}',
      })
    const granted = await token(origin)
    expect([granted.status, await granted.json()]).toEqual([
      200,
      expect.objectContaining({ chat_url: origin }),
    ])
    expect((await token(at)).status).toBe(403)
    // A page of the demo, whose requests reach the server over plain HTTP.
    const expire = (from: string) =>
      fetch(`${at}/demo/sessions/unknown/expire`, { method: 'POST', headers: { origin: from } })
    expect((await expire(at.replace('http:', 'https:'))).status).toBe(404)
    expect((await expire(at)).status).toBe(403)
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
    // What a visitor wrote is left of what the proxy wrote.
    expect(
      await tokens(
        site,
        addresses(130).map((forged) => `${forged}, 192.0.2.1`),
      ),
    ).toContain(429)
    expect(await tokens(site, ['192.0.2.2'])).toEqual([200])
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

  it('a start warns without a public origin and refuses an invalid host name, and a visitor resets no limit by a header that no proxy is trusted for', async () => {
    const port = await freePort()
    const server = await folder.start(port, own)
    expect(server.output.join('')).toContain('FOYER_PUBLIC_ORIGIN is not set')
    expect(await asked(port, 'a;b', '/foyer/frame')).toBe(400)
    expect(await asked(port, 'any.example.com', '/foyer/frame')).toBe(200)
    const site = { at: server.origin, origin: server.origin }
    expect(await tokens(site, addresses(200))).toContain(429)
    const said = server.output.join('').match(/FOYER_TRUSTED_PROXIES/g) ?? []
    expect(said).toHaveLength(1)
    expect(server.output.join('')).not.toContain('198.51.100.')
  })
})
