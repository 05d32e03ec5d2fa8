// What a door of the demo is, and who may open it: the demo's own pages, with JSON that fits.

import * as v from 'valibot'
import { describeIssue, isJson, readCapped } from '../../src/api/index.ts'
import type { Begin } from './streams.ts'

/** A check for text: nothing that a database of text cannot hold. */
export const isText = v.check((text: string) => !/[\0\p{Surrogate}]/u.test(text), 'must be text')

const LARGEST_BODY = 65_536

/** What a door is asked, once it is known that one of the demo's own pages asks. */
export type DoorCall = {
  method: 'GET' | 'POST'
  /** The parts of the path behind the door's name. */
  path: readonly string[]
  query: URLSearchParams
  /** The JSON body, where it fits; else the request is refused. */
  body<S extends v.GenericSchema>(schema: S): Promise<v.InferOutput<S>>
  /** Server-Sent Events, for as long as both sides want. `begin` returns the undo. */
  events(begin: Begin): Response
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

/**
 * `path` is what stands behind the door's name, without the slash between them; `origin` is that of the demo's pages.
 */
export async function openDoor(
  door: DemoDoor,
  path: string,
  request: Request,
  origin: string,
  events: DoorCall['events'],
): Promise<Response> {
  const { searchParams: query } = new URL(request.url)
  const parts = path === '' ? [] : path.split('/').map(decode)
  try {
    const method = admit(request, origin)
    const body: DoorCall['body'] = async (schema) => {
      const parsed = v.safeParse(schema, await readJson(request))
      if (!parsed.success) throw new Refused(400, describeIssue(parsed.issues[0]))
      return parsed.output
    }
    const answer = await door({ method, path: parts, query, body, events })
    return answer ?? refusal(404, 'There is no such thing in the demo')
  } catch (error) {
    if (error instanceof Refused) return refusal(error.status, error.message)
    throw error
  }
}

/** Pages of other sites are refused, whatever they ask. */
function admit({ method, headers }: Request, origin: string): DoorCall['method'] {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'none' && site !== 'same-origin')
    throw new Refused(403, 'Only the pages of the demo may ask this')
  if (method !== 'GET' && method !== 'POST') throw new Refused(405, 'Only GET and POST are answered here')
  if (method === 'POST' && headers.get('origin') !== origin)
    throw new Refused(403, 'Only the pages of the demo may ask this')
  return method
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
