// What a process says that does not start.

import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort, ONE_DOCUMENT, SHORT_LIVED } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { cli, root, useFolder } from './starts.ts'

const folder = useFolder()
const { start } = folder
/** A process that goes on where it should have refused is ended, which its signal tells. */
function ended(args: string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    ...more,
    encoding: 'utf8',
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  expect(signal, `not ended by itself; it said: ${stdout}${stderr}`).toBeNull()
  return { status, stdout, stderr }
}
const run = (env: Record<string, string>, args = ONE_DOCUMENT) =>
  ended([...SHORT_LIVED, cli, ...args], {
    cwd: folder.path(),
    env: { ...process.env, FOYER_DEMO: '1', ...env },
  })

/** What a refusal says. A busy machine may have taken its time with the documents, and told so, before it came to it. */
const refusal = (stderr: string) =>
  stderr
    .trim()
    .split('\n')
    .filter((line) => !/^(Indexing documents: |Indexed \d+ files)/.test(line))

it('foyer-server --version prints the version of the package', () => {
  const { status, stdout } = run({}, ['--version'])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect([status, stdout]).toEqual([0, `${version}\n`])
})

describe('a start that fails', () => {
  it('names the taken port, and how to choose another', async () => {
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

  it('names the process that holds the data folder', async () => {
    const first = await start(await freePort())
    const { status, stderr } = run({ PORT: String(await freePort()) })
    expect(status).toBe(1)
    expect(stderr).toContain(
      `is in use by process ${first.child.pid}. Stop that process, or start in another folder.`,
    )
    expect(refusal(stderr), stderr).toHaveLength(1)
  })

  it('reports a data folder that cannot be written', async () => {
    // A file in its place refuses everybody, root too.
    writeFileSync(folder.path('.foyer'), 'not a folder')
    chmodSync(folder.path('.foyer'), 0o400)
    const { status, stderr } = run({ PORT: String(await freePort()) })
    expect(status).toBe(1)
    expect(stderr).toContain('cannot be written')
    expect(stderr).toContain('FOYER_DATA=memory')
    expect(refusal(stderr), stderr).toHaveLength(1)
  })

  /** The first two are of the start itself; test/cli holds the others without a process. */
  const mistakes: [string, Record<string, string>, string[], string][] = [
    ['a folder that is not there', {}, ['./nowhere'], 'There is no folder'],
    [
      'a demo for the whole network',
      { HOST: '0.0.0.0', FOYER_DEMO_BY: 'start' },
      [],
      'The demo has public keys',
    ],
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
  ]
  it.each(isLong ? mistakes : mistakes.slice(0, 2))('names the mistake in %s', (_, env, args, text) => {
    const { status, stderr } = run(env, args)
    expect(status).toBe(1)
    expect(stderr).toContain(text)
    expect(refusal(stderr), stderr).toHaveLength(1)
  })

  it('reports that Node is too old', async () => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' }); (await import(${JSON.stringify(join(root, 'scripts/setup.mjs'))})).ensureNode()`
    const { status, stderr } = ended(['--input-type=module', '-e', script])
    expect(status).toBe(1)
    expect(stderr).toBe(
      'Foyer needs Node 20.19 or newer; this is 18.20.0. Install a newer Node and try again.\n',
    )
  })
})
