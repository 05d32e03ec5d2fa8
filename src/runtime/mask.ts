// Card numbers are masked before anything is stored, also where a number comes in pieces.

export type Clean = {
  text(text: string): string
  /** Every string in it, however deep, but identifiers. */
  deep<T>(value: T): T
  /** For a text that comes piece by piece: holds back what may be the beginning of a number. */
  stream(): { push(piece: string): string; rest(): string }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
/** 13 to 19 digits, with single spaces, dots or hyphens between them; or an identifier, which stays. */
const CANDIDATE = new RegExp(`${UUID.source}|(?<!\\d)\\d(?:[ .\\-\\u00a0]?\\d){12,18}(?!\\d)`, 'gi')
const OPEN_END = /\d(?:[ .\-\u00a0]?\d)*[ .\-\u00a0]?$/
const LONGEST_OPEN = 40
const IDENTIFIERS = /^(id|.*_id|sid|.*_sid)$/

/** Replaces all digits but the last four. */
function maskCards(text: string): string {
  return text.replace(CANDIDATE, (match) => {
    if (UUID.test(match.toLowerCase()) || !passesLuhn(match.replace(/\D/g, ''))) return match
    let left = match.replace(/\D/g, '').length - 4
    return match.replace(/\d/g, (digit) => (left-- > 0 ? '*' : digit))
  })
}

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
        IDENTIFIERS.test(key) && typeof entry === 'string' ? storable(entry) : deep(entry),
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
          const open = cards ? (OPEN_END.exec(whole)?.[0] ?? '') : ''
          held = open.length > LONGEST_OPEN ? '' : open
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
