// No text of a hostile model shows a link that nobody gave, in the panel as the browser has it, in any state in which it is drawn.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../../../long.ts'
import { buildDrawn, importDrawn } from './build-drawn.ts'
import type * as Drawn from './drawn.ts'
import { passedOn } from './passed-on.ts'
import { GIVEN, hostileTexts } from './texts.ts'

let panel: typeof Drawn
let built: Awaited<ReturnType<typeof buildDrawn>> | undefined
beforeAll(async () => {
  built = await buildDrawn()
  panel = await importDrawn(built.path)
})
afterAll(() => built?.remove())

const foreign = (links: readonly string[]) => links.filter((href) => !GIVEN.includes(href))

/** The first state that leads where nobody said. `said`: the message so far, each time more was passed on. */
function firstForeign(said: readonly string[]): string | undefined {
  // Whoever stops an answer has what was passed on until then, as a whole.
  for (const text of new Set(said))
    if (foreign(panel.linksOfWhole(text)).length > 0) return `stopped: ${JSON.stringify(text)}`
  for (const { state, links } of panel.statesOf(said.at(-1) ?? ''))
    if (foreign(links).length > 0) return `${JSON.stringify(state)}: ${foreign(links)}`
  return undefined
}
const texts = fc.tuple(hostileTexts(7), fc.integer({ min: 1, max: 60 }))

describe('the text of a hostile model', () => {
  it('would often lead elsewhere, and what the gate leaves out of it is rare', () => {
    const all = fc.sample(texts, { numRuns: 200, seed: 7 })
    expect(all.filter(([text]) => foreign(panel.linksOfWhole(text)).length > 0).length).toBeGreaterThan(50)
    let leftOut = 0
    for (const [text, size] of all) passedOn(text, size, () => void leftOut++)
    expect(leftOut).toBeLessThan(20)
  })

  // `npm run test:long` draws a million, in parts that others can run between.
  it.each(isLong ? Array.from({ length: 100 }, (_, seed) => seed) : [7])(
    'leads nowhere but where a source leads, whole and in each state as it streams (%i)',
    (seed) => {
      fc.assert(
        fc.property(texts, ([text, size]) => {
          expect(firstForeign(passedOn(text, size))).toBeUndefined()
        }),
        { numRuns: isLong ? 10_000 : 500, seed },
      )
    },
    900_000,
  )
})
