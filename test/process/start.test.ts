// The process as whoever runs it meets it: how it starts, what it says when it cannot, and what a kill leaves.

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, type Server, startServer } from '../browser/world.ts'

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
      const waiting: (() => void)[] = []
      socket.on('error', () => {})
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame
        events.push(...(frame.payload.events ?? [frame]))
        for (const wake of waiting.splice(0)) wake()
      })
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      return {
        socket,
        events,
        send: (type: string, payload = {}) => socket.send(JSON.stringify({ type, payload })),
        async until(test: () => boolean) {
          while (!test()) await new Promise<void>((resolve) => waiting.push(resolve))
        },
      }
    },
  }
}

describe('a process that is killed with -9', () => {
  it('and started again resumes the session by cookie and cursor, with nothing lost', async () => {
    const port = await freePort()
    const first = await start(port)
    const person = visitor(first.origin)
    await person.token(false)
    const session = await person.session()
    const client = await person.connect(session, 0)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await client.until(() => client.events.some((event) => event.payload.is_complete === true))
    client.send('EVENT_TYPE_USER_MESSAGE', { text: 'A long answer' })
    const chunks = () => client.events.filter((event) => event.type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
    const before = chunks().length
    await client.until(() => chunks().length > before + 5)
    const cursor = Math.max(...client.events.map((event) => event.sequence ?? 0))
    await first.stop('SIGKILL')

    const again = Date.now()
    const second = await start(port)
    expect(Date.now() - again).toBeLessThan(15_000)
    expect((await person.token(true)).resumed).toBe(true)
    const resumed = await person.connect(session, 0)
    const sorry = 'Sorry, I encountered an error. Please try again.'
    await resumed.until(() => resumed.events.some((event) => event.payload.message === sorry))
    const said = resumed.events.map((event) => String(event.payload.text ?? ''))
    // Whatever had left the process before the kill is there after it.
    const heard = chunks()
      .slice(before)
      .map((event) => String(event.payload.text))
      .join('')
    expect(said.some((text) => text.startsWith(heard))).toBe(true)
    expect(said.filter((text) => text === 'A long answer')).toHaveLength(1)
    const rest = await person.connect(session, cursor)
    await rest.until(() => rest.events.some((event) => event.payload.message === sorry))
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
    while ((await call(`/${call_sid}/status`)).status !== 'calling')
      await new Promise((resolve) => setTimeout(resolve, 20))
    await first.stop('SIGKILL')
    await start(port)
    let found = await call(`/${call_sid}/status`)
    while (found.status === 'calling') {
      await new Promise((resolve) => setTimeout(resolve, 50))
      found = await call(`/${call_sid}/status`)
    }
    expect(found).toEqual({ status: 'failure', reason: 'The call was interrupted: the service stopped.' })
    const path = '/v3/demo/front-desk/conversations?client_env=sandbox&channel=voice'
    const conversation = async () => {
      const page = await fetch(first.origin + path, { headers: { 'x-api-key': 'demo-api-key' } })
      return ((await page.json()) as { conversations: { in_progress: boolean; num_turns: number }[] })
        .conversations[0]
    }
    // Where the kill came before the call had its conversation, that ends some seconds later.
    while ((await conversation())?.in_progress) await new Promise((resolve) => setTimeout(resolve, 100))
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
    await client.until(() => client.events.some((event) => event.payload.is_complete === true))
    const said = client.events.map((event) => event.payload.text ?? '').join('')
    expect(said).toContain('The lamp is lit at dusk.')
    expect(said).toContain('lamp.md')
  })

  it('serves the pages of the demo on loopback names only', async () => {
    const port = await freePort()
    const server = await start(port, { FOYER_DATA: 'memory' })
    for (const path of ['/', '/embed.html', '/inline.html', '/foyer.js', '/foyer/frame', '/foyer/health'])
      expect((await fetch(server.origin + path)).status, path).toBe(200)
    expect(await (await fetch(`http://127.0.0.1:${port}/embed.html`)).text()).toContain(
      `http://localhost:${port}/foyer.js`,
    )
    // A name that was made to point here.
    const { request } = await import('node:http')
    const status = await new Promise((resolve) =>
      request(
        { port, host: '127.0.0.1', path: '/foyer/frame', headers: { host: 'rebound.example.com' } },
        (response) => resolve(response.statusCode),
      ).end(),
    )
    expect(status).toBe(403)
  })
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
    ['an agent that is unknown', { FOYER_AGENT: 'oracle' }, [], 'There is: guide'],
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
  it('is taken over from a process that was killed, even where its number came round again', async () => {
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
