// A collector of traces that keeps what it is sent, as OTLP over HTTP has it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = { stringValue?: string; intValue?: number }
type Attributes = { key: string; value: Value }[]
type Sent = {
  resourceSpans: {
    resource: { attributes: Attributes }
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        attributes: Attributes
      }[]
    }[]
  }[]
}

export type CollectedSpan = {
  trace: string
  id: string
  parent: string | undefined
  name: string
  /** The name of the process that sent it, and all that it says of itself. */
  service: unknown
  resource: Readonly<Record<string, unknown>>
  attributes: Readonly<Record<string, unknown>>
}

const readAttributes = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

export async function startCollector() {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    bodies.push(body)
    for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans)
      for (const { traceId, spanId, parentSpanId, name, attributes } of scopeSpans.flatMap(
        (scope) => scope.spans,
      ))
        spans.push({
          ...{ trace: traceId, id: spanId, parent: parentSpanId, name },
          service: readAttributes(resource.attributes)['service.name'],
          resource: readAttributes(resource.attributes),
          attributes: readAttributes(attributes),
        })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** All that was sent, as text. */
    text: () => bodies.join('\n'),
    /** The spans that a span stands in, from the outermost to itself. */
    trail(span: CollectedSpan): string[] {
      const parent = spans.find(({ id, trace }) => id === span.parent && trace === span.trace)
      return [...(parent ? this.trail(parent) : []), span.name]
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
