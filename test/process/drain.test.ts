// A server that is told to stop while another runs on the same database: it gives its chats to the other one.

import { expect, it } from 'vitest'
import { freePort } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { usePostgres } from './databases.ts'
import { useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const SOCKETS = isLong ? 50 : 4
const DRAIN_SECONDS = 25

const databases = usePostgres()

const folder = useFolder()

/** Two servers behind one origin. */
async function startTwo() {
  const databaseUrl = await databases.create()
  const port = await freePort()
  const env = {
    FOYER_DATABASE_URL: databaseUrl,
    FOYER_PUBLIC_ORIGIN: `http://localhost:${port}`,
    FOYER_DRAIN_SECONDS: String(DRAIN_SECONDS),
  }
  const one = await folder.start(port, env)
  return { one, other: await folder.start(await freePort(), env) }
}
const isWhole = ({ type, payload }: { type: string; payload: Record<string, unknown> }) =>
  type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || payload.is_complete === true

it('a server that gets SIGTERM is not ready, closes its sockets one by one, ends its answer whole, and ends with code 0 in time', async () => {
  const { one, other } = await startTwo()
  const person = visitor(one.origin)
  await person.token(false)
  const asking = await person.session()
  const client = await person.connect(asking, 0)
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await client.until('greeting', () => client.events.some(isWhole))
  const closed: { at: number; code: number }[] = []
  const watch = ({ socket }: typeof client) =>
    socket.on('close', (code) => closed.push({ at: Date.now(), code }))
  watch(client)
  for (let count = 1; count < SOCKETS; count++) watch(await person.connect(await person.session(), 0))
  client.send('EVENT_TYPE_USER_MESSAGE', { text: 'A long answer' })
  const isAsked = ({ type }: { type: string }) => type === 'EVENT_TYPE_USER_MESSAGE'
  const answerSoFar = () => client.events.slice(client.events.findIndex(isAsked)).slice(1)
  await client.until('chunk of the answer', () => client.events.some(isAsked) && answerSoFar().length > 3)
  expect(answerSoFar().some(isWhole)).toBe(false)

  const begun = Date.now()
  const ended = one.stop('SIGTERM')
  const ready = () => fetch(`${one.origin}/ready`).then(({ status }) => status)
  await until(
    () => 'the server is still ready',
    async () => (await ready()) === 503,
  )
  await expect(person.connect(asking, 0)).rejects.toThrow('hang up')
  expect(await ended).toBe(0)
  expect(Date.now() - begun).toBeLessThan(DRAIN_SECONDS * 1000)
  await until(
    () => `only ${closed.length} sockets were closed`,
    () => closed.length === SOCKETS,
  )
  expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1001]))
  // Less than a second, by as much as a busy machine may be late.
  for (const { at: from } of closed)
    expect(closed.filter(({ at }) => at >= from && at < from + 600).length).toBeLessThanOrEqual(
      Math.max(1, SOCKETS / 10),
    )
  const after = await person.connect(asking, 0, other.origin)
  await after.until('whole answer', () => after.events.filter(isWhole).length === 2)
  expect(after.events.some(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toBe(false)
})

it('a second SIGTERM ends the server at once, and so does Ctrl-C', async () => {
  const { one, other } = await startTwo()
  const stops = [one, other].map(async ({ origin, stop, child }, index) => {
    const person = visitor(one.origin)
    await person.token(false, origin)
    const codes: number[] = []
    for (let count = 0; count < 3; count++) {
      const { socket } = await person.connect(await person.session(origin), 0, origin)
      socket.on('close', (code) => codes.push(code))
    }
    const begun = Date.now()
    const ended = stop(index === 0 ? 'SIGTERM' : 'SIGINT')
    if (index === 0) {
      await until(
        () => 'no socket was closed',
        () => codes.length === 1,
      )
      child.kill('SIGTERM')
    }
    return { code: await ended, took: Date.now() - begun }
  })
  const [again, interrupted] = await Promise.all(stops)
  expect(again?.code).toBe(1)
  expect(again?.took).toBeLessThan(10_000)
  expect(interrupted?.code).toBe(0)
  expect(interrupted?.took).toBeLessThan(7_500)
})
