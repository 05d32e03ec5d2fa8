// Logs each request of the public port.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { sessionRoute, sessionStatusRoute } from '../../api/index.ts'
import type { ServerLog } from './log.ts'

/**
 * Logs method and path of a request, without query and headers, which may hold secrets, and without the id of a session. The correlation id is
 * that of the answer.
 */
export function logAccess(
  request: IncomingMessage,
  response: ServerResponse,
  { log, correlationHeader }: { log: ServerLog; correlationHeader: string },
): void {
  const started = Date.now()
  const { method = '', url = '/' } = request
  const [given = '/'] = url.split('?')
  const path = given.startsWith(`${sessionRoute.path}/`) ? sessionStatusRoute.path : given
  response.on('finish', () => {
    const { statusCode: status } = response
    const ms = Date.now() - started
    const given = response.getHeader(correlationHeader)
    const id = typeof given === 'string' ? given : undefined
    const fields = { method, path, status, ms, ...(id && { correlation_id: id }) }
    log(`${method} ${path} ${status} ${ms} ms${id ? ` ${id}` : ''}`, 'info', fields)
  })
}
