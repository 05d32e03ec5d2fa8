// Admits sockets to sessions: checks the address, the access token and the number of open sockets.

import { MAX_SOCKETS_PER_SESSION } from '../../../protocol/index.ts'
import type { AccessTokens } from '../../accounts/index.ts'
import type { Database } from '../../database/index.ts'
import { accessTo, isSessionId } from '../access.ts'
import type { WireEvent } from '../hub.ts'
import type { Sessions } from '../sessions.ts'
import { addSocket } from '../socket-store.ts'
import { isActive } from '../state/session.ts'
import type { TransientEvents } from '../wire-event.ts'
import type { Places } from './places.ts'

/** An admitted socket. It counts as open from its admission on. */
export type Admission = {
  id: string
  sessionId: string
  cursor: number
  hasEnded: boolean
  /** The session has ended, and the client has read all its events: the client may still rate the chat. */
  mayRate: boolean
  warning: WireEvent | undefined
}
/** Why a handshake is refused: a status, and a text for people. */
export type HandshakeError = { status: 400 | 401 | 404 | 429 | 500; text: string }

export type AdmissionOptions = {
  database: Database
  sessions: Sessions
  transient: TransientEvents
  tokens: AccessTokens
  places: Places
  processId: string
  deadAfterSeconds: number
  uuid: () => string
}

const INVALID: HandshakeError = { status: 400, text: 'invalid connection parameters' }
const UNAUTHORIZED: HandshakeError = { status: 401, text: 'authentication failed' }

export async function admit(options: AdmissionOptions, target: string): Promise<Admission | HandshakeError> {
  // An address that begins with two slashes would name a host.
  if (target.startsWith('//') || !URL.canParse(target, 'http://runtime')) return INVALID
  const url = new URL(target, 'http://runtime')
  return url.pathname === '/ws'
    ? admitTo(options, url.searchParams)
    : { status: 404, text: 'there is no socket at this address' }
}

async function admitTo(
  { database, sessions, transient, tokens, places, processId, deadAfterSeconds, uuid }: AdmissionOptions,
  params: URLSearchParams,
): Promise<Admission | HandshakeError> {
  const sessionId = params.get('session_id')
  const token = params.get('access_token')
  if (!sessionId || !token || !isSessionId(sessionId)) return INVALID
  const claims = await tokens.verify(token)
  if (!claims) return UNAUTHORIZED
  const session = await accessTo(sessions, sessionId, claims.tokenId)
  if (session === 'unknown') return { status: 404, text: 'session not found' }
  if (session === 'foreign') return UNAUTHORIZED
  const id = uuid()
  const limit = { most: MAX_SOCKETS_PER_SESSION, deadAfterMs: deadAfterSeconds * 1_000 }
  const place = await addSocket(database, { id, sessionId, processId }, limit)
  if (!place) return { status: 429, text: 'connection limit exceeded for session' }
  if (place.taken) places.takenFrom(place.taken.processId)
  const cursor = readCursor(params.get('cursor'))
  return {
    id,
    sessionId,
    // A cursor above the highest sequence cannot come from this session's data.
    cursor: cursor < session.nextSequence ? cursor : 0,
    hasEnded: !isActive(session),
    mayRate: !isActive(session) && cursor === session.nextSequence - 1,
    warning:
      session.warnedAt && isActive(session)
        ? transient.event('EVENT_TYPE_SESSION_IDLE_WARNING', {})
        : undefined,
  }
}

/** A number, or `seq:<number>`. Anything unreadable counts as 0: the connection is never refused for it. */
export function readCursor(text: string | null): number {
  const [, digits] = /^(?:seq:)?(\d{1,15})$/.exec(text ?? '') ?? []
  return digits === undefined ? 0 : Number(digits)
}
