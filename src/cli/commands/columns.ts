// Formats results as text.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const allRows = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...allRows.map((row) => row[column]?.length ?? 0)))
  return allRows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const secretNotice = (what: string, secret: string): string =>
  `The ${what}, shown only once. Keep it where only your servers can read it:\n\n  ${secret}`
