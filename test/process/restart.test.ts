// What a kill leaves, and how the next process goes on with it.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { freePort } from '../browser/world.ts'
import { isLong } from '../long.ts'
import { useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()
const { start } = folder

/** What a process has worked so far: how long that took depends on what else the machine does. */
function secondsOfWork(pid = 0): number {
  // Its threads' time in user and in system mode, in hundredths of a second; only Linux tells it like this.
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const [user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
  return (Number(user) + Number(system)) / 100
}

describe('a process that is killed with -9', () => {
  it.runIf(isLong)(
    'and started again resumes the session by cookie and cursor, without losing an event',
    async () => {
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
      const chunks = () =>
        client.events.filter((event) => event.type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
      const before = chunks().length
      await client.until('sixth chunk', () => chunks().length > before + 5)
      const cursor = Math.max(...client.events.map((event) => event.sequence ?? 0))
      await first.stop('SIGKILL')

      const second = await start(port)
      expect(secondsOfWork(second.child.pid)).toBeLessThan(15)
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
    },
  )

  it('during a call leaves it to the next process, which takes its lock, and ends the call with a reason and its conversation too', async () => {
    const port = await freePort()
    let server = await start(port)
    const lock = folder.path('.foyer/lock')
    const headers = { 'content-type': 'application/json', 'x-svc-auth-token': 'demo-calling' }
    const call = async (path: string, body?: string) => {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await fetch(`${server.origin}/v1/outbound-calling${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
      return (await response.json()) as { call_sid: string; status: string; reason: string }
    }
    /** What became of a call whose process was killed as soon as the test knew that the phone rings. */
    async function killed() {
      const { call_sid } = await call('', '{"to_number": "+15005550011"}')
      const status = () => call(`/${call_sid}/status`)
      await until(
        () => 'the call was not placed',
        async () => (await status()).status !== 'queued',
      )
      await server.stop('SIGKILL')
      expect(existsSync(lock)).toBe(true)
      // A living process has the killed one's number, and started at another time.
      const other = spawn('sleep', ['30'])
      writeFileSync(lock, JSON.stringify({ pid: other.pid, started: '1' }))
      server = await start(port)
      other.kill()
      await until(
        () => 'the call that was cut is still on',
        async () => (await status()).status !== 'calling',
      )
      return status()
    }
    // The phone rings for two seconds. On a busy machine the test may know it later, and kills the process during the next call.
    const INTERRUPTED = 'The call was interrupted: the service stopped.'
    let found = await killed()
    for (let calls = 1; calls < 10 && found.reason !== INTERRUPTED; calls++) found = await killed()
    expect(found).toEqual({ status: 'failure', reason: INTERRUPTED })
    const path = '/v3/demo/front-desk/conversations?client_env=sandbox&channel=voice'
    const conversation = async () => {
      const page = await fetch(server.origin + path, { headers: { 'x-api-key': 'demo-api-key' } })
      return ((await page.json()) as { conversations: { in_progress: boolean; num_turns: number }[] })
        .conversations[0]
    }
    // Where the kill came before the call had its conversation, that ends some seconds later.
    await until(
      () => 'the conversation of the call that was cut still goes on',
      async () => !(await conversation())?.in_progress,
    )
    expect((await conversation())?.num_turns ?? 0).toBe(0)
    expect(await server.stop()).toBe(0)
    expect(existsSync(lock)).toBe(false)
  })
})
