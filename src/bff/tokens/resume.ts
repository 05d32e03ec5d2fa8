// Finds the grant that a request resumes: in its cookie, or in the sealed text that a frame keeps if the browser
// returns no cookie to it. The cookie and the text have the same content.
//
//   {}                                           a fresh token
//   {"sealed": true}                             the same; the frame can keep a sealed text
//   {"resume": true, "sealed": true | "<text>"}  the remembered token, found by text or cookie
//   {"resume": true, "session_id": "<id>"}       the same; the id is sealed with the token, later resumes answer it
//   … with "session_status": true                seals this flag too, if `session_id` equals the sealed one

import type { Seal, Sealed } from './seal.ts'

/** The parsed body of a token request. */
export type Asked = {
  resume: boolean
  /** The client can keep a sealed text if cookies do not come back. Only a frame of the BFF's own origin may. */
  keeps: boolean
  text: string | undefined
  sessionId: string | undefined
  /** The service answers questions for this session's state (`session_status`). */
  hasStatus: boolean
}

/** The BFF gives out no longer text, since the next request with that text would exceed the body limit. */
const LONGEST_TEXT = 3_584
const SESSION_ID = /^[\x21-\x7e]{1,200}$/

/** `mayKeep`: the request comes from the BFF's own origin, not from another by CORS. */
export function readAsked(body: Readonly<Record<string, unknown>>, mayKeep: boolean): Asked {
  const { resume, sealed, session_id, session_status } = body
  const isText = typeof sealed === 'string' && sealed.length <= LONGEST_TEXT
  return {
    resume: resume === true,
    keeps: mayKeep && (sealed === true || typeof sealed === 'string'),
    text: mayKeep && isText ? sealed : undefined,
    sessionId:
      mayKeep && typeof session_id === 'string' && SESSION_ID.test(session_id) ? session_id : undefined,
    hasStatus: session_status === true,
  }
}

/** Whether the request comes from our own frame, by `Origin` and, if the browser sends it, `Sec-Fetch-Site`. */
export function isSameOrigin(request: Request, own: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  return request.headers.get('origin') === own && (site === null || site === 'same-origin')
}

export type Resumed = {
  kept: Sealed
  /** The sealed form of `kept`, with the session's ID if the request names it. */
  text: string
}

/**
 * Finds the grant that a request can resume. `fits` decides whether the grant belongs to the client and is still valid.
 * The text goes before the cookie: the frame keeps the text beside its session, while the cookie may belong to a later
 * session.
 */
export async function resume(
  { text, sessionId, hasStatus }: Asked,
  cookie: string | undefined,
  seal: Seal,
  fits: (kept: Sealed) => boolean,
): Promise<{ resumed: Resumed | undefined; cookieSeen: boolean }> {
  const open = async (sealed: string | undefined): Promise<Resumed | undefined> => {
    const kept = sealed === undefined ? undefined : await seal.open(sealed)
    return sealed !== undefined && kept && fits(kept) ? { kept, text: sealed } : undefined
  }
  const [byText, byCookie] = await Promise.all([open(text), open(cookie)])
  const resumedGrant = byText ?? byCookie
  const cookieSeen = byCookie !== undefined
  if (!resumedGrant || sessionId === undefined) return { resumed: resumedGrant, cookieSeen }
  const isNamed = sessionId === resumedGrant.kept.sessionId
  // The flag is about a session that another tab has replaced: keep the newer session.
  if (isNamed ? !hasStatus || resumedGrant.kept.hasStatus : hasStatus)
    return { resumed: resumedGrant, cookieSeen }
  const kept: Sealed = { ...resumedGrant.kept, sessionId, hasStatus: isNamed || undefined }
  const namedText = await seal.seal(kept)
  // If the text is too long, leave out the session's ID and keep the token.
  return { resumed: namedText.length > LONGEST_TEXT ? resumedGrant : { kept, text: namedText }, cookieSeen }
}

/** The text for an answer: undefined if the client keeps none, has its cookie, or could not send the text back. */
export const textFor = (asked: Asked, cookieSeen: boolean, text: string): string | undefined =>
  asked.keeps && !cookieSeen && text.length <= LONGEST_TEXT ? text : undefined
