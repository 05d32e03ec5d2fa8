// What the unit and the image of deploy/ would start, as plain processes on one PostgreSQL and Redis behind nginx: with their commands and
// settings, but neither systemd nor a container around them.

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { usePostgres } from './databases.ts'
import { snippetWith } from './docs.ts'
import { runNginx } from './nginx.ts'
import { startRedis } from './redis.ts'
import { cli, root, useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()
const postgres = usePostgres()
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

/** Runs one of their commands in the folder, and resolves once it is ready. */
async function run(command: readonly string[], env: Record<string, string>) {
  const [program = '', ...args] = command
  const child = spawn(join(folder.path(), program), args, {
    cwd: folder.path(),
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  ended.push(() => {
    child.kill('SIGKILL')
    return exited
  })
  const status = (path: string) =>
    fetch(`http://127.0.0.1:${env.PORT}${path}`).then(
      (answer) => answer.status,
      () => 0,
    )
  await until(
    () => `the server at ${env.PORT} is not ready`,
    async () => (await status('/ready')) === 200,
  )
  return { child, exited, status }
}

// A new machine's first start, and a stop that takes its time.
describe.runIf(isLong)('the files of deploy/', () => {
  it('start servers that are ready and alive by their probes, serve one chat together, and stop in time', async () => {
    mkdirSync(folder.path('node_modules/.bin'), { recursive: true })
    symlinkSync(cli, folder.path('node_modules/.bin/foyer-server'))
    chmodSync(cli, 0o755)
    mkdirSync(folder.path('docs'))
    writeFileSync(folder.path('docs/hours.md'), '# Hours\n\nWe are open from nine to five.\n')

    const [one, two, front] = [await freePort(), await freePort(), await freePort()]
    const origin = `http://127.0.0.1:${front}`
    const redis = await startRedis()
    ended.push(redis.stop)
    const compose = parse(read('compose.yaml'), { merge: true }) as {
      services: { one: { environment: Record<string, string> } }
    }
    const given: Record<string, string> = {
      FOYER_DATABASE_URL: await postgres.create(),
      REDIS_URL: redis.url,
      FOYER_CONNECTOR_TOKEN: 'a-connector-token-of-a-site',
      FOYER_CONNECTOR_HOST: 'shop.example.com',
      FOYER_ORIGINS: 'https://shop.example.com',
      FOYER_PUBLIC_ORIGIN: origin,
      FOYER_TRUSTED_PROXIES: 'loopback',
    }
    // The settings of the compose file: addresses and what a site chooses are those of here.
    const settings = {
      ...compose.services.one.environment,
      ...given,
      HOST: '127.0.0.1',
      FOYER_DRAIN_SECONDS: '5',
    }
    expect(Object.keys(settings).sort()).toEqual(Object.keys(compose.services.one.environment).sort())

    const unit = read('foyer@.service')
    const directory = /^WorkingDirectory=(.*)$/m.exec(unit)?.[1]
    const execStart = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.replace(`${directory}/`, '').split(' ') ?? []
    const image = JSON.parse(/^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]')
    const first = await run(execStart, { ...settings, PORT: String(one) })
    const second = await run(image, { ...settings, PORT: String(two) })
    expect([await first.status('/live'), await second.status('/live')]).toEqual([200, 200])

    const block = snippetWith('nginx', 'upstream foyer')
    const proxy = await runNginx(
      front,
      block.replaceAll('4701', String(one)).replaceAll('4702', String(two)),
      folder.path(),
    )
    ended.push(() => proxy.stop())
    const person = visitor(origin)
    await person.token(false)
    const session = await person.session()
    const here = await person.connect(session, 0, `http://127.0.0.1:${one}`)
    const there = await person.connect(session, 0, `http://127.0.0.1:${two}`)
    // Another process may send an answer in pieces or whole.
    const words = ({ events }: typeof here) => events.map(({ payload }) => payload.text ?? '').join('')
    const isWhole = ({ events }: typeof here) =>
      events.some(({ type, payload }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || payload.is_complete)
    here.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    for (const client of [here, there]) await client.until('greeting', () => isWhole(client))
    there.send('EVENT_TYPE_USER_MESSAGE', { text: 'When are you open?' })
    for (const client of [here, there])
      await client.until('answer', () => words(client).includes('from nine to five'))

    const left = new Promise((resolve) => here.socket.on('close', resolve))
    first.child.kill('SIGTERM')
    expect(await left).toBe(1001)
    expect(await first.exited).toBe(0)
    const back = await person.connect(session, 0)
    await back.until('replay', () => words(back).includes('from nine to five'))
    expect(await second.status('/ready')).toBe(200)
  })
})
