// Knows which live agent a browser is, by a cookie that only this server makes and no page reads. Colleagues see an id that is made of the
// secret in it, with which nobody can act.

import { createHash, randomBytes } from 'node:crypto'

const COOKIE = 'foyer-desk'
/** 18 bytes in base64url, a dot, and a name in base64url. */
const VALUE = /^([\w-]{24})\.([\w-]{1,700})$/

export type Person = { id: string; name: string }

/** The person of a Cookie header. */
export function personOf(header: string | null): Person | undefined {
  const [, secret, name] = VALUE.exec(valueIn(header)) ?? []
  if (secret === undefined || name === undefined) return undefined
  return { id: idOf(secret), name: Buffer.from(name, 'base64url').toString() }
}

/** A Set-Cookie header for this name. A browser that was somebody stays that one, in all its tabs. */
export function cookieFor(name: string, header: string | null): string {
  const [, known] = VALUE.exec(valueIn(header)) ?? []
  const secret = known ?? randomBytes(18).toString('base64url')
  const value = `${secret}.${Buffer.from(name).toString('base64url')}`
  return `${COOKIE}=${value}; Path=/demo/desk; HttpOnly; SameSite=Strict`
}

function valueIn(header: string | null): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? ''
}

/** Written as the UUIDs of other ids are. */
function idOf(secret: string): string {
  const hex = createHash('sha256').update(secret).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
