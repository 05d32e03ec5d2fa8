// Defines the demo's endpoints. Only the demo's own pages may call them, with valid JSON.

import * as v from 'valibot'
import { describeIssue, isJson, readCapped } from '../../src/api/index.ts'
import type { Begin } from './streams.ts'

/** Checks that PostgreSQL can store a text. */
export const isText = v.check((text: string) => !/[\0\p{Surrogate}]/u.test(text), 'must be text')

const LARGEST_BODY = 65_536

/** A request of one of the demo's own pages. */
export type EndpointCall = {
  method: 'GET' | 'POST'
  /** The parts of the path after the endpoint's name. */
  path: readonly string[]
  query: URLSearchParams
  headers: Headers
  /** Reads the JSON body. An invalid one refuses the request. */
  body<S extends v.GenericSchema>(schema: S): Promise<v.InferOutput<S>>
  /** Answers with Server-Sent Events. `begin` returns the undo. */
  events(begin: Begin): Response
}

/** Undefined if the path is unknown. */
export type DemoEndpoint = (call: EndpointCall) => Promise<Response | undefined>

/** Refuses a request with one sentence. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/**
 * Checks a request, and passes it to its endpoint. `path`: the rest after the endpoint's name and a slash. `origin`: that of
 * the demo's pages.
 */
export async function answerEndpoint(
  endpoint: DemoEndpoint,
  path: string,
  request: Request,
  origin: string,
  events: EndpointCall['events'],
): Promise<Response> {
  const { searchParams: query } = new URL(request.url)
  const parts = path === '' ? [] : path.split('/').map(decode)
  try {
    const method = admit(request, origin)
    const body: EndpointCall['body'] = async (schema) => {
      const parsed = v.safeParse(schema, await readJson(request))
      if (!parsed.success) throw new Refused(400, describeIssue(parsed.issues[0]))
      return parsed.output
    }
    const answer = await endpoint({ method, path: parts, query, headers: request.headers, body, events })
    return answer ?? refusal(404, 'There is no such thing in the demo')
  } catch (error) {
    if (error instanceof Refused) return refusal(error.status, error.message)
    throw error
  }
}

/** Refuses requests of other sites. */
function admit({ method, headers }: Request, origin: string): EndpointCall['method'] {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'none' && site !== 'same-origin')
    throw new Refused(403, 'Only the pages of the demo may ask this')
  if (method !== 'GET' && method !== 'POST') throw new Refused(405, 'Only GET and POST are answered here')
  if (method === 'POST' && headers.get('origin') !== origin)
    throw new Refused(403, 'Only the pages of the demo may ask this')
  return method
}

const refusal = (status: number, detail: string): Response => Response.json({ detail }, { status })

/** Decodes a part of a path. A malformed part becomes empty. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

async function readJson(request: Request): Promise<unknown> {
  if (!isJson(request.headers.get('content-type')))
    throw new Refused(400, 'Content-Type must be application/json')
  const text = await readCapped(request, LARGEST_BODY)
  if (text === undefined) throw new Refused(413, `The body is larger than ${LARGEST_BODY} bytes`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(400, 'The body must be JSON')
  }
}
