// Decides which pictures load without being asked for.

/** A picture that loads tells its host who looks at it: only hosts that the BFF names are told. */
export function loadsByItself(url: string, origins: readonly string[]): boolean {
  if (/^data:image\//.test(url)) return true
  return URL.canParse(url) && /^https?:/.test(url) && origins.includes(new URL(url).origin)
}
