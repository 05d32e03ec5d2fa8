// Which unknown field is taken for a known one that is misspelt.

import { expect, it } from 'vitest'
import { misspelt } from '../../src/api/index.ts'

const KNOWN = ['data', 'answers', 'connect', 'queueName', 'silentSeconds', 'suggestions']

it.each([
  ['conect', 'connect'],
  ['connetc', 'connect'],
  ['answer', 'answers'],
  ['queue_name', 'queueName'],
  ['QueueName', 'queueName'],
  ['silent-second', 'silentSeconds'],
  ['sugestion', 'suggestions'],
  ['Data', 'data'],
])('%s is taken for %s', (name, meant) => {
  expect(misspelt({ other: 1, [name]: 1 }, KNOWN)).toBe(`the field ${name}: did you mean ${meant}?`)
})

it.each([
  ['a name that is far from all', { colour: 1 }],
  ['a near word in place of a short one', { date: 1 }],
  ['a word with two mistakes in place of a middling one', { answered: 1 }],
  ['a known field', { answers: 1 }],
  ['a near name beside the known one', { answers: 'ai', answer: 1 }],
  ['an endless name', { ['answers'.repeat(100_000)]: 1 }],
  ['no field', {}],
])('%s is not', (_, fields) => {
  expect(misspelt(fields, KNOWN)).toBeUndefined()
})
