// The dashboard of Grafana against the table of metrics: it asks for nothing that does not exist, and shows all that does.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { METRICS } from '../../src/api/index.ts'
import { createMetrics } from '../../src/cli/monitoring/metrics.ts'

type Panel = { id: number; title: string; gridPos: object; targets?: { expr: string }[] }
const { panels } = JSON.parse(
  readFileSync(join(resolve(import.meta.dirname, '../..'), 'deploy/grafana.json'), 'utf8'),
) as { panels: Panel[] }
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** The series of a metric, as Prometheus names them. */
const seriesOf = ([name, { kind }]: [string, { kind: string }]) =>
  kind === 'timer' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]
/** The series that a query asks for: names before a selector. */
const askedBy = (query: string) => [...query.matchAll(/\b([a-z]\w+)\{/g)].map(([, series = '']) => series)

it('the dashboard asks only for series that the server has', async () => {
  const known = new Set(Object.entries(METRICS).flatMap(seriesOf))
  for (const [, name = ''] of (await createMetrics().text()).matchAll(/^# TYPE (\S+)/gm)) known.add(name)
  const asked = queries.flatMap(askedBy)
  expect(asked.length).toBeGreaterThan(20)
  expect(queries.filter((query) => askedBy(query).length === 0)).toEqual([])
  expect(asked.filter((series) => !known.has(series))).toEqual([])
})

it('the dashboard shows every metric of the table', () => {
  const asked = new Set(queries.flatMap(askedBy))
  const hidden = Object.entries(METRICS).filter(
    (entry) => !seriesOf(entry).some((series) => asked.has(series)),
  )
  expect(hidden.map(([name]) => name)).toEqual([])
})

it('the dashboard groups by labels that the metric has', () => {
  const wrong = queries.flatMap((query) => {
    const [, list = ''] = /by \(([^)]*)\)/.exec(query) ?? []
    const [series = ''] = askedBy(query)
    const [, metric] = Object.entries(METRICS).find((entry) => seriesOf(entry).includes(series)) ?? []
    const labels = metric && 'labels' in metric ? Object.keys(metric.labels) : []
    const by = list.split(', ').filter((label) => label !== '' && label !== 'le')
    return by.filter((label) => !labels.includes(label)).map((label) => `${query}: ${label}`)
  })
  expect(wrong).toEqual([])
})

it('the dashboard gives each panel a place and an id of its own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length)
})
