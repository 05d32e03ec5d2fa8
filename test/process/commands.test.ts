// The operator's commands as processes of their own: beside a running server, and on the folder of a stopped one.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, type Server, SHORT_LIVED } from '../browser/world.ts'
import { cli, useFolder } from './starts.ts'
import { until } from './until.ts'

/** Whatever store the other suites run on: these are about the embedded one. */
const EMBEDDED = { FOYER_DATABASE_URL: '', FOYER_DATA: '', FOYER_REGION: '' }

/** The folder of the group of tests that runs. */
let folder: ReturnType<typeof useFolder>

const start = async (env: Record<string, string> = {}) =>
  folder.start(await freePort(), { ...EMBEDDED, ...env })

/** Runs `foyer-server <line>` in the folder. */
async function run(line: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...SHORT_LIVED, cli, ...line.split(' ')], {
    cwd: folder.path(),
    env: { ...process.env, ...EMBEDDED, ...env },
  })
  const [stdout, stderr]: [string[], string[]] = [[], []]
  child.stdout.on('data', (part) => stdout.push(String(part)))
  child.stderr.on('data', (part) => stderr.push(String(part)))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { status, stdout: stdout.join(''), stderr: stderr.join('') }
}
async function json<T>(line: string): Promise<T> {
  const { status, stdout, stderr } = await run(`${line} --json`)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout) as T
}

type Made = { key: { id: string }; secret: string }
type Conversation = { id: string; from_number: string; to_number: string }
const socketFile = () => folder.path('.foyer/control.sock')
const API = '/v3/demo/front-desk/conversations?client_env=sandbox'

async function conversations({ origin }: Server, secret: string) {
  const response = await fetch(origin + API, { headers: { 'x-api-key': secret } })
  if (response.status !== 200) return response.status
  return ((await response.json()) as { conversations: Conversation[] }).conversations
}
async function text({ origin }: Server, number: string) {
  const response = await fetch(`${origin}/v1/outbound-sms`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-auth-token': 'demo-api-key',
      'x-token-id': 'CON-demo0001',
    },
    body: JSON.stringify({ user_number: number, message: 'Your table is ready' }),
  })
  expect(response.status).toBe(202)
}

/** The files below the data folder that hold the words. */
function filesWith(words: string, below = folder.path('.foyer')): string[] {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (entry.isDirectory()) return filesWith(words, path)
    return entry.isFile() && readFileSync(path).includes(words) ? [path] : []
  })
}

describe('a command beside a running server', () => {
  let server: Server
  /** Secrets that must stand in no log and in no file. */
  const secrets: string[] = []
  const ours = useFolder('all')
  beforeAll(async () => {
    folder = ours
    server = await start()
  })

  it('creates a key that works at once, shows its secret once, and revokes the key at once', async () => {
    expect(statSync(socketFile()).mode & 0o777).toBe(0o600)
    const { key, secret } = await json<Made>('keys create --account ws-demo0001 --name=reports')
    secrets.push(secret)
    expect(await conversations(server, secret)).toEqual([])
    expect((await run('keys list')).stdout).toContain('reports')
    expect((await run(`keys revoke ${key.id}`)).stdout).toBe(`${key.id} is revoked.\n`)
    expect(await conversations(server, secret)).toBe(401)
    expect(await run(`keys revoke ${key.id}`)).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no key ${key.id}, or it was revoked before. See: keys list\n`,
    })
    expect(filesWith(key.id)).not.toEqual([])
  })

  it('erases a number: its conversations are deleted, those of other numbers stay', async () => {
    await text(server, '+15005550010')
    await text(server, '+15005550011')
    const before = await conversations(server, 'demo-api-key')
    expect(before).toHaveLength(2)
    expect((await run('erase number +1-500-555-0010')).stdout).toBe('1 conversation is erased.\n')
    const after = (await conversations(server, 'demo-api-key')) as Conversation[]
    expect(after).toHaveLength(1)
    expect(JSON.stringify(after)).toContain('+15005550011')
    const [left] = after
    expect((await run(`erase conversation ${left?.id}`)).status).toBe(0)
    expect(await conversations(server, 'demo-api-key')).toEqual([])
    // The server goes on.
    await text(server, '+15005550010')
    expect(await conversations(server, 'demo-api-key')).toHaveLength(1)
  })

  it('revokes a connector and the access tokens issued to it', async () => {
    const { connector, token } = await json<{ connector: { id: string }; token: string }>(
      'connectors create --account ws-demo0001 --project PROJECT-demo0001 --host shop.example.com --environment live',
    )
    secrets.push(token)
    const post = (path: string, headers: Record<string, string>) =>
      fetch(server.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
    const exchange = () => post('/api/v1/access-token', { 'x-token': token, 'x-host': 'shop.example.com' })
    const { access_token } = (await (await exchange()).json()) as { access_token: string }
    const session = () => post('/api/v1/sessions', { authorization: `Bearer ${access_token}` })
    const { session_id } = (await (await session()).json()) as { session_id: string }
    const handshake = () =>
      new Promise<number | undefined>((resolve) => {
        const query = new URLSearchParams({ session_id, access_token })
        const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws?${query}`)
        socket.on('error', () => {})
        socket.once('unexpected-response', (_, response) => resolve(response.statusCode))
        socket.once('open', () => {
          socket.terminate()
          resolve(101)
        })
      })
    expect(await handshake()).toBe(101)
    expect((await run(`connectors revoke ${connector.id}`)).status).toBe(0)
    expect((await exchange()).status).toBe(401)
    expect((await session()).status).toBe(401)
    expect(await handshake()).toBe(401)
  })

  it('reaches the next server after a killed one whose control socket is still in the folder, while that one still starts', async () => {
    await server.stop('SIGKILL')
    expect(existsSync(socketFile())).toBe(true)
    // Nobody listens: the command opens the folder itself.
    expect((await run('keys list')).stdout).toContain('KEY-demo0001')
    const lock = folder.path('.foyer/lock')
    expect(existsSync(lock)).toBe(false)
    const starting = start()
    // A start that fails says so below.
    starting.catch(() => {})
    await until(
      () => 'the server has not locked its folder',
      () => existsSync(lock),
    )
    const { status, stdout, stderr } = await run('projects list')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('PROJECT-demo0001')
    const next = await starting
    expect(statSync(socketFile()).mode & 0o777).toBe(0o600)

    expect(await next.stop()).toBe(0)
    expect(existsSync(socketFile())).toBe(false)
    const output = [server, next].flatMap((each) => each.output).join('')
    for (const secret of secrets) {
      expect(output).not.toContain(secret)
      expect(filesWith(secret)).toEqual([])
    }
  })
})

describe('a command without a running server', () => {
  const ours = useFolder()
  beforeEach(() => {
    folder = ours
  })

  it('creates a store and runs beside others, and a server with other settings then serves from it', async () => {
    const project = await json<{ id: string; account_id: string }>(
      'projects create --slug shop --account-slug larkspur',
    )
    const [made] = await Promise.all(
      [1, 2].map(() => json<Made>(`keys create --account ${project.account_id}`)),
    )
    const { key, secret } = made as Made
    expect(existsSync(folder.path('.foyer/lock'))).toBe(false)
    const server = await start({
      FOYER_DEMO: '',
      FOYER_CONNECTOR_TOKEN: 'a-connector-token-of-the-environment',
      FOYER_CONNECTOR_HOST: 'shop.example.com',
    })
    const status = async () =>
      (
        await fetch(`${server.origin}/v3/larkspur/shop/conversations?client_env=live`, {
          headers: { 'x-api-key': secret },
        })
      ).status
    expect(await status()).toBe(200)
    expect((await run('connectors list')).stdout).toContain('CON-own00001')
    await server.stop()
    expect((await run(`keys revoke ${key.id}`)).stdout).toBe(`${key.id} is revoked.\n`)
    expect(existsSync(folder.path('.foyer/lock'))).toBe(false)
  })

  // test/cli/operator.test.ts holds the other mistakes, and the help of each command.
  it('names a mistake in one line', async () => {
    const { status, stdout, stderr } = await run('kyes list', { FOYER_DEMO: '1' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('Give a folder with Markdown files, or a command from --help.')
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(existsSync(folder.path('.foyer'))).toBe(false)
  })

  it('lists the commands with --help', async () => {
    const { status, stdout } = await run('--help')
    expect(status).toBe(0)
    for (const noun of ['keys', 'connectors', 'projects', 'transcripts', 'senders', 'erase'])
      expect(stdout).toContain(`\n  ${noun} `)
  })
})
