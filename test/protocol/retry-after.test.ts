// Reads Retry-After by the clock of the server that wrote it.

import { expect, it } from 'vitest'
import { readRetryAfter } from '../../src/protocol/index.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString()

it.each<[string, Record<string, string>, number | undefined]>([
  ['seconds', { 'retry-after': '7' }, 7],
  ['many seconds', { 'retry-after': ' 999999999 ' }, 999_999_999],
  ['a date', { 'retry-after': at(12) }, 12],
  ['a date in the past', { 'retry-after': at(-12) }, 0],
  ['a far date, by a clock that may be wrong', { 'retry-after': at(3_600) }, 60],
  ['a far date beside the Date of its answer', { 'retry-after': at(7_200), date: at(3_600) }, 3_600],
  ['a past date beside the Date of its answer', { 'retry-after': at(-3_590), date: at(-3_600) }, 10],
  ['a date beside a Date that cannot be read', { 'retry-after': at(30), date: 'today' }, 30],
  ['a number that is not whole', { 'retry-after': '1e9' }, undefined],
  ['a negative number', { 'retry-after': '-1' }, undefined],
  ['a date without a time zone', { 'retry-after': '2026-03-01 12:00:12' }, undefined],
  ['a word', { 'retry-after': 'soon' }, undefined],
  ['no header', {}, undefined],
])('Retry-After with %s is read', (_, headers, seconds) => {
  expect(readRetryAfter(new Headers(headers), NOW)).toBe(seconds)
})
