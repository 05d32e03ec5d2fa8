// Keeps what the rooms measure, in the form that Prometheus reads.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS, type Meter } from '../../api/index.ts'

export type Metrics = {
  meter: Meter
  /** Everything as text, with the gauges read anew. Resolves within seconds. */
  text(): Promise<string>
  readonly contentType: string
}

/** A gauge that takes longer is left out of the reading: the database may be away. */
const PATIENCE_MS = 2_000

type AnyLabels = Readonly<Record<string, string>>
type Reading = {
  gauge: Gauge
  labels: AnyLabels
  read: () => number | Promise<number>
  /** One reading at a time, so that a database that hangs does not collect them. */
  running?: Promise<number> | undefined
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const timers = new Map<string, Histogram>()
  const gauges = new Map<string, Gauge>()
  const readings: Reading[] = []
  for (const [name, metric] of Object.entries(METRICS)) {
    const known: Readonly<Record<string, readonly string[]>> = 'labels' in metric ? metric.labels : {}
    const labelNames = Object.keys(known)
    const common = { name, help: metric.help, labelNames, registers: [registry] }
    if (metric.kind === 'counter') {
      const counter = new Counter(common)
      counters.set(name, counter)
      for (const labels of combinationsOf(known)) counter.inc(labels, 0)
    } else if (metric.kind === 'gauge') {
      const gauge = new Gauge(common)
      gauges.set(name, gauge)
      // Without labels it would say 0 until somebody registers it: a process without a database would have no sessions.
      if (labelNames.length === 0) gauge.remove()
    } else {
      const timer = new Histogram({ ...common, buckets: [...metric.buckets] })
      timers.set(name, timer)
      for (const labels of combinationsOf(known)) timer.zero(labels)
    }
  }

  async function take(reading: Reading): Promise<void> {
    const { gauge, labels, read } = reading
    reading.running ??= Promise.resolve()
      .then(read)
      .finally(() => {
        reading.running = undefined
      })
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, undefined)
    })
    const value = await Promise.race([reading.running, late]).catch(() => undefined)
    clearTimeout(timer)
    if (value === undefined) gauge.remove(labels)
    else gauge.set(labels, value)
  }

  return {
    meter: {
      count: (name, by, labels: AnyLabels = {}) => counters.get(name)?.inc(labels, by),
      time: (name, seconds, labels: AnyLabels = {}) => timers.get(name)?.observe(labels, seconds),
      gauge(name, read, labels: AnyLabels = {}) {
        const gauge = gauges.get(name)
        if (gauge) readings.push({ gauge, labels, read })
      },
    },
    async text() {
      await Promise.all(readings.map(take))
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** Every combination of the labels' values; none if the values of a label are open. */
const combinationsOf = (known: Readonly<Record<string, readonly string[]>>): AnyLabels[] =>
  Object.entries(known).reduce<AnyLabels[]>(
    (combinations, [label, values]) =>
      combinations.flatMap((labels) => values.map((value) => ({ ...labels, [label]: value }))),
    [{}],
  )
