// The steps before a chat, as a picture: what each event makes of each state, where every step stands and where none does.

import { expect, it } from 'vitest'
import {
  type Guards,
  nextStep,
  type Prechat,
  type PrechatEvent,
  TABLE,
} from '../../../../src/embed/frame/prechat/steps.ts'

const EVENTS = Object.keys(TABLE.chat) as PrechatEvent[]
const STATES = Object.keys(TABLE) as Prechat[]
const ALL: Guards = {
  consents: true,
  leaving: false,
  carriesOn: false,
  closed: false,
  home: true,
  form: true,
}
const NONE: Guards = { ...ALL, home: false, form: false }
const draw = (guards: Guards) =>
  [
    ['', ...EVENTS],
    ...STATES.map((state) => [
      state,
      ...EVENTS.map((event) => {
        const next = nextStep(state, event, guards)
        return next === state ? '·' : next
      }),
    ]),
  ].map((row) =>
    row
      .map((cell) => cell.padEnd(14))
      .join('')
      .trimEnd(),
  )

it('each state answers each event, with consent, a home screen and a form', () => {
  expect(draw(ALL)).toEqual([
    '              begun         agreed        refused       left          passed        renewed       looked        signedOut',
    'consent       home          home          ·             ·             ·             ·             ·             home',
    'withdrawing   home          ·             consent       home          ·             ·             ·             home',
    'closed        home          ·             consent       ·             ·             ·             home          home',
    'home          ·             ·             consent       ·             form          ·             ·             ·',
    'form          home          ·             consent       ·             chat          ·             ·             home',
    'chat          home          ·             consent       ·             ·             home          ·             ·',
  ])
})

it('where nothing stands, every way leads to the chat', () => {
  for (const state of STATES)
    for (const event of EVENTS) {
      const next = nextStep(state, event, NONE)
      if (next !== state && next !== 'consent') expect([state, event, next]).toEqual([state, event, 'chat'])
    }
})

it('without consent nothing but the gate is reached from the start', () => {
  for (const state of STATES)
    for (const event of ['begun', 'refused'] as const)
      expect(nextStep(state, event, { ...ALL, consents: false })).toBe('consent')
})

it('while the chat before is being forgotten, the next one waits', () => {
  const leaving = { ...ALL, leaving: true }
  expect(nextStep('consent', 'agreed', leaving)).toBe('withdrawing')
  expect(nextStep('form', 'signedOut', leaving)).toBe('withdrawing')
  expect(nextStep('withdrawing', 'left', ALL)).toBe('home')
})

it('a conversation of an earlier page is carried on without steps, and a later chat has them', () => {
  const carries = { ...ALL, carriesOn: true }
  expect(nextStep('consent', 'begun', carries)).toBe('chat')
  expect(nextStep('chat', 'renewed', carries)).toBe('home')
})

it('a closed office comes before all other steps, and nobody passes it before it opens', () => {
  const closed = { ...ALL, closed: true }
  expect(nextStep('consent', 'agreed', closed)).toBe('closed')
  expect(nextStep('closed', 'looked', closed)).toBe('closed')
  expect(nextStep('closed', 'passed', closed)).toBe('closed')
  expect(nextStep('chat', 'renewed', closed)).toBe('closed')
})
