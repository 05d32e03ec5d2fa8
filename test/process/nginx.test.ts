// What the nginx of the docs writes down about visitors.

import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { ensureNginx } from '../../scripts/setup.mjs'
import { freePort } from '../browser/world.ts'
import { startNginx } from './nginx.ts'
import { useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()
let nginx: string | undefined
beforeAll(() => {
  nginx = ensureNginx()
}, 300_000)

it('the documented nginx writes no access token into a log, whether the server answers or not', async () => {
  if (!nginx) throw new Error('nginx is not there: install it')
  const [port, front] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${front}`
  const server = await folder.start(port, { FOYER_DATA: 'memory', FOYER_PUBLIC_ORIGIN: origin })
  const proxy = await startNginx(nginx, front, port, folder.path())
  try {
    const person = visitor(origin)
    const { access_token } = await person.token(false)
    const client = await person.connect(await person.session(), 0)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    await client.until('greeting', () => client.events.some((event) => event.payload.is_complete === true))
    client.socket.close()
    await fetch(`${origin}/foyer/health`)
    await server.stop()
    await expect(person.connect('any', 0)).rejects.toThrow()
    await fetch(`${origin}/foyer/health`)

    const read = (name: string) => readFileSync(folder.path(name), 'utf8')
    // Both logs are kept, and what matters to operators is in them.
    await until(
      () => `the logs lack the other requests: ${read('access.log')}${read('error.log')}`,
      () => read('access.log').includes('/foyer/health') && read('error.log').includes('/foyer/health'),
    )
    const logs = read('access.log') + read('error.log')
    expect(access_token.length).toBeGreaterThan(100)
    expect(logs).not.toContain(access_token)
    expect(logs).not.toMatch(/access_token=/)
  } finally {
    await proxy.stop()
  }
})
