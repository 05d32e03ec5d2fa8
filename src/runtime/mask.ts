// Card numbers are masked before anything is stored, also where a number comes in pieces.

export type Clean = {
  text(text: string): string
  /** Every string in it, however deep, but identifiers. */
  deep<T>(value: T): T
  /** For a text that comes piece by piece: holds back what may be the beginning of a number. */
  stream(): { push(piece: string): string; rest(): string }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
/** Digits with single spaces, dots or hyphens between them; or an identifier, which stays. */
const RUN = new RegExp(`${UUID.source}|\\+?\\d(?:[ .\\-\\u00a0]?\\d)*`, 'gi')
const OPEN_END = /(?:\+|\+?\d(?:[ .\-\u00a0]?\d)*[ .\-\u00a0]?)$/
const LONGEST_OPEN = 80
const CARD_DIGITS = { least: 13, most: 19 }
/** What a client and the runtime name events by: a masked one would not be found again. */
const IDENTIFIERS: ReadonlySet<string> = new Set(['client_event_id', 'local_id', 'message_id', 'call_sid'])

/** Replaces all digits of a card but the last four. */
const maskCards = (text: string): string =>
  text.replace(RUN, (run) => (UUID.test(run.toLowerCase()) ? run : maskRun(run)))

/** A card is one or more whole groups of a run: `4111 1111 1111 1111 12` has one, and two digits beside it. */
function maskRun(run: string): string {
  const groups = run.match(/\d+|\D/g) ?? []
  const digits = groups.join('').replace(/\D/g, '')
  if (digits.length < CARD_DIGITS.least || (run.startsWith('+') && digits.length <= LONGEST_PHONE)) return run
  for (let start = 0; start < groups.length; start++) {
    const end = endOfCard(groups, start)
    if (end === start) continue
    let left = groups.slice(start, end).join('').replace(/\D/g, '').length - 4
    for (let at = start; at < end; at++)
      groups[at] = groups[at]?.replace(/\d/g, (digit) => (left-- > 0 ? '•' : digit)) ?? ''
    start = end - 1
  }
  return groups.join('')
}

/** Behind the last group of the longest card that begins at `start`; `start` where none does. */
function endOfCard(groups: readonly string[], start: number): number {
  let digits = ''
  let end = start
  for (let at = start; at < groups.length && digits.length <= CARD_DIGITS.most; at++) {
    const group = groups[at] ?? ''
    if (!/^\d/.test(group)) {
      if (at === start) return start
      continue
    }
    digits += group
    const fits = digits.length >= CARD_DIGITS.least && digits.length <= CARD_DIGITS.most
    if (fits && !isTime(digits) && passesLuhn(digits)) end = at + 1
  }
  return end
}

// One phone number in ten would pass for a card.
const LONGEST_PHONE = 15
/** Milliseconds since 1970, as they stand in addresses. */
const isTime = (digits: string) => digits.length === 13 && digits.startsWith('1')

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  // A row of zeros passes too, and is nobody's card.
  return sum > 0 && sum % 10 === 0
}

// A database of text knows no NUL, nor half of a pair of surrogates.
const storable = (text: string): string => text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')

export function createClean({ cards }: { cards: boolean }): Clean {
  const text = (value: string) => (cards ? maskCards(storable(value)) : storable(value))
  function deep(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(deep)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        text(key),
        IDENTIFIERS.has(key) && typeof entry === 'string' ? storable(entry) : deep(entry),
      ]),
    )
  }
  return {
    text,
    deep: <T>(value: T) => deep(value) as T,
    stream() {
      let held = ''
      return {
        push(piece) {
          const whole = held + piece
          held = cards ? openEnd(whole) : ''
          return text(whole.slice(0, whole.length - held.length))
        },
        rest() {
          const whole = held
          held = ''
          return text(whole)
        },
      }
    },
  }
}

/** What may be the beginning of a card. Of a run without end, its last groups. */
function openEnd(text: string): string {
  const open = OPEN_END.exec(text.slice(-LONGEST_OPEN * 2))?.[0] ?? ''
  return open.length <= LONGEST_OPEN ? open : open.slice(-LONGEST_OPEN).replace(/^\d+/, '')
}
