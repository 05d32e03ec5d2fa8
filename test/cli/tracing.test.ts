// Whether traces are sent at all, and what a span costs where they are not.

import { trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { isTraced, traced, traceHeaders } from '../../src/api/index.ts'
import { startTracing } from '../../src/cli/monitoring/tracing.ts'

it.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
])('nobody gets traces with %o', async (env) => {
  expect(await startTracing(env, '1.0.0', () => {})).toBeUndefined()
  const inside = await traced('work', {}, async () => ({ traced: trace.getActiveSpan()?.isRecording() }))
  expect([inside.traced, isTraced(), traceHeaders()]).toEqual([undefined, false, {}])
})
