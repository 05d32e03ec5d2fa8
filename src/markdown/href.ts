// Decides which addresses may be followed.

const SCHEMES = ['https:', 'http:', 'mailto:', 'tel:']

/** The address, if it may be followed; undefined otherwise. Judged after parsing, as the browser will. */
export function safeHref(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return SCHEMES.includes(url.protocol) && url.username + url.password === '' ? url.href : undefined
}
