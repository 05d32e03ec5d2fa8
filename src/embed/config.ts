// What the BFF says of itself (`GET /foyer/config`). The page around a panel has no say in any of it.

export type Exposure = 'none' | 'messages' | 'wire'

export type Config = {
  /** What the page may be told of messages. */
  expose: Exposure
  /** Origins whose pictures load by themselves. */
  imageOrigins: readonly string[]
  /** What stands between the chunks of an answer; undefined: nothing. */
  chunkJoin?: 'space' | undefined
  /** Whether visitors are asked before anything is stored. */
  consent: boolean
  /** Whether scripts of this origin are given tokens; undefined where the BFF does not say. */
  unframed: boolean | undefined
}

const TIMEOUT_MS = 8_000

/** Reads the configuration of the BFF at `origin`. Never rejects: what cannot be read allows nothing. */
export async function readConfig(origin: string): Promise<Config> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS)
  let answer: Record<string, unknown> = {}
  try {
    const response = await fetch(`${origin}/foyer/config`, { credentials: 'omit', signal: timeout.signal })
    if (response.ok) answer = Object(await response.json())
  } catch {
    // Not reached, not in time, or not JSON.
  } finally {
    clearTimeout(timer)
  }
  const { expose, imageOrigins, chunkJoin, consent, unframed } = answer
  return {
    expose: expose === 'messages' || expose === 'wire' ? expose : 'none',
    imageOrigins: Array.isArray(imageOrigins) ? imageOrigins.filter((each) => typeof each === 'string') : [],
    chunkJoin: chunkJoin === 'space' ? chunkJoin : undefined,
    consent: consent === 'required',
    unframed: typeof unframed === 'boolean' ? unframed : undefined,
  }
}
