// Traces work across the rooms and across processes; the only file that knows OpenTelemetry's API. Without a registered exporter every
// span is empty, and costs next to nothing.
//
//   token request ─▶ client request ═ traceparent ═▶ route ─▶ query, transaction
//   message ─▶ turn ─▶ model                 └─▶ query, transaction

import {
  type Attributes,
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracer = trace.getTracer('foyer')
const CORRELATION = createContextKey('foyer.correlation_id')

/** The attribute that logs, answers and traces have in common. */
export const CORRELATION_ID = 'foyer.correlation_id'

export type TraceSpan = Pick<Span, 'setAttributes'>

/** `in`: a request from outside. `out`: one to another service. Default: work of this process. */
type Kind = 'in' | 'out' | 'work'
const KINDS = { in: SpanKind.SERVER, out: SpanKind.CLIENT, work: SpanKind.INTERNAL } as const

/**
 * Runs `run` in a span. Attributes never hold tokens, IDs of sessions, words of visitors or parameters of statements; of an address they have
 * the form alone. Of an error the span keeps its name or code only, since its text may repeat such.
 */
export function traced<T>(
  name: string,
  attributes: Attributes,
  run: (span: TraceSpan) => Promise<T>,
  kind: Kind = 'work',
): Promise<T> {
  return tracer.startActiveSpan(
    name,
    { kind: KINDS[kind], attributes: correlated(attributes) },
    async (span) => {
      try {
        return await run(span)
      } catch (error) {
        markFailed(span, error)
        throw error
      } finally {
        span.end()
      }
    },
  )
}

/** Every span that `run` opens has the correlation id as an attribute. */
export const withCorrelation = <T>(id: string, run: () => T): T =>
  context.with(context.active().setValue(CORRELATION, id), run)

function correlated(attributes: Attributes): Attributes {
  const id = context.active().getValue(CORRELATION)
  return typeof id === 'string' ? { ...attributes, [CORRELATION_ID]: id } : attributes
}

/** Whether a span is open. What happens without one, such as sweeps, is not worth a trace of its own. */
export const isTraced = (): boolean => trace.getActiveSpan() !== undefined

/** Runs `run` outside of every span: what it starts belongs to nobody's trace. */
export const untraced = <T>(run: () => T): T => context.with(ROOT_CONTEXT, run)

/** Begins a span that somebody else ends, such as that of a generator. */
export function openSpan(name: string, attributes: Attributes): TraceSpan & { end(error?: unknown): void } {
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: correlated(attributes) })
  return {
    setAttributes: (more) => span.setAttributes(more),
    end(error) {
      if (error !== undefined) markFailed(span, error)
      span.end()
    },
  }
}

function markFailed(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: unknown }
  const type = [code, name].find((text) => typeof text === 'string' && /^[\w-]{1,40}$/.test(text))
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttributes({ 'error.type': String(type ?? 'unknown') })
}

/** The headers that carry the open span to another service. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** The only headers that are read of a request from outside. */
const CARRIED = ['traceparent', 'tracestate']

/** Runs `run` in the trace that the headers of a request carry, if they carry one. */
export function continueTrace<T>(headers: Headers, run: () => T): T {
  const carrier = {
    get: (_: unknown, key: string) => (CARRIED.includes(key) ? (headers.get(key) ?? undefined) : undefined),
    keys: () => CARRIED,
  }
  return context.with(propagation.extract(context.active(), headers, carrier), run)
}
