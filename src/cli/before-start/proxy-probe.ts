// Probes the way of a request from FOYER_PUBLIC_ORIGIN to this machine, by listening at the server's own port meanwhile.
//
//   check ──▶ DNS, TLS, proxy ──▶ port ──▶ check: which headers have arrived?

import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVisitorAddress } from '../../bff/index.ts'
import { listen, open } from '../listener.ts'
import { StartError } from '../start-error.ts'
import { causeOf, type Finding, notChecked, ok, problem } from './finding.ts'

const PATIENCE_MS = 5_000
/** A load balancer may choose another server first. */
const TRIES = 15
/** A proxy that found no server tries again after a while: nginx after ten seconds, others as often as they ask for health. */
const PAUSE_MS = 1_000
/** An address for documentation, which no visitor has. */
const FORGED = '192.0.2.1'
/** Of RFC 6455, for the answer to a request for a socket. */
const WEBSOCKET_ID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export type ProxyOptions = {
  origin: string | undefined
  port: number
  host: string | undefined
  trusted: readonly string[]
  demo: boolean
}

type Arrived = { peer: string | undefined; forwarded: string | undefined }

export async function checkProxy({ origin, port, host, trusted, demo }: ProxyOptions): Promise<Finding> {
  if (origin === undefined)
    return demo
      ? notChecked('FOYER_PUBLIC_ORIGIN is not set.')
      : problem(
          'FOYER_PUBLIC_ORIGIN is not set, so the Host header of a request decides which origin gets tokens. Set it to the origin under which browsers reach this server.',
        )
  let servers: readonly Server[]
  try {
    servers = await listen(port, host)
  } catch (error) {
    if (!(error instanceof StartError) || !/ is taken/.test(error.message))
      return problem(error instanceof StartError ? error.message : causeOf(error))
    return askRunning(origin, port)
  }
  try {
    return await probe(origin, port, servers, trusted)
  } finally {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The server runs already, and does not tell what it gets. */
async function askRunning(origin: string, port: number): Promise<Finding> {
  try {
    for (const path of ['/live', '/foyer/health']) {
      const { status } = await ask(`${origin}${path}`)
      if (status !== 200)
        return problem(`${origin}${path} answers with ${status}. Let the proxy lead to port ${port}.`)
    }
  } catch (error) {
    return unreachable(origin, error)
  }
  return notChecked(
    `${origin} answers. Port ${port} is in use, so its headers are not checked: stop the server, and check again.`,
  )
}

async function probe(
  origin: string,
  port: number,
  servers: readonly Server[],
  trusted: readonly string[],
): Promise<Finding> {
  const word = randomBytes(12).toString('hex')
  let arrived: Arrived | undefined
  // Nobody serves visitors, so it does no harm to tell the proxy that this server is ready.
  let alone = false
  for (const server of servers) {
    server.on('request', (request, response) => {
      if (request.url?.endsWith(word)) {
        arrived = { peer: request.socket.remoteAddress, forwarded: forwardedIn(request) }
        response.writeHead(200, { 'Cache-Control': 'no-store' }).end(word)
      } else if (alone && /^\/(live|ready|foyer\/health)$/.test(request.url ?? '')) response.end()
      // A visitor, for whom a proxy then tries another server.
      else request.socket.destroy()
    })
    server.on('upgrade', ({ headers }, socket) => {
      const accepted = createHash('sha1')
        .update(`${headers['sec-websocket-key']}${WEBSOCKET_ID}`)
        .digest('base64')
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accepted}\r\n\r\n`,
      )
    })
  }
  open(servers)
  const address = `${origin}/live?check=${word}`
  try {
    let answer = await ask(address)
    for (let tries = 1; !arrived && tries < TRIES && isPassing(answer.status); tries++) {
      alone = answer.status >= 500
      if (alone) await sleep(PAUSE_MS)
      answer = await ask(address)
    }
    if (!arrived)
      return answer.status === 200
        ? notChecked(`${origin} answers, but from another server: the proxy does not lead to this one yet.`)
        : problem(
            `${origin} answers with ${answer.status}, and not from here. Let the proxy lead to port ${port} of this machine.`,
          )
  } catch (error) {
    return unreachable(origin, error)
  }
  if (!(await passesSockets(origin)))
    return problem(
      `${origin} does not pass WebSockets on. Let the proxy pass the headers Upgrade and Connection on, with HTTP/1.1.`,
    )
  return judge(arrived, trusted, { origin, direct: new URL(origin).port === String(port) })
}

/** Another server has answered, or the proxy knows of none yet. */
const isPassing = (status: number): boolean => status === 200 || status >= 500

/** `direct`: the origin names the server's own port, so there is no proxy. */
function judge(
  { peer = '', forwarded }: Arrived,
  trusted: readonly string[],
  { origin, direct }: { origin: string; direct: boolean },
): Finding {
  const isTrusted = createVisitorAddress({ trusted })(peer, FORGED) === FORGED
  const passedOn = forwarded === FORGED
  if (direct && passedOn)
    return isTrusted
      ? problem(
          `Requests reach port ${new URL(origin).port} without a proxy, and FOYER_TRUSTED_PROXIES trusts their sender: visitors could choose their address. Unset it, or put the proxy in front.`,
        )
      : ok(`${origin} reaches this server without a proxy.`)
  if (forwarded === undefined || passedOn)
    return problem(
      `The proxy at ${peer} adds no address to X-Forwarded-For, so visitors cannot be told apart, or choose their address. In nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`,
    )
  if (!isTrusted)
    return problem(
      `FOYER_TRUSTED_PROXIES does not name the proxy at ${peer}, so limits count all visitors as one. Set FOYER_TRUSTED_PROXIES=${peer.replace(/^::ffff:/, '')}`,
    )
  return ok(`${origin} reaches this server with WebSockets, and the proxy tells the addresses of visitors.`)
}

const forwardedIn = ({ headers }: IncomingMessage): string | undefined => {
  const value = headers['x-forwarded-for']
  return typeof value === 'string' ? value : value?.join(', ')
}

const unreachable = (origin: string, error: unknown): Finding =>
  problem(
    `${origin} cannot be reached from this machine (${causeOf(error)}). Check the name, the certificate and the proxy.`,
  )

async function ask(address: string): Promise<{ status: number }> {
  const response = await fetch(address, {
    headers: { 'X-Forwarded-For': FORGED },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await response.body?.cancel()
  return { status: response.status }
}

/** Whether one of some requests for a socket is granted. Other servers of Foyer refuse it, since it names no session. */
async function passesSockets(origin: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await askUpgrade(`${origin}/ws`)
    if (answer !== 'refused') return answer === 'granted'
  }
  return false
}

function askUpgrade(address: string): Promise<'granted' | 'refused' | 'failed'> {
  const request = address.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const asked = request(address, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
      agent: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve('granted')
    })
    asked.on('response', (response) => {
      response.destroy()
      resolve('refused')
    })
    asked.on('error', () => resolve('failed'))
    asked.end()
  })
}
