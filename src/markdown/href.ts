// Decides which addresses may be followed.

const SCHEMES = ['https:', 'http:', 'mailto:', 'tel:']

/** The address, if it may be followed; undefined otherwise. Judged after parsing, as the browser will. */
export function safeHref(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return SCHEMES.includes(url.protocol) && url.username + url.password === '' ? url.href : undefined
}

/**
 * One form of the addresses that lead to the same place in every engine; undefined where nobody may follow it. Engines read letters
 * beyond ASCII in different ways, so a host with such letters counts as it is written.
 */
export function comparableHref(text: string): string | undefined {
  try {
    // Of its ASCII form, since `URL.canParse` of Node 20 is wrong about letters of Latin-1.
    const href = safeHref(new URL(text).href)
    const [beginning = ''] = /^[^/\\?#]*[/\\]*[^/\\?#]*/.exec(text) ?? []
    return href !== undefined && /[^!-$&-~]/.test(beginning) ? text : href
  } catch {
    return undefined
  }
}
