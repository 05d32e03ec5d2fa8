// A desk over three processes on one PostgreSQL that are killed one after the other, for `npm run test:long`: live agents fall silent and forget
// visitors, and nobody is left waiting.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { tell } from '../model/counts.ts'
import { chance } from '../model/run.ts'
import { until } from '../process/until.ts'
import { createVisitor } from '../process/visitors.ts'
import { ASKS_FOR_PERSON } from './agent.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type DeskEvent, judgeEvents, judgeQueue } from './desk-verdict.ts'
import { type AtWork, type LiveAgentCounts, startLiveAgent } from './live-agent.ts'
import type { Process } from './processes.ts'

const SEED = Number(process.env.FOYER_TEST_SEED) || 7
const VISITORS = Number(process.env.FOYER_TEST_VISITORS) || 60
const KILLS = 6
const PROCESSES = 3
const LIVE_AGENTS = ['sarah', 'omar', 'mia', 'jonas', 'aiko', 'lena']
const DESK = { goneSeconds: 3, answerSeconds: 5, chats: 2, refuse: false }
const RUNTIME = { beatSeconds: 1, deadAfterSeconds: 4 }
/** The test waits for so long for one thing on a busy machine, and for so long until a live agent who is gone has nothing. */
const PATIENCE_MS = 120_000
const LOSS_MS = 60_000
const LOOK_MS = 1_000

describe.runIf(isLong)('a desk', () => {
  const random = chance(SEED)
  let cluster: Cluster
  let visitors: ReturnType<typeof createVisitor>[] = []
  let agents: AtWork[] = []
  let looking: NodeJS.Timeout
  beforeAll(async () => {
    cluster = await openCluster({ processes: PROCESSES, settings: { desk: DESK, runtime: RUNTIME } })
    visitors = Array.from({ length: VISITORS }, (_, number) => createVisitor(cluster.origin, number + 1))
    looking = setInterval(() => {
      for (const visitor of visitors) {
        visitor.retryFailed()
        if (visitor.chat.status.value === 'unavailable') visitor.chat.wake()
      }
    }, LOOK_MS)
  }, 300_000)
  afterAll(async () => {
    clearInterval(looking)
    for (const { stop } of agents) stop()
    for (const { chat } of visitors) chat.dispose()
    await cluster?.close()
  })

  const count = async (sql: string, params: unknown[] = []) =>
    (await cluster.database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${sql}`, params))[0]
      ?.n ?? 0
  const idsOf = async (sql: string) =>
    (await cluster.database.query<{ id: string }>(`SELECT ${sql}`)).map(({ id }) => id)
  const inQueue = () => count(`foyer.session WHERE mode <> 'agent'`)
  /** Conversations that some live agent has answered, and that are at the desk no more. */
  const served = () =>
    count(`foyer.session AS s WHERE s.mode = 'agent' AND EXISTS (SELECT 1 FROM foyer.event AS e
      WHERE e.session_id = s.id AND e.type = 'EVENT_TYPE_LIVE_AGENT_MESSAGE')`)
  const sessionOf = ({ chat }: (typeof visitors)[number]) => chat.sessionId.value ?? ''

  it('leaves nobody waiting, while its live agents fall silent and its processes are killed', {
    timeout: 1_200_000,
  }, async () => {
    for (const { chat } of visitors) chat.open()
    await Promise.all(visitors.map((visitor) => visitor.live()))
    for (const visitor of visitors) visitor.say(ASKS_FOR_PERSON)
    await until(
      () => 'some visitors do not wait for a person',
      async () => (await inQueue()) === VISITORS,
      PATIENCE_MS,
    )

    const problems = new Set<string>()
    /** The processes that ran the sweep, and those that were started again, by their IDs. */
    const holders = new Set<string>()
    const started = new Map<string, Process>()
    agents = LIVE_AGENTS.map((id) =>
      startLiveAgent({
        who: { id, name: id },
        processes: cluster.processes,
        random: chance(Math.floor(random() * 2 ** 32)),
        read(entries) {
          for (const problem of judgeQueue(entries, DESK.chats)) problems.add(problem)
        },
        lost: (silent) =>
          until(
            () => `${silent} is gone, and has visitors all the same`,
            async () =>
              (await count(`foyer.session WHERE mode = 'desk' AND live_agent ->> 'id' = $1`, [silent])) === 0,
            LOSS_MS,
          ),
      }),
    )
    /** Rejects as soon as a live agent fails. */
    const meanwhile = (work: Promise<void>) => Promise.race([work, ...agents.map(({ done }) => done)])
    for (let kill = 0; kill < KILLS; kill++) {
      const share = (kill + random()) / (KILLS + 1)
      await meanwhile(
        until(
          () => `too few were served after ${kill} kills`,
          async () => (await served()) >= share * VISITORS,
          PATIENCE_MS,
        ),
      )
      const [holder = ''] = await idsOf(`process_id AS id FROM foyer.lease WHERE name = 'handoff queue'`)
      holders.add(holder)
      // Rather the process that runs the sweep, where it is known which of them that is.
      const victim = started.get(holder) ?? cluster.processes[kill % PROCESSES]
      await victim?.stop('SIGKILL')
      const before = await idsOf('id FROM foyer.process')
      await victim?.start()
      for (const id of await idsOf('id FROM foyer.process'))
        if (victim && !before.includes(id)) started.set(id, victim)
    }
    await meanwhile(
      until(
        () => 'some visitors still wait, or are with a live agent',
        async () => (await inQueue()) === 0,
        PATIENCE_MS,
      ),
    )
    for (const { stop } of agents) stop()
    const counts = await Promise.all(agents.map(({ done }) => done))

    const stories = await readStories()
    const losses = { gone: 0, unanswered: 0 }
    for (const visitor of visitors) {
      const story = judgeEvents(sessionOf(visitor), stories.get(sessionOf(visitor)) ?? [])
      for (const problem of story.problems) problems.add(problem)
      losses.gone += story.losses.gone
      losses.unanswered += story.losses.unanswered
    }
    expect([...problems]).toEqual([])
    await until(
      () =>
        `visitors were told something else than is stored: ${differences(stories).slice(0, 3).join('; ')}`,
      () => differences(stories).length === 0,
      PATIENCE_MS,
    )
    const sum = (name: keyof LiveAgentCounts) => counts.reduce((total, each) => total + each[name], 0)
    // The run met what it is about.
    expect(Math.min(losses.gone, losses.unanswered, sum('refused'))).toBeGreaterThan(0)
    expect(holders.size).toBeGreaterThan(1)
    tell(
      `a desk of ${PROCESSES} processes, ${LIVE_AGENTS.length} live agents and ${VISITORS} visitors, ${KILLS} kill -9, the sweep at ${holders.size} processes in turn: ${sum('silences')} silences, ${losses.gone} losses to them and ${losses.unanswered} to forgetting, each told once; ${sum('takes')} takes, ${sum('refused')} refused as too many; all answered, the last after ${(await longestWait()).toFixed(1)} s`,
    )
  })

  /** By conversation, the events that tell of live agents. */
  async function readStories(): Promise<Map<string, DeskEvent[]>> {
    const rows = await cluster.database.query<DeskEvent & { session_id: string }>(
      `SELECT session_id, type, coalesce(payload ->> 'agent_id', payload -> 'agent' ->> 'id') AS agent,
         payload ->> 'reason' AS reason, payload ->> 'text' AS text
       FROM foyer.event WHERE type LIKE 'EVENT_TYPE_LIVE_AGENT_%' ORDER BY session_id, sequence`,
    )
    const stories = new Map<string, DeskEvent[]>()
    for (const { session_id, ...event } of rows)
      stories.set(session_id, [...(stories.get(session_id) ?? []), event])
    return stories
  }

  /** The visitors whose chats show something else of live agents than is stored. */
  function differences(stories: ReadonlyMap<string, readonly DeskEvent[]>): string[] {
    return visitors.flatMap((visitor) => {
      const stored = (stories.get(sessionOf(visitor)) ?? []).map(({ type, agent, text }) =>
        type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE'
          ? text
          : `${agent} ${type === 'EVENT_TYPE_LIVE_AGENT_JOINED' ? 'joined' : 'left'}`,
      )
      const shown = visitor.chat.transcript.value.flatMap((entry) => {
        if (entry.kind === 'message')
          return entry.role === 'live' ? [entry.content.value.pieces.join('')] : []
        if (entry.kind !== 'notice') return []
        if (entry.notice === 'live-joined') return [`${entry.name} joined`]
        return entry.notice === 'live-left' ? [`${entry.name} left`] : []
      })
      return JSON.stringify(shown) === JSON.stringify(stored)
        ? []
        : [`${sessionOf(visitor)}: ${JSON.stringify({ shown, stored })}`]
    })
  }

  /** The most seconds from a visitor's wish for a person to the first answer of one. */
  async function longestWait(): Promise<number> {
    const [row] = await cluster.database.query<{ seconds: number }>(
      `SELECT max(extract(epoch FROM answered - asked))::double precision AS seconds FROM (
         SELECT min(created_at) FILTER (WHERE type = 'EVENT_TYPE_LIVE_AGENT_MESSAGE') AS answered,
           min(created_at) FILTER (WHERE type = 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF') AS asked
         FROM foyer.event GROUP BY session_id) AS waits`,
    )
    return row?.seconds ?? 0
  }
})
