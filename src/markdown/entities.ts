// Stands in for `entities` everywhere, so that a server reads what a browser draws: its table of 2,000 names is larger than the parser. An agent writes
// the character itself; the few names that Markdown needs for its own signs are here.

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}

export function decodeHTMLStrict(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w+);/gi, (whole, name: string) => {
    if (name[0] !== '#') return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? whole) : whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : '\ufffd'
  })
}

/** Whether these characters may still become one of them: `&`, `&am`, `&#x2`. */
export const beginsEntity = (text: string): boolean =>
  /^&#(?:\d{0,7}|x[\da-f]{0,6})$/i.test(text) ||
  Object.keys(NAMES).some((name) => `&${name}`.startsWith(text))
