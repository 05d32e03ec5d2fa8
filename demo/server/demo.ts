// Answers requests that only the demo knows: its pages, and the endpoints that they use.

import type { SimulatedCarrier } from '../../src/carriers/index.ts'
import type { Runtime } from '../../src/runtime/index.ts'
import { deskDoor } from './desk.ts'
import { createDocsPages } from './docs.ts'
import { type DemoDoor, openDoor } from './door.ts'
import { demoNumber } from './identities.ts'
import { metricsOf } from './metrics.ts'
import { servePage } from './pages.ts'
import { phoneDoor } from './phone.ts'
import { createStreams } from './streams.ts'

/** `folder` holds the pages as they were built, `documents` the files that the agent answers from. */
export type DemoFolders = { folder: string; documents: string }

/** `agent`: which one answers, for what the pages say of it. */
export function createDemo(
  { folder, documents }: DemoFolders,
  runtime: Runtime,
  carrier: SimulatedCarrier,
  agent: 'guide' | 'llm',
) {
  const doors: Readonly<Record<string, DemoDoor>> = {
    desk: deskDoor(runtime.desk),
    phone: phoneDoor(carrier, demoNumber),
  }
  const streams = createStreams()
  const docs = createDocsPages(folder, documents)

  return {
    /**
     * Answers what belongs to the demo; undefined for everything else. `publicOrigin`: the origin under which browsers
     * know the demo, where that is not the request's own.
     */
    async fetch(request: Request, publicOrigin?: string): Promise<Response | undefined> {
      const url = new URL(request.url)
      // A proxy that ends TLS passes on plain HTTP; the browser knows better.
      if (publicOrigin !== undefined) url.protocol = new URL(publicOrigin).protocol
      const origin =
        request.headers.get('origin') === publicOrigin ? (publicOrigin ?? url.origin) : url.origin
      const [, session] = /^\/demo\/sessions\/([\w-]+)\/expire$/.exec(url.pathname) ?? []
      if (session && request.method === 'POST') {
        if (request.headers.get('origin') !== origin) return new Response(null, { status: 403 })
        return new Response(null, { status: (await runtime.expire(session)) ? 204 : 404 })
      }
      const [, asked] = /^\/demo\/sessions\/([\w-]+)\/metrics$/.exec(url.pathname) ?? []
      if (asked && request.method === 'GET') {
        const metrics = await metricsOf(runtime, url.origin, asked)
        return Response.json(metrics ?? {}, { headers: { 'Cache-Control': 'no-store' } })
      }
      const [, first = '', path = ''] = /^\/demo\/(desk|phone)(?:\/(.*))?$/.exec(url.pathname) ?? []
      const door = doors[first]
      if (door) return openDoor(door, path, request, origin, streams.events)
      return servePage(folder, request.method, url, publicOrigin, docs, agent)
    },
    /** Ends what the pages still listen to. */
    close: streams.close,
  }
}
