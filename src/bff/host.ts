// Decides whether the host of a request is safe in addresses and in a Content-Security-Policy.

const HOST = /^(?:[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63}){0,126}\.?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Whether the text is host[:port]: a name, an IPv4 address, or an IPv6 address in brackets. URLs allow more: a `;` in
 * a host would begin a new directive of a Content-Security-Policy.
 */
export const isHost = (text: string): boolean => HOST.test(text)
