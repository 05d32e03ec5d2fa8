// The alerts of Prometheus against the table of metrics: each asks for what exists, and says what to do. Another test asks a running server.

import { expect, it } from 'vitest'
import { METRICS } from '../../src/api/index.ts'
import { SETTINGS } from '../../src/cli/settings-table.ts'
import { askedBy, readRules } from './alerts.ts'

const rules = readRules()
type Known = { kind: string; labels?: Readonly<Record<string, readonly string[]>> }
const metricOf = (series: string): Known | undefined =>
  Object.entries<Known>(METRICS).find(([name, { kind }]) =>
    kind === 'timer' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`].includes(series) : name === series,
  )?.[1]

it('each rule of an alert has a name of its own, a time, a severity, and nothing that Prometheus does not know', () => {
  expect(rules.length).toBeGreaterThan(15)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, for: time, labels, annotations, ...rest } of rules) {
    expect(alert).toMatch(/^Foyer[A-Z]\w+$/)
    expect(time).toMatch(/^\d+[mh]$/)
    expect(['critical', 'warning']).toContain(labels.severity)
    expect([Object.keys(labels), Object.keys(annotations), Object.keys(rest)]).toEqual([
      ['severity'],
      ['summary'],
      ['expr'],
    ])
  }
})

it('each alert says what its cause is and what to do first', () => {
  for (const { alert, annotations } of rules)
    expect(annotations.summary, alert).toMatch(/^.+[^.]\. [A-Z].+\.$/)
})

it('the alerts name settings that exist', () => {
  const named = rules.flatMap(
    ({ annotations }) => annotations.summary.match(/\b(FOYER_[A-Z_]+|REDIS_URL)\b/g) ?? [],
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([])
})

it.each(rules)('$alert asks for series, labels and values that the server has', ({ expr, annotations }) => {
  const { asked, by } = askedBy(expr)
  expect(asked.length).toBeGreaterThan(0)
  const labels = asked.flatMap(({ series }) => Object.keys(metricOf(series)?.labels ?? {}))
  for (const { series, matchers } of asked) {
    const metric = metricOf(series)
    expect(metric, series).toBeDefined()
    for (const { label, values } of matchers) {
      const known = metric?.labels?.[label]
      expect(known, `${series} ${label}`).toBeDefined()
      // The values of an open label are not known.
      if (known?.length) expect(values.filter((value) => !known.includes(value))).toEqual([])
    }
  }
  expect(by.filter((label) => !labels.includes(label))).toEqual([])
  const told = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
  const kept = /\b(sum|max|count) by \(([^)]*)\)/.exec(expr)?.[2]?.split(', ') ?? [
    'job',
    'instance',
    ...labels,
  ]
  expect(told.filter((label) => !kept.includes(label))).toEqual([])
})

it('the alerts cover what stops visitors: processes, database, Redis, requests, deliveries, the queue, the model and clocks', () => {
  const series = new Set(rules.flatMap(({ expr }) => askedBy(expr).asked.map((each) => each.series)))
  for (const name of [
    ...['foyer_ready', 'foyer_processes', 'foyer_sessions', 'foyer_redis_connected'],
    ...['foyer_http_seconds_count', 'foyer_turn_seconds_count', 'foyer_deliveries_total'],
    ...['foyer_queue_waiting', 'foyer_llm_failures_total', 'foyer_clock_ahead_seconds'],
  ])
    expect([...series]).toContain(name)
})
