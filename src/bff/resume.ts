// Finds the grant that a request resumes: in its cookie, or in the sealed text that a frame keeps where the
// browser returns no cookie to it. The cookie and the text hold the same.
//
//   {}                                           a fresh token
//   {"sealed": true}                             the same; the frame can keep a sealed text
//   {"resume": true, "sealed": true | "<text>"}  the remembered token, found by text or cookie
//   {"resume": true, "session_id": "<id>"}       the same; the id is sealed with the token, later resumes answer it

import type { Seal, Sealed } from './seal.ts'

/** What the body of a token request asks for. */
export type Asked = {
  resume: boolean
  /** The asker keeps a sealed text where cookies do not come back. Only a frame of the BFF's own origin may. */
  keeps: boolean
  text: string | undefined
  sessionId: string | undefined
}

/** Longer texts are not handed out: with them the next request would exceed the limit of its body. */
const LONGEST_TEXT = 3_584
const SESSION_ID = /^[\x21-\x7e]{1,200}$/

/** `mayKeep`: the request comes from the BFF's own origin, not from another by CORS. */
export function readAsked(body: Readonly<Record<string, unknown>>, mayKeep: boolean): Asked {
  const { resume, sealed, session_id } = body
  const isText = typeof sealed === 'string' && sealed.length <= LONGEST_TEXT
  return {
    resume: resume === true,
    keeps: mayKeep && (sealed === true || typeof sealed === 'string'),
    text: mayKeep && isText ? sealed : undefined,
    sessionId:
      mayKeep && typeof session_id === 'string' && SESSION_ID.test(session_id) ? session_id : undefined,
  }
}

/** Whether our own frame asks, by `Origin` and, where the browser sends it, `Sec-Fetch-Site`. */
export function isSameOrigin(request: Request, own: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  return request.headers.get('origin') === own && (site === null || site === 'same-origin')
}

export type Resumed = {
  kept: Sealed
  /** The sealed form of `kept`, with the session's ID where it was named. */
  text: string
}

/**
 * What a request can resume. `fits` says whether the grant is the asker's and still lives. The text comes before
 * the cookie: it stands beside the session it belongs to, where the cookie may be of a later one.
 */
export async function resume(
  { text, sessionId }: Asked,
  cookie: string | undefined,
  seal: Seal,
  fits: (kept: Sealed) => boolean,
): Promise<{ resumed: Resumed | undefined; cookieSeen: boolean }> {
  const open = async (sealed: string | undefined): Promise<Resumed | undefined> => {
    const kept = sealed === undefined ? undefined : await seal.open(sealed)
    return sealed !== undefined && kept && fits(kept) ? { kept, text: sealed } : undefined
  }
  const [byText, byCookie] = await Promise.all([open(text), open(cookie)])
  const found = byText ?? byCookie
  const cookieSeen = byCookie !== undefined
  if (!found || sessionId === undefined || sessionId === found.kept.sessionId)
    return { resumed: found, cookieSeen }
  const kept = { ...found.kept, sessionId }
  const named = await seal.seal(kept)
  // The token counts more than the name.
  return { resumed: named.length > LONGEST_TEXT ? found : { kept, text: named }, cookieSeen }
}

/** The text for an answer: nothing where the asker keeps none, has its cookie, or could not send it back. */
export const textFor = (asked: Asked, cookieSeen: boolean, text: string): string | undefined =>
  asked.keeps && !cookieSeen && text.length <= LONGEST_TEXT ? text : undefined
