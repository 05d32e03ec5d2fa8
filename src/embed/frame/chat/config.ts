// Reads the BFF's configuration (`GET /foyer/config`). The page around a panel cannot change it.

import { bffAddress } from '../../options.ts'

/** What the page learns about messages. */
export type Exposure = 'none' | 'messages' | 'wire'

export type Config = {
  /** Origins whose pictures load by themselves. */
  imageOrigins: readonly string[]
  /** False: the chat is switched off. */
  enabled?: boolean
  /** The separator between the chunks of an answer; undefined: none. */
  chunkJoin?: 'space' | undefined
  /** Whether visitors are asked before anything is stored. */
  consent: boolean
  /** An agent without a model answers. */
  automatic: boolean
  /** Whether the service may know on which page a chat begins. */
  page: boolean
  /** False: scripts of this origin get no tokens. The panel is loaded for every other value. */
  unframed: unknown
}

const TIMEOUT_MS = 8_000

/** Reads the configuration of a connector of the BFF at `origin`. Never rejects: without `read` it could not be read, and allows nothing. */
export async function readConfig(
  origin: string,
  connector: string | undefined,
): Promise<Config & { read: boolean }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let answer: Record<string, unknown> | null = null
  try {
    const response = await fetch(bffAddress(origin, connector, 'config'), { credentials: 'omit', signal })
    if (response.ok) answer = await response.json()
  } catch {
    // The BFF was not reached in time, or did not answer with JSON.
  }
  const { enabled, imageOrigins, chunkJoin, consent, answers, page, unframed } = Object(answer) as Record<
    string,
    unknown
  >
  return {
    read: typeof answer === 'object' && answer !== null,
    enabled: enabled !== false,
    imageOrigins: Array.isArray(imageOrigins) ? imageOrigins.filter((each) => typeof each === 'string') : [],
    chunkJoin: chunkJoin === 'space' ? chunkJoin : undefined,
    consent: consent === 'required',
    automatic: answers === 'automatic',
    page: page === true,
    unframed,
  }
}
