// Names, writes and reads the cookie in which a visitor's browser keeps the sealed token.

import { parse } from 'hono/utils/cookie'
import { sha256 } from 'hono/utils/crypto'

/** The cookie's name: one for each connector and each origin that asks, so that they never overwrite each other. */
export const cookieName = async (connector: string, origin: string): Promise<string> =>
  `__Host-foyer-${(await sha256(`${connector}\n${origin}`))?.slice(0, 16)}`

/** The value of Set-Cookie. `maxAge`: seconds; 0 deletes the cookie. */
export const cookieText = (name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Secure; HttpOnly; SameSite=None; Partitioned; Path=/; Max-Age=${maxAge}`

/** The cookie's value in the header Cookie. */
export const readCookie = (header: string | null, name: string): string | undefined =>
  parse(header ?? '', name)[name]
