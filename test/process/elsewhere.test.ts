// A server whose chats go to another service is the BFF alone; and requests that reach neither the BFF nor a service.

import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../browser/world.ts'
import { some } from '../long.ts'
import { useFolder, visitor } from './starts.ts'

const folder = useFolder()

// test/cli/log.test.ts and monitoring.test.ts hold the lines as JSON.
it.each(some(['text', 'json'], 2))(
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

describe('a request that Node hands on although it is not valid', () => {
  const REQUESTS = {
    'no Host': 'GET /v1/outbound-sms HTTP/1.1\r\n',
    'a Host that is none': 'GET /v1/outbound-sms HTTP/1.1\r\nHost: a b\r\n',
    'a backslash in its path': 'GET /v1/outbound-sms/a\\b HTTP/1.1\r\nHost: localhost\r\n',
    'an expectation that nobody knows':
      'GET /v1/outbound-sms HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n',
    'a raw letter': 'GET /v1/outbound-sms?ä HTTP/1.1\r\nHost: localhost\r\n',
    'the name of another server': 'GET /v1/outbound-sms HTTP/1.1\r\nHost: other.example.com\r\n',
    'another server and a socket':
      'GET /v1/outbound-sms HTTP/1.1\r\nHost: other.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
  }

  it('has an error body of its address and a correlation id, whatever is wrong with it', async () => {
    const server = await folder.start(await freePort(), { FOYER_DATA: 'memory', FOYER_HEADER_PREFIX: 'Acme' })
    const port = Number(new URL(server.origin).port)
    for (const [name, request] of Object.entries(REQUESTS)) {
      const text = await new Promise<string>((resolve) => {
        let received = ''
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        socket.on('close', () => resolve(received))
        socket.on('data', (data) => {
          received += data
          if (received.endsWith('}')) socket.end()
        })
        socket.write(`${request}X-Acme-Correlation-Id: mine-1\r\n\r\n`)
      })
      const [head = '', body = ''] = text.split('\r\n\r\n')
      expect([name, head]).toEqual([name, expect.stringMatching(/^HTTP\/1\.1 4\d\d /)])
      expect([name, head]).toEqual([name, expect.stringMatching(/^x-acme-correlation-id: mine-1\r?$/im)])
      expect([name, JSON.parse(body || 'null')]).toEqual([name, { detail: expect.any(String) }])
    }
  })
})
