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

/** Whether the text is an http or https URL with a valid host. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && isHost(new URL(text).host)
