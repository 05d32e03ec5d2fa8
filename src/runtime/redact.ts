// Masks card numbers before anything is stored, even if a stream splits the number.

export type Redaction = {
  text(text: string): string
  /** Masks every string in a value, however deep. */
  deep<T>(value: T): T
  /** Makes an identifier storable without masking it: a masked identifier would not be found again. */
  id(id: string): string
  /** Masks a text that arrives in pieces: it holds back a piece that may begin a number. */
  stream(): { push(piece: string): string; rest(): string }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
const WHOLE_UUID = new RegExp(`^${UUID.source}$`, 'i')
/** Characters that people, forms and Markdown put between digits. */
const BETWEEN = '[\\p{Z}\\p{Pd}\\s./_*\\u200b]{0,5}'
const DIGITS = `\\+?\\p{Nd}(?:${BETWEEN}\\p{Nd})*`
/** Digits with little between them, or an identifier, which is not masked. */
const DIGIT_RUN = new RegExp(`${UUID.source}|${DIGITS}`, 'giu')
const OPEN_END = new RegExp(`(?:\\+|${DIGITS}${BETWEEN})$`, 'u')
const LONGEST_OPEN = 80
const CARD_DIGITS = { least: 13, most: 19 }
/** Lengths of the groups of digits as they are printed on cards. Other groups have one length, except the last. */
const PRINTED: ReadonlySet<string> = new Set(['4 4 4 4', '4 4 4 4 3', '4 6 5', '4 6 4'])

const DIGIT = /\p{Nd}/u

/** Replaces all digits of a card but the last four. */
const maskCards = (text: string): string =>
  // Most texts hold no digit and need no masking.
  !DIGIT.test(text)
    ? text
    : text.replace(DIGIT_RUN, (digitRun) => (WHOLE_UUID.test(digitRun) ? digitRun : maskRun(digitRun)))

/**
 * Masks the cards in a run of digits. A card is one or more whole groups: `4111 1111 1111 1111 12` has one, and
 * two digits beside it.
 */
function maskRun(digitRun: string): string {
  const parts = digitRun.match(/\p{Nd}+|\P{Nd}+/gu) ?? []
  const groups = parts.map((part) => (isDigits(part) ? digitsOf(part) : ''))
  const length = groups.join('').length
  if (length < CARD_DIGITS.least || (digitRun.startsWith('+') && length <= LONGEST_PHONE)) return digitRun
  for (let start = 0; start < parts.length; start++) {
    const cardEnd = endOfCard(parts, groups, start)
    if (cardEnd === start) continue
    let digitsToMask = groups.slice(start, cardEnd).join('').length - 4
    for (let at = start; at < cardEnd; at++)
      parts[at] = parts[at]?.replace(/\p{Nd}/gu, (digit) => (digitsToMask-- > 0 ? '•' : digit)) ?? ''
    start = cardEnd - 1
  }
  return parts.join('')
}

/**
 * The index behind the last group of the longest card that begins at `start`; `start` if no card begins there. `groups`: the digits
 * of each part, none of what stands between them.
 */
function endOfCard(parts: readonly string[], groups: readonly string[], start: number): number {
  let digits = ''
  let end = start
  if (groups[start] === '') return start
  for (let at = start; at < parts.length; at += 2) {
    digits += groups[at]
    if (digits.length > CARD_DIGITS.most) break
    // The cheapest question first: a text may hold nothing but digits and blanks.
    if (digits.length < CARD_DIGITS.least || isTime(digits) || !passesLuhn(digits)) continue
    if (looksLikeCard(parts.slice(start, at + 1), groups.slice(start, at + 1))) end = at + 1
  }
  return end
}

/**
 * True for one group, for groups as they are printed, and for groups of one length with the same characters
 * between them.
 */
function looksLikeCard(parts: readonly string[], groups: readonly string[]): boolean {
  if (parts.length === 1) return true
  const lengths = groups.filter((group) => group !== '').map((group) => group.length)
  if (PRINTED.has(lengths.join(' '))) return true
  const between = new Set(parts.filter((_, index) => groups[index] === ''))
  const [first = 0, ...others] = lengths
  const lastLength = others.pop() ?? 0
  return between.size === 1 && lastLength <= first && others.every((length) => length === first)
}

const isDigits = (part: string): boolean => /^\p{Nd}/u.test(part)

/** The digits of any script as ASCII digits. */
const digitsOf = (text: string): string =>
  /^\d+$/.test(text)
    ? text
    : (text.normalize('NFKC').match(/\p{Nd}/gu) ?? []).map((digit) => String(numberOf(digit))).join('')

/** The value of a digit: every script has its ten digits in a row. */
function numberOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}

// One phone number in ten passes the Luhn check, so a number with a plus and at most 15 digits is not masked.
const LONGEST_PHONE = 15
/** A time in milliseconds since 1970, as it appears in URLs. */
const isTime = (digits: string) => digits.length === 13 && digits.startsWith('1')

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  // A row of zeros passes the check, but is not a card.
  return sum > 0 && sum % 10 === 0
}

// PostgreSQL's text holds neither NUL nor half of a surrogate pair.
const UNSTORABLE = /[\0\p{Surrogate}]/u
const FIRST_HALF = /[\ud800-\udbff]$/
const storable = (text: string): string =>
  UNSTORABLE.test(text) ? text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd') : text

export function createRedaction({ cards }: { cards: boolean }): Redaction {
  const text = (value: string) => (cards ? maskCards(storable(value)) : storable(value))
  function deep(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    // Only numbers with a bank prefix (2-6) are treated as cards; other numbers stay numbers.
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
      let heldBack = ''
      return {
        push(piece) {
          const whole = heldBack + piece
          // The other half of a sign, such as of an emoji, comes with the next piece.
          const half = FIRST_HALF.exec(whole)?.[0] ?? ''
          const end = whole.length - half.length
          heldBack = (cards ? openEnd(whole.slice(0, end)) : '') + half
          return text(whole.slice(0, whole.length - heldBack.length))
        },
        rest() {
          const whole = heldBack
          heldBack = ''
          return text(whole)
        },
      }
    },
  }
}

/** Characters of another program's reason that are kept. */
const MOST_REASON = 500

/** Shorter texts say nothing, and stand in many words. */
const LEAST_LEFT_OUT = 4

/**
 * What another program gave as its reason, masked and cut: in this order, since a mask does not recognise half of a card's number. `without`: texts
 * that the reason may repeat and nobody should read, such as a visitor's words.
 */
export function shortReason(
  { text }: Pick<Redaction, 'text'>,
  reason: string,
  without: readonly (string | undefined)[] = [],
): string {
  const rest = without.reduce<string>(
    (left, each) => (each && each.length >= LEAST_LEFT_OUT ? left.replaceAll(each, '…') : left),
    reason,
  )
  return text(rest.slice(0, 4 * MOST_REASON)).slice(0, MOST_REASON)
}

/** The end of a text that may be the beginning of a card. Of an endless run, only its last groups. */
function openEnd(text: string): string {
  const openNumber = OPEN_END.exec(text.slice(-LONGEST_OPEN * 2))?.[0] ?? ''
  return openNumber.length <= LONGEST_OPEN ? openNumber : openNumber.slice(-LONGEST_OPEN).replace(/^\d+/, '')
}
