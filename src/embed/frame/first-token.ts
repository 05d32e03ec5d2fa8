// Asks for the access token of a new visitor while the panel's code is on its way. The chat then asks as always, and gets this answer.

import type { Start } from '../channel.ts'
import { prefixOf, tokenUrlOf } from './chat/start.ts'

export type FirstToken = {
  /** The visitor has opened the chat, and nothing stands before it. */
  ask(): void
  fetch: typeof fetch
}

/** The chat's own request for a fresh token, in a frame (`chat/access/token.ts`). */
const BODY = JSON.stringify({ sealed: true })
/** An answer that waited longer has less time left than it says. */
const FRESH_MS = 10_000

export function askFirstToken(origin: string, start: Start): FirstToken {
  const url = tokenUrlOf(origin, start)
  let isAsked = false
  let first: { answer: Promise<Response>; at: number } | undefined
  return {
    ask() {
      if (isAsked) return
      isAsked = true
      if (!isNew(start)) return
      const answer = fetch(url, {
        method: 'POST',
        credentials: 'include',
        redirect: 'error',
        cache: 'no-store',
        headers: { 'content-type': 'application/json' },
        body: BODY,
      })
      // The chat gets the rejection. Here nobody waits for it.
      answer.catch(() => {})
      first = { answer, at: Date.now() }
    },
    fetch(address, init) {
      const given = address === url && init?.body === BODY ? first : undefined
      first = undefined
      return given && Date.now() - given.at < FRESH_MS ? given.answer : fetch(address, init)
    },
  }
}

/** This browser has no chat that could be carried on. */
function isNew(start: Start): boolean {
  try {
    return localStorage.getItem(`${prefixOf(start)}session`) === null
  } catch {
    // Only the BFF's cookie may know one.
    return false
  }
}
