// The desk: where people take over from the agent. Conversations wait in queues, first come, first served; who
// takes one speaks through the same hub as the agent.

import type { Clock } from '../clock.ts'
import { sendByText } from '../messaging/delivery.ts'
import type { Hub } from '../sessions/hub.ts'
import type { Conversations } from '../sessions/sessions.ts'
import type {
  DeskAgent,
  HandoffRow,
  Handoffs,
  LockedSession,
  NewEvent,
  Sessions,
  StoredEvent,
} from '../store-index.ts'

/** What changes for everybody at the desk is published under this name. */
const TOPIC = 'desk'
/** A wait is told in steps of this, so that it does not flicker. */
const WAIT_STEP_SECONDS = 15
const UNKNOWN_WAIT_SECONDS = 60
/** No event comes after it: the largest number that the store's column holds. */
const LAST_SEQUENCE = 2_147_483_647

export type DeskOptions = {
  handoffs: Handoffs
  conversations: Conversations
  sessions: Sessions
  hub: Hub
  clock: Clock
  uuid: () => string
  /** Seconds that a conversation may wait. */
  deskWaitSeconds: number
  log: (line: string) => void
}

export type DeskEntry = {
  id: string
  channel: string
  queue: string
  state: 'waiting' | 'taken'
  /** ISO 8601. */
  queuedAt: string
  agent: DeskAgent | undefined
  /** What the agent stored at the handoff. */
  data: Record<string, unknown>
}

export type DeskLine = { from: 'visitor' | 'agent' | 'live'; text: string; at: string }

export type Desk = ReturnType<typeof createDesk>

export function createDesk(options: DeskOptions) {
  const { handoffs, conversations, sessions, hub, clock, uuid, log } = options
  const date = () => new Date(clock.now())
  let telling: Promise<void> = Promise.resolve()

  /** Runs `act` where `agentId` has the conversation (or anybody, where none is named). False where not. */
  async function holding(
    id: string,
    agentId: string | undefined,
    act: (session: LockedSession, store: (events: NewEvent[]) => Promise<StoredEvent[]>) => Promise<void>,
  ): Promise<boolean> {
    const done = await conversations.commit(id, async (session, store) => {
      const { mode, state, live_agent } = session.row
      if (state !== 'active' || mode !== 'desk') return false
      if (agentId !== undefined && live_agent?.id !== agentId) return false
      await act(session, store)
      return true
    })
    return done ?? false
  }

  /** Tells each who waits the place it has now, where that changed. */
  function queueChanged(): void {
    telling = telling
      .then(tellPlaces)
      .catch((error: Error) => log(`queue places could not be told: ${error.message}`))
    hub.publish(TOPIC, [conversations.transient('queue', {})])
  }

  async function tellPlaces(): Promise<void> {
    const waiting = (await handoffs.open()).filter((row) => row.state === 'waiting')
    const waits = await handoffs.waits()
    const mean =
      waits.length > 0 ? waits.reduce((sum, wait) => sum + wait, 0) / waits.length : UNKNOWN_WAIT_SECONDS
    const places = new Map<string, number>()
    for (const row of waiting) {
      const place = (places.get(row.queue_name) ?? 0) + 1
      places.set(row.queue_name, place)
      if (row.told_position === place) continue
      const seconds = Math.max(1, Math.ceil((mean * place) / WAIT_STEP_SECONDS)) * WAIT_STEP_SECONDS
      await conversations.commit(row.conversation_id, async (session, store) => {
        if (session.row.mode !== 'queued') return
        await session.handoff.change({ told_position: place })
        const queue = row.queue_name ? { queue_name: row.queue_name } : {}
        await store([
          {
            type: 'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
            payload: { ...queue, position_in_queue: place, estimated_wait_seconds: seconds },
          },
        ])
      })
    }
  }

  const named = (agent: DeskAgent | null) => (agent ? { agent_id: agent.id, agent_name: agent.name } : {})

  return {
    queueChanged,
    /** Resolves when every place that changed was told. */
    settled: () => telling,

    /** What waits and what is talked to, those who wait longest first. */
    async entries(): Promise<DeskEntry[]> {
      const rows = await handoffs.open()
      const channels = await Promise.all(rows.map((row) => sessions.find(row.conversation_id)))
      return rows.map((row, index) => entryOf(row, channels[index]?.channel ?? 'WEBCHAT'))
    },

    /** What was said so far, oldest first. */
    async lines(id: string): Promise<DeskLine[]> {
      const events = await sessions.history(id, LAST_SEQUENCE)
      return events.map((event) => ({
        from: SPEAKERS[event.type] ?? 'agent',
        text: String(event.payload.text ?? ''),
        at: new Date(event.created_at).toISOString(),
      }))
    },

    /** Takes a conversation out of the queue. False where it does not wait there any more. */
    async take(id: string, agent: DeskAgent): Promise<boolean> {
      const taken = await conversations.commit(id, async (session, store) => {
        if (session.row.state !== 'active' || session.row.mode !== 'queued') return false
        await session.change({ mode: 'desk', live_agent: agent, ...conversations.active() })
        await session.handoff.change({ state: 'taken', taken_at: date(), desk_agent: agent })
        await session.record.agentLeft(date())
        await store([{ type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload: { agent } }])
        return true
      })
      if (taken) queueChanged()
      return taken ?? false
    },

    async type(id: string, agentId: string, typing: boolean): Promise<boolean> {
      const row = await sessions.find(id)
      if (row?.mode !== 'desk' || row.live_agent?.id !== agentId) return false
      const state = typing ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED'
      hub.publish(id, [
        conversations.transient('EVENT_TYPE_LIVE_AGENT_TYPING', { state, ...named(row.live_agent) }),
      ])
      return true
    },

    answer: (id: string, agentId: string, text: string): Promise<boolean> =>
      holding(id, agentId, async (session, store) => {
        const said = { id: uuid(), text, attachments: [], suggestions: [], callActions: [] }
        const bare = { attachments: [], response_suggestions: [], chat_call_actions: [] }
        await session.change(conversations.active())
        await store([
          {
            type: 'EVENT_TYPE_LIVE_AGENT_MESSAGE',
            payload: { message_id: said.id, text, ...bare, ...named(session.row.live_agent) },
            messageId: said.id,
          },
        ])
        await session.record.respond(await sendByText(session, said, date()), date(), { agent: false })
      }),

    /** Back into a queue, at its end. */
    async transfer(id: string, agentId: string, queue: string): Promise<boolean> {
      const done = await holding(id, agentId, async (session, store) => {
        const left = { ...named(session.row.live_agent), reason: 'transfer' }
        await session.change({ mode: 'queued', live_agent: null, ...conversations.active() })
        await session.handoff.change({
          state: 'waiting',
          queue_name: queue,
          queued_at: date(),
          taken_at: null,
          desk_agent: null,
          told_position: null,
        })
        await store([
          { type: 'EVENT_TYPE_LIVE_AGENT_LEFT', payload: left },
          { type: 'EVENT_TYPE_HANDOFF_ACCEPTED', payload: queue ? { queue_name: queue } : {} },
        ])
      })
      if (done) queueChanged()
      return done
    },

    /** The person leaves: the agent answers again, or the conversation ends. */
    async leave(id: string, agentId: string, end: boolean): Promise<boolean> {
      const done = await holding(id, agentId, async (session, store) => {
        const left = { type: 'EVENT_TYPE_LIVE_AGENT_LEFT' as const, payload: named(session.row.live_agent) }
        if (end) return conversations.finish(session, store, 'ended', 'REASON_NATURAL_END', [left])
        await session.handoff.change({ state: 'done' })
        await session.change({ mode: 'agent', live_agent: null, ...conversations.active() })
        await store([left])
      })
      if (done) queueChanged()
      return done
    },

    /** Gives those back to the agent who waited too long. */
    async sweep(): Promise<void> {
      const before = clock.now() - options.deskWaitSeconds * 1000
      for (const row of await handoffs.open()) {
        if (row.state !== 'waiting' || (row.queued_at?.getTime() ?? 0) > before) continue
        const given = await conversations.commit(row.conversation_id, async (session, store) => {
          if (session.row.mode !== 'queued') return false
          await session.handoff.change({ state: 'done' })
          await session.change({ mode: 'agent', ...conversations.active() })
          await store([{ type: 'EVENT_TYPE_HANDOFF_TIMEOUT', payload: {} }])
          return true
        })
        if (given) queueChanged()
      }
    },

    /** Calls back when something changes for the desk; returns the undo. */
    watch: (listener: () => void): (() => void) => hub.subscribe(TOPIC, () => listener()),
    /** Calls back with what happens in one conversation; returns the undo. */
    follow: hub.subscribe,
  }
}

const SPEAKERS: Readonly<Record<string, DeskLine['from']>> = {
  EVENT_TYPE_USER_MESSAGE: 'visitor',
  EVENT_TYPE_LIVE_AGENT_MESSAGE: 'live',
}

const entryOf = (row: HandoffRow, channel: string): DeskEntry => ({
  id: row.conversation_id,
  channel,
  queue: row.queue_name,
  state: row.state === 'taken' ? 'taken' : 'waiting',
  queuedAt: (row.queued_at ?? row.created_at).toISOString(),
  agent: row.desk_agent ?? undefined,
  data: row.data,
})
