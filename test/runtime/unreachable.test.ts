// Which errors say that the database cannot be reached, and how long work is repeated for them.

import { expect, it } from 'vitest'
import { whileUnreachable } from '../../src/runtime/database/index.ts'
import { type HandClock, handClock } from '../contract/clock.ts'

/** Turns the clock on from one try to the next. */
async function tries(clock: HandClock, count: number): Promise<void> {
  const tried = () => new Promise((resolve) => setImmediate(resolve))
  await tried()
  for (let n = 0; n < count; n++) {
    await clock.pass(500)
    await tried()
  }
}
const withCode = (code: string) => Object.assign(new Error('it failed'), { code })

it.each([
  ['the network refuses', withCode('ECONNREFUSED')],
  ['the network breaks', withCode('ECONNRESET')],
  ['the name cannot be found', withCode('ENOTFOUND')],
  ['the connection failed', withCode('08006')],
  ['the connection does not exist', withCode('08003')],
  ['an operator ended the connection', withCode('57P01')],
  ['the server crashed', withCode('57P02')],
  ['the server starts or ends', withCode('57P03')],
  ['the transaction stood still', withCode('25P03')],
  ['the driver saw the end', new Error('Connection terminated unexpectedly')],
])('work is repeated where %s', async (_, error) => {
  const clock = handClock()
  const answers = [error, error, 'done']
  const result = whileUnreachable(clock, async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  await tries(clock, 1)
  expect(answers).toEqual(['done'])
  await tries(clock, 1)
  expect(await result).toBe('done')
})

it.each([
  ['a row is there already', withCode('23505')],
  ['two transactions met', withCode('40001')],
  ['the statement took too long', withCode('57014')],
  ['something without a code broke', new Error('no such thing')],
])('work is not repeated where %s', async (_, error) => {
  let times = 0
  const work = async () => {
    times++
    throw error
  }
  await expect(whileUnreachable(handClock(), work)).rejects.toBe(error)
  expect(times).toBe(1)
})

it('work fails where the database is away for longer than a minute', async () => {
  const clock = handClock()
  const error = withCode('ECONNREFUSED')
  let times = 0
  const result = whileUnreachable(clock, async () => {
    times++
    throw error
  }).catch((reason: unknown) => reason)
  await tries(clock, 120)
  expect(times).toBe(121)
  await tries(clock, 1)
  expect(await result).toBe(error)
  expect(times).toBe(122)
})
