// The clock of the schedules: what was taken back does not happen, whoever set it.

import { expect, it } from 'vitest'
import { createTime, type Owner } from './time.ts'

const page = (): Owner => ({ alive: true, frozen: false })

it('a timer that was taken back does not fire, of the world or of a page', async () => {
  const time = createTime()
  const clock = time.clockOf(page())
  const fired: string[] = []
  for (const after of [time.after, clock.after, (_: number, fn: () => void) => clock.frame?.(fn)]) {
    after(10, () => fired.push('kept'))
    after(10, () => fired.push('taken back'))?.()
  }
  await time.pass(30)
  expect(fired).toEqual(['kept', 'kept', 'kept'])
})

it('a global timer that was cleared does not fire', async () => {
  const time = createTime()
  const uninstall = time.install()
  const fired: string[] = []
  try {
    setTimeout(() => fired.push('kept'), 10)
    clearTimeout(setTimeout(() => fired.push('taken back'), 10))
    await time.pass(30)
  } finally {
    uninstall()
  }
  expect(fired).toEqual(['kept'])
})

it('a timer of a page that is gone does not fire', async () => {
  const time = createTime()
  const owner = page()
  const fired: string[] = []
  time.clockOf(owner).after(10, () => fired.push('gone'))
  owner.alive = false
  await time.pass(30)
  expect(fired).toEqual([])
})
