// Counts the tokens that each visitor has used today.

const DAY_MS = 86_400_000
/** Above it, the visitors who were counted first are forgotten: the limit guards against abuse, not to the token. */
const MOST_VISITORS = 50_000

export function createBudget(tokensPerDay: number, now: () => number) {
  let day = 0
  const spent = new Map<string, number>()
  const turnDay = () => {
    const today = Math.floor(now() / DAY_MS)
    if (today !== day) spent.clear()
    day = today
  }
  return {
    allows(visitor: string): boolean {
      turnDay()
      return (spent.get(visitor) ?? 0) < tokensPerDay
    },
    spend(visitor: string, tokens: number): void {
      turnDay()
      const sum = (spent.get(visitor) ?? 0) + tokens
      spent.delete(visitor)
      spent.set(visitor, sum)
      const [oldest] = spent.keys()
      if (spent.size > MOST_VISITORS && oldest !== undefined) spent.delete(oldest)
    },
  }
}
