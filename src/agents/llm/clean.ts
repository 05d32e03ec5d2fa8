// Removes what nobody can see from text of a model: control characters, and characters that turn the direction of the text.

/** All but line breaks and tabs. Marks of direction stay: Arabic and Hebrew need them. */
const HIDDEN = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

export const cleanText = (text: string): string => text.replace(HIDDEN, '')

/** A value of JSON with all its texts cleaned. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [cleanText(name), cleanValue(each)]))
}
