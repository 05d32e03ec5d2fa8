import { expect, it } from 'vitest'
import type { Statement } from '../../src/runtime/database/batch.ts'
import type { Transaction } from '../../src/runtime/database/index.ts'
import { runTransaction } from '../../src/runtime/database/transaction.ts'

/** A database that answers each statement with its own text, and fails where told. */
function recorder(failing: (sql: string) => boolean = () => false) {
  const trips: string[][] = []
  return {
    trips,
    async roundTrip(statements: readonly Statement[]) {
      trips.push(statements.map(({ sql }) => sql))
      await Promise.resolve()
      const failed = statements.find(({ sql }) => failing(sql))
      if (failed) throw new Error(`${failed.sql} failed`)
      return statements.map(({ sql }) => [sql])
    },
  }
}

it('a transaction sends BEGIN with the first statement and COMMIT with the last', async () => {
  const { trips, roundTrip } = recorder()
  const rows = await runTransaction(roundTrip, async (tx) => {
    const read = await tx.query('read')
    tx.send('write')
    tx.send('write more')
    return read
  })
  expect(rows).toEqual(['read'])
  expect(trips).toEqual([
    ['BEGIN', 'read'],
    ['write', 'write more', 'COMMIT'],
  ])
})

it('a transaction sends queries of one tick together, and returns to each its own rows', async () => {
  const { trips, roundTrip } = recorder()
  const rows = await runTransaction(roundTrip, async (tx) => {
    tx.send('first')
    return Promise.all([tx.query('a'), tx.query('b')])
  })
  expect(rows).toEqual([['a'], ['b']])
  expect(trips).toEqual([['BEGIN', 'first', 'a', 'b'], ['COMMIT']])
})

it('a transaction sends a query made during a round trip in the next one', async () => {
  const { trips, roundTrip } = recorder()
  await runTransaction(roundTrip, async (tx) => {
    const early = tx.query('early')
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([early, tx.query('late')])
  })
  expect(trips).toEqual([['BEGIN', 'early'], ['late'], ['COMMIT']])
})

it('a transaction without statements sends nothing', async () => {
  const { trips, roundTrip } = recorder()
  expect(await runTransaction(roundTrip, async () => 7)).toBe(7)
  await expect(runTransaction(roundTrip, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(trips).toEqual([])
})

it.each(['write', 'COMMIT'])(
  'a transaction rolls back when %s fails, and rejects with that failure',
  async (which) => {
    const { trips, roundTrip } = recorder((sql) => sql === which)
    const failing = runTransaction(roundTrip, async (tx) => tx.send('write'))
    await expect(failing).rejects.toThrow(`${which} failed`)
    expect(trips).toEqual([['BEGIN', 'write', 'COMMIT'], ['ROLLBACK']])
  },
)

it.each([
  ['before it ends', (query: Promise<unknown>) => query.catch(() => {})],
  ['while it ends', (query: Promise<unknown>) => void query.catch(() => {})],
])(
  'a transaction rolls back when its code ignores a failure %s, and rejects with the first failure',
  async (_, ignore) => {
    const { trips, roundTrip } = recorder((sql) => sql.startsWith('bad'))
    const failing = runTransaction(roundTrip, async (tx) => {
      await tx.query('read')
      await ignore(tx.query('bad'))
      await ignore(tx.query('bad again'))
      tx.send('write')
    })
    await expect(failing).rejects.toThrow('bad failed')
    expect(trips.at(-1)).toEqual(['ROLLBACK'])
    expect(trips.flat()).not.toContain('COMMIT')
  },
)

it('a transaction reports a rollback that fails too, and rejects with the first failure', async () => {
  const { roundTrip } = recorder((sql) => sql !== 'BEGIN')
  const told: unknown[] = []
  const failing = runTransaction(
    roundTrip,
    (tx) => tx.query('read'),
    (error) => told.push(error),
  )
  await expect(failing).rejects.toThrow('read failed')
  expect(told).toEqual([new Error('ROLLBACK failed')])
})

it.each([
  ['committed', async () => {}],
  ['rolled back', () => Promise.reject(new Error('no'))],
])('a transaction takes no statement once it is %s', async (_, end) => {
  const { trips, roundTrip } = recorder()
  let kept: Transaction | undefined
  await runTransaction(roundTrip, async (tx) => {
    kept = tx
    await tx.query('read')
    return end()
  }).catch(() => {})
  const before = trips.length
  await expect(kept?.query('late')).rejects.toThrow('ended')
  expect(() => kept?.send('late')).toThrow('ended')
  expect(trips).toHaveLength(before)
})

it('a transaction rolls back only after the round trips under way', async () => {
  const { trips, roundTrip } = recorder((sql) => sql === 'slow')
  const failing = runTransaction(roundTrip, async (tx) => {
    tx.query('slow').catch(() => {})
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(trips).toEqual([['BEGIN', 'slow'], ['ROLLBACK']])
})
