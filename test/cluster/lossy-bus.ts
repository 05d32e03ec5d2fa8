// A link between processes that loses, delays and doubles what it carries, and brings texts of a stranger who hears all of it.

import type { BusLink } from '../../src/runtime/index.ts'

/** What a process says of each text that it has lost. */
export const DROPPED = 'dropped'

export type Losses = {
  /** Shares of all texts, which together are at most 1. */
  lost: number
  late: number
  doubled: number
  /** A late text comes within so many milliseconds. */
  latestMs: number
  /** How many texts, of all, come with one that ends and deafens what they tell of. */
  forged: number
}

export const LOSSES: Losses = { lost: 0.2, late: 0.2, doubled: 0.2, latestMs: 3_000, forged: 0.1 }

/** The end of each session that a text tells of, and a sequence that none has. */
function forgeryOf(text: string): string {
  const { news } = JSON.parse(text) as { news: [topic: string, what: unknown][] }
  const end = { type: 'EVENT_TYPE_SESSION_END', payload: {}, sequence: null, id: 'forged', timestamp: '' }
  const forged = news.flatMap(([topic]) => [
    [topic, Number.MAX_SAFE_INTEGER],
    [topic, [end]],
  ])
  return JSON.stringify({ ...JSON.parse(text), news: forged })
}

/** `dropped` is called with each text that is lost. */
export function lossyLink(
  link: BusLink,
  dropped: () => void,
  losses = LOSSES,
  random: () => number = Math.random,
): BusLink {
  return {
    ...link,
    lookMs: link.lookMs ?? 5_000,
    open: (heard, lost, deployment) =>
      link.open(
        (text) => {
          if (random() < losses.forged) heard(forgeryOf(text))
          const chance = random()
          if (chance < losses.lost) return dropped()
          const isLate = chance < losses.lost + losses.late
          if (isLate) setTimeout(() => heard(text), random() * losses.latestMs).unref()
          else heard(text)
          if (!isLate && chance < losses.lost + losses.late + losses.doubled) heard(text)
        },
        lost,
        deployment,
      ),
  }
}
