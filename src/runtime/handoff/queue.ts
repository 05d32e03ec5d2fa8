// Runs the handoff queue: conversations wait for a live agent, first come, first served, and users learn their place.

import type { LogFailure } from '../../api/index.ts'
import type { Clock } from '../clock.ts'
import type { Condition, Database } from '../database/index.ts'
import {
  type Hub,
  type InputStored,
  inHandoffQueue,
  type LockedSession,
  type NewEvent,
  type QueueLeft,
  type SessionEnded,
  type Sessions,
  storeOutgoingMessage,
  type TransientEvents,
  textMessage,
  type UserTyped,
} from '../sessions/index.ts'
import type { HandedOff } from '../turns/index.ts'
import { setWaits } from './live-agent-store.ts'
import {
  dueQueue,
  meanWait,
  type PlaceRow,
  recordToldPosition,
  recordToldWaiting,
  saveHandoff,
  waitingHandoffs,
  waitingSince,
} from './store.ts'

/** The hub's topic for changes of a project's queue. */
const queueTopic = (projectId: string): string => `queue:${projectId}`
/** The hub's topic for events of a conversation that only live agents see. */
export const deskTopic = (id: string): string => `desk:${id}`
const WAITING = 'Your message is kept. The person who joins will read it.'
/** Estimated waits are rounded to this step, so that the display does not flicker. */
const WAIT_STEP_SECONDS = 15

export interface HandoffQueue {
  /** Stores a handoff, in the transaction of the agent's event. */
  handedOff(happening: HandedOff): Promise<void>
  /** Answers a message that comes before a live agent has taken the conversation. */
  inputStored(happening: InputStored): Promise<void>
  /** Shows live agents that the user types. */
  userTyped(happening: UserTyped): void
  /** Gives the conversation back to the agent when the user leaves the queue. */
  queueLeft(happening: QueueLeft): Promise<void>
  /** Handles the end of a session that was in the queue. */
  sessionEnded(happening: SessionEnded): void
  /** After the commit: sends each waiting user of the session's project the new place, if it changed. */
  changed(locked: LockedSession): void
  /** Tells that a conversation which a live agent had is in the queue again. */
  waitsAgain(locked: LockedSession, queueName: string): void
  /** Gives conversations back to the agent if they waited too long. */
  sweep(): Promise<void>
  due(): Condition
  /** Tells the live agents of a project to look at the queue again. */
  tellDesk(projectId: string): void
  /** Tells the live agents of a project, those at this process, to look at the queue again: each process sees who comes and goes. */
  tellDeskHere(projectId: string): void
  /** Calls back when something changes in a project's queue; returns the undo. */
  watch(projectId: string, listener: () => void): () => void
  /** The projects whose queues are watched at this process. */
  watched(): string[]
  /** Resolves once every changed place is sent. */
  settled(): Promise<void>
}

export type HandoffQueueOptions = {
  database: Database
  sessions: Sessions
  transient: TransientEvents
  hub: Hub
  clock: Clock
  /** Seconds that a conversation may wait. */
  deskWaitSeconds: number
  logFailure: LogFailure
}

export function createHandoffQueue(options: HandoffQueueOptions): HandoffQueue {
  const { database, sessions, transient, hub, clock, deskWaitSeconds, logFailure } = options
  let telling: Promise<void> = Promise.resolve()
  /** Projects whose places are about to be read. Further changes of their queues until then need no reading of their own. */
  const changedQueues = new Set<string>()

  function changed({ session, afterCommit }: LockedSession): void {
    const { projectId } = session.conversation
    afterCommit(() => {
      tellDesk(projectId)
      if (changedQueues.has(projectId)) return
      changedQueues.add(projectId)
      telling = telling.then(() => tellPlaces(projectId)).catch(failed('could not read the queue'))
    })
  }
  function tellDesk(projectId: string): void {
    hub.publish(queueTopic(projectId), [transient.event('queue', {})])
  }

  async function tellPlaces(projectId: string): Promise<void> {
    changedQueues.delete(projectId)
    const waiting = await waitingHandoffs(database, projectId)
    if (waiting.length === 0) return
    const mean = await meanWait(database, projectId)
    const places = new Map<string, number>()
    for (const row of waiting) {
      const userPlace = (places.get(row.queue_name) ?? 0) + 1
      places.set(row.queue_name, userPlace)
      if (row.told_position !== userPlace)
        await tellPlace(row, mean).catch(failed('could not send a place in the queue'))
    }
  }

  /** Reads the place again, under the session's lock: another process may have told a newer one. */
  async function tellPlace(row: PlaceRow, meanWait: number): Promise<void> {
    await sessions.commit(row.conversation_id, 'tell a place in the queue', async (locked) => {
      if (locked.session.mode !== 'queued') return
      const place = await recordToldPosition(locked.tx, row.conversation_id)
      if (place === undefined) return
      const seconds = Math.max(1, Math.ceil((meanWait * place) / WAIT_STEP_SECONDS)) * WAIT_STEP_SECONDS
      const queue = row.queue_name ? { queue_name: row.queue_name } : {}
      locked.append({
        type: 'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
        payload: { ...queue, position_in_queue: place, estimated_wait_seconds: seconds },
      })
    })
  }

  async function giveBack(locked: LockedSession, event: NewEvent): Promise<void> {
    locked.append(event)
    changed(locked)
    await locked.events.agentBack.publish({ locked })
  }

  const failed = (what: string) => (error: unknown) => logFailure(what, error)

  return {
    changed,
    waitsAgain(locked, queueName) {
      const payload = queueName ? { queue_name: queueName } : {}
      locked.append({ type: 'EVENT_TYPE_HANDOFF_ACCEPTED', payload })
      changed(locked)
    },
    tellDesk,

    async handedOff({ locked, details, queued }) {
      const { tx, session, redact, now } = locked
      const { sharedId, data, queueName } = redact.deep(details)
      await saveHandoff(tx, {
        conversation_id: session.id,
        project_id: session.conversation.projectId,
        shared_id: sharedId || null,
        data: data ?? {},
        queue_name: queueName ?? '',
        created_at: now,
        queued_at: queued ? now : null,
      })
      if (queued) changed(locked)
    },

    async inputStored({ locked, input }) {
      const { session, tx } = locked
      if (session.mode === 'desk' && input.type === 'EVENT_TYPE_USER_MESSAGE')
        return setWaits(tx, session.id, locked.now)
      if (session.mode !== 'queued' || session.family === 'voice') return
      if (input.type !== 'EVENT_TYPE_USER_MESSAGE' || !(await recordToldWaiting(tx, session.id))) return
      const event: NewEvent = {
        type: 'EVENT_TYPE_SYSTEM_MESSAGE',
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: WAITING, code: 'waiting' },
      }
      // A phone shows only messages, and no place in the queue.
      if (session.family === 'chat') locked.append(event)
      else await storeOutgoingMessage(locked, textMessage(locked.uuid(), WAITING), event, { agent: false })
    },

    userTyped({ locked, typing }) {
      const { id } = locked.session
      if (!inHandoffQueue(locked.session)) return
      const event = transient.event('EVENT_TYPE_USER_TYPING', { typing })
      locked.afterCommit(() => hub.publish(deskTopic(id), [event]))
    },

    async queueLeft({ locked }) {
      if (!locked.move('left')) return
      await giveBack(locked, { type: 'EVENT_TYPE_HANDOFF_FAILED', payload: { reason: 'left' } })
    },

    sessionEnded({ locked, mode }) {
      if (inHandoffQueue({ mode })) changed(locked)
    },

    due: dueQueue,
    async sweep() {
      const queuedBy = new Date(clock.now() - deskWaitSeconds * 1000)
      for (const id of await waitingSince(database, queuedBy))
        await sessions
          .commit(id, 'end a wait in the queue', async (locked) => {
            if (!locked.move('timed-out')) return
            await giveBack(locked, { type: 'EVENT_TYPE_HANDOFF_TIMEOUT', payload: {} })
          })
          .catch(failed('could not end a wait in the queue'))
    },

    tellDeskHere: (projectId) => hub.publishHere(queueTopic(projectId), [transient.event('queue', {})]),
    ...createWatches(hub),
    settled: () => telling,
  }
}

function createWatches(hub: Hub): Pick<HandoffQueue, 'watch' | 'watched'> {
  const watches = new Set<{ projectId: string }>()
  return {
    watch(projectId, listener) {
      const stop = hub.subscribe(queueTopic(projectId), () => listener())
      const watch = { projectId }
      watches.add(watch)
      return () => {
        watches.delete(watch)
        stop()
      }
    },
    watched: () => [...new Set([...watches].map(({ projectId }) => projectId))],
  }
}
