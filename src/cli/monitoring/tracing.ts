// Sends traces to the collector that OpenTelemetry's own variables name. Its libraries are loaded only then.

import { randomUUID } from 'node:crypto'
import type { Log } from '../../api/index.ts'

export type TracingEnvironment = Readonly<Record<string, string | undefined>>

const SERVICE = 'foyer-server'
/** How long a stop waits for the collector. */
const FLUSH_MS = 2_000
/** The least time between two lines about a collector that takes no spans. */
const COMPLAINT_MS = 60_000

/** Undefined if no collector is named. Otherwise resolves to a function that sends the last spans and stops. */
export async function startTracing(
  env: TracingEnvironment,
  version: string,
  log: Log,
): Promise<(() => Promise<void>) | undefined> {
  const named = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!named || env.OTEL_SDK_DISABLED === 'true') return undefined
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter()
  const send = exporter.export.bind(exporter)
  let complained = Number.NEGATIVE_INFINITY
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const now = performance.now()
      if (result.code !== 0 && now - complained > COMPLAINT_MS) {
        complained = now
        log('the collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces', 'warn')
      }
      done(result)
    })
  const fallback = resources.resourceFromAttributes({
    'service.name': SERVICE,
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  const given = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new NodeTracerProvider({
    resource: fallback.merge(given),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  return async () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS)
    })
    await Promise.race([provider.shutdown().catch(() => {}), late])
    clearTimeout(timer)
  }
}
