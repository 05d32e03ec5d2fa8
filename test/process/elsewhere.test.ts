// A server whose chats go to another service: it is the BFF alone.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../browser/world.ts'
import { useFolder, visitor } from './starts.ts'

const folder = useFolder()

it.each(['text', 'json'])(
  'with FOYER_CHAT_URL there is no service of its own: no data, no API, no agent (log: %s)',
  async (format) => {
    const service = await folder.start(await freePort(), { FOYER_DATA: 'memory' })
    const before = readdirSync(folder.path())
    const server = await folder.start(await freePort(), {
      FOYER_DEMO: '0',
      FOYER_LOG: format,
      FOYER_CHAT_URL: service.origin.replace('localhost', '{region}'),
      FOYER_REGION: 'localhost',
      FOYER_CONNECTOR_TOKEN: 'demo-connector',
      FOYER_CONNECTOR_HOST: 'localhost',
      FOYER_UNFRAMED_ORIGINS: service.origin,
    })
    const person = visitor(service.origin)
    expect(await person.token(false, server.origin)).toMatchObject({
      resumed: false,
      chat_url: service.origin,
    })
    expect(await person.session()).toEqual(expect.any(String))
    expect(await person.token(true, server.origin)).toMatchObject({ resumed: true })

    for (const path of ['/live', '/ready', '/foyer/health', '/foyer.js'])
      expect([path, (await fetch(`${server.origin}${path}`)).status]).toEqual([path, 200])
    const words = /FOYER_CHAT_URL/
    for (const path of [
      '/',
      '/openapi.json',
      '/api/v1/sessions',
      '/v1/outbound-sms',
      '/v1/outbound-calling',
      '/v3/a/b/conversations',
      '/v1/a/b/handoff_state',
    ]) {
      const response = await fetch(`${server.origin}${path}`, {
        method: path.startsWith('/api') ? 'POST' : 'GET',
        headers: { 'X-Svc-Correlation-Id': 'mine-1' },
      })
      expect([path, response.status, response.headers.get('x-svc-correlation-id')]).toEqual([
        path,
        404,
        'mine-1',
      ])
      expect(Object.values((await response.json()) as object).join()).toMatch(words)
    }
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws?session_id=a&access_token=b`)
    const refused = await new Promise<number | undefined>((resolve) => {
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode)).on('error', () => {})
    })
    expect(refused).toBe(404)

    const output = server.output.join('')
    expect(output).not.toMatch(/answers from/i)
    expect(output).toContain(service.origin)
    expect(output).toMatch(/FOYER_COOKIE_SECRET is not set/)
    expect(readdirSync(folder.path())).toEqual(before)
    expect(existsSync(join(folder.path(), '.foyer'))).toBe(false)
    expect(await server.stop()).toBe(0)
  },
)
