// Starts the metrics and the traces that the settings ask for. Their libraries are loaded only then.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Log, type Meter, noMeter } from '../../api/index.ts'
import { measureRequest } from './http.ts'
import { startTracing, type TracingEnvironment } from './tracing.ts'

export type Monitoring = {
  meter: Meter
  /** Measures a request of the public port. */
  watch(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

export type MonitoringOptions = {
  env: TracingEnvironment
  /** The version of the server. */
  version: string
  settings: { metricsPort: number | undefined; host: string | undefined }
  log: Log
}

/** Rejects with a StartError if the port of the metrics cannot be used. */
export async function startMonitoring({
  env,
  version,
  settings: { metricsPort, host },
  log,
}: MonitoringOptions): Promise<Monitoring> {
  const stopTracing = (await startTracing(env, version, log)) ?? (async () => {})
  if (metricsPort === undefined) return { meter: noMeter, watch() {}, close: stopTracing }
  const { createMetrics } = await import('./metrics.ts')
  const { serveMetrics } = await import('./metrics-server.ts')
  const metrics = createMetrics()
  const close = await serveMetrics(metricsPort, host, metrics)
  const { meter } = metrics
  return {
    meter,
    watch: (request, response) => measureRequest(meter, request, response),
    async close() {
      await stopTracing()
      close()
    },
  }
}
