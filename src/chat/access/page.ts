// Asks the site on which page a chat begins, and checks what it says: an address of the web, and a title in one line.

import { pageAddress } from '../../protocol/index.ts'
import type { ChatOptions, Clock } from '../state/model.ts'

const PATIENCE_MS = 1_000
const LONGEST_TITLE = 200
/** Characters of a title that are read. */
const MOST_READ = 2_000

/** Control characters, breaks of lines, and characters that turn the direction of the text. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
/** A number that is cut would no longer be known as one of a card, which the service masks. */
const BEHIND_LETTERS = /\P{L}*$/u

type Page = { url: string; title: string }

/** Resolves with the page. With undefined where the site names none that can be sent, or takes longer than a second. */
export function askPage(ask: NonNullable<ChatOptions['page']>, clock: Clock): Promise<Page | undefined> {
  return new Promise((resolve) => {
    const stop = clock.after(PATIENCE_MS, () => resolve(undefined))
    // It may throw, or answer without a promise.
    new Promise<unknown>((answer) => answer(ask()))
      .then(readPage)
      .catch(() => undefined)
      .then((page) => {
        stop()
        resolve(page)
      })
  })
}

/** Undefined where it has no address that can be sent. */
function readPage(given: unknown): Page | undefined {
  const { url: named, title } = Object(given) as Record<string, unknown>
  const url = pageAddress(named)
  if (url === undefined) return undefined
  const words = typeof title === 'string' ? title.slice(0, MOST_READ) : ''
  const line = words.replace(NOT_IN_A_LINE, ' ').trim()
  const isLong = line.length > LONGEST_TITLE
  return { url, title: isLong ? line.slice(0, LONGEST_TITLE).replace(BEHIND_LETTERS, '') : line }
}
