// Decides whether a host, an origin or an address is safe in answers and in a Content-Security-Policy.

const HOST = /^(?:[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63}){0,126}\.?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Whether the text is host[:port]: a name, an IPv4 address, or an IPv6 address in brackets. URLs allow more: a `;` in
 * a host would begin a new directive of a Content-Security-Policy.
 */
export const isHost = (text: string): boolean => HOST.test(text)

/** Whether the text is an exact origin: scheme, host and port only. */
export const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && isHost(new URL(text).host)

/** Whether the text is an http or https URL with a valid host, and without a user name and a password, which `fetch` refuses. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && isHost(host) && username === '' && password === ''
}

/** Puts the region into an address that holds `{region}`. Undefined: the address needs a region, and there is none. */
export function fillRegion(address: string, region: string | undefined): string | undefined {
  if (!address.includes('{region}')) return address
  return region !== undefined && /^[a-z\d-]{1,32}$/.test(region)
    ? address.replaceAll('{region}', region)
    : undefined
}
