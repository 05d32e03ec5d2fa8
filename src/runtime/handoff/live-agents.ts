// Knows which live agents are at the desk, so that no visitor waits for one who is gone, or for nobody.
//
//   beat, at least every 20 s ─▶ foyer.live_agent ── silent for 60 s ─▶ gone ───────────┐
//   taken, and the visitor waits for an answer for 5 minutes ─▶ unanswered ─────────────┴─▶ back to the front of the queue
//
// A live agent who was never heard is not judged: a desk that tells nothing of them works as if each were always there.

import type { LogFailure } from '../../api/index.ts'
import { atMostEvery, type Clock } from '../clock.ts'
import type { Database } from '../database/index.ts'
import {
  type LiveAgent,
  type LockedSession,
  liveAgentFields,
  type Sessions,
  storeOutgoingMessage,
  textMessage,
} from '../sessions/index.ts'
import type { DeskState } from '../turns/index.ts'
import {
  type DeskRow,
  desksHere,
  liveAgents,
  lockLiveAgent,
  lossOf,
  lostConversations,
  putInFront,
  saveBeat,
} from './live-agent-store.ts'

/** For so long what an agent is told of the desk may be old. */
const STATE_MS = 5_000
const NOBODY = 'Nobody is here at the moment who could take over, so I stay with you.'
const HAD_TO_LEAVE = 'You will hear from somebody else. You are next.'

/** A live agent at the desk. `away`: is there, and takes nothing new. */
export type DeskAgent = { id: string; name: string; state: 'here' | 'away' | 'gone'; chats: number }

/** A live agent cannot take a conversation: is away, or has as many as one may have. */
export class DeskError extends Error {
  override name = 'DeskError'
  readonly code: 'away' | 'full'
  constructor(code: 'away' | 'full', message: string) {
    super(message)
    this.code = code
  }
}

export interface LiveAgents {
  beat(projectId: string, agent: LiveAgent, away: boolean | undefined): Promise<void>
  list(projectId: string): Promise<DeskAgent[]>
  /** Throws a DeskError if this live agent may take nothing. In the transaction of the take. */
  mayTake(locked: LockedSession, agentId: string): Promise<void>
  /** What an agent is told of the desk of a project. Undefined: its live agents were never heard. */
  state(projectId: string): Promise<DeskState | undefined>
  /** What a visitor reads whose handoff is refused, since nobody is there. Undefined: it is not refused. */
  refusal(projectId: string): Promise<string | undefined>
  /** Puts back what live agents had who are gone, or do not answer. */
  sweep(): Promise<void>
}

export type LiveAgentsOptions = {
  database: Database
  clock: Clock
  sessions: Sessions
  /** Tells the visitor, and the desks and visitors of the project, that the conversation is in the queue again. */
  waitsAgain: (locked: LockedSession, queueName: string) => void
  tellDesk: (projectId: string) => void
  logFailure: LogFailure
}

export function createLiveAgents(options: LiveAgentsOptions): LiveAgents {
  const { database, clock, sessions, waitsAgain, tellDesk, logFailure } = options
  const now = () => new Date(clock.now())
  const desks = () => desksHere(database, now())
  const recently = atMostEvery(clock, STATE_MS, desks)
  const deskOf = (projectId: string, rows: readonly DeskRow[]) =>
    rows.find(({ project_id }) => project_id === projectId)

  /** Reads again, under the lock of the session, whether its live agent is gone. */
  const putBack = (id: string) =>
    sessions.commit(id, 'put back into the queue', async (locked) => {
      const { tx, session } = locked
      const agent = session.liveAgent
      const why = session.mode === 'desk' ? await lossOf(tx, id, locked.now) : undefined
      if (!why || !locked.move('transferred')) return
      const queueName = await putInFront(tx, id, why, locked.now)
      const left = {
        type: 'EVENT_TYPE_LIVE_AGENT_LEFT',
        payload: { ...liveAgentFields(agent), reason: why },
      } as const
      // A phone shows only messages.
      if (session.family === 'chat') locked.append(left)
      else
        await storeOutgoingMessage(locked, textMessage(locked.uuid(), HAD_TO_LEAVE), left, { agent: false })
      waitsAgain(locked, queueName)
    })

  return {
    async beat(projectId, agent, away) {
      if (await saveBeat(database, projectId, agent, { away, now: now() })) tellDesk(projectId)
    },

    list: async (projectId) =>
      (await liveAgents(database, projectId, now())).map(({ id, name, away, heard, chats }) => ({
        ...{ id, name, chats },
        state: heard ? (away ? 'away' : 'here') : 'gone',
      })),

    async mayTake({ tx, session }, agentId) {
      const agent = await lockLiveAgent(tx, session.conversation.projectId, agentId, now())
      if (agent?.away)
        throw new DeskError('away', `${agent.name} is away. Say that you are here again, then take it.`)
      if (agent && agent.chats >= agent.most)
        throw new DeskError('full', `${agent.name} has ${agent.chats} chats. End one of them, or pass it on.`)
    },

    async state(projectId) {
      const desk = deskOf(projectId, await recently())
      if (!desk) return undefined
      const { here, refuses, mean_wait, waiting } = desk
      return { here, waitSeconds: Math.ceil(mean_wait * (waiting + 1)), refuses }
    },

    async refusal(projectId) {
      const desk = deskOf(projectId, await desks())
      return desk?.refuses ? (desk.nobody ?? NOBODY) : undefined
    },

    async sweep() {
      for (const id of await lostConversations(database, now()))
        await putBack(id).catch((error: unknown) =>
          logFailure('could not put back what a live agent had', error),
        )
    },
  }
}
