// Starts the metrics that the settings ask for. Their library is loaded only then.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Meter, noMeter } from '../../api/index.ts'
import { measureRequest } from './http.ts'

export type Monitoring = {
  meter: Meter
  /** Measures a request of the public port. */
  watch(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

export type MonitoringOptions = { metricsPort: number | undefined; host: string | undefined }

/** Rejects with a StartError if the port of the metrics cannot be used. */
export async function startMonitoring({ metricsPort, host }: MonitoringOptions): Promise<Monitoring> {
  if (metricsPort === undefined) return { meter: noMeter, watch() {}, close: async () => {} }
  const { createMetrics } = await import('./metrics.ts')
  const { serveMetrics } = await import('./metrics-server.ts')
  const metrics = createMetrics()
  const close = await serveMetrics(metricsPort, host, metrics)
  const { meter } = metrics
  return {
    meter,
    watch: (request, response) => measureRequest(meter, request, response),
    close: async () => close(),
  }
}
