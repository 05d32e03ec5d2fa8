// Reads request bodies within a limit, and answers errors in the format of the endpoint's family.

import type { Context, Hono } from 'hono'
import { type Route, readCapped } from '../../api/index.ts'

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
  /** The format of its errors. */
  refusal: Refusal
  /** The text of a 500. */
  failure: string
}

/** Why a request is refused, independent of the family's error format. */
export type Problem = {
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 501
  code: string
  text: string
  wait?: number
}

/** Formats a problem as one family of endpoints answers it. */
export type Refusal = (problem: Problem, correlation: string) => object

/** Thrown by a handler; answered in the error format of the endpoint's family. */
export class Refused extends Error {
  override name = 'Refused'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.text)
    this.problem = problem
  }
}

export function refuse(status: Problem['status'], code: string, text: string, wait?: number): never {
  throw new Refused({ status, code, text, ...(wait !== undefined && { wait }) })
}

export function answerProblem(
  problem: Problem,
  refusal: Refusal,
  correlation: string,
  allow?: string,
): Response {
  const headers = new Headers()
  if (problem.wait !== undefined) headers.set('Retry-After', String(problem.wait))
  if (allow) headers.set('Allow', allow)
  return Response.json(refusal(problem, correlation), { status: problem.status, headers })
}

/** The body as an object; `{}` if there is none. */
export async function readBody(c: RequestContext): Promise<object> {
  const text = await readCapped(c.req.raw, LARGEST_BODY)
  if (text === undefined) refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${LARGEST_BODY} bytes`)
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Malformed JSON is refused below, like JSON that is not an object.
  }
  refuse(400, 'BODY_PARSE_ERROR', 'Error parsing request: the body must be a JSON object')
}

/** A parameter of the path. Empty if it holds a NUL, which PostgreSQL refuses: an empty one matches nothing. */
export function pathPart(c: RequestContext, name: string): string {
  const pathParameter = c.req.param(name) ?? ''
  return pathParameter.includes('\0') ? '' : pathParameter
}

/** The header's name with the configured prefix. */
export const headerName = (name: string, prefix: string): string => name.replace('{prefix}', prefix)

/** A path in Hono's syntax. */
export const routed = (route: Pick<Route, 'path'>): string => route.path.replace(/\{(\w+)\}/g, ':$1')
