// Counts the work of whatever reads text, which no busy machine changes.

/** Characters that were looked at while `run` ran: the parser reads by `charCodeAt`, `indexOf` and `slice`. */
export function steps(run: () => unknown): number {
  const { charCodeAt, indexOf, slice, replace, match } = String.prototype
  let count = 0
  const counting = <F extends (...args: never[]) => unknown>(real: F, cost: (text: string) => number) =>
    function (this: string, ...args: never[]) {
      count += cost(this)
      return real.apply(this, args)
    }
  Object.assign(String.prototype, {
    charCodeAt: counting(charCodeAt, () => 1),
    slice: counting(slice as never, () => 1),
    indexOf: counting(indexOf as never, () => 1),
    replace: counting(replace as never, (text) => text.length),
    match: counting(match as never, (text) => text.length),
  })
  try {
    run()
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf, slice, replace, match })
  }
  return count
}
