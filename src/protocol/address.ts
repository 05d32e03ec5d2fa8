// Builds the addresses of the service, whose hosts come from settings and none from the code, and shortens that of a page.

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** True for the names and addresses of this machine itself. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/**
 * The socket's address for a session. `chatUrl` is the base of the chat family (`https://host[/path]`);
 * https becomes wss, http becomes ws, and plain ws is refused except on loopback.
 * Throws a TypeError that never holds the token.
 */
export function socketUrl(chatUrl: string, sessionId: string, accessToken: string, cursor = 0): string {
  const url = chatEndpoint(chatUrl, '/ws')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new TypeError('The chat URL must be https: plain ws is only for loopback')
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  url.searchParams.set('session_id', sessionId)
  url.searchParams.set('access_token', accessToken)
  if (cursor > 0) url.searchParams.set('cursor', String(cursor))
  return url.href
}

/** The address of one of the chat family's paths (`/api/v1/sessions`). */
export function chatEndpoint(chatUrl: string, path: string): URL {
  const url = URL.canParse(chatUrl) ? new URL(chatUrl) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new TypeError('The chat URL must be a full http or https address')
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  url.search = ''
  url.hash = ''
  return url
}

const LONGEST_PAGE = 2_048

/** The address of a page of the web (http or https) without credentials, query and fragment. Undefined for another, and for one over 2 KB. */
export function pageAddress(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { protocol, origin, pathname } = new URL(url)
  const address = origin + pathname
  return /^https?:$/.test(protocol) && address.length <= LONGEST_PAGE ? address : undefined
}
