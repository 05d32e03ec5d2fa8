// Names, writes and reads the cookie in which a visitor's browser keeps the sealed token.

/** The cookie's name: one for each connector and each origin that asks, so that they never overwrite each other. */
export async function cookieName(connector: string, origin: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${connector}\n${origin}`))
  const hex = [...new Uint8Array(digest).slice(0, 8)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return `__Host-foyer-${hex}`
}

/** The value of Set-Cookie. `maxAge`: seconds; 0 deletes the cookie. */
export const cookieText = (name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Secure; HttpOnly; SameSite=None; Partitioned; Path=/; Max-Age=${maxAge}`

/** The cookie's value in the header Cookie. */
export function readCookie(header: string | null, name: string): string | undefined {
  const start = `${name}=`
  return header
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
}
