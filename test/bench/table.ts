// What a run of the bench measured, as tables that `--write` publishes in docs/figures.json.

/** A number as it was measured, words where there is none, or null where nothing can be measured. */
export type Cell = number | string | null
/** `inReadme`: also shown there. */
export type Row = { name: string; cells: Cell[]; inReadme?: boolean }
export type Table = { columns: string[]; rows: Row[] }
/** Takes a table that is complete. */
export type Keep = (name: string, table: Table) => void

/** As many digits as a figure can mean. */
export const rounded = (value: number): number => Number(value.toPrecision(3))
