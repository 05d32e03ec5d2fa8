// Who answers, and when. Each join and each message of a visitor is a cause; the causes of a session are
// worked off one by one, by whichever process claims the session first.
//
//   message stored ─▶ wake ─▶ claim (row locked: nobody else answers) ─▶ agent.act ─▶ acts ─▶ events ─▶ release
//                                 ▲                                                                  │
//                                 └────────────────────── next cause ◀───────────────────────────────┘

import { type Clock, sleep } from '../clock.ts'
import type { Clean } from '../redact.ts'
import type { Hub } from '../sessions/hub.ts'
import { atDesk, type Conversations } from '../sessions/sessions.ts'
import type { ConversationRow, Records, SessionRow, Sessions, StoredEvent } from '../store-index.ts'
import type { Act, Agent, Turn } from './agent.ts'
import { createAnswer, keepChunks } from './answer.ts'

export const SORRY = 'Sorry, I encountered an error. Please try again.'

const ENDED = 'The turn was ended'

export type TurnsOptions = {
  agent: Agent
  conversations: Conversations
  sessions: Sessions
  records: Records
  clean: Clean
  queueChanged(): void
  hub: Hub
  clock: Clock
  processId: string
  uuid: () => string
  log: (line: string) => void
}

export type Turns = ReturnType<typeof createTurns>

type Claim = { row: SessionRow; cause: StoredEvent }

export function createTurns(options: TurnsOptions) {
  const { agent, conversations, sessions, hub, clock, processId, log } = options
  const running = new Map<string, { again: boolean; abort: AbortController; done: Promise<void> }>()
  /** Sessions whose turn broke off here, and the cause that was answered all the same. The next recovery mends them. */
  const broken = new Map<string, number | undefined>()
  let stopping = false

  /** Somebody may have to answer in this session. */
  function wake(sessionId: string): void {
    const known = running.get(sessionId)
    if (known) known.again = true
    if (known || stopping || broken.has(sessionId)) return
    const abort = new AbortController()
    const done = work(sessionId, abort).catch((error: unknown) => {
      log(`a turn could not be run: ${error instanceof Error ? error.message : 'unknown error'}`)
    })
    running.set(sessionId, { again: false, abort, done })
    void done.then(() => {
      const again = running.get(sessionId)?.again
      running.delete(sessionId)
      if (again) wake(sessionId)
    })
  }

  async function work(sessionId: string, abort: AbortController): Promise<void> {
    const unsubscribe = hub.subscribe(sessionId, (events) => {
      if (events.some((event) => event.type === 'EVENT_TYPE_SESSION_END')) abort.abort()
    })
    try {
      while (!abort.signal.aborted) {
        broken.set(sessionId, undefined)
        const claim = await takeCause(sessionId)
        if (!claim) return void broken.delete(sessionId)
        await answer(claim, abort.signal)
        if (stopping) return
        broken.set(sessionId, claim.cause.sequence)
        await release(sessionId, claim.cause.sequence)
        broken.delete(sessionId)
      }
    } finally {
      unsubscribe()
    }
  }

  async function takeCause(sessionId: string): Promise<Claim | undefined> {
    return conversations.commit(sessionId, async (session) => {
      const { row } = session
      if (row.state !== 'active' || (row.turn_owner !== null && row.turn_owner !== processId))
        return undefined
      const cause = await session.firstOf(
        ['EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', 'EVENT_TYPE_USER_MESSAGE'],
        row.answered,
      )
      if (!cause) return undefined
      if (atDesk(row)) {
        // Said to a person, or to one who will come.
        await session.change({ answered: row.next_sequence - 1 })
        return undefined
      }
      await session.change({ turn_owner: processId, turn_cause: cause.sequence, turn_shown: false })
      return { row: { ...row }, cause }
    })
  }

  async function release(sessionId: string, sequence: number): Promise<void> {
    await conversations.commit(sessionId, (session) =>
      session.change({
        turn_owner: null,
        turn_cause: null,
        answered: Math.max(session.row.answered, sequence),
      }),
    )
  }

  async function answer({ row, cause }: Claim, signal: AbortSignal): Promise<void> {
    const record = await options.records.find(row.id)
    if (!record) return
    const joining = cause.type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN'
    const events = await sessions.history(row.id, cause.sequence)
    const turn: Turn = {
      cause: joining ? 'join' : 'message',
      text: joining ? '' : String(cause.payload.text ?? ''),
      sessionId: row.id,
      channel: row.channel,
      userNumber: row.user_number,
      attributes: row.attributes,
      variant: variantOf(record),
      history: events
        .map((event) => ({ role: roleOf(event), text: String(event.payload.text ?? '') }))
        // Phone buttons are messages of their own, in which nothing is said.
        .filter(({ text }) => text !== ''),
      memory: row.memory,
      mode: row.mode === 'live' ? 'live' : 'agent',
      signal,
      sleep: (ms) => sleep(clock, ms, signal, ENDED),
    }
    const writer = createAnswer({ ...options, row, cause: cause.sequence, projectId: record.project_id })
    try {
      if (joining)
        await writer.store([
          {
            type: 'EVENT_TYPE_POLY_AGENT_JOINED',
            payload: {
              agent_name: agent.name,
              ...(agent.avatarUrl && { agent_avatar_url: agent.avatarUrl }),
            },
          },
        ])
      for await (const act of untilAborted(agent.act(turn), signal)) await writer.take(act)
      await writer.finish()
    } catch (error) {
      if (signal.aborted) return void (await writer.abandon())
      // What went wrong is for the log; the visitor hears that something did.
      log(`the agent failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      await writer.fail(SORRY)
    }
  }

  /** Keeps what there is of an answer that was cut, says that it is not all, and gives the turn back. */
  async function mend(id: string, owner?: string): Promise<void> {
    await conversations.commit(id, async (session, store) => {
      const { row } = session
      if (row.turn_owner === null || (owner && row.turn_owner !== owner)) return
      const [first, ...more] = await session.chunksOf()
      const cut = row.turn_shown && row.turn_cause !== null
      if (first?.message_id) {
        // What there is of the answer is kept, as a message of its own; the apology says that it is not all.
        const chunks = [first, ...more].filter((chunk) => chunk.message_id === first.message_id)
        await keepChunks(session, first.message_id, chunks, options.uuid(), {
          cause: row.turn_cause ?? 0,
          at: new Date(first.created_at),
        })
      }
      if (cut && row.state === 'active') {
        const level = 'SYSTEM_MESSAGE_LEVEL_ERROR'
        if (row.mode === 'handoff') await store([{ type: 'EVENT_TYPE_HANDOFF_FAILED', payload: {} }])
        await store([{ type: 'EVENT_TYPE_SYSTEM_MESSAGE', payload: { level, message: SORRY } }])
      }
      await session.change({
        turn_owner: null,
        turn_cause: null,
        mode: row.mode === 'handoff' ? 'agent' : row.mode,
        answered: cut ? Math.max(row.answered, row.turn_cause ?? 0) : row.answered,
      })
    })
  }

  return {
    wake,

    /** Resolves when nobody in this process answers in the session any more. */
    async settled(sessionId: string): Promise<void> {
      for (let at = running.get(sessionId); at; at = running.get(sessionId)) await at.done
    },

    /** Mends what a process that is gone left half done, or a failure here, and answers what still waits. */
    async recover(): Promise<void> {
      const attempt = (id: string, task: () => Promise<unknown>) =>
        task().catch((error: Error) => log(`the session ${id} could not be mended: ${error.message}`))
      for (const [id, answered] of broken)
        if (!running.has(id))
          await attempt(id, async () => {
            if (answered === undefined) await mend(id, processId)
            else await release(id, answered)
            broken.delete(id)
          })
      for (const id of await sessions.orphans()) await attempt(id, () => mend(id))
      for (const id of await sessions.unanswered()) wake(id)
    },

    /** Stops all turns. What they stored so far is mended at the next start. */
    async stop(): Promise<void> {
      stopping = true
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

const variantOf = ({ variant_id, variant_name }: ConversationRow) =>
  variant_id || variant_name ? { id: variant_id, name: variant_name } : undefined

const roleOf = (event: StoredEvent): 'visitor' | 'agent' | 'live' => {
  if (event.type === 'EVENT_TYPE_USER_MESSAGE') return 'visitor'
  return event.type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE' ? 'live' : 'agent'
}

/** The acts of an agent, for as long as nobody ends the session: an agent that hangs holds nothing up. */
async function* untilAborted(acts: AsyncIterable<Act>, signal: AbortSignal): AsyncGenerator<Act> {
  const iterator = acts[Symbol.asyncIterator]()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new Error(ENDED))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
  aborted.catch(() => {})
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), aborted])
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    void iterator.return?.(undefined)?.catch(() => {})
  }
}
