// What the stores of handoffs promise, on the embedded database: who waits again waits as for the first time, and a live agent of two projects
// is judged in each by its own settings.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveProject } from '../../src/runtime/accounts/project-store.ts'
import type { Queries } from '../../src/runtime/database/index.ts'
import { entryOf } from '../../src/runtime/handoff/desk-view.ts'
import { linesOf } from '../../src/runtime/handoff/line-store.ts'
import {
  desksHere,
  liveAgents,
  lockLiveAgent,
  lossOf,
  lostConversations,
  putInFront,
  saveBeat,
  setWaits,
} from '../../src/runtime/handoff/live-agent-store.ts'
import { createLiveAgents, type LiveAgentsOptions } from '../../src/runtime/handoff/live-agents.ts'
import {
  type Handoff,
  markTaken,
  meanWait,
  queuedHandoffs,
  recordToldPosition,
  recordToldWaiting,
  requeue,
  saveHandoff,
} from '../../src/runtime/handoff/store.ts'
import { createQueuePresence } from '../../src/runtime/handoff/visitor-presence.ts'
import { recordBeat } from '../../src/runtime/jobs/process-store.ts'
import type { LockedSession } from '../../src/runtime/sessions/index.ts'
import { restoreSockets } from '../../src/runtime/sessions/socket-store.ts'
import { handClock } from '../contract/clock.ts'
import { at, createStoreWorld, PROJECT, said } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const db = () => world.database
const handoffAt = (id: string, seconds: number, more: Partial<Handoff> = {}): Handoff => ({
  ...{ conversation_id: id, project_id: 'PROJECT-1', shared_id: `ticket-${seconds}`, data: { seconds } },
  ...{ queue_name: `queue-${seconds}`, created_at: at(seconds), queued_at: at(seconds) },
  ...more,
})
/** All that is stored of a handoff, except whose it is. */
async function stored(id: string): Promise<object> {
  const [row] = await db().query<{ conversation_id: string }>(
    'SELECT * FROM foyer.handoff WHERE conversation_id = $1',
    [id],
  )
  const { conversation_id: _, ...more } = row ?? { conversation_id: '' }
  return more
}
/** What is stored of a handoff that nothing has happened to. */
async function fresh(seconds: number, more?: Partial<Handoff>): Promise<object> {
  const id = await world.begin()
  await saveHandoff(db(), handoffAt(id, seconds, more))
  return stored(id)
}
async function told(id: string): Promise<void> {
  await recordToldPosition(db(), id)
  await recordToldWaiting(db(), id)
}

/** A conversation that waited, was taken, lost its live agent, and waits again. */
async function lost(): Promise<string> {
  const id = await world.begin()
  await saveHandoff(db(), handoffAt(id, 0))
  await told(id)
  await markTaken(db(), id, at(5))
  await putInFront(db(), id, 'gone', at(10))
  await told(id)
  return id
}
/** The same, taken by the next one. */
async function takenAgain(): Promise<string> {
  const id = await lost()
  await markTaken(db(), id, at(15))
  return id
}

describe.each([
  ['waits after it lost its live agent', lost],
  ['was taken by a second live agent', takenAgain],
])('a conversation that %s', (_, begun) => {
  it('is handed over anew like one that never was', async () => {
    const id = await begun()
    await saveHandoff(db(), handoffAt(id, 20))
    expect(await stored(id)).toEqual(await fresh(20))
  })

  it('is passed on to another queue like one that comes there first, and keeps what the agent stored', async () => {
    const id = await begun()
    await requeue(db(), id, 'billing', at(20))
    expect(await stored(id)).toEqual(await fresh(0, { queue_name: 'billing', queued_at: at(20) }))
  })

  it('and loses that one too waits anew, ranked by its first wait', async () => {
    const id = await begun()
    await putInFront(db(), id, 'unanswered', at(20))
    expect(await stored(id)).toEqual({
      ...(await fresh(0, { queued_at: at(20) })),
      ...{ ranked_at: at(0), lost: 'unanswered' },
    })
  })

  it('waits for the answer of whoever takes it from then on, and is lost no more', async () => {
    const id = await begun()
    expect(await markTaken(db(), id, at(25))).toBe(15)
    expect(await stored(id)).toMatchObject({ taken_at: at(25), waits_since: at(25), lost: null })
  })
})

it('an answer is waited for since the first message after the answer before', async () => {
  const id = await takenAgain()
  const waits = async (now: Date | null) => {
    await setWaits(db(), id, now)
    return (await stored(id)) as { waits_since: Date | null }
  }
  for (const [now, since] of [
    [at(20), at(15)],
    [null, null],
    [at(30), at(30)],
    [at(40), at(30)],
    [null, null],
    [null, null],
    [at(50), at(50)],
  ] as const)
    expect(await waits(now)).toMatchObject({ waits_since: since })
})

it('the mean wait of a project is that of the last twenty that were taken there', async () => {
  expect(await meanWait(db(), 'PROJECT-1')).toBe(60)
  const waited = async (projectId: string, queued: number, taken: number) => {
    const id = await world.begin({ projectId })
    await saveHandoff(db(), handoffAt(id, queued, { project_id: projectId }))
    await markTaken(db(), id, at(taken))
  }
  // The last ones are stored first.
  for (let n = 20; n >= 0; n--) await waited('PROJECT-1', n - (n === 0 ? 1_000 : 10), n)
  await waited('PROJECT-2', 100, 150)
  expect([await meanWait(db(), 'PROJECT-1'), await meanWait(db(), 'PROJECT-2')]).toEqual([10, 50])
})

describe('a live agent of two projects', () => {
  const SARAH = { id: 'sarah', name: 'Sarah' }
  const OMAR = { id: 'omar', name: 'Omar' }
  const [OWN, TWIN] = ['PROJECT-1', 'PROJECT-2']
  beforeAll(() =>
    saveProject(db(), {
      ...{ ...PROJECT, id: TWIN, slug: 'twin' },
      settings: { desk: { goneSeconds: 20, answerSeconds: 100, chats: 2, refuse: false, nobody: 'Later' } },
    }),
  )
  beforeEach(() => db().query('DELETE FROM foyer.live_agent'))

  const beat = (projectId: string, agent: typeof SARAH, seconds: number, away?: boolean) =>
    saveBeat(db(), projectId, agent, { away, now: at(seconds) })
  async function waiting(projectId: string, seconds = 0): Promise<string> {
    const id = await world.begin({ projectId }, (locked) => {
      locked.move('handed-off')
    })
    await saveHandoff(db(), handoffAt(id, seconds, { project_id: projectId }))
    return id
  }
  async function taken(projectId: string, agent = SARAH, seconds = 0): Promise<string> {
    const id = await waiting(projectId, seconds)
    await world.locked(id, (locked) => {
      locked.move('taken', agent)
    })
    await markTaken(db(), id, at(seconds))
    return id
  }
  const agents = async (projectId: string, seconds: number) =>
    (await liveAgents(db(), projectId, at(seconds))).map(({ id, heard, away, chats }) => [
      ...[id, heard, away, chats],
    ])

  it('is gone from each after its own time of silence', async () => {
    for (const projectId of [OWN, TWIN]) await beat(projectId, SARAH, 0)
    const [own, twin] = [await taken(OWN), await taken(TWIN)]
    for (const id of [own, twin]) await setWaits(db(), id, null)
    expect(await lostConversations(db(), at(19))).toEqual([])
    expect(await lostConversations(db(), at(20))).toEqual([twin])
    expect((await lostConversations(db(), at(60))).toSorted()).toEqual([own, twin].toSorted())
    expect([await lossOf(db(), own, at(20)), await lossOf(db(), twin, at(20))]).toEqual([undefined, 'gone'])
    // Life at one is none at the other.
    await beat(OWN, SARAH, 200)
    expect(await lostConversations(db(), at(201))).toEqual([twin])
    expect([await agents(OWN, 201), await agents(TWIN, 201)]).toEqual([
      [['sarah', true, false, 1]],
      [['sarah', false, false, 1]],
    ])
  })

  it('has a time of its own to answer in each', async () => {
    const [own, twin] = [await taken(OWN), await taken(TWIN)]
    for (const projectId of [OWN, TWIN]) await beat(projectId, SARAH, 290)
    expect(await lostConversations(db(), at(99))).toEqual([])
    expect(await lostConversations(db(), at(100))).toEqual([twin])
    expect((await lostConversations(db(), at(300))).toSorted()).toEqual([own, twin].toSorted())
    expect(await lossOf(db(), twin, at(100))).toBe('unanswered')
  })

  it('has what she took there counted against the limit there', async () => {
    for (const projectId of [OWN, TWIN]) for (const agent of [SARAH, OMAR]) await beat(projectId, agent, 0)
    for (const projectId of [OWN, OWN, TWIN]) await taken(projectId)
    await taken(OWN, OMAR)
    // One that she passed on, and one that ended, count no more.
    const [passedOn, ended] = [await taken(OWN), await taken(OWN)]
    await world.locked(passedOn, (locked) => {
      locked.move('transferred')
    })
    await world.locked(ended, (locked) => {
      locked.move('ended')
    })
    expect(await lockLiveAgent(db(), OWN, 'sarah', at(50))).toEqual({
      ...{ name: 'Sarah', away: false, chats: 2, most: 4 },
    })
    expect(await lockLiveAgent(db(), TWIN, 'sarah', at(0))).toMatchObject({ chats: 1, most: 2 })
    // To take is a sign of life of this live agent, at this desk.
    expect([await agents(OWN, 61), await agents(TWIN, 61)]).toEqual([
      [
        ['omar', false, false, 1],
        ['sarah', true, false, 2],
      ],
      [
        ['omar', false, false, 0],
        ['sarah', false, false, 1],
      ],
    ])
  })

  it('who is away takes nothing new there, and the desk of each project knows its own', async () => {
    await beat(OWN, SARAH, 0)
    await beat(OWN, OMAR, 0, true)
    await beat(TWIN, SARAH, 0, true)
    for (const projectId of [OWN, OWN, OWN, TWIN]) await waiting(projectId)
    await taken(OWN)
    const desks = async (seconds: number) =>
      (await desksHere(db(), at(seconds))).toSorted((a, b) => a.project_id.localeCompare(b.project_id))
    expect(await desks(1)).toMatchObject([
      { project_id: OWN, here: 1, refuses: false, nobody: null, waiting: 3, mean_wait: 0 },
      { project_id: TWIN, here: 0, refuses: false, nobody: 'Later', waiting: 1, mean_wait: 60 },
    ])
    expect(await desks(60)).toMatchObject([{ here: 0, refuses: true }, { here: 0 }])
  })

  it('is news at a desk when she comes, goes away, comes back or is heard again, and at no other time', async () => {
    await beat(TWIN, SARAH, 0)
    await beat(OWN, OMAR, 0)
    const news = async (...[seconds, away]: [number, boolean?]) => [
      await beat(OWN, SARAH, seconds, away),
      ...(await agents(OWN, seconds)).flatMap(([id, , isAway]) => (id === 'sarah' ? [isAway] : [])),
    ]
    expect(await news(1)).toEqual([true, false])
    expect(await news(2)).toEqual([false, false])
    expect(await news(3, true)).toEqual([true, true])
    // Another of her windows, which does not say where she is.
    expect(await news(4)).toEqual([false, true])
    expect(await news(5, true)).toEqual([false, true])
    expect(await news(6, false)).toEqual([true, false])
    expect(await news(66)).toEqual([true, false])
    expect(await news(67)).toEqual([false, false])
  })
})

describe('what the sweep and the agents know of live agents', () => {
  /** The live agents of a store that answers with these rows. */
  function knowing(rows: () => object[], commit: (id: string) => Promise<void> = async () => {}) {
    const clock = handClock()
    const log: string[] = []
    const known = createLiveAgents({
      ...{ clock, database: { query: async () => rows() }, sessions: { commit } },
      logFailure: (what: string) => log.push(what),
    } as unknown as LiveAgentsOptions)
    return { clock, log, known }
  }

  it('one conversation that cannot be put back keeps no other', async () => {
    const tried: string[] = []
    const { known, log } = knowing(
      () => [{ id: 'one' }, { id: 'two' }],
      async (id) => {
        tried.push(id)
        if (id === 'one') throw new Error('this row cannot be written')
      },
    )
    await known.sweep()
    expect([tried, log]).toEqual([['one', 'two'], ['could not put back what a live agent had']])
  })

  it('an agent may be told the desk of five seconds ago, a visitor is refused by that of now', async () => {
    const desk = { project_id: 'PROJECT-1', nobody: null, waiting: 2, mean_wait: 30.5 }
    let row = { ...desk, here: 1, refuses: false }
    const { known, clock } = knowing(() => [{ ...row, project_id: 'PROJECT-2', here: 9 }, row])
    const state = () => known.state('PROJECT-1')
    expect(await state()).toEqual({ here: 1, waitSeconds: 92, refuses: false })
    row = { ...desk, here: 0, refuses: true }
    expect((await state())?.here).toBe(1)
    expect(await known.refusal('PROJECT-1')).toContain('Nobody is here')
    await clock.pass(5_000)
    expect(await state()).toEqual({ here: 0, waitSeconds: 92, refuses: true })
    row = { ...desk, here: 1, refuses: false }
    for (const projectId of ['PROJECT-1', 'PROJECT-3']) expect(await known.refusal(projectId)).toBeUndefined()
  })
})

describe('the presence of visitors in the queue', () => {
  const HEARTBEAT_SECONDS = 25
  /** The longest that a visitor who is here is silent. */
  const SILENCE = 60
  async function queued(projectId: string, sockets: readonly (readonly [string, string])[]) {
    const id = await world.begin({ projectId }, (locked) => {
      locked.move('handed-off')
    })
    await saveHandoff(db(), handoffAt(id, 0, { project_id: projectId }))
    await restoreSockets(
      db(),
      sockets.map(([name, processId]) => ({ id: `${id} ${name}`, sessionId: id, processId })),
    )
    return id
  }
  /** What one process sees: when it heard whom, and whose queues somebody watches there. */
  function seenBy(processId: string) {
    let now = 0
    const heard = new Map<string, Date>()
    const watched = new Set<string>()
    const told: string[] = []
    let writes = 0
    const counting: Queries = {
      query(sql, params) {
        if (sql.includes('UPDATE')) writes++
        return db().query(sql, params)
      },
    }
    const { of, sweep } = createQueuePresence({
      ...{ db: counting, processId, heartbeatSeconds: HEARTBEAT_SECONDS },
      clock: { now: () => at(now).getTime(), after: () => () => {} },
      presence: { heardAt: (id: string) => heard.get(id)?.getTime() } as never,
      watched: () => [...watched],
      changed: (projectId) => told.push(projectId),
    })
    return {
      ...{ heard, watched },
      written: () => writes,
      /** The projects that are told of a change in the sweep at this second. */
      async sweepAt(seconds: number): Promise<string[]> {
        now = seconds
        await sweep()
        return told.splice(0)
      },
      async presences(projectId = 'PROJECT-1') {
        const rows = await queuedHandoffs(db(), processId, projectId)
        return Object.fromEntries(rows.map((row) => [row.conversation_id, of(row)]))
      },
    }
  }

  it('is that of any socket at any process, each time that these fall silent and are heard again', async () => {
    await recordBeat(db(), 'other', 'build', at(0))
    const id = await queued('PROJECT-1', [
      ['phone', 'alive'],
      ['laptop', 'alive'],
    ] as const)
    const [here, elsewhere] = [seenBy('alive'), seenBy('other')]
    const sees = async () => [(await here.presences())[id], (await elsewhere.presences())[id]]
    for (const start of [0, 1_000]) {
      here.heard.set(id, at(start))
      await here.sweepAt(start + SILENCE)
      expect(await sees()).toEqual(['here', 'here'])
      await here.sweepAt(start + SILENCE + 1)
      expect(await sees()).toEqual(['away', 'away'])
    }
    // What is recorded already is not written again.
    await here.sweepAt(1_500)
    expect(here.written()).toBe(3)
    // One that is opened meanwhile, and falls silent like the others.
    await restoreSockets(db(), [{ id: 'new', sessionId: id, processId: 'alive' }])
    expect(await sees()).toEqual(['away', 'here'])
    await here.sweepAt(2_000)
    expect(await sees()).toEqual(['away', 'away'])
    await restoreSockets(db(), [{ id: 'far', sessionId: id, processId: 'other' }])
    expect(await sees()).toEqual(['here', 'away'])
    await db().query('DELETE FROM foyer.socket')
    here.heard.clear()
    expect(await sees()).toEqual(['gone', 'gone'])
  })

  it('is told where somebody watches, to the project in which it changed, whoever of it that is', async () => {
    const [one, two] = [
      await queued('PROJECT-1', [['phone', 'alive']] as const),
      await queued('PROJECT-1', [['phone', 'alive']] as const),
    ]
    const other = await queued('PROJECT-2', [['phone', 'alive']] as const)
    const { heard, watched, sweepAt } = seenBy('alive')
    const hear = (seconds: number, ...ids: string[]) => {
      for (const id of ids) heard.set(id, at(seconds))
    }
    hear(0, one, two, other)
    expect(await sweepAt(1)).toEqual([])
    for (const projectId of ['PROJECT-1', 'PROJECT-2']) watched.add(projectId)
    expect(await sweepAt(2)).toEqual(['PROJECT-1', 'PROJECT-2'])
    expect(await sweepAt(3)).toEqual([])
    hear(50, one, other)
    expect(await sweepAt(100)).toEqual(['PROJECT-1'])
    expect(await sweepAt(101)).toEqual([])
    // One falls silent as the other comes back.
    hear(111, two, other)
    expect(await sweepAt(111)).toEqual(['PROJECT-1'])
    expect(await sweepAt(112)).toEqual([])
    for (const id of [one, two]) await world.erase({ id })
    expect(await sweepAt(113)).toEqual(['PROJECT-1'])
    expect(await sweepAt(114)).toEqual([])
    watched.delete('PROJECT-1')
    await sweepAt(115)
    await queued('PROJECT-1', [] as const)
    expect(await sweepAt(116)).toEqual([])
    watched.add('PROJECT-1')
    expect(await sweepAt(117)).toEqual(['PROJECT-1'])
  })
})

/** A conversation that waits in the queue since then. */
async function queueSince(
  seconds: number,
  data: Record<string, unknown> = {},
  before: (session: LockedSession) => void = () => {},
): Promise<string> {
  const id = await world.begin({}, (session) => {
    session.move('handed-off')
    before(session)
  })
  await saveHandoff(db(), {
    ...{ conversation_id: id, project_id: 'PROJECT-1', shared_id: 'shared', queue_name: 'q', data },
    ...{ created_at: at(seconds), queued_at: at(seconds) },
  })
  return id
}

it('the handoff queue is read with bounded texts, a conversation with bounded lines', async () => {
  const long = 'é'.repeat(60_000)
  const id = await queueSince(0, { last_question: long, deep: [{ text: long }] }, (session) => {
    for (let n = 0; n < 12; n++) session.append(said(`${n} ${long}`))
  })
  const [row] = await queuedHandoffs(db(), 'one', 'PROJECT-1')
  expect(row?.messages.map(({ text }) => text.length)).toEqual(Array(12).fill(1_000))
  const shown = row && entryOf(row, undefined)
  expect(shown?.question).toHaveLength(1_000)
  expect(shown?.data).toEqual({
    last_question: long.slice(0, 1_000),
    deep: [{ text: long.slice(0, 1_000) }],
  })
  const lines = await linesOf(db(), 'PROJECT-1', id)
  expect(lines.map(({ payload }) => String(payload.text).split(' ')[0])).toEqual([
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
  ])
})

it('the handoff queue has the longest wait first, and each place is told once', async () => {
  const [second, first] = [await queueSince(20), await queueSince(10)]
  const rows = await queuedHandoffs(db(), 'one', 'PROJECT-1')
  expect(rows.map((row) => row.conversation_id)).toEqual([first, second])
  const tell = (id: string) => recordToldPosition(db(), id)
  expect([await tell(second), await tell(second), await tell(first)]).toEqual([2, undefined, 1])
  await world.erase({ id: first })
  expect(await tell(second)).toBe(1)
})
