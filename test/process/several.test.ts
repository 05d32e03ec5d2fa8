// The page about several processes, followed word for word: a new database server, a new user, a new folder, and nginx in front. Only
// addresses and ports are others, and npm gets the package from what is built here.

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { freePort } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { lacks } from '../needs.ts'
import { codeIn, sectionWith } from './docs.ts'
import { runNginx } from './nginx.ts'
import { root, visitor } from './starts.ts'
import { until } from './until.ts'

const section = sectionWith('nginx', 'upstream foyer')
/** What another process learns only by looking takes longer. */
const BY_THE_BUS_MS = 4_000

const isRoot = process.getuid?.() === 0
const user = `foyer-${randomBytes(4).toString('hex')}`
let home = ''
let postgres: Awaited<ReturnType<typeof startPostgres>>
let nginx: Awaited<ReturnType<typeof runNginx>> | undefined
const ports = { database: 0, one: 0, two: 0, front: 0 }

/** As the documents say, at the ports that are free. */
const here = (text: string) =>
  text
    .replaceAll('127.0.0.1:5432', `127.0.0.1:${ports.database}`)
    .replaceAll('4701', String(ports.one))
    .replaceAll('4702', String(ports.two))
    .replaceAll('https://chat.example.com', origin())
const origin = () => `http://127.0.0.1:${ports.front}`

/** Runs commands as the new user, who has nothing but a folder. Where the tests are not root's, as their own user. */
function paste(code: string, env: Record<string, string> = {}): string {
  const bash = ['bash', '--norc', '-euo', 'pipefail', '-c', `cd "$HOME"\n${code}`]
  const [program = '', ...args] = isRoot ? ['runuser', '-u', user, '--', ...bash] : bash
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, ...env },
  })
  if (status !== 0) throw new Error(`It ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

/** Stands for `npm install foyer-server`, which would bring the released package. */
const NPM = `npm() { [ "$*" = 'install foyer-server' ] && mv "$HOME/installed" node_modules; }`

function prepareInstall(): void {
  const modules = join(home, 'installed')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  spawnSync('npm', ['pack', join(root, 'dist/foyer-server'), '--silent'], { cwd: home })
  const [tarball = ''] = readdirSync(home).filter((name) => name.endsWith('.tgz'))
  spawnSync('tar', ['xzf', tarball, '-C', modules], { cwd: home })
  spawnSync('mv', ['package', 'foyer-server'], { cwd: modules })
  chmodSync(join(modules, 'foyer-server/cli.js'), 0o755)
  symlinkSync('../foyer-server/cli.js', join(modules, '.bin/foyer-server'))
  const dependencies = join(root, 'node_modules')
  const readable =
    !isRoot ||
    spawnSync('runuser', ['-u', user, '--', 'test', '-r', join(dependencies, 'pg/package.json')]).status === 0
  for (const name of readdirSync(dependencies).filter((each) => !each.startsWith('.'))) {
    if (readable) symlinkSync(join(dependencies, name), join(modules, name))
    else cpSync(join(dependencies, name), join(modules, name), { recursive: true })
  }
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'foyer-several-'))
  for (const name of ['one', 'two', 'front'] as const) ports[name] = await freePort()
  // A server of its own, whatever the other tests use.
  const { FOYER_DATABASE_URL: given } = process.env
  delete process.env.FOYER_DATABASE_URL
  postgres = await startPostgres({ superuser: 'postgres' }).finally(() => {
    if (given !== undefined) process.env.FOYER_DATABASE_URL = given
  })
  if (!postgres) throw new Error('PostgreSQL is not there: install it')
  ports.database = Number(new URL(postgres.url).port)
  if (isRoot) spawnSync('useradd', ['--system', '--home-dir', home, user])
  prepareInstall()
  if (isRoot) spawnSync('chown', ['--recursive', `${user}:`, home])
}, 300_000)
afterAll(async () => {
  for (const pid of pidsOf()) process.kill(pid, 'SIGKILL')
  await nginx?.stop()
  await postgres?.stop()
  if (isRoot) spawnSync('userdel', [user])
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

/** The processes that the commands left running, as long as they do. */
function pidsOf(): number[] {
  const listed = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout
  return listed.split('\n').flatMap((line) => {
    const [, pid, args = ''] = /^ *(\d+) (.*)$/.exec(line) ?? []
    return args.includes('foyer-server ./docs') && cwdOf(Number(pid)).startsWith(home) ? [Number(pid)] : []
  })
}
const cwdOf = (pid: number) => spawnSync('readlink', [`/proc/${pid}/cwd`], { encoding: 'utf8' }).stdout.trim()

describe.skipIf(!isLong || lacks('nginx', 'PostgreSQL'))('the page about several processes', () => {
  it('leads from a new machine to two processes, of which one goes on when the other dies', async () => {
    const [database = '', ...steps] = codeIn(section, 'sh').map(here)
    expect(steps).toHaveLength(4)
    const server = { PGHOST: '127.0.0.1', PGPORT: String(ports.database), PGUSER: 'postgres' }
    paste(database, server)
    const below = mkdtempSync(join(tmpdir(), 'foyer-nginx-'))
    const [block = ''] = codeIn(section, 'nginx').map(here)
    nginx = await runNginx(ports.front, block, below)

    const [install = '', settings = '', check = '', start = ''] = steps
    writeFileSync(join(home, 'steps.sh'), [NPM, install, settings, check, start].join('\n'))
    const printed = paste('. ./steps.sh')
    expect(printed.match(/^(ok|problem|not checked) +\w+/gm)).toEqual(
      [
        'ok settings',
        'ok database',
        'not checked model',
        'not checked embeddings',
        'not checked redis',
        'ok proxy',
      ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/ (?=\w+$)/, ' +')}$`))),
    )
    const processes = pidsOf()
    expect(processes).toHaveLength(2)
    const owners = spawnSync('ps', ['-o', 'user:32=', '-p', processes.join(',')], { encoding: 'utf8' }).stdout
    if (isRoot)
      expect(
        owners
          .trim()
          .split('\n')
          .map((name) => name.trim()),
      ).toEqual([user, user])

    const person = visitor(origin())
    await person.token(false)
    const session = await person.session()
    const [one, two] = [`http://127.0.0.1:${ports.one}`, `http://127.0.0.1:${ports.two}`]
    const here1 = await person.connect(session, 0, one)
    const here2 = await person.connect(session, 0, two)
    here1.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await here1.until('greeting', () => here1.events.some(({ payload }) => payload.is_complete === true))
    for (const [from, to, text] of [
      [here1, here2, 'from one to two'],
      [here2, here1, 'from two to one'],
    ] as const) {
      const took: number[] = []
      for (const count of [1, 2, 3]) {
        const said = performance.now()
        from.send('EVENT_TYPE_USER_MESSAGE', { text: `${text} ${count}` })
        await to.until(text, () => to.events.some(({ payload }) => payload.text === `${text} ${count}`))
        took.push(performance.now() - said)
      }
      // A busy machine may hold one up, not each.
      expect(Math.min(...took)).toBeLessThan(BY_THE_BUS_MS)
    }

    const log = readFileSync(join(home, `front-desk/${ports.one}.log`), 'utf8')
    expect(log).toContain('Foyer is ready')
    const [dead = 0] = processes
    process.kill(dead, 'SIGKILL')
    await until(
      () => 'the process still runs',
      () => pidsOf().length === 1,
    )
    // As the widget does, while nginx still knows of no other that answers.
    await until(
      () => 'the visitor is not resumed',
      () =>
        person.token(true).then(
          ({ resumed }) => resumed,
          () => false,
        ),
    )
    const back = await person.connect(session, 0)
    const answers = () => back.events.filter(({ payload }) => payload.is_complete === true).length
    back.send('EVENT_TYPE_USER_MESSAGE', { text: 'When are you open?' })
    await back.until('answer', () => answers() > 0)
    expect(back.events.map(({ payload }) => payload.text)).toContain('from two to one 3')
    rmSync(below, { recursive: true, force: true })
  })
})
