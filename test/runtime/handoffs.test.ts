// What the store of handoffs promises, on the embedded database: who waits again waits as for the first time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putInFront, setWaits } from '../../src/runtime/handoff/live-agent-store.ts'
import {
  type Handoff,
  markTaken,
  recordToldPosition,
  recordToldWaiting,
  requeue,
  saveHandoff,
} from '../../src/runtime/handoff/store.ts'
import { at, createStoreWorld } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  world = await createStoreWorld()
})
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
