// A link between processes that loses, delays and doubles what it carries.

import type { BusLink } from '../../src/runtime/index.ts'

export type Losses = {
  /** Shares of all texts, which together are at most 1. */
  lost: number
  late: number
  doubled: number
  /** A late text comes within so many milliseconds. */
  latestMs: number
}

export const LOSSES: Losses = { lost: 0.2, late: 0.2, doubled: 0.2, latestMs: 3_000 }

export function lossyLink(link: BusLink, losses = LOSSES, random: () => number = Math.random): BusLink {
  return {
    ...link,
    open: (heard, lost) =>
      link.open((text) => {
        const chance = random()
        if (chance < losses.lost) return
        const isLate = chance < losses.lost + losses.late
        if (isLate) setTimeout(() => heard(text), random() * losses.latestMs).unref()
        else heard(text)
        if (!isLate && chance < losses.lost + losses.late + losses.doubled) heard(text)
      }, lost),
  }
}
