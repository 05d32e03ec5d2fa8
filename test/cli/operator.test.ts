// The operator's commands as they are typed: through the control socket, over an embedded store in memory.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { findCommand } from '../../src/cli/commands/index.ts'
import { askControl, serveControl } from '../../src/cli/control.ts'
import { isOperator, operate, perform } from '../../src/cli/operator.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { offlineEmbeddings } from '../../src/runtime/conversations/index.ts'
import { createRuntime, type Database, openPglite, type Runtime } from '../../src/runtime/index.ts'

const SHOP = { account: 'ws-shop0001', project: 'PROJECT-shop0001' }

let root: string
let folder: string
let database: Database
let runtime: Runtime
let stop: () => Promise<void>
const log: string[] = []

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'foyer-operator-')))
  folder = join(root, '.foyer')
  mkdirSync(folder)
  database = await openPglite(undefined)
  runtime = await createRuntime({
    data: { database },
    agent: { name: 'Mute', async *act() {} },
    connectors: [],
    log: (line) => log.push(line),
  })
  stop = await serveControl({
    folder,
    perform: (request) => perform(runtime.commands, request),
    log: (line) => log.push(line),
  })
  await say('projects create --id PROJECT-shop0001 --slug shop --account ws-shop0001 --account-slug larkspur')
}, 60_000)
afterAll(async () => {
  await stop()
  await runtime.close()
  rmSync(root, { recursive: true, force: true })
})

/** What a command prints. */
async function say(line: string, env: Record<string, string> = {}): Promise<string> {
  const printed: string[] = []
  await operate({ args: line.split(' '), env, folder, print: (text) => printed.push(text) })
  return printed.join('\n')
}
const json = async <T>(line: string): Promise<T> => JSON.parse(await say(`${line} --json`)) as T
const complaint = (line: string, env?: Record<string, string>) =>
  say(line, env).then(
    (text) => `it worked: ${text}`,
    (error: Error) => `${error.name}: ${error.message}`,
  )

type Key = {
  id: string
  kind: string
  permissions: string[]
  project_id: string | null
  revoked_at: string | null
}
const call = (path: string, headers: Record<string, string>, method = 'GET') =>
  runtime.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '{}' }),
    }),
    { address: 'test' },
  )
const conversations = (secret: string, project = 'shop') =>
  call(`/v3/larkspur/${project}/conversations?client_env=sandbox`, { 'x-api-key': secret })

describe('a key', () => {
  it('works as soon as it is created, and is refused with 401 as soon as it is revoked', async () => {
    const made = await json<{ key: Key; secret: string }>(
      `keys create --account ${SHOP.account} --name=reports`,
    )
    expect(made.key).toMatchObject({ kind: 'runtime', name: 'reports', region: 'local', project_id: null })
    expect(made.key.permissions).toEqual(['conversations', 'analytics', 'handoff', 'messaging'])
    const other = await json<{ secret: string }>(`keys create --account ${SHOP.account}`)
    expect((await conversations(made.secret)).status).toBe(200)
    expect(await say(`keys revoke ${made.key.id}`)).toBe(`${made.key.id} is revoked.`)
    expect((await conversations(made.secret)).status).toBe(401)
    expect((await conversations(other.secret)).status).toBe(200)
    expect(await say('keys list')).toMatch(new RegExp(`^${made.key.id} .* revoked \\d{4}-`, 'm'))
    expect(await complaint(`keys revoke ${made.key.id}`)).toContain('or it was revoked before')
  })

  it('is valid for its own purpose only', async () => {
    const { account, project } = SHOP
    const few = await json<{ key: Key; secret: string }>(
      `keys create --account ${account} --project ${project} --permissions analytics,handoff`,
    )
    expect(few.key).toMatchObject({ project_id: project, permissions: ['analytics', 'handoff'] })
    expect((await conversations(few.secret)).status).toBe(403)
    const far = await json<{ secret: string }>(`keys create --account ${account} --region us-1`)
    expect((await conversations(far.secret)).status).toBe(403)
    const build = await json<{ key: Key; secret: string }>(`keys create --account ${account} --kind build`)
    expect(build.key).toMatchObject({ kind: 'build', permissions: [] })
    expect((await conversations(build.secret)).status).toBe(401)
  })

  it('shows its secret at its creation and never again', async () => {
    const text = await say(`keys create --account ${SHOP.account}`)
    const [secret = ''] = /fr_[\w-]{43}/.exec(text) ?? []
    expect(secret).not.toBe('')
    expect(await say('keys list')).not.toContain(secret)
    expect(await say('keys list --json')).not.toContain(secret)
    expect(log.join('\n')).not.toContain(secret)
    const rows = await database.query('SELECT k::text AS row FROM foyer.api_key AS k')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('a connector', () => {
  const host = 'shop.example.com'
  const create = (more = '') =>
    json<{ connector: { id: string }; token: string }>(
      `connectors create --account ${SHOP.account} --project ${SHOP.project} --host ${host} --environment sandbox${more}`,
    )
  const accessToken = async (token: string) => {
    const response = await call('/api/v1/access-token', { 'x-token': token, 'x-host': host }, 'POST')
    return { status: response.status, ...((await response.json()) as { access_token?: string }) }
  }
  const session = (token: string | undefined) =>
    call('/api/v1/sessions', { authorization: `Bearer ${token}` }, 'POST')

  it('that is revoked issues no access tokens, and its earlier tokens are refused', async () => {
    const { connector, token } = await create()
    const given = await accessToken(token)
    const started = await session(given.access_token)
    expect(started.status).toBe(200)
    const { session_id } = (await started.json()) as { session_id: string }
    expect(await say(`connectors revoke ${connector.id}`)).toBe(`${connector.id} is revoked.`)
    expect((await accessToken(token)).status).toBe(401)
    expect((await session(given.access_token)).status).toBe(401)
    // A socket is let in by the id of the token its session was made with.
    const [row] = await database.query('SELECT token_id FROM foyer.session WHERE id = $1', [session_id])
    expect(row).toEqual({ token_id: '' })
    const listed = await json<{ id: string; revoked: boolean }[]>('connectors list')
    expect(listed.find(({ id }) => id === connector.id)).toMatchObject({ revoked: true })
    expect(JSON.stringify(listed)).not.toMatch(/hash/)
    expect(await complaint(`connectors revoke ${connector.id}`)).toContain('or it was revoked before')
  })

  it('does not affect the sessions of other connectors when it is revoked', async () => {
    const [one, other] = [await create(), await create()]
    const { access_token } = await accessToken(other.token)
    const { session_id } = (await (await session(access_token)).json()) as { session_id: string }
    await say(`connectors revoke ${one.connector.id}`)
    const [row] = await database.query<{ token_id: string }>(
      'SELECT token_id FROM foyer.session WHERE id = $1',
      [session_id],
    )
    expect(row?.token_id).not.toBe('')
    expect((await session(access_token)).status).toBe(200)
  })

  it('that may place calls has calling tokens, which are revoked with it', async () => {
    const { connector } = await create(' --outbound-calling')
    const { secret } = await json<{ secret: string }>(
      `keys create --account ${SHOP.account} --kind calling --connector ${connector.id}`,
    )
    const rows = async (noun: string) => (await say(`${noun} list`)).split('\n')
    const { connector: wide } = await create(' --allow-subdomains')
    for (const [id, host, state] of [
      [connector.id, 'shop.example.com', 'chat and calls'],
      [wide.id, 'shop.example.com and subdomains', 'chat'],
    ] as const)
      expect((await rows('connectors')).find((row) => row.startsWith(id))).toMatch(
        new RegExp(`^\\S+ +${host} +ws-shop0001 +PROJECT-shop0001 +sandbox +${state}$`),
      )
    expect((await rows('keys')).filter((row) => / calling /.test(row))).toEqual([
      expect.stringMatching(new RegExp(`ws-shop0001 +${connector.id} `)),
    ])
    const status = () => call('/v1/outbound-calling/OUT-1/status', { 'x-svc-auth-token': secret })
    expect((await status()).status).toBe(404)
    await say(`connectors revoke ${connector.id}`)
    expect((await status()).status).toBe(401)
    expect(
      await complaint(`keys create --account ${SHOP.account} --kind calling --connector ${connector.id}`),
    ).toContain('has no connector')
  })
})

describe('a project', () => {
  it('creates the account of a new slug, and joins the account of a known slug', async () => {
    const first = await json<{ id: string; account_id: string }>(
      'projects create --slug desk --account-slug juniper',
    )
    expect(first.id).toMatch(/^PROJECT-[0-9a-f]{8}$/)
    expect(first.account_id).toMatch(/^ws-[0-9a-f]{8}$/)
    const second = await json<{ account_id: string }>('projects create --slug till --account-slug juniper')
    expect(second.account_id).toBe(first.account_id)
    const list = await say('projects list')
    expect(list.split('\n')[0]).toMatch(/^ID +SLUG +ACCOUNT +ACCOUNT SLUG +TRANSCRIPTS$/)
    expect(list).toMatch(/desk +ws-\w{8} +juniper +on/)
  })

  it('keeps its transcripts off when it is saved again at a start', async () => {
    expect(await say(`transcripts off ${SHOP.project}`)).toBe(`The transcripts of ${SHOP.project} are off.`)
    await runtime.commands.saveProject({
      id: SHOP.project,
      slug: 'shop',
      accountId: SHOP.account,
      accountSlug: 'larkspur',
    })
    const off = await json<{ id: string; transcripts: boolean }[]>('projects list')
    expect(off.find(({ id }) => id === SHOP.project)?.transcripts).toBe(false)
    await say(`transcripts on ${SHOP.project}`)
    expect(await say('projects list')).not.toContain('off')
  })

  it('has senders, and a sender belongs to one project and one environment', async () => {
    const { project } = SHOP
    await say(`senders add +1-500-555-0006 --project ${project} --environment sandbox`)
    await say(`senders add MG-shop0001 --project ${project} --environment sandbox`)
    expect(await json(`senders list --project ${project}`)).toEqual([
      { project_id: project, environment: 'sandbox', kind: 'rcs', address: 'MG-shop0001' },
      { project_id: project, environment: 'sandbox', kind: 'sms', address: '+15005550006' },
    ])
    const { id: other } = await json<{ id: string }>('projects create --slug bar --account-slug juniper')
    await say(`senders add +15005550007 --kind rcs --project ${other} --environment live`)
    expect(await json(`senders list --project ${other}`)).toEqual([
      { project_id: other, environment: 'live', kind: 'rcs', address: '+15005550007' },
    ])
    const all = await say('senders list')
    for (const address of ['+15005550006', '+15005550007']) expect(all).toContain(address)
    expect(await complaint(`senders add +15005550006 --project ${project} --environment live`)).toBe(
      `CommandError: +15005550006 is a sender of ${project} in sandbox: inbound messages could not be routed.`,
    )
  })
})

describe('erasing', () => {
  async function converse(number: string): Promise<string> {
    const id = randomUUID()
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, from_number, to_number, started_at, ended_at)
       VALUES ($1, 'ws-shop0001', 'PROJECT-shop0001', 'sandbox', 'SMS', $2, '+15005550006', now(), now())`,
      [id, number],
    )
    await database.query(`INSERT INTO foyer.session (id, family) VALUES ($1, 'messaging')`, [id])
    for (const sql of [
      `INSERT INTO foyer.event (session_id, sequence, id, type, payload, created_at) VALUES ($1, 1, 'e', 't', '{}', now())`,
      `INSERT INTO foyer.turn (conversation_id, position, cause, user_input_at) VALUES ($1, 0, 1, now())`,
      `INSERT INTO foyer.transcript (conversation_id, config, words) VALUES ($1, 'simple', '')`,
      `INSERT INTO foyer.embedding (conversation_id, model, numbers) VALUES ($1, '${offlineEmbeddings.model}', '{1}')`,
      `INSERT INTO foyer.handoff (conversation_id, project_id, data, created_at) VALUES ($1, 'p', '{}', now())`,
      `INSERT INTO foyer.delivery (id, session_id, message, due_at, created_at) VALUES (gen_random_uuid(), $1, '{}', now(), now())`,
      `INSERT INTO foyer.call (sid, conversation_id, account_id, project_id, connector_id, environment, to_number, metadata, encryption, status, created_at)
       VALUES (gen_random_uuid(), $1, 'a', 'p', 'c', 'e', '+1', '{}', '', 'success', now())`,
    ])
      await database.query(sql, [id])
    return id
  }
  /** Every row of every table that names the conversation. */
  async function traces(id: string): Promise<string[]> {
    const tables = await database.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'foyer'",
    )
    const found = []
    for (const { name } of tables) {
      const rows = await database.query(
        `SELECT 1 FROM foyer."${name}" AS t WHERE position($1 IN t::text) > 0`,
        [id],
      )
      if (rows.length > 0) found.push(name)
    }
    return found.sort()
  }

  it('deletes a conversation and everything that belongs to it', async () => {
    const [id, other] = [await converse('+15005550010'), await converse('+15005550011')]
    expect(await traces(id)).toEqual([
      'call',
      'conversation',
      'delivery',
      'embedding',
      'event',
      'handoff',
      'session',
      'transcript',
      'turn',
    ])
    expect(await say(`erase conversation ${id}`)).toBe(`The conversation ${id} is erased.`)
    expect(await traces(id)).toEqual([])
    expect(await traces(other)).toHaveLength(9)
    expect(await complaint(`erase conversation ${id}`)).toContain(`There is no conversation ${id}`)
  })

  it('deletes everything about a number, in any notation of the number', async () => {
    const ids = [await converse('+15005550012'), await converse('+15005550012')]
    const other = await converse('+15005550011')
    for (const number of ['+15005550012', '+15005550011']) {
      await database.query("INSERT INTO foyer.consent VALUES ($1, '+15005550006', true, now())", [number])
      // A call that waits has no conversation yet.
      await database.query(
        `INSERT INTO foyer.call (sid, account_id, project_id, connector_id, environment, to_number, metadata, encryption, status, created_at)
         VALUES (gen_random_uuid(), 'a', 'p', 'c', 'e', $1, '{}', '', 'queued', now())`,
        [number],
      )
    }
    expect(await say('erase number +1(500)555-0012')).toBe('2 conversations are erased.')
    for (const id of ids) expect(await traces(id)).toEqual([])
    expect(await traces('+15005550012')).toEqual([])
    expect(await traces(other)).toHaveLength(9)
    expect(await traces('+15005550011')).toEqual(['call', 'consent', 'conversation'])
    expect(await say('erase number +15005550012')).toBe('0 conversations are erased.')
  })

  it('refuses the number of a sender, because all its users would be erased', async () => {
    expect(await complaint('erase number +15005550006')).toContain('Give the number of one user')
  })
})

describe('the command line', () => {
  it.each([
    ['keys', 'Choose a command for keys: keys create, keys list, keys revoke.'],
    ['keys mak', 'There is no command keys mak. There are: keys create, keys list, keys revoke.'],
    [
      'keys constructor',
      'There is no command keys constructor. There are: keys create, keys list, keys revoke.',
    ],
    ['keys create', '--account ws-… is missing: the account of the key.'],
    ['keys create --acount x', 'There is no option --acount. --help lists the options.'],
    ['keys create -x', 'There is no option -x. --help lists the options.'],
    ['keys create --account', '--account needs a value: --account ws-…'],
    ['keys create --account --json', '--account needs a value: --account ws-…'],
    ['keys list --json=yes', '--json takes no value. Omit "=yes".'],
    ['keys list now', '"now" is an extra argument. --help shows the syntax of the command.'],
    ['keys revoke', '<id> is missing: the ID of the key.'],
    ['keys revoke KEY-1 KEY-2', '"KEY-2" is an extra argument. --help shows the syntax of the command.'],
    ['keys create --account ws-none0001', 'There is no account ws-none0001. Create a project in it first.'],
    [
      'keys create --account ws-shop0001 --project PROJECT-none0001',
      'The account ws-shop0001 has no project PROJECT-none0001.',
    ],
    [
      'keys create --account ws-shop0001 --kind build --permissions handoff',
      'Only runtime keys have permissions. Omit --permissions.',
    ],
    [
      'keys create --account ws-shop0001 --connector CON-1',
      'A runtime key belongs to no connector. Omit --connector.',
    ],
    [
      'keys create --account ws-shop0001 --permissions all',
      '--permissions is "all". It must be one of conversations, analytics, handoff, messaging.',
    ],
    [
      'connectors create --account ws-shop0001 --project PROJECT-shop0001 --host a/b --environment live',
      '--host is "a/b". It must be a domain, an origin or the namespace of an app, such as shop.example.com.',
    ],
    [
      'connectors create --account ws-shop0001 --project PROJECT-shop0001 --host a --environment test',
      '--environment is "test". It must be one of sandbox, pre-release, live.',
    ],
    ['projects create --slug shop', 'Name the account with --account, or a new one with --account-slug.'],
    [
      'projects create --slug shop --account ws-shop0001',
      'The account ws-shop0001 has a project with the slug shop already. Choose another slug.',
    ],
    [
      'projects create --slug till --account ws-new00001 --account-slug larkspur',
      'The slug larkspur belongs to another account. Choose another slug.',
    ],
    ['transcripts off PROJECT-none0001', 'There is no project PROJECT-none0001. See: projects list'],
    ['senders list --project PROJECT-none0001', 'There is no project PROJECT-none0001. See: projects list'],
    [
      'senders add 0006 --kind sms --project PROJECT-shop0001 --environment live',
      '<address> is "0006". It must be a phone number with its country code, such as +15005550010.',
    ],
    [
      'erase number 5550010',
      '<number> is "5550010". It must be a phone number with its country code, such as +15005550010.',
    ],
  ])('answers `%s` with one sentence', async (line, sentence) => {
    expect(await complaint(line)).toBe(`CommandError: ${sentence}`)
  })

  it('has help at each level, without a server or data', async () => {
    const away = join(root, 'nowhere')
    const nouns = ['keys', 'connectors', 'projects', 'transcripts', 'senders', 'erase']
    for (const of of [...nouns, 'keys create', 'erase number']) {
      const printed: string[] = []
      const args = [...of.split(' '), of === 'erase number' ? '-h' : '--help']
      await operate({ args, env: {}, folder: away, print: (text) => printed.push(text) })
      expect(printed.join('\n')).toMatch(new RegExp(`^foyer-server ${of}\\b`))
    }
    expect(await say('keys create --help')).toContain('--permissions a,b')
  })

  it('leaves every other argument to the server’s start', () => {
    expect(isOperator(['keys', 'list'])).toBe(true)
    for (const args of [[], ['./keys'], ['--help'], ['docs'], ['toString']])
      expect(isOperator(args)).toBe(false)
  })

  it('creates no data folder', async () => {
    const away = join(root, 'nowhere')
    const said = operate({ args: ['keys', 'list'], env: {}, folder: away, print: () => {} })
    await expect(said).rejects.toThrow(`There is no data folder ${away}.`)
    expect(existsSync(away)).toBe(false)
    expect(await complaint('keys list', { FOYER_DATA: 'memory' })).toContain('FOYER_DATA is memory')
  })

  it('says why a database cannot be used, without its password', async () => {
    const FOYER_DATABASE_URL = 'postgres://foyer:s3cret@127.0.0.1:9/foyer'
    const said = await complaint('keys list', { FOYER_DATABASE_URL })
    expect(said).toMatch(/^SettingsError: The database of FOYER_DATABASE_URL cannot be used \(.*ECONNREFUSED/)
    expect(said).not.toContain('s3cret')
  })
})

describe('the control socket', () => {
  it('is open to its own user only, and deleted when it is closed', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    const path = join(own, 'control.sock')
    const close = await serveControl({ folder: own, perform: async () => 'done', log: () => {} })
    expect(statSync(path).isSocket()).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await askControl(own, { command: 'x', arguments: {} })).toEqual({ result: 'done' })
    await close()
    expect(existsSync(path)).toBe(false)
    expect(await askControl(own, { command: 'x', arguments: {} })).toBeUndefined()
  })

  it('replaces the socket of a killed server', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    const path = join(own, 'control.sock')
    writeFileSync(path, '')
    const close = await serveControl({ folder: own, perform: async () => 'done', log: () => {} })
    expect(await askControl(own, { command: 'x', arguments: {} })).toEqual({ result: 'done' })
    await close()
  })

  it('finishes running commands before it closes', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    let finish = (_: unknown) => {}
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const close = await serveControl({
      folder: own,
      perform: () => {
        begun()
        return new Promise((resolve) => {
          finish = resolve
        })
      },
      log: () => {},
    })
    const asked = askControl(own, { command: 'x', arguments: {} })
    await hasBegun
    const closed = close()
    finish('late')
    expect(await asked).toEqual({ result: 'late' })
    await closed
  })

  it('returns the reason of a CommandError, and logs any other error', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    const lines: string[] = []
    const close = await serveControl({
      folder: own,
      perform: () => Promise.reject(new Error('the disk is full')),
      log: (line) => lines.push(line),
    })
    const answer = await askControl(own, { command: 'keys list', arguments: { name: 'word' } })
    expect(answer).toEqual({
      error: 'The command failed in the server; its log has the reason. Try again once that is fixed.',
    })
    expect(lines).toEqual(['a command failed: the disk is full'])
    await close()
  })

  it('checks every request', async () => {
    const before = await json<unknown[]>('keys list')
    const raw = async (line: string) => {
      const asked = request({ socketPath: join(folder, 'control.sock'), method: 'POST', agent: false })
      asked.end(line)
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      return text(response)
    }
    for (const [line, words] of [
      ['nonsense', 'it runs another version'],
      ['[]', 'it runs another version'],
      ['{"command":"keys list"}', 'it runs another version'],
      ['{"command":"keys list","arguments":{"x":{}}}', 'it runs another version'],
      ['{"command":"keys list","arguments":{"x":"y"}}', 'There is no option --x'],
      ['{"command":"keys create","arguments":{"account":true}}', '--account is'],
      ['{"command":"__proto__ toString","arguments":{}}', 'There is no command'],
      ['{"command":"keys toString","arguments":{}}', 'There is no command keys toString'],
    ] as const)
      expect(await raw(line)).toContain(words)
    expect(await json<unknown[]>('keys list')).toEqual(before)
  })

  it('is found from the data folder, however long the path', async () => {
    const deep = join(root, 'd'.repeat(60), 'e'.repeat(60))
    const own = join(deep, '.foyer')
    mkdirSync(own, { recursive: true })
    const options = { folder: own, perform: async () => 'done', log: () => {} }
    await expect(serveControl(options)).rejects.toThrow('is too long for a socket')
    const here = process.cwd()
    process.chdir(deep)
    try {
      const close = await serveControl(options)
      expect(await askControl(own, { command: 'x', arguments: {} })).toEqual({ result: 'done' })
      await close()
    } finally {
      process.chdir(here)
    }
  })

  /** Answers each connection of the address as another program than Foyer does. */
  const STRANGERS: Record<string, (socket: Socket) => unknown> = {
    'sends a page': (socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello')),
    'knows no such address': (socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 404 Not Found\r\n\r\n{"error":"Not found"}')),
    'begins a page without an end': (socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello')),
    'speaks no HTTP': (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    'says nothing': () => {},
  }
  /** Starts one that ends after the test. */
  async function stranger(
    { onTestFinished }: TestContext,
    kind: string,
    at: { path: string } | { port: number; host: string },
  ) {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      STRANGERS[kind]?.(socket)
    })
    await new Promise<void>((resolve) => server.listen(at, resolve))
    onTestFinished(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    return server.address() as AddressInfo
  }
  const PATIENCE = { concurrent: true, timeout: 20_000 }

  it.for(Object.keys(STRANGERS))(
    'reports within seconds that another program answers, which %s',
    PATIENCE,
    async (kind, context) => {
      const own = mkdtempSync(join(root, 'own-'))
      await stranger(context, kind, { path: join(own, 'control.sock') })
      const began = performance.now()
      const asked = operate({ args: ['status'], env: {}, folder: own, print: () => {} })
      await expect(asked).rejects.toThrow(
        /^What answers at .*control\.sock is not Foyer.*: .*\. End that program, .*\.$/,
      )
      expect(performance.now() - began).toBeLessThan(10_000)
    },
  )

  it.for(Object.keys(STRANGERS))(
    'reports within seconds that no PostgreSQL is at the address: it %s',
    PATIENCE,
    async (kind, context) => {
      const { port } = await stranger(context, kind, { port: 0, host: '127.0.0.1' })
      const began = performance.now()
      const env = { FOYER_DATABASE_URL: `postgres://foyer:a-password@127.0.0.1:${port}/foyer` }
      const said = await operate({ args: ['status'], env, folder, print: () => {} }).catch(String)
      expect(said).toMatch(
        /^SettingsError: The database of FOYER_DATABASE_URL cannot be used \(what answers there .*PostgreSQL.*\)\. Start it, or correct the address\.$/,
      )
      expect(said).not.toContain('a-password')
      expect(performance.now() - began).toBeLessThan(10_000)
    },
  )

  it('waits a minute for a command of Foyer that takes longer than its greeting may, and then says so', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    let finish = (_: unknown) => {}
    const perform = () =>
      new Promise((resolve) => {
        finish = resolve
      })
    const close = await serveControl({ folder: own, perform, log: () => {} })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const timers = vi.spyOn(globalThis, 'setTimeout')
    /** Asks, and resolves once the server has greeted. */
    const asked = async () => {
      timers.mockClear()
      finish = () => {}
      const waiting = finish
      const answer = askControl(own, { command: 'x', arguments: {} })
      answer.catch(() => {})
      const isGreeted = () => timers.mock.calls.some(([, wait]) => wait === 60_000)
      while (!isGreeted() || finish === waiting) await new Promise(setImmediate)
      return { answer }
    }
    const slow = await asked()
    vi.advanceTimersByTime(59_999)
    finish('done')
    expect(await slow.answer).toEqual({ result: 'done' })
    const slower = await asked()
    vi.advanceTimersByTime(60_000)
    await expect(slower.answer).rejects.toThrow(
      'The server has not answered for 60 seconds. It may have run the command',
    )
    finish('late')
    vi.useRealTimers()
    await close()
  })

  it('finishes a command whose client has gone before it closes', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    const steps: string[] = []
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    let finish = () => {}
    const close = await serveControl({
      folder: own,
      perform: () =>
        new Promise<void>((resolve) => {
          finish = resolve
          begun()
        }).then(() => steps.push('done')),
      log: () => {},
    })
    const asked = request({ socketPath: join(own, 'control.sock'), method: 'POST', agent: false })
    asked.on('error', () => {})
    asked.end('{"command":"x","arguments":{}}')
    await hasBegun
    asked.destroy()
    const closed = close().then(() => steps.push('closed'))
    finish()
    await closed
    expect(steps).toEqual(['done', 'closed'])
  })

  it('reports a server that ends before it answers', async () => {
    const own = mkdtempSync(join(root, 'own-'))
    const server = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => server.listen(join(own, 'control.sock'), resolve))
    await expect(askControl(own, { command: 'x', arguments: {} })).rejects.toThrow(
      'The server ended before it answered.',
    )
    server.close()
  })
})

describe('settings', () => {
  const read = (env: Record<string, string>) => readSettings(env, '/data/.foyer')

  it('have defaults', () => {
    expect(read({})).toMatchObject({
      port: 4700,
      host: undefined,
      demo: false,
      data: { folder: '/data/.foyer' },
      region: 'local',
      headerPrefix: 'Svc',
      embeddings: undefined,
      runtime: {
        sessionIdleSeconds: 600,
        tokenTtlSeconds: 86_400,
        heartbeatSeconds: 30,
        textIdleSeconds: 86_400,
        textGraceSeconds: 600,
        callRetentionSeconds: 7_200,
        callQueueSeconds: 300,
        deskWaitSeconds: 600,
        retentionDays: 90,
        maskCards: true,
      },
    })
  })

  it('are read from the environment', () => {
    expect(read({ FOYER_DATA: 'memory' }).data).toBe('memory')
    const FOYER_DATABASE_URL = 'postgresql:///foyer?host=/run/postgresql'
    expect(read({ FOYER_DATABASE_URL }).data).toEqual({
      databaseUrl: FOYER_DATABASE_URL,
      connections: 10,
      readSeconds: 15,
    })
    const limits = { FOYER_DATABASE_CONNECTIONS: '4', FOYER_READ_SECONDS: '3' }
    expect(read({ FOYER_DATABASE_URL, ...limits }).data).toMatchObject({ connections: 4, readSeconds: 3 })
    const { runtime } = read({
      FOYER_MASK_CARDS: 'off',
      FOYER_RETENTION_DAYS: '0',
      FOYER_SESSION_IDLE: '1.5',
    })
    expect(runtime).toMatchObject({ maskCards: false, retentionDays: 0, sessionIdleSeconds: 1.5 })
    const url = 'https://models.example.com/v1/embeddings'
    expect(
      read({ FOYER_EMBEDDINGS_URL: url, FOYER_EMBEDDINGS_MODEL: 'm', FOYER_EMBEDDINGS_KEY: 'k' }).embeddings,
    ).toEqual({ url, model: 'm', key: 'k' })
  })

  it.each([
    [{ FOYER_DATA: 'disk' }, 'FOYER_DATA is "disk". It may be memory'],
    [
      { FOYER_DATABASE_URL: 'mysql://a:s3cret@b/c' },
      'FOYER_DATABASE_URL is not the address of a PostgreSQL server',
    ],
    [{ FOYER_RETENTION_DAYS: '-1' }, 'FOYER_RETENTION_DAYS is "-1". It may be a number from 0 to 36500'],
    [{ FOYER_RETENTION_DAYS: '1e9' }, 'FOYER_RETENTION_DAYS is "1e9"'],
    [{ FOYER_TOKEN_TTL: '0' }, 'FOYER_TOKEN_TTL is "0". It may be a number above 0'],
    ...[
      'FOYER_SESSION_IDLE',
      'FOYER_HEARTBEAT',
      'FOYER_TEXT_IDLE',
      'FOYER_TEXT_GRACE',
      'FOYER_CALL_RETENTION',
      'FOYER_CALL_QUEUE',
      'FOYER_DESK_WAIT',
    ].map((name): [Record<string, string>, string] => [
      { [name]: 'soon' },
      `${name} is "soon". It may be a number`,
    ]),
    [{ FOYER_MASK_CARDS: 'no' }, 'FOYER_MASK_CARDS is "no". It may be on or off.'],
    [{ FOYER_REGION: 'Mars!' }, 'FOYER_REGION is "Mars!". It may hold lowercase letters'],
    [{ FOYER_HEADER_PREFIX: 'X Y' }, 'FOYER_HEADER_PREFIX is "X Y". It may hold letters'],
    [{ FOYER_EMBEDDINGS_URL: 'models' }, 'FOYER_EMBEDDINGS_URL is not a valid address'],
    [{ FOYER_EMBEDDINGS_URL: 'https://a.example.com' }, 'FOYER_EMBEDDINGS_MODEL is not set'],
    [{ FOYER_EMBEDDINGS_KEY: 's3cret' }, 'FOYER_EMBEDDINGS_KEY is set, and FOYER_EMBEDDINGS_URL is not'],
    [{ FOYER_EMBEDDINGS_MODEL: 'm' }, 'FOYER_EMBEDDINGS_MODEL is set, and FOYER_EMBEDDINGS_URL is not'],
    [{ FOYER_AGENT: 'oracle' }, 'Choose one of: guide'],
    [{ PORT: '0' }, 'PORT is "0", which is not a valid port'],
  ] as [Record<string, string>, string][])('that cannot be used are named: %j', (env, words) => {
    const error = (() => {
      try {
        read(env)
        return undefined
      } catch (error) {
        return error as Error
      }
    })()
    expect(error?.name).toBe('SettingsError')
    expect(error?.message).toContain(words)
    expect(error?.message).not.toContain('s3cret')
  })
})

describe('the status command', () => {
  it('counts conversations and vectors, and takes no verb', async () => {
    expect(isOperator(['status'])).toBe(true)
    expect(await say('status')).toMatch(
      /^Conversations: \d+, \d+ in progress\nVectors: \d+ made, \d+ conversations wait for one$/,
    )
    expect(await json('status')).toMatchObject({
      vectors: { made: expect.any(Number), waiting: expect.any(Number) },
    })
    const counted = { conversations: 7, inProgress: 2, vectors: { made: 4, waiting: 3 }, script: null }
    const lines = 'Conversations: 7, 2 in progress\nVectors: 4 made, 3 conversations wait for one'
    expect(findCommand('status', '').show(counted)).toBe(lines)
    const script = { path: '/foyer/v/0.2.0/foyer.js', integrity: 'sha384-abc' }
    expect(findCommand('status', '').show({ ...counted, script })).toBe(
      `${lines}\nScript: /foyer/v/0.2.0/foyer.js, integrity sha384-abc`,
    )
    expect(await say('status --help')).toContain('status')
    expect(await complaint('status now')).toMatch(/CommandError/)
  })
})
