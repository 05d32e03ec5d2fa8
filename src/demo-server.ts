// What only the demo has: identities that everybody may know, its pages, and the doors that its pages use.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { describeIssue, readCapped } from './api/index.ts'
import { deskDoor } from './demo-desk.ts'
import { phoneDoor } from './demo-phone.ts'
import { isLoopback } from './protocol/index.ts'
import type {
  ConnectorOptions,
  ProjectOptions,
  Runtime,
  RuntimeOptions,
  SimulatedCarrier,
} from './runtime/index.ts'

export const demoConnector: ConnectorOptions = {
  id: 'CON-demo0001',
  token: 'demo-connector',
  host: 'localhost',
  accountId: 'ws-demo0001',
  projectId: 'PROJECT-demo0001',
  environment: 'sandbox',
  outboundCalling: true,
}

export const demoProject: ProjectOptions = {
  id: 'PROJECT-demo0001',
  slug: 'front-desk',
  accountId: 'ws-demo0001',
  accountSlug: 'demo',
  senders: [
    { environment: 'sandbox', kind: 'sms', address: '+15005550006' },
    { environment: 'sandbox', kind: 'rcs', address: 'MG-demo0001' },
  ],
}

export const demoApiKeys: NonNullable<RuntimeOptions['keys']> = [
  { id: 'KEY-demo0001', name: 'demo', accountId: 'ws-demo0001', secret: 'demo-api-key' },
  {
    id: 'KEY-demo0002',
    name: 'demo calls',
    kind: 'calling',
    accountId: 'ws-demo0001',
    connectorId: 'CON-demo0001',
    secret: 'demo-calling',
  },
]

export const demoKeys = {
  account: 'ws-demo0001 (demo)',
  project: 'PROJECT-demo0001 (front-desk)',
  'API key': 'demo-api-key',
  'connector token': demoConnector.token,
  'connector ID': demoConnector.id,
  'registered host': demoConnector.host,
  'calling token': 'demo-calling',
  'sender number': '+15005550006',
  'RCS sender': 'MG-demo0001',
}

const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/embed.html': 'embed.html',
  '/inline.html': 'inline.html',
  '/desk.html': 'desk.html',
  '/phone.html': 'phone.html',
}
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  png: 'image/png',
  svg: 'image/svg+xml',
}

const LARGEST_BODY = 65_536
const BEAT_MS = 15_000

/** What a door is asked, once it is known that one of the demo's own pages asks. */
export type DoorCall = {
  method: 'GET' | 'POST'
  /** The parts of the path behind the door's name. */
  path: readonly string[]
  query: URLSearchParams
  /** The JSON body, where it fits; else the request is refused. */
  body<S extends v.GenericSchema>(schema: S): Promise<v.InferOutput<S>>
  /** Server-Sent Events, for as long as both sides want. `begin` returns the undo. */
  events(begin: (send: (event: string, data?: object) => void) => () => void): Response
}

/** Answers what the demo's pages ask for; undefined where it knows no such thing. */
export type DemoDoor = (call: DoorCall) => Promise<Response | undefined>

/** A request that is answered with one sentence. */
class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

export function servePages(folder: string, runtime: Runtime, carrier: SimulatedCarrier) {
  const doors: Readonly<Record<string, DemoDoor>> = {
    desk: deskDoor(runtime.desk),
    phone: phoneDoor(carrier, '+15005550006'),
  }
  const streams = new Set<() => void>()

  function events(begin: Parameters<DoorCall['events']>[0]): Response {
    const encoder = new TextEncoder()
    let end = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const beat = setInterval(() => write(': still here\n\n'), BEAT_MS)
        const undo = begin((event, data = {}) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        end = () => {
          clearInterval(beat)
          undo()
          streams.delete(close)
        }
        const close = () => {
          end()
          controller.close()
        }
        streams.add(close)
        write('retry: 1000\n\n')
      },
      cancel: () => end(),
    })
    return new Response(body, {
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
    })
  }

  async function open(
    door: DemoDoor,
    path: readonly string[],
    request: Request,
    url: URL,
  ): Promise<Response> {
    const { method, headers } = request
    const site = headers.get('sec-fetch-site') ?? 'none'
    if (site !== 'none' && site !== 'same-origin')
      throw new Refused(403, 'Only the pages of the demo may ask this')
    if (method !== 'GET' && method !== 'POST') throw new Refused(405, 'Only GET and POST are answered here')
    if (method === 'POST' && headers.get('origin') !== url.origin)
      throw new Refused(403, 'Only the pages of the demo may ask this')
    const body: DoorCall['body'] = async (schema) => {
      const parsed = v.safeParse(schema, await readJson(request))
      if (!parsed.success) throw new Refused(400, describeIssue(parsed.issues[0]))
      return parsed.output
    }
    const answer = await door({ method, path, query: url.searchParams, body, events })
    return answer ?? refusal(404, 'There is no such thing in the demo')
  }

  return {
    /** Answers what belongs to the demo; undefined for everything else. */
    async fetch(request: Request): Promise<Response | undefined> {
      const url = new URL(request.url)
      if (!isLoopback(url.hostname)) return undefined
      const [, session] = /^\/demo\/sessions\/([\w-]+)\/expire$/.exec(url.pathname) ?? []
      if (session && request.method === 'POST') {
        if (request.headers.get('origin') !== url.origin) return new Response(null, { status: 403 })
        return new Response(null, { status: (await runtime.expire(session)) ? 204 : 404 })
      }
      const [, first = '', path = ''] = /^\/demo\/(desk|phone)(?:\/(.*))?$/.exec(url.pathname) ?? []
      const door = doors[first]
      if (door)
        return open(door, path === '' ? [] : path.split('/').map(decode), request, url).catch((error) => {
          if (error instanceof Refused) return refusal(error.status, error.message)
          throw error
        })
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
      const page = PAGES[url.pathname]
      if (page) return html(await readFile(join(folder, page), 'utf8'), url)
      const [, name, ending] = /^\/demo-assets\/([\w.-]+\.(\w+))$/.exec(url.pathname) ?? []
      const type = TYPES[ending ?? '']
      if (!name || !type) return undefined
      return new Response(new Uint8Array(await readFile(join(folder, 'demo-assets', name))), {
        headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
      })
    },
    /** Ends what the pages still listen to. */
    close(): void {
      for (const close of streams) close()
    },
  }
}

const refusal = (status: number, detail: string): Response => Response.json({ detail }, { status })

/** A part of a path; one that is not well formed is nobody's name. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Refused(400, 'Content-Type must be application/json')
  const text = await readCapped(request, LARGEST_BODY)
  if (text === undefined) throw new Refused(413, `The body is larger than ${LARGEST_BODY} bytes`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(400, 'The body must be JSON')
  }
}

/** A page loads the widget from the other loopback name: to a browser that is another site, as in real life. */
function html(text: string, url: URL): Response {
  const other = new URL(url.origin)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${other.origin}`,
    "style-src 'self'",
    `connect-src 'self' ${other.origin} ${url.origin.replace('http', 'ws')}`,
    `frame-src 'self' ${other.origin}`,
    "img-src 'self' https: data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return new Response(text.replaceAll('{{foyer}}', other.origin), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    },
  })
}
