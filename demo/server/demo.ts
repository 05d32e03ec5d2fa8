// Answers requests that only the demo knows: its pages, and the endpoints that they use.

import type { SimulatedCarrier } from '../../src/carriers/index.ts'
import type { Runtime } from '../../src/runtime/index.ts'
import { deskEndpoint } from './desk.ts'
import { createDocsPages, type FindPassages } from './docs.ts'
import { answerEndpoint, type DemoEndpoint } from './endpoint.ts'
import { demoNumber, demoProject } from './identities.ts'
import { metricsEndpoint } from './metrics.ts'
import { servePage } from './pages.ts'
import { phoneEndpoint } from './phone.ts'
import { createStreams } from './streams.ts'

/** `folder` holds the built pages, `documents` the files that the agent answers from; `find` searches them. */
export type DemoFolders = { folder: string; documents: string; find: FindPassages }

/** `agent`: the one that answers, which the pages name; `tour`: the guide that offers the tour; `own`: one of the operator's. */
export function createDemo(
  { folder, documents, find }: DemoFolders,
  runtime: Runtime,
  carrier: SimulatedCarrier,
  agent: 'tour' | 'guide' | 'llm' | 'own',
) {
  const endpoints: Readonly<Record<string, DemoEndpoint>> = {
    desk: deskEndpoint(runtime.desk(demoProject.id)),
    phone: phoneEndpoint(carrier, demoNumber),
  }
  const metrics = metricsEndpoint(runtime)
  const streams = createStreams()
  const docs = createDocsPages(folder, documents, find)

  return {
    /**
     * Answers requests for the demo; undefined for all others. `publicOrigin`: the origin under which browsers know the
     * demo, if it is not the request's own.
     */
    async fetch(request: Request, publicOrigin?: string): Promise<Response | undefined> {
      const url = new URL(request.url)
      // A proxy that terminates TLS forwards plain HTTP, while the browser uses https.
      if (publicOrigin !== undefined) url.protocol = new URL(publicOrigin).protocol
      const origin =
        request.headers.get('origin') === publicOrigin ? (publicOrigin ?? url.origin) : url.origin
      const [, session] = /^\/demo\/sessions\/([\w-]+)\/expire$/.exec(url.pathname) ?? []
      if (session && request.method === 'POST') {
        if (request.headers.get('origin') !== origin) return new Response(null, { status: 403 })
        return new Response(null, { status: (await runtime.expire(session)) ? 204 : 404 })
      }
      const [, asked] = /^\/demo\/sessions\/([\w-]+)\/metrics$/.exec(url.pathname) ?? []
      if (asked) return answerEndpoint(metrics, asked, request, origin, streams.events)
      const [, first = '', path = ''] = /^\/demo\/(desk|phone)(?:\/(.*))?$/.exec(url.pathname) ?? []
      const endpoint = endpoints[first]
      if (endpoint) return answerEndpoint(endpoint, path, request, origin, streams.events)
      return servePage(folder, request.method, url, publicOrigin, docs, agent)
    },
    /** Ends the streams of the pages. */
    close: streams.close,
  }
}
