// Answers the requests and upgrades of the server's ports.
//
//   /live, /ready               ─▶ probes
//   /foyer.js, /foyer/…         ─▶ bff ──┐ access tokens
//   the demo's pages, endpoints ─▶ demo ─┤ its desk, its phones
//   everything else, sockets   ─────────┴─▶ runtime

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { type Problem, refusal } from '../../api/index.ts'
import { type Bff, createVisitorAddress } from '../../bff/index.ts'
import { endWithProblem, refusedRequest } from '../../runtime/index.ts'
import type { Probes, ServerLog } from '../monitoring/index.ts'
import type { OwnService } from './own-service.ts'

export type RequestsOptions = {
  probes: Probes
  bff: Bff
  /** Undefined: the service is elsewhere. */
  service: OwnService | undefined
  /** Whether this server answers requests to a host name. */
  answers: (hostname: string) => boolean
  trustedProxies: readonly string[]
  headerPrefix: string
  log: ServerLog
}

export function createRequests(options: RequestsOptions) {
  const { probes, bff, service, answers, trustedProxies, headerPrefix, log } = options
  const visitorAddress = createVisitorAddress({ trusted: trustedProxies, log })

  /** Answers a request that reaches neither BFF nor service. */
  const refuse = (status: number, problem: Problem, incoming: IncomingMessage): Response => {
    const { headers, body } = refusal(problem, refusedRequest(incoming, headerPrefix))
    return new Response(body, { status, headers })
  }
  const answerRequest = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const { pathname, hostname } = new URL(request.url)
    const probed = await probes.answer(pathname)
    if (probed) return probed
    if (!answers(hostname)) return refuse(403, NOT_THIS_NAME, incoming)
    const address = visitorAddress(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for'])
    if (pathname === '/foyer.js' || pathname.startsWith('/foyer/')) return bff.fetch(request, { address })
    return service ? service.fetch(request, { address }) : refuse(404, ELSEWHERE, incoming)
  }
  return {
    answer(incoming: IncomingMessage, response: ServerResponse): void {
      const errorHandler = (error: unknown) => {
        if (error instanceof RequestError) return refuse(400, UNREADABLE, incoming)
        log(`a request failed: ${error instanceof Error ? error.message : 'unknown error'}`)
        return refuse(500, FAILED, incoming)
      }
      const listener = getRequestListener((request) => answerRequest(request, incoming), { errorHandler })
      void listener(incoming, response)
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const refuseSocket = (status: number, problem: Problem) =>
        endWithProblem(socket, { status, ...problem }, refusedRequest(request, headerPrefix))
      if (!answers(hostnameOf(request))) return refuseSocket(403, NOT_THIS_NAME)
      return service ? service.upgrade(request, socket, head) : refuseSocket(404, ELSEWHERE)
    },
  }
}

const NOT_THIS_NAME = {
  code: 'USER_ACCESS_FORBIDDEN',
  text: 'This server does not answer requests to this host name.',
}
const ELSEWHERE = {
  code: 'NOT_FOUND',
  text: 'This server has no API of its own: its chats go to the service of FOYER_CHAT_URL.',
}
const UNREADABLE = { code: 'BAD_REQUEST', text: 'The address or the Host header of the request is not valid' }
const FAILED = { code: 'INTERNAL_ERROR', text: 'Unexpected server error' }

/** The host name of a request; empty if the Host header is missing or not a host. */
function hostnameOf({ headers: { host = '' } }: IncomingMessage): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}
