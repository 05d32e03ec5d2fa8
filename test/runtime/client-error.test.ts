// What is answered where Node could not read a request: in its own name, once, and never in the place of another answer.

import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { answerClientError } from '../../src/runtime/http/index.ts'

const REQUEST = (path: string, correlation: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Svc-Correlation-Id: ${correlation}\r\n\r\n`

/** A socket, perhaps with an answer in flight, and what was written to it. */
function socketWith(inFlight?: { headersSent: boolean; req: Partial<IncomingMessage> }) {
  let written = ''
  /** What is written leaves a moment later. */
  const stream = new Duplex({
    read() {},
    write(chunk, _, done) {
      setImmediate(() => {
        if (!stream.destroyed) written += chunk
        done()
      })
    },
  })
  const socket = Object.assign(stream, { _httpMessage: inFlight })
  return {
    socket,
    /** Says that the parser stopped at a place of a packet; how often it does. */
    async complain(code: string, packet = '', stoppedAt = 0, times = 1) {
      const rawPacket = Buffer.from(packet)
      const error = Object.assign(new Error(code), { code, rawPacket, bytesParsed: stoppedAt })
      for (let n = 0; n < times; n++) answerClientError(error, socket, 'Svc')
      for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
      return written
    },
  }
}
const statusOf = (answer: string) => Number(answer.split(' ')[1])
const correlationOf = (answer: string) => /^X-Svc-Correlation-Id: (.*)\r$/m.exec(answer)?.[1]
const bodyOf = (answer: string) => JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as object

describe('a request that cannot be read', () => {
  it.each([
    ['HPE_INVALID_URL', 400, 'BAD_REQUEST', 'The address must be percent-encoded'],
    [
      'HPE_HEADER_OVERFLOW',
      431,
      'HEADERS_TOO_LARGE',
      'The address and the headers of the request are too large',
    ],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'BODY_TOO_LARGE', 'The extensions of the chunks are too large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'REQUEST_TIMEOUT', 'The request did not arrive in time'],
    ['HPE_INVALID_METHOD', 400, 'BAD_REQUEST', 'The request is not valid HTTP'],
  ])('is answered by its cause: %s', async (code, status, name, text) => {
    const answer = await socketWith().complain(code, REQUEST('/v1/outbound-calling', 'mine'))
    expect([statusOf(answer), bodyOf(answer)]).toEqual([status, { error: text, code: name }])
    expect(answer).toMatch(/^Connection: close\r$/m)
  })

  it('has its own address and correlation id, not those of the requests before and after it in the packet', async () => {
    const [first, second] = [REQUEST('/v1/outbound-calling', 'first'), REQUEST('/v1/outbound-sms', 'second')]
    const third = REQUEST('/v1/outbound-calling', 'third')
    const packet = first + first + second + third
    const { length } = first
    for (const [stoppedAt, correlation, body] of [
      [2, 'first', { error: expect.any(String), code: 'BAD_REQUEST' }],
      [2 * length, 'second', { detail: expect.any(String) }],
      [2 * length + 9, 'second', { detail: expect.any(String) }],
      [2 * length + second.length + 9, 'third', { error: expect.any(String), code: 'BAD_REQUEST' }],
    ] as const) {
      const answer = await socketWith().complain('HPE_INVALID_URL', packet, stoppedAt)
      expect([correlationOf(answer), bodyOf(answer)]).toEqual([correlation, body])
    }
  })

  it('whose head was read has the address and the correlation id of its head', async () => {
    const headers = { 'x-svc-correlation-id': 'mine' }
    const req = { url: '/v1/outbound-sms?a', headers, complete: false }
    const { complain } = socketWith({ headersSent: false, req })
    const answer = await complain('HPE_CHUNK_EXTENSIONS_OVERFLOW', REQUEST('/v1/outbound-calling', 'other'))
    expect([correlationOf(answer), bodyOf(answer)]).toEqual(['mine', { detail: expect.any(String) }])
  })

  it('is answered once, however often the parser complains', async () => {
    const answer = await socketWith().complain('HPE_INVALID_URL', REQUEST('/v1/outbound-sms', 'mine'), 4, 3)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it.each([
    ['is being answered', { headersSent: true, req: { complete: false } }],
    ['waits for the answer to an earlier request', { headersSent: false, req: { complete: true } }],
  ])('gets no answer on a socket that %s, which closes', async (_, inFlight) => {
    const { socket, complain } = socketWith(inFlight)
    expect(await complain('HPE_INVALID_METHOD', 'nonsense')).toBe('')
    expect(socket.destroyed).toBe(true)
  })
})
