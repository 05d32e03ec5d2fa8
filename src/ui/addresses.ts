// Finds bare addresses in plain text. Every pattern is bounded, so the cost grows with the length of the text.

export type Part = string | { text: string; href: string }

const LONGEST = 2_048
const ADDRESS = new RegExp(
  `\\bhttps?://[^\\s<>"']{1,${LONGEST}}|\\b[\\w.+-]{1,64}@[a-z\\d-]{1,63}(?:\\.[a-z\\d-]{1,63}){1,6}`,
  'gi',
)
const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** The text in its order: words as they are, addresses with what they lead to. */
export function splitAddresses(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(ADDRESS)) {
    const found = withoutSentence(match[0])
    const isPage = /^https?:/i.test(found)
    if (isPage && !URL.canParse(found)) continue
    if (match.index > at) parts.push(text.slice(at, match.index))
    parts.push({ text: found, href: isPage ? found : `mailto:${found}` })
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

/** A host at the start of a link's words: after quotes, brackets, a scheme or a name. */
const HOST =
  /^[^\p{L}\p{N}]*(?:https?:[/\\]*)?(?:[^\s/@]{1,64}@)?((?:[\p{L}\p{N}_-]{1,63}[.。．｡]){1,8}\p{L}{2,24})(?![\p{L}\p{N}_-])/iu

/** The host that a link leads to, if its words name another one. */
export function hiddenHost(words: string, href: string): string | undefined {
  // Invisible characters (zero width, direction) would make two hosts differ that look the same.
  const said = HOST.exec(words.slice(0, 300).replace(/\p{Cf}/gu, ''))?.[1]
  if (said === undefined || !URL.canParse(href)) return undefined
  const { host, hostname } = new URL(href)
  const bare = (name: string) => name.toLowerCase().replace(/^www\./, '')
  const named = URL.canParse(`https://${said}`) ? new URL(`https://${said}`).hostname : said
  return hostname !== '' && bare(named) !== bare(hostname) ? host : undefined
}
