// Answers requests that Node cannot read, which reach no router: an address that is not percent-encoded, too large headers, a request
// that does not end. Nothing of such a request is repeated.
//
//   bytes ─▶ parser ─┬─▶ request ─▶ router
//                    └─▶ clientError ─▶ an answer here, and the connection closes

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { correlationHeaderOf, type RefusedRequest, refusal } from '../../api/index.ts'

/** What Node's parser says of what it could not read. `rawPacket` holds the packet, and `bytesParsed` where in it the parser stopped. */
type ParseError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

/** How long a client may take to read the answer and to close, until its socket is destroyed. */
const CLOSE_MS = 1_000
/** Bytes of a packet in which the request is looked for: Node reads at most so many at once. */
const LARGEST_PACKET = 65_536
/** Ends the head of a request. */
const END = '\r\n\r\n'

const CAUSES: Readonly<Record<string, { status: number; code: string; text: string }>> = {
  HPE_INVALID_URL: { status: 400, code: 'BAD_REQUEST', text: 'The address must be percent-encoded' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    text: 'The address and the headers of the request are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    text: 'The extensions of the chunks are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    text: 'The request did not arrive in time',
  },
}
const NOT_HTTP = { status: 400, code: 'BAD_REQUEST', text: 'The request is not valid HTTP' }

/** For the `clientError` event of a Node server. */
export function answerClientError(error: ParseError, socket: Duplex, headerPrefix: string): void {
  // The parser goes on complaining while the rest of the request arrives.
  if (socket.writableEnded) return
  const inFlight = responseOn(socket)
  // An answer of ours would be read as part of the one that is being written, or as that of an earlier request.
  if (!socket.writable || inFlight?.headersSent || inFlight?.req.complete) return void socket.destroy()
  const { status, code, text } = CAUSES[error.code ?? ''] ?? NOT_HTTP
  const request = inFlight ? refusedRequest(inFlight.req, headerPrefix) : requestIn(error, headerPrefix)
  endWithProblem(socket, { status, code, text }, request)
}

/** The answer that Node is giving on a socket: where it looks too, if nobody listens for the event. */
const responseOn = (socket: Duplex): ServerResponse | undefined =>
  (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/** What a refusal needs to know of a request whose head could be read. */
export function refusedRequest({ url = '', headers }: IncomingMessage, headerPrefix: string): RefusedRequest {
  const [path = ''] = url.split('?')
  const correlation = headers[correlationHeaderOf(headerPrefix).toLowerCase()]?.toString()
  return { path, correlation, headerPrefix }
}

/** Answers on a socket that has no response, and closes it: one that Node gave up, or that was to become a WebSocket. */
export function endWithProblem(
  socket: Duplex,
  { status, code, text }: { status: number; code: string; text: string },
  request: RefusedRequest,
): void {
  const { headers, body } = refusal({ code, text }, request)
  const head = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  const gone = () => socket.destroy()
  // Node takes its own listener away before it hands over a socket: without one, a client that resets the connection ends the process.
  socket.on('error', gone)
  // Bytes that nobody reads would make the system reset the connection, and the client lose the answer.
  socket.resume()
  const timer = setTimeout(gone, CLOSE_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}

/** A request whose head cannot be read: path and correlation id, where the packet shows them. */
function requestIn({ rawPacket, bytesParsed = 0 }: ParseError, headerPrefix: string): RefusedRequest {
  // Earlier requests of the same packet end with an empty line before the place where the parser stopped.
  const earlier = bytesParsed < END.length ? -1 : rawPacket?.lastIndexOf(END, bytesParsed - END.length)
  const start = earlier === undefined || earlier === -1 ? 0 : earlier + END.length
  const text = rawPacket?.toString('latin1', start, start + LARGEST_PACKET) ?? ''
  const [head = ''] = text.split(END, 1)
  const [line = '', ...fields] = head.split('\r\n')
  const [, path] = /^[A-Z]{1,20} (\/[^\s?#]*)/.exec(line) ?? []
  if (path === undefined) return { path: '', correlation: undefined, headerPrefix }
  const name = `${correlationHeaderOf(headerPrefix)}:`.toLowerCase()
  const field = fields.find((each) => each.toLowerCase().startsWith(name))
  return { path, correlation: field?.slice(name.length).trim(), headerPrefix }
}
