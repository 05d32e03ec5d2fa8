// Keeps what was measured, and writes it as a Markdown table: medians, and how far the rounds lay apart.

import { median } from './measures.ts'

export type Row = { name: string; digits?: number }
export type Figures = ReturnType<typeof createFigures>

export function createFigures() {
  const rows = new Map<string, Map<string, number[]>>()
  const order: Row[] = []
  /** Contestants that did not come to an end. */
  const late = new Set<string>()
  const of = (row: string, contestant: string) => rows.get(row)?.get(contestant) ?? []

  function cell(row: Row, contestant: string): string {
    const values = of(row.name, contestant)
    if (values.length === 0) return late.has(`${row.name}/${contestant}`) ? '> 60 s' : '–'
    const middle = median(values)
    const shown = (value: number) => value.toFixed(row.digits ?? (Math.abs(value) < 10 ? 1 : 0))
    const half = (Math.max(...values) - Math.min(...values)) / 2
    return values.length > 1 && half >= 0.05 ? `${shown(middle)} ±${shown(half)}` : shown(middle)
  }

  return {
    add(row: Row, contestant: string, value: number | undefined): void {
      if (!rows.has(row.name)) {
        rows.set(row.name, new Map())
        order.push(row)
      }
      if (value === undefined) return void late.add(`${row.name}/${contestant}`)
      const values = of(row.name, contestant)
      values.push(value)
      rows.get(row.name)?.set(contestant, values)
    },
    /** Undefined: not measured. */
    median(row: string, contestant: string): number | undefined {
      const values = of(row, contestant)
      return values.length === 0 ? undefined : median(values)
    },
    table(contestants: readonly string[], only?: readonly string[]): string[] {
      const shown = order.filter(({ name }) => only === undefined || only.includes(name))
      return [
        `| | ${contestants.join(' | ')} |`,
        `| :-- |${' --: |'.repeat(contestants.length)}`,
        ...shown.map((row) => `| ${row.name} | ${contestants.map((one) => cell(row, one)).join(' | ')} |`),
      ]
    },
  }
}
