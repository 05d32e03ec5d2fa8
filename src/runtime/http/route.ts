// What every door has: a correlation id, a body that is read with care, an error in the words of its family.

import type { Context } from 'hono'
import { type Route, readCapped } from '../../api/index.ts'
import type { ApiKey, Permission, Project, Registry } from '../store-index.ts'

const LARGEST_BODY = 65_536

export type Env = { Bindings: { address: string }; Variables: { correlation: string } }
export type Door = Context<Env>

/** What is wrong with a request, before it has the form of its family. */
export type Problem = {
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 501
  code: string
  text: string
  wait?: number
}

/** How a family of doors says what is wrong. */
export type Refusal = (problem: Problem, correlation: string) => object

/** Thrown inside a door, answered in the words of its family. */
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

/** The body as an object; `{}` where there is none. */
export async function readBody(c: Door): Promise<object> {
  const text = await readCapped(c.req.raw, LARGEST_BODY)
  if (text === undefined) refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${LARGEST_BODY} bytes`)
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Answered like anything else that is not an object.
  }
  refuse(400, 'BODY_PARSE_ERROR', 'Error parsing request: the body must be a JSON object')
}

/** One more within a window; refused where that is one too many. */
export async function withinRate(
  registry: Registry,
  key: string,
  most: number,
  seconds: number,
  now: number,
): Promise<void> {
  const { count, wait } = await registry.count(key, seconds, new Date(now))
  if (count > most)
    refuse(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests; wait as long as Retry-After says', wait)
}

/** The runtime key of a request. A build key, a calling token and a revoked key are none. */
export async function keyOf(registry: Registry, secret: string | undefined): Promise<ApiKey> {
  if (!secret) refuse(401, 'AUTH_USER_INVALID_TOKEN', 'The API key is missing')
  const key = await registry.findKey(secret)
  if (key?.kind === 'build')
    refuse(401, 'AUTH_USER_INVALID_TOKEN', 'This is a build key; the runtime API takes runtime keys')
  if (key?.kind !== 'runtime') refuse(401, 'AUTH_USER_INVALID_TOKEN', 'The API key is unknown or revoked')
  return key
}

/** The project that a path names, where the key is for it: 401, then 403, then 404. */
export async function projectFor(
  c: Door,
  { registry, region }: { registry: Registry; region: string },
  permissions: readonly Permission[],
): Promise<Project> {
  const key = await keyOf(registry, c.req.header('x-api-key'))
  if (key.region !== region)
    refuse(403, 'USER_ACCESS_FORBIDDEN', `The API key is for the region ${key.region}, and this is ${region}`)
  const [account, name] = [partOf(c, 'account_id'), partOf(c, 'project_id')]
  if ((await registry.findAccount(account)) !== key.account_id)
    refuse(403, 'USER_ACCESS_FORBIDDEN', 'The API key is for another account')
  const project = await registry.findProject(account, name)
  if (key.project_id !== null && project?.id !== key.project_id)
    refuse(403, 'USER_ACCESS_FORBIDDEN', 'The API key is for another project')
  const lacking = permissions.find((permission) => !key.permissions.includes(permission))
  if (lacking) refuse(403, 'USER_ACCESS_FORBIDDEN', `The API key lacks the permission ${lacking}`)
  if (!project) refuse(404, 'PROJECT_NOT_FOUND', `There is no project ${name} in this account`)
  return project
}

/** A part of the path; empty where no database of text could hold it, so that nothing is found by it. */
function partOf(c: Door, name: string): string {
  const part = c.req.param(name) ?? ''
  return part.includes('\0') ? '' : part
}

/** The header's name as the service has it. */
export const headerName = (name: string, prefix: string): string => name.replace('{prefix}', prefix)

/** A path as the router has it. */
export const routed = (route: Pick<Route, 'path'>): string => route.path.replace(/\{(\w+)\}/g, ':$1')
