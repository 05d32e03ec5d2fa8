// Office hours: what is read of them, whether they hold, and when they begin, over changes of the clocks too.

import { expect, it } from 'vitest'
import { opensAt, readHours, sayWhen } from '../../src/ui/hours.ts'

const at = (text: string) => Date.parse(text)
const opens = (hours: string, zone: string, now: string) => {
  const time = opensAt(readHours(hours), zone, at(now))
  return time && new Date(time).toISOString()
}
const OFFICE = 'Mon-Fri 09:00-17:00; Sat 10:00-14:00'

it.each([
  ['at the first minute', '2026-11-16T08:00:00Z'],
  ['in the last minute', '2026-11-16T15:59:59Z'],
  ['on a Saturday', '2026-11-21T12:00:00Z'],
])('hold %s', (_, now) => {
  expect(opens(OFFICE, 'Europe/Berlin', now)).toBeUndefined()
})

it.each([
  ['the same day, before they begin', '2026-11-16T07:59:59Z', '2026-11-16T08:00:00.000Z'],
  ['the next day, once they are over', '2026-11-16T16:00:00Z', '2026-11-17T08:00:00.000Z'],
  ['after the weekend', '2026-11-21T13:00:00Z', '2026-11-23T08:00:00.000Z'],
])('begin %s', (_, now, next) => {
  expect(opens(OFFICE, 'Europe/Berlin', now)).toBe(next)
})

it('are read with spaces and dashes as people type them', () => {
  const typed = ' MON – Fri  9:00 - 17:00 ;Sat 10:00—14:00'
  expect(readHours(typed)).toEqual(readHours('Mon-Fri 09:00-17:00; Sat 10:00-14:00'))
})

it('begin at the hour of the wall, on the day after the clocks change', () => {
  // Berlin goes back on 2026-10-25: Friday is at UTC+2, Monday at UTC+1.
  expect(opens('Mon-Fri 09:00-17:00', 'Europe/Berlin', '2026-10-23T18:00:00Z')).toBe(
    '2026-10-26T08:00:00.000Z',
  )
})

it('begin a week later where it is only one day, and that day is over', () => {
  expect(opens('Mon 09:00-10:00', 'UTC', '2026-11-16T10:00:00Z')).toBe('2026-11-23T09:00:00.000Z')
})

it('go over the end of the week', () => {
  expect(opens('Sat-Mon 00:00-24:00', 'UTC', '2026-11-22T23:00:00Z')).toBeUndefined()
  expect(opens('Sat-Mon 00:00-24:00', 'UTC', '2026-11-24T00:00:00Z')).toBe('2026-11-28T00:00:00.000Z')
})

it('of a zone that does not exist are the visitor’s', () => {
  const visitor = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(opens(OFFICE, 'Nowhere/None', '2026-11-16T03:00:00Z')).toBe(
    opens(OFFICE, visitor, '2026-11-16T03:00:00Z'),
  )
})

it.each([
  undefined,
  '',
  'always',
  'Mon 9-17',
  'Foo 09:00-17:00',
  'Mon 17:00-09:00',
  'Mon 09:00-25:00',
  'x'.repeat(500),
])('that cannot be read are none: %s', (text) => {
  expect(readHours(text)).toBeUndefined()
  expect(opensAt(readHours(text), 'UTC', 0)).toBeUndefined()
})

it('are said in the words of a locale', () => {
  expect(sayWhen(Date.UTC(2026, 10, 23, 8), 'de')).toMatch(/^Montag/)
})
