import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { logAccess } from '../../src/cli/monitoring/index.ts'

function logged(method: string, url: string): string[] {
  const lines: string[] = []
  const response = Object.assign(new EventEmitter(), { statusCode: 200 })
  logAccess({ method, url } as IncomingMessage, response as unknown as ServerResponse, (line, _, fields) =>
    lines.push(line, JSON.stringify(fields)),
  )
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
