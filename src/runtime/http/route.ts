// Reads request bodies within a limit, and answers errors in the format of the endpoint's family.

import type { Context, Hono } from 'hono'
import { parseObject, type Route, readCapped } from '../../api/index.ts'

const LARGEST_BODY = 65_536

export type Env = { Bindings: { address: string }; Variables: { correlation: string } }
export type RequestContext = Context<Env>

/** The endpoints of one noun. */
export interface NounRoutes {
  readonly endpoints: readonly Endpoint[]
  /** Adds their handlers to the router. */
  install(app: Hono<Env>): void
}

export type Endpoint = {
  route: Route
  /** The text of a 500. */
  failure: string
  /** Default: true. */
  inOpenApi?: boolean
}

/** Why a request is refused, independent of the family's error format. */
export type ProblemDetails = {
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 501 | 503
  code: string
  text: string
  wait?: number
}

/** Thrown by a handler; answered in the error format of the endpoint's family. `wait`: seconds, for Retry-After. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly problem: ProblemDetails
  constructor(status: ProblemDetails['status'], code: string, text: string, wait?: number) {
    super(text)
    this.problem = { status, code, text, ...(wait !== undefined && { wait }) }
  }
}

/** The body as an object; `{}` if there is none. */
export async function readBody(c: RequestContext): Promise<object> {
  const text = await readCapped(c.req.raw, LARGEST_BODY)
  if (text === undefined)
    throw new HttpError(413, 'BODY_TOO_LARGE', `The body is larger than ${LARGEST_BODY} bytes`)
  const body = parseObject(text)
  if (body) return body
  throw new HttpError(400, 'BODY_PARSE_ERROR', 'Error parsing request: the body must be a JSON object')
}

/** The API key of a request, and the account and the project in its path, by ID or slug. */
export type ProjectRequest = { secret: string | undefined; account: string; project: string }

export const projectRequest = (c: RequestContext): ProjectRequest => ({
  secret: c.req.header('x-api-key'),
  account: pathPart(c, 'account_id'),
  project: pathPart(c, 'project_id'),
})

/** A parameter of the path. Empty if it holds a NUL, which PostgreSQL refuses: an empty one matches nothing. */
function pathPart(c: RequestContext, name: string): string {
  const pathParameter = c.req.param(name) ?? ''
  return pathParameter.includes('\0') ? '' : pathParameter
}

/** A path in Hono's syntax. */
export const routed = (route: Pick<Route, 'path'>): string => route.path.replace(/\{(\w+)\}/g, ':$1')
