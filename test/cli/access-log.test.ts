import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { logAccess } from '../../src/cli/monitoring/index.ts'

function logged(method: string, url: string, headers: Record<string, string> = {}): string[] {
  const lines: string[] = []
  const response = Object.assign(new EventEmitter(), {
    statusCode: 200,
    getHeader: (name: string) => headers[name],
  })
  logAccess({ method, url } as IncomingMessage, response as unknown as ServerResponse, {
    log: (line, _, fields) => lines.push(line, JSON.stringify(fields)),
    correlationHeader: 'X-Svc-Correlation-Id',
  })
  response.emit('finish')
  return lines
}

it.each([
  ['/v3/larkspur/shop/conversations?query=secret', '/v3/larkspur/shop/conversations'],
  ['/api/v1/sessions', '/api/v1/sessions'],
  ['/api/v1/sessions/secret', '/api/v1/sessions/{session_id}'],
  ['/api/v1/sessions/secret/', '/api/v1/sessions/{session_id}'],
  ['/api/v1/sessions/other/secret?access_token=secret', '/api/v1/sessions/{session_id}'],
])('a request of %s is logged as %s: without its query, and without the id of a session', (url, path) => {
  const [line, fields] = logged('GET', url)
  expect(line).toMatch(/^GET \S+ 200 \d+ ms$/)
  expect(line?.split(' ')[1]).toBe(path)
  expect(JSON.parse(fields ?? '')).toMatchObject({ method: 'GET', path, status: 200 })
  expect(`${line}${fields}`).not.toContain('secret')
})

it('a request whose answer has a correlation id is logged with it', () => {
  const [line, fields] = logged('GET', '/api/v1/sessions', { 'X-Svc-Correlation-Id': 'abc-1' })
  expect(line).toMatch(/^GET \/api\/v1\/sessions 200 \d+ ms abc-1$/)
  expect(JSON.parse(fields ?? '')).toMatchObject({ correlation_id: 'abc-1' })
})
