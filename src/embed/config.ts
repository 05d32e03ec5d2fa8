// Reads the BFF's configuration (`GET /foyer/config`). The page around a panel cannot change it.

/** What the page learns about messages. */
export type Exposure = 'none' | 'messages' | 'wire'

export type Config = {
  /** Origins whose pictures load by themselves. */
  imageOrigins: readonly string[]
  /** The separator between the chunks of an answer; undefined: none. */
  chunkJoin?: 'space' | undefined
  /** Whether visitors are asked before anything is stored. */
  consent: boolean
  /** Whether scripts of this origin get tokens; undefined if the BFF does not say. */
  unframed: boolean | undefined
}

const TIMEOUT_MS = 8_000

/** Reads the configuration of the BFF at `origin`. Never rejects: an unreadable configuration allows nothing. */
export async function readConfig(origin: string): Promise<Config> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS)
  let answer: Record<string, unknown> = {}
  try {
    const response = await fetch(`${origin}/foyer/config`, { credentials: 'omit', signal: timeout.signal })
    if (response.ok) answer = Object(await response.json())
  } catch {
    // The BFF was not reached in time, or did not answer with JSON.
  } finally {
    clearTimeout(timer)
  }
  const { imageOrigins, chunkJoin, consent, unframed } = answer
  return {
    imageOrigins: Array.isArray(imageOrigins) ? imageOrigins.filter((each) => typeof each === 'string') : [],
    chunkJoin: chunkJoin === 'space' ? chunkJoin : undefined,
    consent: consent === 'required',
    unframed: typeof unframed === 'boolean' ? unframed : undefined,
  }
}
