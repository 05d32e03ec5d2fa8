// What the README and the docs tell people to paste, run as it stands there, against a server started as they say.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStandIn } from '../agents/stand-in.ts'
import { freePort, printed, type Server, SHORT_LIVED, startServer } from '../browser/world.ts'
import { lacks } from '../needs.ts'
import { codeIn, sections, sectionWith, snippetWith } from './docs.ts'
import { visitor } from './starts.ts'
import { until } from './until.ts'

const callsCurl = (code: string) => /\bcurl\b/.test(code)

/** The settings of a site that is no demo. */
const OWN_SITE = {
  FOYER_DEMO: '0',
  FOYER_CONNECTOR_TOKEN: 'a-connector-token-of-a-test',
  FOYER_CONNECTOR_HOST: 'shop.example.com',
}

const root = resolve(import.meta.dirname, '../..')
let folder: string
let server: Server
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-examples-'))
  server = await startServer(await freePort(), folder)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const here = (code: string) => code.replaceAll('http://localhost:4700', server.origin)

function paste(code: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', code], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The example ended with ${status}. Is curl installed? ${stderr}`)
  return stdout
}

describe('the first minute', () => {
  it('starts from the packed tarball in an empty folder, serves the page and the script, and answers from the documents', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'foyer-first-'))
    try {
      spawnSync('npm', ['pack', join(root, 'dist/foyer-server'), '--silent'], { cwd: empty })
      const modules = join(empty, 'node_modules')
      mkdirSync(modules)
      spawnSync('tar', ['xzf', `foyer-server-${version()}.tgz`, '-C', modules], { cwd: empty })
      spawnSync('mv', ['package', 'foyer-server'], { cwd: modules })
      link(modules, Object.keys(manifest(join(modules, 'foyer-server')).dependencies ?? {}))
      mkdirSync(join(empty, 'docs'))
      writeFileSync(join(empty, 'docs/tyres.md'), '# Tyres\n\n## How to mend a tyre\n\nUse the green glue.\n')
      const port = await freePort()
      const origin = `http://localhost:${port}`
      const { FOYER_DEMO: _, ...env } = process.env
      const child = spawn(
        process.execPath,
        [...SHORT_LIVED, join(modules, 'foyer-server/cli.js'), './docs'],
        {
          cwd: empty,
          env: { ...env, PORT: String(port) },
        },
      )
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part) => {
          output += String(part)
        })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      try {
        await until(
          () => `it is not ready: ${output}`,
          async () => output.includes('Foyer is ready'),
        )
        expect(output).toContain(`<script src="http://127.0.0.1:${port}/foyer.js" async></script>`)
        expect(output).toContain('FOYER_AGENT=llm')
        const page = async (path: string) => (await fetch(`${origin}${path}`)).text()
        expect(await page('/')).toContain('data-foyer')
        expect(await page('/docs/tyres')).toContain('<h2 id="how-to-mend-a-tyre">')
        await fetch(`${origin}/demo/phone/%2B15005550010/write`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin },
          body: '{"text":"my tyre is flat, how do I mend it?"}',
        })
        await until(
          () => `no answer came: ${output}`,
          async () => (await page('/demo/phone/%2B15005550010')).includes('green glue'),
        )
      } finally {
        child.kill()
        await ended
      }
    } finally {
      rmSync(empty, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})

describe('the agent of the docs with a language model', () => {
  it('has 30 lines at most and is one that calls its tool and answers', async () => {
    const code = snippetWith('js', 'createLlmAgent(', 'order_status')
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(30)
    const standIn = await startStandIn([
      { calls: [{ name: 'order_status', input: '{"number":"7"}' }] },
      { pieces: ['It is ', 'shipped.'] },
    ])
    const app = mkdtempSync(join(tmpdir(), 'foyer-llm-'))
    try {
      mkdirSync(join(app, 'node_modules'))
      mkdirSync(join(app, 'docs'))
      writeFileSync(join(app, 'docs/orders.md'), '# Orders\n\nOrders leave us within a day.')
      symlinkSync(join(root, 'dist/foyer-server'), join(app, 'node_modules/foyer-server'))
      const turn = `{ trigger: 'message', text: 'Where is my order 7?', sessionId: 's', channel: 'WEBCHAT', userNumber: '', accountId: 'ws-1', projectId: 'PROJECT-1', connectorId: 'CON-1', environment: 'live', custom: {}, attributes: {}, history: [], memory: {}, signal: new AbortController().signal, sleep: (ms) => new Promise((done) => setTimeout(done, ms).unref()), addUsage: async () => 0 }`
      writeFileSync(join(app, 'agent.mjs'), code.replace('http://localhost:11434/v1', standIn.url))
      writeFileSync(
        join(app, 'ask.mjs'),
        `import agent from './agent.mjs'
for await (const act of agent.act(${turn})) if (act.type === 'text') process.stdout.write(act.text)
agent.close()
`,
      )
      const child = spawn(process.execPath, [...SHORT_LIVED, 'ask.mjs'], { cwd: app })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part) => {
          output += String(part)
        })
      await new Promise((resolve) => child.once('exit', resolve))
      expect(output).toBe('It is shipped.')
      expect(standIn.requests[0]?.text).toContain('Orders leave us within a day.')
      expect(standIn.requests[1]?.text).toContain('shipped')
    } finally {
      await standIn.stop()
      rmSync(app, { recursive: true, force: true })
    }
  })
})

const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
    dependencies?: Record<string, string>
  }
const version = () => manifest(join(root, 'dist/foyer-server')).version
/** What `npm install` would bring, from here. */
function link(modules: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}

describe('the BFF of the docs', () => {
  // As an app that has installed the packages would have them.
  const installed = ['express', 'fastify', 'hono', '@hono/node-server']
  const example = (server: string) => snippetWith('js', `from '${server}'`, 'createBff(')
  let app: string
  beforeAll(() => {
    app = mkdtempSync(join(tmpdir(), 'foyer-bff-'))
    mkdirSync(join(app, 'node_modules/@hono'), { recursive: true })
    for (const name of installed)
      symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name))
    symlinkSync(join(root, 'dist/foyer-server'), join(app, 'node_modules/foyer-server'))
  })
  afterAll(() => rmSync(app, { recursive: true, force: true }))

  it('has one for a worker that serves the files that its host has', async () => {
    writeFileSync(join(app, 'worker.mjs'), snippetWith('js', 'createBff(', 'ASSETS'))
    const { default: worker } = await import(join(app, 'worker.mjs'))
    const ASSETS = {
      async fetch({ url }: Request) {
        const file = join(root, 'dist/foyer-server/public', new URL(url).pathname)
        if (!existsSync(file)) return new Response('', { status: 404 })
        return new Response(readFileSync(file), { headers: { 'content-type': 'text/javascript' } })
      },
    }
    const get = (path: string) =>
      worker.fetch(new Request(`https://chat.example.com${path}`), {
        ...OWN_SITE,
        FOYER_COOKIE_SECRET: 'a-secret-of-more-than-32-characters!',
        ASSETS,
      }) as Response
    const [hashed = ''] =
      /\/foyer\/assets\/[\w.-]+-[\w-]{8}\.js/.exec(await (await get('/foyer/frame')).text()) ?? []
    for (const path of ['/foyer.js', '/foyer/assets/first.js', hashed]) {
      const { status, headers } = await get(path)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/javascript'])
    }
    expect((await get(hashed)).headers.get('cache-control')).toContain('immutable')
    expect((await get('/foyer/assets/none.js')).status).toBe(404)
  })

  it.each(['express', 'fastify', 'hono', 'node:http'])(
    'has one for %s that serves every file of the widget',
    async (name) => {
      const file = join(app, `example-${name.replace(':', '-')}.mjs`)
      writeFileSync(file, example(name))
      const port = await freePort()
      const origin = `http://localhost:${port}`
      const child = spawn(process.execPath, [file], {
        cwd: app,
        env: {
          ...process.env,
          PORT: String(port),
          FOYER_CONNECTOR_TOKEN: 'demo-connector',
          FOYER_CONNECTOR_HOST: 'localhost',
          FOYER_CHAT_URL: server.origin,
          FOYER_COOKIE_SECRET: 'a-secret-of-more-than-32-characters!',
          FOYER_TRUSTED_PROXIES: 'loopback',
        },
      })
      let output = ''
      child.stderr.on('data', (part) => {
        output += String(part)
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      try {
        await until(
          () => `${file} does not answer at ${origin}: ${output}`,
          () =>
            fetch(`${origin}/foyer/health`).then(
              ({ ok }) => ok,
              () => false,
            ),
        )
        const script = await fetch(`${origin}/foyer.js`)
        expect([script.status, script.headers.get('content-type')]).toEqual([
          200,
          'text/javascript; charset=utf-8',
        ])
        const frame = await fetch(`${origin}/foyer/frame`)
        expect(frame.headers.get('content-security-policy')).toContain(`connect-src 'self' ${server.origin}`)
        expect((await fetch(`${origin}/foyer/assets/first.js`)).status).toBe(200)
        expect((await fetch(`${origin}/elsewhere`)).status).toBe(404)
        const ask = (forwarded: string) =>
          fetch(`${origin}/foyer/access-token`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': forwarded },
            body: '{}',
          })
        const granted = await ask('192.0.2.1')
        expect([granted.status, await granted.json()]).toEqual([
          200,
          expect.objectContaining({ resumed: false, chat_url: server.origin }),
        ])
        const again = await fetch(`${origin}/foyer/access-token`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin,
            cookie: granted.headers.get('set-cookie')?.split(';')[0] ?? '',
          },
          body: '{"resume":true}',
        })
        expect(await again.json()).toMatchObject({ resumed: true })
        // Each visitor has a count of their own behind the proxy.
        let response = await ask('192.0.2.2')
        for (let count = 0; count < 130 && response.status === 200; count++) response = await ask('192.0.2.2')
        expect([response.status, (await ask('192.0.2.3')).status]).toEqual([429, 200])
      } finally {
        child.kill()
        await ended
      }
    },
  )
})

const screen = async () =>
  (await (await fetch(`${server.origin}/demo/phone/%2B15005550010`)).json()) as {
    messages: { direction: 'in' | 'out'; text: string }[]
  }
const shown = (text: string): Promise<void> =>
  until(
    () => `the phone did not show "${text}"`,
    async () => {
      const { messages } = await screen()
      return messages.some((message) => message.direction === 'in' && message.text.includes(text))
    },
  )

describe('the README', () => {
  it('has a first screen, and at most 120 lines', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
      120,
    )
  })

  it.skipIf(lacks('curl'))(
    'sends a message to a phone that answers, calls a phone that does not, and finds the conversation',
    async () => {
      const code = sections.flatMap((section) =>
        section.name.startsWith('README.md: ') ? codeIn(section, 'sh').filter(callsCurl) : [],
      )
      const said = paste(here(code.join('\n')))
      expect(said).toMatch(/^HTTP\/1\.1 202 /)
      expect(said).toContain('{"status":"failure","reason":"The call was not answered."}')
      const [page = ''] = said.trim().split('\n').slice(-1)
      expect(JSON.parse(page)).toMatchObject({
        conversations: [{ channel: 'SMS', turns: [{ agent_response: 'Your bicycle is ready.' }] }],
      })
      await shown('Your bicycle is ready.')
      await fetch(`${server.origin}/demo/phone/%2B15005550010/write`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.origin },
        body: '{"text":"How do I start it?"}',
      })
      await until(
        () => 'the agent did not answer',
        async () => (await screen()).messages.filter(({ direction }) => direction === 'in').length > 1,
      )
    },
  )
})

describe.skipIf(lacks('curl'))('every curl line of the README and of the docs', () => {
  /** test/process/several.test.ts runs all of it, on the machine that it needs. */
  const elsewhere = sectionWith('nginx', 'upstream foyer').name
  const withCurl = sections
    .map((section) => ({ name: section.name, blocks: codeIn(section, 'sh') }))
    .filter(({ blocks }) => blocks.some(callsCurl))
  /** An answer above 399 ends the script, as a person would stop there. */
  const STRICT = `curl() {
    case " $* " in *" -f"*|*" --fail"*) command curl "$@";; *) command curl --fail-with-body "$@";; esac
  }
`
  const isServer = (code: string) => /\bfoyer-server \S+\s*$/.test(code)

  it('is read', () => {
    expect(withCurl.length).toBeGreaterThan(3)
  })

  it.each(withCurl)('has no placeholder, and encodes what it searches for: $name', ({ blocks }) => {
    for (const code of blocks) {
      expect(code).not.toMatch(/…|\.\.\.|<\w+>/)
      expect(code).not.toMatch(/(-d|--data) '?query=/)
    }
  })

  it.each(withCurl.filter(({ name }) => name !== elsewhere))(
    'works as it stands there: $name',
    async ({ name, blocks }) => {
      // A block that starts a server is run in a terminal of its own, with ports that are free.
      const ports = { 4700: server.origin.split(':').at(-1) ?? '', 9464: String(await freePort()) }
      const ported = (code: string) =>
        code.replaceAll(/\b(4700|9464)\b/g, (port) => ports[port as unknown as keyof typeof ports])
      const started = blocks.filter(isServer).map(ported)
      const own = started.length > 0 ? await startAsTyped(started.join('\n')) : undefined
      try {
        const code = blocks
          .filter((each) => !isServer(each))
          .map(ported)
          .join('\n')
        expect([name, paste(`${STRICT}${code}`).length]).toEqual([name, expect.any(Number)])
      } finally {
        await own?.stop()
      }
    },
  )

  it.each(withCurl.filter(({ blocks }) => blocks.some((code) => /--data-urlencode query=/.test(code))))(
    'finds words of every language: $name',
    ({ blocks }) => {
      const line = /^curl -s -G .*?--data-urlencode query=.*?[^\\]$/ms.exec(blocks.join('\n'))?.[0] ?? ''
      const [search = ''] = line.split('; echo')
      expect(search).toContain('query=bicycle')
      const answer = paste(STRICT + here(search.replace(/query=bicycles?/, "query='Fahrräder & Пример'")))
      expect(JSON.parse(answer)).toHaveProperty('conversations')
    },
  )
})

it('the docs have a server around an agent of one’s own', async () => {
  const code = snippetWith('js', 'startServer(', 'act(turn)', 'SIGTERM')
  const app = mkdtempSync(join(tmpdir(), 'foyer-own-agent-'))
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(join(root, 'dist/foyer-server'), join(app, 'node_modules/foyer-server'))
  writeFileSync(join(app, 'server.mjs'), code)
  const port = String(await freePort())
  const child = spawn(process.execPath, [...SHORT_LIVED, 'server.mjs'], {
    cwd: app,
    env: { ...process.env, ...OWN_SITE, PORT: port },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await printed(child, /Ready: /)
    const origin = `http://localhost:${port}`
    const other = visitor(origin)
    await other.token(false)
    const chat = await other.connect(await other.session(), 0)
    chat.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await chat.until('greeting', () => JSON.stringify(chat.events).includes('Hello!'))
    chat.socket.close()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    child.kill('SIGKILL')
    rmSync(app, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

it.skipIf(lacks('Python'))('the docs have an agent in Python, and start a server with it', async () => {
  const agent = snippetWith('python', 'RUN_FINISHED')
  const code = snippetWith('sh', '--agent http://127.0.0.1:8000/')
  const agentPort = String(await freePort())
  const here = (text: string) => text.replace('8000', agentPort)
  const python = spawn('python3', ['-u', '-c', here(agent)], { stdio: 'ignore' })
  const own = await startAsTyped(here(code))
  try {
    const other = visitor(own.origin)
    await other.token(false)
    const chat = await other.connect(await other.session(), 0)
    const said = () => chat.events.map(({ payload }) => payload.text ?? '').join('')
    const reads = (text: string) => chat.until(text, () => said().includes(text))
    chat.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await reads('Hello!')
    for (const [n, text] of ['Do you hear me?', 'And now?'].entries()) {
      chat.send('EVENT_TYPE_USER_MESSAGE', { text })
      await reads(`Question ${n + 1}: ${text}`)
    }
    chat.socket.close()
  } finally {
    python.kill('SIGKILL')
    await own.stop()
  }
})

it('the docs have a desk in a terminal, which takes a visitor, answers and hands back', async () => {
  const code = snippetWith('js', 'startServer(', 'desk.take(')
  const app = mkdtempSync(join(tmpdir(), 'foyer-desk-'))
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(join(root, 'dist/foyer-server'), join(app, 'node_modules/foyer-server'))
  writeFileSync(join(app, 'desk.mjs'), code)
  mkdirSync(join(app, 'docs'))
  writeFileSync(join(app, 'docs/hours.md'), '# Opening hours\n\nFrom 9 to 5.\n')
  const port = String(await freePort())
  const child = spawn(process.execPath, [...SHORT_LIVED, 'desk.mjs'], {
    cwd: app,
    env: { ...process.env, ...OWN_SITE, FOYER_HANDOFF: 'on', PORT: port },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await printed(child, /Ready: /)
    const other = visitor(`http://localhost:${port}`)
    await other.token(false)
    const chat = await other.connect(await other.session(), 0)
    const said = () => chat.events.map(({ payload }) => payload.text ?? '').join('')
    chat.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    const waits = printed(child, /Waiting: 1/)
    chat.send('EVENT_TYPE_USER_MESSAGE', { text: 'I want to talk to a person' })
    await waits
    const taken = printed(child, /Visitor: /)
    child.stdin.write('take\n')
    await taken
    child.stdin.write('Ada is here.\n')
    await chat.until('answer of the person', () => said().includes('Ada is here.'))
    const heard = printed(child, /Visitor: Thank you/)
    chat.send('EVENT_TYPE_USER_MESSAGE', { text: 'Thank you' })
    await heard
    child.stdin.write('back\n')
    await chat.until('the agent again', () =>
      chat.events.some(({ type }) => type === 'EVENT_TYPE_LIVE_AGENT_LEFT'),
    )
    chat.socket.close()
  } finally {
    child.kill('SIGKILL')
    await ended
    rmSync(app, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

/** Runs a command that starts a server, in an app that has installed it, until it is ready. */
async function startAsTyped(code: string) {
  const app = mkdtempSync(join(tmpdir(), 'foyer-typed-'))
  mkdirSync(join(app, 'node_modules/.bin'), { recursive: true })
  // As npm would put it there.
  writeFileSync(
    join(app, 'node_modules/.bin/foyer-server'),
    `#!/bin/sh\nexec node ${SHORT_LIVED.join(' ')} '${join(root, 'dist/foyer-server/cli.js')}' "$@"\n`,
    { mode: 0o755 },
  )
  symlinkSync(join(root, 'test/browser/documents'), join(app, 'docs'))
  const port = String(await freePort())
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: app,
    detached: true,
    env: { ...process.env, PORT: port },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await printed(child, /Foyer is ready/)
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      // The shell, and what it started.
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await ended
      rmSync(app, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

it('the docs have an example of the client that runs', () => {
  // As an app that has installed the package would have it.
  symlinkSync(join(root, 'dist'), join(folder, 'node_modules'))
  const code = here(snippetWith('js', 'createClient(', 'calls.wait('))
  const file = join(folder, 'example.mjs')
  writeFileSync(file, code)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain("{ status: 'failure', reason: 'The call was not answered.' }")
})
