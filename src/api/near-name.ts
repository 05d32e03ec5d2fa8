// Finds names that somebody has misspelt: of settings, and of fields that modules and agents give.

/** How many letters to insert, delete, replace or swap with their neighbour; `most + 1` if more than `most`. */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}

/** Names shorter than this have too many near words of their own. */
const LEAST_LENGTH = 5
/** Names of at least this length may have two mistakes. */
const LONG = 8
const MOST_SHOWN = 50

/** Such as `queue_name`, which only looks otherwise than `queueName`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')

function isNear(name: string, known: string): boolean {
  if (name.length > 2 * MOST_SHOWN) return false
  const most = known.length < LEAST_LENGTH ? 0 : known.length < LONG ? 1 : 2
  return editDistance(folded(name), folded(known), most) <= most
}

/** Says of the first unknown field near a known one that is not there, what it is and what was meant. Undefined: there is none. */
export function misspelt(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string | undefined {
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue
    const meant = known.find((each) => fields[each] === undefined && isNear(name, each))
    if (meant !== undefined) return `the field ${name.slice(0, MOST_SHOWN)}: did you mean ${meant}?`
  }
  return undefined
}
