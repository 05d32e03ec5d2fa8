// What watches the process: /live and /ready, in each state of the server.

import { expect, it } from 'vitest'
import { createProbes } from '../../src/cli/monitoring/index.ts'

async function answersOf(healthy: boolean, drained = false) {
  const probes = createProbes({ healthy: async () => healthy })
  if (drained) probes.drain()
  const of = async (path: string) => {
    const answer = await probes.answer(path)
    return answer && [answer.status, await answer.json(), answer.headers.get('cache-control')]
  }
  const isReady = (await of('/ready'))?.[0] === 200
  expect(await probes.isReady()).toBe(isReady)
  return { live: await of('/live'), ready: await of('/ready'), health: await of('/foyer/health') }
}
const live = [200, { status: 'live' }, 'no-store']

it('a server that serves is live and ready', async () => {
  expect(await answersOf(true)).toEqual({
    live,
    ready: [200, { status: 'ready' }, 'no-store'],
    health: undefined,
  })
})

it('a server without its database is live and not ready', async () => {
  const down = [503, { error: 'The database does not answer' }, 'no-store']
  expect(await answersOf(false)).toEqual({ live, ready: down, health: down })
})

it('a server that stops is live and not ready, and its health is that of its database', async () => {
  const stopping = [503, { error: 'The server is stopping' }, 'no-store']
  expect(await answersOf(true, true)).toEqual({ live, ready: stopping, health: undefined })
})

it('other addresses are no probes', async () => {
  const probes = createProbes({ healthy: async () => true })
  for (const path of ['/', '/livez', '/ready/', '/live/x']) expect(await probes.answer(path)).toBeUndefined()
})
