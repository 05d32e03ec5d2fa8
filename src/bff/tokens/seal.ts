// Seals the data that a visitor's browser keeps for the BFF: authenticated encryption, so that nobody else can read or
// forge it.

import { base64url, CompactEncrypt, compactDecrypt } from 'jose'

/** The sealed data: the token, whom the BFF gave it to, and its expiry (seconds since 1970). */
export type Sealed = {
  token: string
  connector: string
  origin: string
  expires: number
  /** The session created with the token, once its frame has named it. */
  sessionId?: string | undefined
  /** The service answers questions for this session's state (`session_status`), as its frame has said. */
  hasStatus?: true | undefined
}

export type Seal = {
  seal(content: Sealed): Promise<string>
  /** Undefined if the text was not sealed with one of our secrets, or was sealed for another connector or origin. */
  open(text: string): Promise<Sealed | undefined>
}

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const
const LONGEST_SEALED = 8192

/** The first secret seals; every secret opens. Put a new secret first, and keep the old ones until their cookies have expired. */
export function createSeal(secrets: readonly string[]): Seal {
  if (secrets.length === 0)
    throw new TypeError('The BFF needs at least one cookie secret (FOYER_COOKIE_SECRET)')
  const keys = Promise.all(secrets.map(deriveKey))
  return {
    async seal(content) {
      const [key] = await keys
      if (!key) throw new Error('no key')
      return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
        .setProtectedHeader(HEADER)
        .encrypt(key)
    },
    async open(text) {
      if (text.length > LONGEST_SEALED || !isCanonical(text)) return undefined
      for (const key of await keys) {
        try {
          const { plaintext } = await compactDecrypt(text, key, {
            keyManagementAlgorithms: [HEADER.alg],
            contentEncryptionAlgorithms: [HEADER.enc],
          })
          const { token, connector, origin, expires, sessionId, hasStatus } = JSON.parse(
            new TextDecoder().decode(plaintext),
          ) as Sealed
          return { token, connector, origin, expires, sessionId, hasStatus }
        } catch {
          // Sealed with another secret, or not by this BFF.
        }
      }
      return undefined
    },
  }
}

/** Requires every part in canonical base64url, so that no text has a second spelling. */
function isCanonical(text: string): boolean {
  try {
    return text.split('.').every((part) => base64url.encode(base64url.decode(part)) === part)
  } catch {
    return false
  }
}

async function deriveKey(secret: string): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode('foyer cookie') },
    material,
    256,
  )
  return new Uint8Array(bits)
}
