// When a session that nobody uses is warned and ends: by the limits of its family, each time anew, and as it is when its turn comes.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createInactivity, type Inactivity } from '../../src/runtime/sessions/index.ts'
import { storeUserMessage } from '../../src/runtime/sessions/input.ts'
import { CONNECTOR } from './store-world.ts'
import { createTurnWorld } from './turn-world.ts'

const WARNING = 'EVENT_TYPE_SESSION_IDLE_WARNING'

let world: Awaited<ReturnType<typeof createTurnWorld>>
let one: Awaited<ReturnType<typeof world.createProcess>>
let inactivity: Inactivity
/** Phones that were warned. */
const warned: string[] = []
const failures: string[] = []
beforeAll(async () => {
  world = await createTurnWorld()
  one = await world.createProcess('one')
  // Nobody answers.
  await one.turns.drain()
  one.events.idleWarningDue.subscribe(({ locked }) => void warned.push(locked.session.id))
  inactivity = createInactivity({
    ...{ db: world.between.database, sessions: one.sessions, transient: one.transient, clock: world.clock },
    settings: { sessionIdleSeconds: 600, textIdleSeconds: 1_000, textGraceSeconds: 300 },
    logFailure: (what) => failures.push(what),
  })
})
beforeEach(() => {
  warned.length = 0
  failures.length = 0
})
afterEach(async () => {
  await world.erase()
  await world.clear()
})
afterAll(() => world.close())

/** The time is so many seconds later, and what is due then is done. */
async function sweepAfter(seconds: number): Promise<void> {
  await world.clock.leap(seconds * 1_000)
  await inactivity.sweep()
}
const isOver = async (id: string) => (await world.session(id))?.conversation.endedAt !== undefined
let phones = 0
const text = (wrote: boolean) =>
  one.sessions.openByPhone(
    {
      ...{ owner: CONNECTOR, connectorId: CONNECTOR.id, channel: 'SMS' },
      ...{ userNumber: `+1500555${1_000 + phones++}`, agentNumber: '+15005550006' },
    },
    async (locked) => {
      if (wrote) await storeUserMessage(locked, { text: 'hi' })
      else locked.touch()
    },
  )
async function isDue(): Promise<boolean> {
  const { sql, params } = inactivity.due()
  const [row] = await world.database.query<{ due: boolean }>(`SELECT ${sql} AS due`, params)
  return row?.due === true
}

describe('a chat', () => {
  it('is warned once a minute before its end, and again where its user was there meanwhile', async () => {
    const [chat, other] = [await one.chat(), await one.chat()]
    const warnings = () => chat.sent.filter(({ type }) => type === WARNING).length
    for (const round of [1, 2]) {
      await sweepAfter(539)
      expect([warnings(), await isDue()]).toEqual([round - 1, round > 1 && !(await isOver(other.id))])
      await sweepAfter(1)
      await sweepAfter(59)
      expect([warnings(), await isOver(chat.id)]).toEqual([round, false])
      if (round === 1) await chat.type()
    }
    expect(await isOver(other.id)).toBe(true)
    await sweepAfter(1)
    expect([warnings(), await isOver(chat.id)]).toEqual([2, true])
  })

  it('is warned once, though another process sweeps at the same time', async () => {
    const chat = await one.chat()
    const other = world.between.after(/warned_at IS NULL/, () => inactivity.sweep())
    await sweepAfter(540)
    await other
    expect(chat.sent.filter(({ type }) => type === WARNING)).toHaveLength(1)
  })

  it('that fails to end keeps no other from its end, the next time neither', async () => {
    const chats = [await one.chat(), await one.chat(), await one.chat()]
    world.breakTransactions((number) => (number <= 2 ? new Error('no') : undefined))
    await sweepAfter(600)
    const over = async () => (await Promise.all(chats.map(({ id }) => isOver(id)))).filter(Boolean).length
    expect([failures.length > 0, await over()]).toEqual([true, 1])
    await inactivity.sweep()
    expect(await over()).toBe(3)
  })

  it.each(['queued', 'desk'] as const)(
    'does not end while it is %s, and its time begins anew with the agent',
    async (mode) => {
      const chat = await one.chat()
      await one.sessions.commit(chat.id, 'a test', async (locked) => {
        locked.move('handed-off')
        if (mode === 'desk') locked.move('taken', { id: 'sarah', name: 'Sarah' })
      })
      await chat.type()
      // Its user is there.
      await world.database.query(
        "INSERT INTO foyer.socket (id, session_id, process_id) VALUES ($1, $2, 'one')",
        [`socket-${chat.id}`, chat.id],
      )
      await sweepAfter(10_000)
      await sweepAfter(10_000)
      expect(await isOver(chat.id)).toBe(false)
      await one.sessions.commit(chat.id, 'a test', async (locked) => {
        locked.move(mode === 'desk' ? 'given-back' : 'timed-out')
      })
      await sweepAfter(599)
      expect(await isOver(chat.id)).toBe(false)
      await sweepAfter(1)
      expect(await isOver(chat.id)).toBe(true)
    },
  )

  it('that waits for a person ends ten minutes after its last socket, counted anew for each time it was left', async () => {
    const chat = await one.chat()
    await one.sessions.commit(chat.id, 'a test', async (locked) => void locked.move('handed-off'))
    const socket = (is: boolean) =>
      is
        ? world.database.query(
            "INSERT INTO foyer.socket (id, session_id, process_id) VALUES ('s', $1, 'one')",
            [chat.id],
          )
        : world.database.query("DELETE FROM foyer.socket WHERE id = 's'")
    await sweepAfter(0)
    await sweepAfter(599)
    await socket(true)
    await sweepAfter(1)
    await socket(false)
    await sweepAfter(1)
    await sweepAfter(599)
    expect(await isOver(chat.id)).toBe(false)
    await sweepAfter(1)
    expect(await isOver(chat.id)).toBe(true)
  })
})

describe('a conversation by SMS', () => {
  it('has limits of its own: its user is warned, and has the whole grace from then, however late the warning', async () => {
    const [prompt, silent] = [await text(true), await text(false)]
    await sweepAfter(999)
    expect([warned, await isDue()]).toEqual([[], false])
    await world.clock.leap(1_000)
    expect(await isDue()).toBe(true)
    await sweepAfter(0)
    expect(warned).toEqual([prompt])
    await sweepAfter(299)
    expect([await isOver(prompt), await isOver(silent)]).toEqual([false, false])
    await sweepAfter(1)
    expect([await isOver(prompt), await isOver(silent)]).toEqual([true, true])
    const late = await text(true)
    const neverWrote = await text(false)
    await sweepAfter(5_000)
    expect([await isOver(late), await isOver(neverWrote)]).toEqual([false, true])
    await sweepAfter(299)
    expect([warned, await isOver(late)]).toEqual([[prompt, late], false])
    await sweepAfter(1)
    expect(await isOver(late)).toBe(true)
  })

  it('goes on where its user writes again, and is warned a second time', async () => {
    const id = await text(true)
    await sweepAfter(1_000)
    await one.sessions.commit(id, 'a test', (locked) => storeUserMessage(locked, { text: 'still here' }))
    await sweepAfter(999)
    expect([warned, await isOver(id)]).toEqual([[id], false])
    await sweepAfter(1)
    await sweepAfter(299)
    expect([warned, await isOver(id)]).toEqual([[id, id], false])
  })
})
