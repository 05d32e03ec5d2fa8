// Texts that are due, over three processes on one PostgreSQL that are killed one after the other, for `npm run test:long`: each is
// accepted once. One is handed over again, under its own id, where a process died between the company's word and its own note of it.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { tell } from '../model/counts.ts'
import { query, usePostgres } from '../process/databases.ts'
import { until } from '../process/until.ts'

const TEXTS = Number(process.env.FOYER_TEST_TEXTS) || 10_000
const KILLS = 6
const PROCESSES = 3
/** The company refuses the first attempt of each so many, and takes its time for each so many. */
const FAILS = 20
const IS_SLOW = 50
const SLOW_MS = 300
/** Texts that are opened at the same time. */
const AT_ONCE = 20

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Accepted = { sender: string; at: number }

/** A telephone company that remembers which process gave it which text, and does not deduplicate. */
async function openCompany() {
  const tried = new Set<string>()
  const accepted = new Map<string, Accepted[]>()
  const server = createServer(async (request, response) => {
    let id = ''
    for await (const part of request) id += part
    const isNew = !tried.has(id)
    tried.add(id)
    if (isNew && tried.size % FAILS === 0) return void response.writeHead(503).end()
    if (tried.size % IS_SLOW === 0) await pass(SLOW_MS)
    const before = accepted.get(id) ?? []
    accepted.set(id, [...before, { sender: String(request.headers['x-sender']), at: performance.now() }])
    response.writeHead(202).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    accepted,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  }
}

describe.runIf(isLong)('texts that are due', () => {
  const databases = usePostgres()
  const folder = mkdtempSync(join(tmpdir(), 'foyer-deliveries-'))
  const processes: ChildProcess[] = []
  let company: Awaited<ReturnType<typeof openCompany>>
  beforeAll(async () => {
    company = await openCompany()
  })
  afterEach(() => {
    for (const each of processes) each.kill('SIGKILL')
  })
  afterAll(() => {
    company.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are accepted once each, while processes are killed', { timeout: 900_000 }, async () => {
    const databaseUrl = await databases.create()
    let names = 0
    /** Resolves once it answers. */
    async function start() {
      const name = `sender ${++names}`
      const child = fork(join(import.meta.dirname, 'sender.mjs'), [company.url, name], {
        cwd: folder,
        env: {
          ...process.env,
          PORT: String(await freePort()),
          FOYER_DEMO: '1',
          FOYER_DATABASE_URL: databaseUrl,
        },
        silent: true,
      })
      processes.push(child)
      const [origin] = (await once(child, 'message')) as [string]
      return { name, child, origin }
    }
    const senders = [await start()]
    while (senders.length < PROCESSES) senders.push(await start())
    /** Each start of the demo sets its project anew. */
    const unlimit = () =>
      query(databaseUrl, `UPDATE foyer.project SET settings = settings || '{"smsPerMinute": 1000000}'`)
    await unlimit()

    /** Undefined: whoever was asked died, so that nobody knows whether the text was stored. */
    async function open(number: number): Promise<number | undefined> {
      const response = await fetch(`${senders[number % senders.length]?.origin}/v1/outbound-sms`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-svc-auth-token': 'demo-api-key',
          'x-token-id': 'CON-demo0001',
        },
        body: JSON.stringify({ user_number: `+49151${20_000_000 + number}`, message: 'It is due' }),
      }).catch(() => undefined)
      return response?.status
    }
    const statuses = new Map<number | undefined, number>()
    let opened = 0
    const opening = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (opened < TEXTS) {
          const number = opened++
          let status = await open(number)
          // Until the new project has its limit.
          for (; status === 429; status = await open(number)) await pass(50)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    const killed = new Map<string, number>()
    for (let kill = 0; kill < KILLS; kill++) {
      const before = company.accepted.size
      await until(
        () =>
          `the company got nothing after kill ${kill}: ${opened} opened, ${JSON.stringify([...statuses])}, ${company.accepted.size} accepted`,
        () => company.accepted.size > before + TEXTS / (KILLS + 4),
      )
      const [victim] = senders.splice(kill % PROCESSES, 1)
      victim?.child.kill('SIGKILL')
      killed.set(victim?.name ?? '', performance.now())
      senders.push(await start())
      await unlimit()
    }
    await opening
    const left = async () =>
      Number((await query<{ n: string }>(databaseUrl, 'SELECT count(*) AS n FROM foyer.delivery'))[0]?.n)
    await until(
      () => 'some texts are still due',
      async () => (await left()) === 0,
    )

    // 202 was said of each that the company has; one whose asker died may be there or not.
    expect([...statuses.keys()].filter((status) => status !== 202 && status !== undefined)).toEqual([])
    const unknown = statuses.get(undefined) ?? 0
    expect(company.accepted.size).toBeGreaterThanOrEqual(TEXTS - unknown)
    expect(company.accepted.size).toBeLessThanOrEqual(TEXTS)
    const again = [...company.accepted.values()].filter(({ length }) => length > 1)
    for (const [first] of again) {
      const death = killed.get(first?.sender ?? '')
      expect(death, `${first?.sender} lives, and its text was sent again`).toBeDefined()
      expect((death ?? 0) - (first?.at ?? 0)).toBeLessThan(2_000)
    }
    tell(
      `${TEXTS} texts over ${PROCESSES} processes and ${KILLS} kill -9: ${company.accepted.size} accepted, ${again.length} of them again, under their ids, for a process that had just died`,
    )
  })
})
