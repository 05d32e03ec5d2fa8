// Keeps what was measured, and writes it as a Markdown table: medians, and how far the rounds lay apart.

import type { Cell, Row as PublishedRow } from '../table.ts'
import { rounded } from '../table.ts'
import { LIMIT_MS, median } from './measures.ts'

export type Row = {
  name: string
  digits?: number
  /** Of the name, where that does not say it; milliseconds by default. */
  unit?: ''
  /** Where the row is published. */
  published?: 'in the docs' | 'in the README too'
}
export type Figures = ReturnType<typeof createFigures>
/** What is measured so far, as it can be written down: by row and contestant. */
export type Kept = {
  values: { row: string; contestant: string; value: number }[]
  /** Contestants that did not come to an end. */
  late: string[]
  failed: string[]
}

/** `rows`: all there may be, in order. `kept` grows in place. */
export function createFigures(rows: readonly Row[], kept: Kept) {
  const keyOf = (row: string, contestant: string) => `${row}/${contestant}`
  const of = (row: string, contestant: string) =>
    kept.values.flatMap((one) => (one.row === row && one.contestant === contestant ? one.value : []))
  const isLate = (row: string, contestant: string) => kept.late.includes(keyOf(row, contestant))
  const isFailed = (row: string, contestant: string) => kept.failed.includes(keyOf(row, contestant))

  function cell(row: Row, contestant: string): string {
    const values = of(row.name, contestant)
    if (isFailed(row.name, contestant)) return 'failed'
    if (values.length === 0) return isLate(row.name, contestant) ? `> ${LIMIT_MS / 1000} s` : '–'
    const middle = median(values)
    const shown = (value: number) => value.toFixed(row.digits ?? (Math.abs(value) < 10 ? 1 : 0))
    const half = (Math.max(...values) - Math.min(...values)) / 2
    return values.length > 1 && half >= 0.05 ? `${shown(middle)} ±${shown(half)}` : shown(middle)
  }

  return {
    /** A figure for each of the rows: undefined where there is none since it took too long, NaN where there can be none. */
    add(rows: readonly Row[], contestant: string, values: readonly (number | undefined)[]): void {
      for (const [index, { name }] of rows.entries()) {
        const value = values[index]
        if (value === undefined) kept.late.push(keyOf(name, contestant))
        else if (!Number.isNaN(value)) kept.values.push({ row: name, contestant, value })
      }
    },
    fail(rows: readonly Row[], contestant: string): void {
      for (const { name } of rows) kept.failed.push(keyOf(name, contestant))
    },
    isLate,
    isFailed,
    /** Undefined: not measured. */
    median(row: string, contestant: string): number | undefined {
      const values = of(row, contestant)
      return values.length === 0 ? undefined : median(values)
    },
    /** The rows to publish, without those that none of these has. */
    published(contestants: readonly string[]): PublishedRow[] {
      const cellOf = (row: string, contestant: string): Cell => {
        if (isFailed(row, contestant)) return 'failed'
        const values = of(row, contestant)
        if (values.length > 0) return rounded(median(values))
        return isLate(row, contestant) ? `> ${LIMIT_MS / 1000} s` : null
      }
      return rows
        .filter(({ published }) => published)
        .map(({ name, unit = ', ms', published }) => ({
          name: `${name}${unit}`,
          cells: contestants.map((one) => cellOf(name, one)),
          ...(published === 'in the README too' && { inReadme: true }),
        }))
        .filter(({ cells }) => cells.some((cell) => cell !== null))
    },
    table(contestants: readonly string[]): string[] {
      const isShown = ({ name }: Row) =>
        contestants.some((one) => of(name, one).length > 0 || isLate(name, one) || isFailed(name, one))
      return [
        `| | ${contestants.join(' | ')} |`,
        `| :-- |${' --: |'.repeat(contestants.length)}`,
        ...rows
          .filter(isShown)
          .map((row) => `| ${row.name} | ${contestants.map((one) => cell(row, one)).join(' | ')} |`),
      ]
    },
  }
}
