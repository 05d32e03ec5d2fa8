// Routes HTTP requests to the nouns' handlers: adds correlation ids and headers, formats errors for each family, and
// serves the OpenAPI description.

import { Hono } from 'hono'
import {
  continueTrace,
  correlationHeaderOf,
  correlationOf,
  hasForm,
  type LogFailure,
  problemFormatAt,
  type TraceSpan,
  traced,
  withCorrelation,
} from '../../api/index.ts'
import { openApiDocument } from './openapi.ts'
import {
  type Env,
  HttpError,
  type NounRoutes,
  type ProblemDetails,
  type RequestContext,
  routed,
} from './route.ts'

export type RouterOptions = {
  nouns: readonly NounRoutes[]
  headerPrefix: string
  uuid: () => string
  logFailure: LogFailure
}

export interface Router {
  /** Answers one request. `address`: the address of the client, which the host of this handler knows. */
  fetch(request: Request, context: { address: string }): Promise<Response>
}

export function createRouter({ nouns, headerPrefix, uuid, logFailure }: RouterOptions): Router {
  const correlationHeader = correlationHeaderOf(headerPrefix)
  const endpoints = nouns.flatMap((noun) => noun.endpoints)
  /** The OpenAPI document, made for the first request. */
  let document: object | undefined
  const app = new Hono<Env>()

  app.use(async (c, next) => {
    c.set('correlation', correlationOf(c.req.header(correlationHeader)) ?? uuid())
    await withCorrelation(c.get('correlation'), () => continueTrace(c.req.raw.headers, () => inSpan(c, next)))
    c.header(correlationHeader, c.get('correlation'))
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  })

  /** Only known routes have a name: what callers write in an address reaches no trace. */
  function inSpan(c: RequestContext, next: () => Promise<void>): Promise<void> {
    const route =
      endpoints.find((endpoint) => hasForm(endpoint.route.path, c.req.path))?.route.path ?? 'other'
    const attributes = { 'http.request.method': c.req.method, 'http.route': route }
    const run = async (span: TraceSpan) => {
      await next()
      span.setAttributes({ 'http.response.status_code': c.res.status })
    }
    return traced(`${c.req.method} ${route}`, attributes, run, 'in')
  }

  for (const noun of nouns) noun.install(app)

  app.get('/openapi.json', (c) => {
    document ??= openApiDocument(
      endpoints.flatMap(({ route, inOpenApi = true }) => (inOpenApi ? [route] : [])),
      headerPrefix,
    )
    return c.json(document)
  })
  for (const { route } of endpoints) {
    const method = route.method.toUpperCase()
    const text = `Only ${method} is allowed here`
    app.all(routed(route), (c) =>
      problemResponse(c, { status: 405, code: 'METHOD_NOT_ALLOWED', text }, method),
    )
  }
  app.notFound((c) =>
    problemResponse(c, { status: 404, code: 'NOT_FOUND', text: 'There is nothing at this address' }),
  )
  app.onError((error, c) => {
    const endpoint = endpoints.find(({ route }) => hasForm(route.path, c.req.path))
    const problem: ProblemDetails =
      error instanceof HttpError
        ? error.problem
        : { status: 500, code: 'INTERNAL_ERROR', text: endpoint?.failure ?? 'Unexpected server error' }
    // Paths hold ids, which belong into no log.
    if (!(error instanceof HttpError))
      logFailure(`${c.req.method} ${endpoint?.route.path ?? c.req.path} failed`, error)
    return problemResponse(c, problem)
  })

  return { fetch: async (request, { address }) => app.fetch(request, { address }) }
}

/** `allow`: the only method that the address knows. */
function problemResponse(c: RequestContext, problem: ProblemDetails, allow?: string): Response {
  const headers = new Headers()
  if (problem.wait !== undefined) headers.set('Retry-After', String(problem.wait))
  if (allow) headers.set('Allow', allow)
  const body = problemFormatAt(c.req.path)(problem, c.get('correlation'))
  return Response.json(body, { status: problem.status, headers })
}
