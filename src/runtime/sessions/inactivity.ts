// Warns the users of idle sessions, and expires sessions due to inactivity.

import type { LogFailure } from '../../api/index.ts'
import { DEFAULT_SESSION_IDLE_SECONDS, idleWarningLead } from '../../protocol/index.ts'
import type { Clock } from '../clock.ts'
import type { Condition, Queries } from '../database/index.ts'
import { endSession } from './end.ts'
import type { Sessions } from './sessions.ts'
import { hasSocket } from './socket-store.ts'
import { isActive, type Session } from './state/session.ts'
import { chatsGone, dueIdle, idleSessions } from './state/session-store.ts'
import type { TransientEvents } from './wire-event.ts'

export type InactivitySettings = {
  /** Seconds of inactivity after which the session of a chat expires. Default: 600. */
  sessionIdleSeconds: number
  /** Seconds of inactivity after which the user of a conversation by SMS or RCS is warned that it ends. Default: 86,400, one day. */
  textIdleSeconds: number
  /** Seconds from that warning to the end. Default: 600. */
  textGraceSeconds: number
}

export const DEFAULT_INACTIVITY: InactivitySettings = {
  sessionIdleSeconds: DEFAULT_SESSION_IDLE_SECONDS,
  textIdleSeconds: 86_400,
  textGraceSeconds: 600,
}

export interface Inactivity {
  /**
   * Expires a session that was idle for too long, or any active session if `now` is set. True if the session
   * expired.
   */
  expire(sessionId: string, now?: boolean): Promise<boolean>
  /** Warns and expires all sessions that are due. */
  sweep(): Promise<void>
  due(): Condition
}

/** A chat that is not with the agent ends after this time without a socket. */
const GONE_MS = 600_000

export type InactivityOptions = {
  db: Queries
  sessions: Sessions
  transient: TransientEvents
  clock: Clock
  settings: InactivitySettings
  logFailure: LogFailure
}

export function createInactivity(options: InactivityOptions): Inactivity {
  const { db, sessions, transient, clock, settings, logFailure } = options
  const chatEnd = settings.sessionIdleSeconds * 1000
  const grace = settings.textGraceSeconds * 1000
  /** Idle time in milliseconds until the warning and until the end. A voice session ends with its call. */
  const idleLimits = {
    chat: { warn: chatEnd - idleWarningLead(settings.sessionIdleSeconds) * 1000, end: chatEnd },
    messaging: {
      warn: settings.textIdleSeconds * 1000,
      end: settings.textIdleSeconds * 1000 + grace,
    },
  }

  const idleFor = ({ idleSince }: Session, ms: number) =>
    idleSince !== undefined && clock.now() - idleSince.getTime() >= ms

  /** A user who has written is warned first, and then has the whole grace period. */
  function isDue(session: Session): boolean {
    if (session.family === 'voice' || !idleFor(session, idleLimits[session.family].end)) return false
    const warnedAt = session.warnedAt?.getTime() ?? Number.POSITIVE_INFINITY
    return session.family === 'chat' || !session.engaged || clock.now() - warnedAt >= grace
  }

  async function expire(sessionId: string, now = false): Promise<boolean> {
    const hasExpired = await sessions.commit(sessionId, 'end an idle session', async (locked) => {
      if (!isActive(locked.session) || !(now || isDue(locked.session))) return false
      await endSession(locked, 'REASON_USER_ABANDONED')
      return true
    })
    return hasExpired ?? false
  }

  /** Ends a chat that is not with the agent, and whose user has not come back meanwhile. */
  async function giveUp(sessionId: string): Promise<void> {
    await sessions.commit(sessionId, 'give a chat up', async (locked) => {
      const { session, tx } = locked
      if (!isActive(session) || session.mode === 'agent' || (await hasSocket(tx, sessionId))) return
      await endSession(locked, 'REASON_USER_ABANDONED')
    })
  }

  async function warn(sessionId: string): Promise<void> {
    await sessions.commit(sessionId, 'warn of the idle end', async (locked) => {
      const { session } = locked
      if (
        session.family === 'voice' ||
        session.warnedAt ||
        !idleFor(session, idleLimits[session.family].warn)
      )
        return
      locked.change({ warnedAt: locked.now })
      if (session.family === 'chat') locked.send(transient.event('EVENT_TYPE_SESSION_IDLE_WARNING', {}))
      // A user who never wrote gets no further message.
      else if (session.engaged) await locked.events.idleWarningDue.publish({ locked })
    })
  }

  /** A failure in one session does not stop the others. */
  const sweepSession = (id: string, task: () => Promise<unknown>) =>
    task().catch((error: unknown) => logFailure(`idle sweep failed for session ${id}`, error))

  const ago = (ms: number) => new Date(clock.now() - ms)

  return {
    expire,
    due: () => dueIdle({ chat: ago(idleLimits.chat.warn), messaging: ago(idleLimits.messaging.warn) }),
    async sweep() {
      for (const family of ['chat', 'messaging'] as const) {
        const warnedBefore = family === 'messaging' ? ago(grace) : undefined
        const due = await idleSessions(db, { family, before: ago(idleLimits[family].end), warnedBefore })
        for (const id of due) await sweepSession(id, () => expire(id))
        const unwarned = await idleSessions(db, {
          family,
          before: ago(idleLimits[family].warn),
          unwarned: true,
        })
        for (const id of unwarned) await sweepSession(id, () => warn(id))
      }
      // A handoff has no time limit, but a live agent does not wait for a user who has left.
      const gone = await chatsGone(db, ago(0), ago(GONE_MS))
      for (const id of gone) await sweepSession(id, () => giveUp(id))
    },
  }
}
