// The process as whoever runs it meets it: how it starts, what it says when it cannot, and what a kill leaves.

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, type Server, startServer } from '../browser/world.ts'
import { until } from './until.ts'

const root = resolve(import.meta.dirname, '../..')
const cli = join(root, 'dist/foyer-server/cli.js')

let folder: string
let servers: Server[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-process-'))
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const start = async (port: number, ...more: [Record<string, string>?, string[]?]) => {
  const server = await startServer(port, folder, ...more)
  servers.push(server)
  return server
}
const run = (env: Record<string, string>, args: string[] = []) =>
  spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, FOYER_DEMO: '1', ...env },
  })

type Frame = {
  type: string
  id: string
  sequence: number | null
  payload: Record<string, unknown> & { events?: Frame[] }
}

/** A visitor without a browser: the BFF by cookie, the session by socket. */
function visitor(origin: string) {
  let cookie = ''
  let token = ''
  const json = { 'content-type': 'application/json' }
  return {
    async token(resume: boolean) {
      const response = await fetch(`${origin}/foyer/access-token`, {
        method: 'POST',
        headers: { ...json, origin, ...(cookie && { cookie }) },
        body: JSON.stringify(resume ? { resume } : {}),
      })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const body = (await response.json()) as { access_token: string; resumed: boolean }
      token = body.access_token
      return body
    },
    async session() {
      const response = await fetch(`${origin}/api/v1/sessions`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${token}` },
        body: '{"streaming_enabled":true}',
      })
      return ((await response.json()) as { session_id: string }).session_id
    },
    async connect(session_id: string, cursor: number) {
      const query = new URLSearchParams({ session_id, access_token: token, cursor: String(cursor) })
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws?${query}`)
      const events: Frame[] = []
      socket.on('error', () => {})
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame
        events.push(...(frame.payload.events ?? [frame]))
      })
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      return {
        socket,
        events,
        send: (type: string, payload = {}) => socket.send(JSON.stringify({ type, payload })),
        until: (what: string, test: () => boolean) =>
          until(
            () => `no ${what} came over the socket; it had ${events.map(({ type }) => type).join(' ')}`,
            test,
          ),
      }
    },
  }
}

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

describe('a process that is killed with -9', () => {
  it('and started again resumes the session by cookie and cursor, with nothing lost', async () => {
    const port = await freePort()
    const first = await start(port)
    const person = visitor(first.origin)
    await person.token(false)
    const session = await person.session()
    const client = await person.connect(session, 0)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await client.until('whole answer', () =>
      client.events.some((event) => event.payload.is_complete === true),
    )
    client.send('EVENT_TYPE_USER_MESSAGE', { text: 'A long answer' })
    const chunks = () => client.events.filter((event) => event.type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
    const before = chunks().length
    await client.until('sixth chunk', () => chunks().length > before + 5)
    const cursor = Math.max(...client.events.map((event) => event.sequence ?? 0))
    await first.stop('SIGKILL')

    const again = Date.now()
    const second = await start(port)
    expect(Date.now() - again).toBeLessThan(15_000)
    expect((await person.token(true)).resumed).toBe(true)
    const resumed = await person.connect(session, 0)
    const sorry = 'Sorry, I encountered an error. Please try again.'
    await resumed.until('apology', () => resumed.events.some((event) => event.payload.message === sorry))
    const said = resumed.events.map((event) => String(event.payload.text ?? ''))
    // Whatever had left the process before the kill is there after it.
    const heard = chunks()
      .slice(before)
      .map((event) => String(event.payload.text))
      .join('')
    expect(said.some((text) => text.startsWith(heard))).toBe(true)
    expect(said.filter((text) => text === 'A long answer')).toHaveLength(1)
    const rest = await person.connect(session, cursor)
    await rest.until('apology', () => rest.events.some((event) => event.payload.message === sorry))
    expect(rest.events.every((event) => event.sequence === null || event.sequence >= cursor)).toBe(true)
    expect(await second.stop()).toBe(0)
  })

  it('in the middle of a call ends it with a reason, and its conversation with it', async () => {
    const port = await freePort()
    const first = await start(port)
    const headers = { 'content-type': 'application/json', 'x-svc-auth-token': 'demo-calling' }
    const call = async (path: string, body?: string) => {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await fetch(`${first.origin}/v1/outbound-calling${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
      return (await response.json()) as { call_sid: string; status: string; reason: string }
    }
    const { call_sid } = await call('', '{"to_number": "+15005550011"}')
    await until(
      () => 'the call was not placed',
      async () => (await call(`/${call_sid}/status`)).status === 'calling',
    )
    await first.stop('SIGKILL')
    await start(port)
    await until(
      () => 'the call that was cut is still on',
      async () => (await call(`/${call_sid}/status`)).status !== 'calling',
    )
    expect(await call(`/${call_sid}/status`)).toEqual({
      status: 'failure',
      reason: 'The call was interrupted: the service stopped.',
    })
    const path = '/v3/demo/front-desk/conversations?client_env=sandbox&channel=voice'
    const conversation = async () => {
      const page = await fetch(first.origin + path, { headers: { 'x-api-key': 'demo-api-key' } })
      return ((await page.json()) as { conversations: { in_progress: boolean; num_turns: number }[] })
        .conversations[0]
    }
    // Where the kill came before the call had its conversation, that ends some seconds later.
    await until(
      () => 'the conversation of the call that was cut still goes on',
      async () => !(await conversation())?.in_progress,
    )
    expect((await conversation())?.num_turns ?? 0).toBe(0)
  })
})

describe('a start', () => {
  it('leaves nobody without an answer who comes too early', async () => {
    // Something to open, which takes its time.
    await (await start(await freePort())).stop()
    const port = await freePort()
    const starting = start(port)
    let ready = false
    void starting.then(() => {
      ready = true
    })
    const hung: unknown[] = []
    while (!ready) {
      const signal = AbortSignal.timeout(5_000)
      await fetch(`http://127.0.0.1:${port}/openapi.json`, { signal }).catch((error: Error) => {
        if (error.name === 'TimeoutError') hung.push(error)
      })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await starting
    expect(hung).toEqual([])
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200)
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

  it('with a folder answers from its files', async () => {
    const notes = join(folder, 'notes')
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
    const server = await start(port, { FOYER_DATA: 'memory' })
    for (const path of ['/', '/embed.html', '/inline.html', '/foyer.js', '/foyer/frame', '/foyer/health'])
      expect((await fetch(server.origin + path)).status, path).toBe(200)
    expect(await (await fetch(`http://127.0.0.1:${port}/embed.html`)).text()).toContain(
      `http://localhost:${port}/foyer.js`,
    )
  })

  it('answers the demo under loopback names and a HOST set by hand, and nothing under any other', async () => {
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

    it('warns without a public origin, and refuses an invalid host', async () => {
      const port = await freePort()
      const server = await start(port, own)
      expect(server.output.join('')).toContain(warning)
      expect(await asked(port, 'a;b', '/foyer/frame')).toBe(400)
      expect(await asked(port, 'any.example.com', '/foyer/frame')).toBe(200)
    })

    it('warns of nothing where it has one', async () => {
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

  it('are counted each by their own address where the proxy is trusted', async () => {
    const { origin } = await start(await freePort(), {
      FOYER_DATA: 'memory',
      FOYER_TRUSTED_PROXIES: 'loopback',
    })
    expect(new Set(await tokens(origin, hundred))).toEqual(new Set([200]))
    // What a visitor wrote is left of what the proxy wrote.
    const forged = Array.from({ length: 130 }, (_, index) => `203.0.113.${index}, 192.0.2.1`)
    expect(await tokens(origin, forged)).toContain(429)
  })

  it('cannot reset its limit by a header if no proxy is trusted, and the log says so once', async () => {
    const server = await start(await freePort(), { FOYER_DATA: 'memory' })
    expect(await tokens(server.origin, [...hundred, ...hundred])).toContain(429)
    const said = server.output.join('').match(/FOYER_TRUSTED_PROXIES/g) ?? []
    expect(said).toHaveLength(1)
    expect(server.output.join('')).not.toContain('198.51.100.')
  })
})

it('foyer-server --version prints the version of the package', () => {
  const { status, stdout } = run({}, ['--version'])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect([status, stdout]).toEqual([0, `${version}\n`])
})

describe('a start that cannot be', () => {
  it('says that the port is taken, and how to choose another', async () => {
    const port = await freePort()
    const holder = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { status, stderr } = run({ PORT: String(port) })
    holder.close()
    expect(status).toBe(1)
    expect(stderr).toBe(
      `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm start\n`,
    )
  })

  it('says who holds the data folder', async () => {
    const first = await start(await freePort())
    const { status, stderr } = run({ PORT: String(await freePort()) })
    expect(status).toBe(1)
    expect(stderr).toContain(
      `is in use by process ${first.child.pid}. Stop that process, or start in another folder.`,
    )
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('says that the data folder cannot be written', async () => {
    // A file in its place refuses everybody, root too.
    writeFileSync(join(folder, '.foyer'), 'not a folder')
    chmodSync(join(folder, '.foyer'), 0o400)
    const { status, stderr } = run({ PORT: String(await freePort()) })
    expect(status).toBe(1)
    expect(stderr).toContain('cannot be written')
    expect(stderr).toContain('FOYER_DATA=memory')
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['a folder that is not there', {}, ['./nowhere'], 'There is no folder'],
    ['an option that is unknown', {}, ['--fast'], 'There is no option --fast'],
    ['a setting that is unknown', { FOYER_ORIGIN: 'x' }, [], 'Did you mean FOYER_ORIGINS?'],
    [
      'a service for the demo',
      { FOYER_CHAT_URL: 'https://x.example.com' },
      [],
      'FOYER_CHAT_URL has no effect',
    ],
    ['a proxy that is none', { FOYER_TRUSTED_PROXIES: 'proxy' }, [], '"proxy" is not an address'],
    ['an agent that is unknown', { FOYER_AGENT: 'oracle' }, [], 'Choose one of: guide'],
    ['a port that is none', { PORT: 'abc' }, [], 'PORT is "abc", which is not a valid port'],
    [
      'seconds that are none',
      { FOYER_SESSION_IDLE: 'soon', PORT: '4799' },
      [],
      'FOYER_SESSION_IDLE is "soon"',
    ],
    [
      'a demo for the whole network',
      { HOST: '0.0.0.0', FOYER_DEMO_BY: 'start' },
      [],
      'The demo has public keys',
    ],
    [
      'no connector outside of the demo',
      { FOYER_DEMO: '', PORT: '4798' },
      [],
      'FOYER_CONNECTOR_TOKEN is not set',
    ],
    [
      'a connector token that can be guessed',
      {
        FOYER_DEMO: '',
        PORT: '4797',
        FOYER_CONNECTOR_TOKEN: 'fifteen-letters',
        FOYER_CONNECTOR_HOST: 'shop.example.com',
      },
      [],
      'FOYER_CONNECTOR_TOKEN has fewer than 16 characters',
    ],
  ])('says what is wrong with %s', (_, env, args, text) => {
    const { status, stderr } = run(env, args)
    expect(status).toBe(1)
    expect(stderr).toContain(text)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('says that Node is too old', async () => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' }); (await import(${JSON.stringify(join(root, 'scripts/setup.mjs'))})).ensureNode()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toBe(
      'Foyer needs Node 20.19 or newer; this is 18.20.0. Install a newer Node and try again.\n',
    )
  })
})

describe('the lock of the data folder', () => {
  it('is taken over from a killed process, even if its pid is used again', async () => {
    const first = await start(await freePort())
    await first.stop('SIGKILL')
    expect(existsSync(join(folder, '.foyer/lock'))).toBe(true)
    // A living process of the same number that started at another time.
    const other = spawn('sleep', ['30'])
    writeFileSync(join(folder, '.foyer/lock'), JSON.stringify({ pid: other.pid, started: '1' }))
    const second = await start(await freePort())
    other.kill()
    expect(await second.stop()).toBe(0)
    expect(existsSync(join(folder, '.foyer/lock'))).toBe(false)
  })
})
