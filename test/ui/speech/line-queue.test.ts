// In which order and at what pace lines are said, and what is said no more.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLineQueue, type Line } from '../../../src/ui/speech/line-queue.ts'

/** The next frame, as the double of the clock has it. */
const FRAME = 16
/** The shortest time in which a line is read. */
const READ = 1_000

let said: (string | undefined)[]
let withheld: Set<string>
let queue: ReturnType<typeof createLineQueue>
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'],
  })
  said = []
  withheld = new Set()
  queue = createLineQueue(
    (text) => said.push(text),
    (key) => withheld.has(key),
  )
})
afterEach(() => {
  queue.stop()
  vi.useRealTimers()
})
const add = (text: string, more: Partial<Line> = {}, replaces?: boolean) =>
  queue.add({ key: text, read: () => text, ...more }, replaces)
const pass = (ms: number) => vi.advanceTimersByTime(ms)

it('lines are said one after the other, and so is one that comes after all were read', () => {
  add('one')
  add('two')
  pass(FRAME)
  expect(said).toEqual(['one'])
  pass(READ - 1)
  expect(said).toEqual(['one'])
  pass(1)
  expect(said).toEqual(['one', 'two'])
  pass(READ)
  expect(said).toEqual(['one', 'two', undefined])
  add('three')
  pass(FRAME)
  expect(said).toEqual(['one', 'two', undefined, 'three'])
})

it.each([1, 2])(
  'an urgent line is said with the next frame, and read as long as any other, %i in a row',
  (count) => {
    add('long '.repeat(20))
    add('later')
    pass(FRAME)
    for (let urgent = 1; urgent <= count; urgent++) {
      add(`urgent ${urgent}`, { urgent: true })
      pass(FRAME)
      expect(said.at(-1)).toBe(`urgent ${urgent}`)
    }
    pass(READ - 1)
    expect(said.at(-1)).toBe(`urgent ${count}`)
    pass(1)
    expect(said.at(-1)).toBe('later')
    pass(READ - 1)
    // The time of the line that was broken off is over by now.
    pass(6_000)
    expect(said.slice(-2)).toEqual(['later', undefined])
  },
)

it('of a conversation that goes on only what is urgent or lasts is still said', () => {
  add('old')
  add('lasts', { lasts: true })
  add('urgent', { urgent: true })
  queue.drop()
  pass(FRAME)
  pass(READ)
  pass(READ)
  expect(said).toEqual(['urgent', 'lasts', undefined])
})

it('a line takes the place of the one with its key, and of no other', () => {
  add('first place', { key: 'queue' })
  add('an answer')
  add('second place', { key: 'queue' }, true)
  for (const ms of [FRAME, READ, READ]) pass(ms)
  expect(said).toEqual(['an answer', 'second place', undefined])
})

it('what is withheld waits, and is said behind what comes once it is let through', () => {
  withheld.add('one')
  add('one')
  pass(FRAME)
  expect(said).toEqual([undefined])
  withheld.clear()
  add('two')
  for (const ms of [FRAME, READ]) pass(ms)
  expect(said).toEqual([undefined, 'one', 'two'])
})

it.each<['clear' | 'stop', (string | undefined)[]]>([
  ['clear', ['one', undefined]],
  ['stop', ['one']],
])('after %s() nothing is said of what waited, at once or later', (way, expected) => {
  add('one')
  add('two')
  pass(FRAME)
  queue[way]()
  expect([said, vi.getTimerCount()]).toEqual([expected, 0])
  add('of the next')
  pass(FRAME)
  expect(said).toEqual([...expected, 'of the next'])
})
