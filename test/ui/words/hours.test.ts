// Office hours: what is read of them, whether they hold, and when they begin, over changes of the clocks too.

import { expect, it } from 'vitest'
import { opensAt, readHours, sayWhen } from '../../../src/ui/words/hours.ts'

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
])('hours hold %s', (_, now) => {
  expect(opens(OFFICE, 'Europe/Berlin', now)).toBeUndefined()
})

it.each([
  ['the same day, before they begin', '2026-11-16T07:59:59Z', '2026-11-16T08:00:00.000Z'],
  ['the next day, once they are over', '2026-11-16T16:00:00Z', '2026-11-17T08:00:00.000Z'],
  ['after the weekend', '2026-11-21T13:00:00Z', '2026-11-23T08:00:00.000Z'],
])('hours begin %s', (_, now, next) => {
  expect(opens(OFFICE, 'Europe/Berlin', now)).toBe(next)
})

it('hours are read with spaces and dashes as people type them', () => {
  const typed = ' MON – Fri  9:00 - 17:00 ;Sat 10:00—14:00'
  expect(readHours(typed)).toEqual(readHours('Mon-Fri 09:00-17:00; Sat 10:00-14:00'))
})

it('hours begin at the hour of the wall, on the day after the clocks change', () => {
  // Berlin goes back on 2026-10-25: Friday is at UTC+2, Monday at UTC+1.
  expect(opens('Mon-Fri 09:00-17:00', 'Europe/Berlin', '2026-10-23T18:00:00Z')).toBe(
    '2026-10-26T08:00:00.000Z',
  )
})

const NIGHT = 'Fri-Sat 22:00-06:00'
it.each([
  ['in the evening', '2026-11-20T21:00:00Z'],
  ['after midnight', '2026-11-21T04:59:59Z'],
  ['after midnight of the last day', '2026-11-22T04:59:59Z'],
])('hours over midnight hold %s', (_, now) => {
  expect(opens(NIGHT, 'Europe/Berlin', now)).toBeUndefined()
})

it.each([
  ['before the first evening', '2026-11-20T20:59:59Z', '2026-11-20T21:00:00.000Z'],
  ['in the morning', '2026-11-21T05:00:00Z', '2026-11-21T21:00:00.000Z'],
  ['after the last night', '2026-11-22T05:00:00Z', '2026-11-27T21:00:00.000Z'],
  ['on a morning whose evening before had none', '2026-11-20T03:00:00Z', '2026-11-20T21:00:00.000Z'],
])('hours over midnight begin again %s', (_, now, next) => {
  expect(opens(NIGHT, 'Europe/Berlin', now)).toBe(next)
})

it('hours over midnight go on over the end of the week, and until midnight they end with the day', () => {
  expect(opens('Sun 22:00-02:00', 'UTC', '2026-11-23T01:59:59Z')).toBeUndefined()
  expect(opens('Sun 22:00-02:00', 'UTC', '2026-11-23T02:00:00Z')).toBe('2026-11-29T22:00:00.000Z')
  expect(opens('Sun 22:00-00:00', 'UTC', '2026-11-22T23:59:59Z')).toBeUndefined()
  expect(opens('Sun 22:00-00:00', 'UTC', '2026-11-23T00:00:00Z')).toBe('2026-11-29T22:00:00.000Z')
})

/** From when on the hours hold, and from when no more: all that begins and ends here does so at the tenth minutes, between noon and noon. */
function span(hours: string, zone: string, noon: string) {
  const edges: string[] = []
  let held = false
  for (let minute = 0; minute < 24 * 60; minute += minute % 10 === 0 ? 9 : 1) {
    const time = at(noon) + minute * 60e3
    const holds = opensAt(readHours(hours), zone, time) === undefined
    if (holds !== held) edges.push(new Date(time).toISOString().slice(11, 16))
    held = holds
  }
  return edges.join('-')
}

// The clocks: Berlin from 02:00 to 03:00 and from 03:00 to 02:00 (both at 01:00 UTC), New York from 02:00 to 03:00 (07:00 UTC) and from 02:00
// to 01:00 (06:00 UTC), Lord Howe by half an hour (from 02:00 to 02:30 at 15:30 UTC, and from 02:00 to 01:30 at 15:00 UTC).
it.each([
  ['Europe/Berlin', '2026-03-28T12:00:00Z', 'Sun 01:00-04:00', '00:00-02:00'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', 'Sun 02:30-04:00', '01:00-02:00'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', 'Sat 22:00-02:30', '21:00-01:00'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', 'Sun 02:10-02:50', ''],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', 'Sun 09:00-10:00', '07:00-08:00'],
  ['Europe/Berlin', '2026-10-24T12:00:00Z', 'Sun 01:00-04:00', '23:00-03:00'],
  ['Europe/Berlin', '2026-10-24T12:00:00Z', 'Sun 02:30-04:00', '00:30-03:00'],
  ['Europe/Berlin', '2026-10-24T12:00:00Z', 'Sat 22:00-06:00', '20:00-05:00'],
  ['Europe/Berlin', '2026-10-24T12:00:00Z', 'Sun 09:00-10:00', '08:00-09:00'],
  ['America/New_York', '2026-03-07T17:00:00Z', 'Sun 02:30-03:30', '07:00-07:30'],
  ['America/New_York', '2026-10-31T16:00:00Z', 'Sun 01:00-03:00', '05:00-08:00'],
  ['America/New_York', '2026-10-31T16:00:00Z', 'Sat 18:00-09:00', '22:00-14:00'],
  ['Australia/Lord_Howe', '2026-10-03T02:00:00Z', 'Sun 02:10-03:00', '15:30-16:00'],
  ['Australia/Lord_Howe', '2026-04-04T02:00:00Z', 'Sun 01:30-03:00', '14:30-16:30'],
  ['Asia/Kathmandu', '2026-10-24T06:15:00Z', 'Sat 22:00-06:00', '16:15-00:15'],
])('hours in %s, on the day whose noon is %s, of %s are %s in UTC', (zone, noon, hours, edges) => {
  expect(span(hours, zone, noon)).toBe(edges)
  const [first] = edges.split('-')
  // Whoever comes before is told the same.
  if (first) expect(`${opens(hours, zone, noon)}`.slice(11, 16)).toBe(first)
  else expect(opens(hours, zone, noon)).toBe('2026-04-05T00:10:00.000Z')
})

it('hours begin a week later where it is only one day, and that day is over', () => {
  expect(opens('Mon 09:00-10:00', 'UTC', '2026-11-16T10:00:00Z')).toBe('2026-11-23T09:00:00.000Z')
})

it('hours that go over the end of the week hold on both sides of it', () => {
  expect(opens('Sat-Mon 00:00-24:00', 'UTC', '2026-11-22T23:00:00Z')).toBeUndefined()
  expect(opens('Sat-Mon 00:00-24:00', 'UTC', '2026-11-24T00:00:00Z')).toBe('2026-11-28T00:00:00.000Z')
})

it('hours of a zone that does not exist are the visitor’s', () => {
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
  'Mon 09:00-09:00',
  'Mon 09:00-25:00',
  'Mon 25:00-09:00',
  'Mon 09:60-10:00',
  'x'.repeat(500),
])('hours that cannot be read are none: %s', (text) => {
  expect(readHours(text)).toBeUndefined()
  expect(opensAt(readHours(text), 'UTC', 0)).toBeUndefined()
})

it('hours are said in the words of a locale', () => {
  expect(sayWhen(Date.UTC(2026, 10, 23, 8), 'de')).toMatch(/^Montag/)
})
