// Finds bare addresses in plain text. Every pattern is bounded, so the cost grows with the length of the text.

export type Part = string | { text: string; href: string }

const LONGEST = 2_048
/** A sign of an address: of ASCII all but quotes and angles, of the rest what is neither punctuation nor invisible. */
const SIGN = '(?:[!#-&(-;=?-_a-~]|(?![\\p{P}\\p{Cf}])[^\\s!-~])'
/** Names of mail addresses may hold Latin letters with accents; other scripts stand before one without a space. */
const ADDRESS = new RegExp(
  `\\b(?:https?://|www\\.[a-z\\d-]{1,63}\\.)${SIGN}{1,${LONGEST}}|[\\w.+\\-\\xc0-\\u024f\\u0300-\\u036f\\u1e00-\\u1eff]{1,64}@[a-z\\d-]{1,63}(?:\\.[a-z\\d-]{1,63}){1,6}`,
  'giu',
)
const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** The text in its order: words as they are, addresses with what they lead to. `isAddress`: whether something of that form is one. */
export function splitAddresses(text: string, isAddress = (href: string) => URL.canParse(href)): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(ADDRESS)) {
    const found = withoutSentence(match[0])
    const scheme = /^https?:/i.test(found)
      ? ''
      : /^www\.[^@/?#]*(?:[/?#]|$)/i.test(found)
        ? 'https://'
        : 'mailto:'
    const href = scheme + found
    if (!isAddress(href)) continue
    if (match.index > at) parts.push(text.slice(at, match.index))
    parts.push({ text: found, href })
    at = match.index + found.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

/** Cuts punctuation at the end, which belongs to the sentence; a closing bracket only if the address does not open it. */
function withoutSentence(address: string): string {
  let end = address.length
  // Bounded: more closing signs than this are not cut.
  for (const least = end - 8; end > 0 && end > least; end--) {
    const sign = address[end - 1] ?? ''
    const opener = OPENERS[sign]
    if (opener === undefined ? !'.,;:!?…*_~'.includes(sign) : isBalanced(address.slice(0, end), opener, sign))
      break
  }
  return address.slice(0, end)
}

const isBalanced = (text: string, opener: string, closer: string): boolean =>
  text.split(opener).length >= text.split(closer).length

/** A host in the words of a link, and the name before an @. Behind a path or a query is none. */
const HOST =
  /(?:^[/\\]*|[^\p{L}\p{N}_@./\\?=&#%-]|:[/\\]*)([^\s/@]{1,64}@)?((?:[\p{L}\p{N}_-]{1,63}[.。．｡]){1,8}\p{L}{2,24})(?![\p{L}\p{N}_-])/giu
/** Scripts with letters that look like Latin ones, and in which nothing of Foyer is written. */
const ALIKE = /[\p{sc=Cyrl}\p{sc=Grek}]/u

const bare = (name: string) => name.toLowerCase().replace(/^www\./, '')

/** The host that a link leads to, if its words name another one, or one that only looks like it. */
export function hiddenHost(words: string, href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { host, hostname, pathname, protocol } = new URL(href)
  const isMail = protocol === 'mailto:'
  const real = isMail ? pathname.slice(pathname.lastIndexOf('@') + 1) : hostname
  // Invisible characters (zero width, direction) would make two hosts differ that look the same.
  for (const [, name, said = ''] of words
    .slice(0, 300)
    .replace(/\p{Cf}/gu, '')
    .matchAll(HOST)) {
    if (real === '' || (isMail && !name)) continue
    const named = URL.canParse(`https://${said}`) ? new URL(`https://${said}`).hostname : said
    if (bare(named) !== bare(real) || ALIKE.test(said)) return isMail ? real : host
  }
  return undefined
}
