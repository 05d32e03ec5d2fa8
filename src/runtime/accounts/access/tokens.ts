// Issues and verifies access tokens: JWTs with every claim checked.

import { type JWTPayload, jwtVerify, SignJWT } from 'jose'

const ALGORITHM = 'HS256'
const AUDIENCE = 'foyer-chat'
const SKEW_SECONDS = 60
const LONGEST_TOKEN = 4096

export type AccessClaims = { tokenId: string; connectorId: string; host: string }

export type AccessTokensOptions = {
  /** The first key signs tokens, all keys verify them. */
  keys: readonly string[]
  issuer: string
  ttlSeconds: number
  /** Milliseconds since 1970. */
  now: () => number
  uuid: () => string
}

export interface AccessTokens {
  readonly ttlSeconds: number
  issue(connectorId: string, host: string): Promise<string>
  /** Undefined if any check of the token fails. */
  verify(token: string): Promise<AccessClaims | undefined>
}

export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { keys, issuer, ttlSeconds, now, uuid } = options
  const signingKeys = keys.map((key) => new TextEncoder().encode(key))
  const [firstKey] = signingKeys
  if (!firstKey) throw new Error('Access tokens need at least one signing key')
  return {
    ttlSeconds,

    issue(connectorId, host) {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({ connector: connectorId, host })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setJti(uuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds)
        .sign(firstKey)
    },

    async verify(token) {
      if (token.length > LONGEST_TOKEN || !isCanonical(token)) return undefined
      for (const signingKey of signingKeys) {
        try {
          const { payload } = await jwtVerify(token, signingKey, {
            algorithms: [ALGORITHM],
            issuer,
            audience: AUDIENCE,
            clockTolerance: SKEW_SECONDS,
            currentDate: new Date(now()),
            requiredClaims: ['exp', 'iat', 'jti', 'connector', 'host'],
            typ: 'JWT',
          })
          return claimsOf(payload, now() / 1000)
        } catch {
          // Another key may have signed the token: try the next one.
        }
      }
      return undefined
    },
  }
}

/** Requires three parts in canonical base64url, so that no token has a second spelling. */
function isCanonical(token: string): boolean {
  const tokenParts = token.split('.')
  return (
    tokenParts.length === 3 &&
    tokenParts.every(
      (tokenPart) =>
        tokenPart !== '' && Buffer.from(tokenPart, 'base64url').toString('base64url') === tokenPart,
    )
  )
}

function claimsOf(payload: JWTPayload, nowSeconds: number): AccessClaims | undefined {
  const { jti, iat, aud, connector, host } = payload
  if (typeof jti !== 'string' || typeof connector !== 'string' || typeof host !== 'string') return undefined
  if (!jti || !connector) return undefined
  // jose checks `iat` only if a maximum age is given.
  if (typeof iat !== 'number' || iat > nowSeconds + SKEW_SECONDS) return undefined
  if (aud !== AUDIENCE) return undefined
  return { tokenId: jti, connectorId: connector, host }
}
