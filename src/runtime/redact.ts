// Card numbers are masked before anything is stored, also where a number comes in pieces.

export type Redaction = {
  text(text: string): string
  /** Every string in it, however deep. */
  deep<T>(value: T): T
  /** An identifier is not masked: it would not be found again. */
  id(id: string): string
  /** For a text that comes piece by piece: holds back what may be the beginning of a number. */
  stream(): { push(piece: string): string; rest(): string }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
const WHOLE_UUID = new RegExp(`^${UUID.source}$`, 'i')
/** What people, forms and Markdown put between digits. */
const BETWEEN = '[\\p{Z}\\p{Pd}\\s./_*\\u200b]{0,5}'
const DIGITS = `\\+?\\p{Nd}(?:${BETWEEN}\\p{Nd})*`
/** Digits with little between them; or an identifier, which stays. */
const RUN = new RegExp(`${UUID.source}|${DIGITS}`, 'giu')
const OPEN_END = new RegExp(`(?:\\+|${DIGITS}${BETWEEN})$`, 'u')
const LONGEST_OPEN = 80
const CARD_DIGITS = { least: 13, most: 19 }
/** Digits of each group as cards are printed; else groups are all of one length, but the last. */
const PRINTED: ReadonlySet<string> = new Set(['4 4 4 4', '4 4 4 4 3', '4 6 5', '4 6 4'])

/** Replaces all digits of a card but the last four. */
const maskCards = (text: string): string =>
  text.replace(RUN, (run) => (WHOLE_UUID.test(run) ? run : maskRun(run)))

/** A card is one or more whole groups of a run: `4111 1111 1111 1111 12` has one, and two digits beside it. */
function maskRun(run: string): string {
  const parts = run.match(/\p{Nd}+|\P{Nd}+/gu) ?? []
  const length = digitsOf(run).length
  if (length < CARD_DIGITS.least || (run.startsWith('+') && length <= LONGEST_PHONE)) return run
  for (let start = 0; start < parts.length; start++) {
    const end = endOfCard(parts, start)
    if (end === start) continue
    let left = digitsOf(parts.slice(start, end).join('')).length - 4
    for (let at = start; at < end; at++)
      parts[at] = parts[at]?.replace(/\p{Nd}/gu, (digit) => (left-- > 0 ? '•' : digit)) ?? ''
    start = end - 1
  }
  return parts.join('')
}

/** Behind the last group of the longest card that begins at `start`; `start` where none does. */
function endOfCard(parts: readonly string[], start: number): number {
  const groups: string[] = []
  const between = new Set<string>()
  let end = start
  if (!isDigits(parts[start])) return start
  for (let at = start; at < parts.length; at += 2) {
    if (at > start) between.add(parts[at - 1] ?? '')
    groups.push(digitsOf(parts[at] ?? ''))
    const digits = groups.join('')
    if (digits.length > CARD_DIGITS.most) break
    const fits = digits.length >= CARD_DIGITS.least && !isTime(digits) && looksLikeCard(groups, between)
    if (fits && passesLuhn(digits)) end = at + 1
  }
  return end
}

/** One group, or several as they are printed, or as they are read out: of one length, with the same between all. */
function looksLikeCard(groups: readonly string[], between: ReadonlySet<string>): boolean {
  if (groups.length === 1) return true
  const lengths = groups.map(({ length }) => length)
  if (PRINTED.has(lengths.join(' '))) return true
  const [first = 0, ...others] = lengths
  const last = others.pop() ?? 0
  return between.size === 1 && last <= first && others.every((length) => length === first)
}

const isDigits = (part: string | undefined): boolean => part !== undefined && /^\p{Nd}/u.test(part)

/** The digits of any script, as those that a computer counts with. */
const digitsOf = (text: string): string =>
  (text.normalize('NFKC').match(/\p{Nd}/gu) ?? []).map((digit) => String(numberOf(digit))).join('')

/** Every script has its ten digits one behind the other. */
function numberOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
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

export function createRedaction({ cards }: { cards: boolean }): Redaction {
  const text = (value: string) => (cards ? maskCards(storable(value)) : storable(value))
  function deep(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    // As a number a card begins as those of banks do; other numbers are left to count with.
    if (typeof value === 'number' && /^[2-6]\d{13,15}$/.test(String(value))) {
      const masked = text(String(value))
      return masked === String(value) ? value : masked
    }
    if (Array.isArray(value)) return value.map(deep)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [text(key), deep(entry)]))
  }
  return {
    id: storable,
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
