// Decides which session the holder of an access token may use. The handshake and the question for a session's state both ask here, so
// that they agree.

import type { SessionState } from '../../protocol/index.ts'
import type { Queries } from '../database/index.ts'
import type { Sessions } from './sessions.ts'
import { endReason } from './state/event-store.ts'
import { type ChatSession, isActive } from './state/session.ts'

/** The format of session ids. */
export const isSessionId = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text)

/** `unknown`: there is no such session, or it ended longer ago than its grace. `foreign`: it was made with another access token. */
export type Access = ChatSession | 'unknown' | 'foreign'

export async function accessTo(
  sessions: Pick<Sessions, 'find'>,
  sessionId: string,
  tokenId: string,
): Promise<Access> {
  const session = isSessionId(sessionId) ? await sessions.find(sessionId) : undefined
  if (!session) return 'unknown'
  return session.family === 'chat' && session.tokenId === tokenId ? session : 'foreign'
}

/** The state of a session as its visitor may know it. Nobody learns whether another visitor's session exists. */
export async function stateOf(db: Queries, access: Access): Promise<SessionState> {
  if (typeof access === 'string') return 'unknown'
  if (isActive(access)) return 'active'
  return (await endReason(db, access.id)) === 'REASON_USER_ABANDONED' ? 'expired' : 'ended'
}
