// Measures what reading hostile text aloud costs the panel, beside plain words of the same length.

import { readWords } from '../../src/ui/markdown.tsx'

const UNITS = ['[', '![](', '*a ', '`', '> ', '| a '] as const
const SIZES = [32_768, 131_072] as const
const ROUNDS = 5

export type HostileFigure = { unit: string; bytes: number; ms: number; timesPlain: number }

/** The least of some rounds, in milliseconds: what else the machine does only adds. */
function measure(text: string): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now()
    readWords(text)
    return performance.now() - begun
  })
  return Math.min(...times)
}

export function measureHostile(): HostileFigure[] {
  return SIZES.flatMap((bytes) => {
    const plain = measure('word '.repeat(bytes / 5))
    return UNITS.map((unit) => {
      const ms = measure(unit.repeat(Math.floor(bytes / unit.length)))
      return { unit, bytes, ms, timesPlain: ms / plain }
    })
  })
}
