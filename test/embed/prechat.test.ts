// The steps before a chat, as a picture: what each event makes of each state, where every step stands and where none does.

import { expect, it } from 'vitest'
import {
  type Guards,
  nextStep,
  type Prechat,
  type PrechatEvent,
  TABLE,
} from '../../src/embed/frame/prechat/steps.ts'

const EVENTS = Object.keys(TABLE.chat) as PrechatEvent[]
const STATES: readonly Prechat[] = [
  { at: 'consent' },
  { at: 'withdrawing' },
  { at: 'closed' },
  { at: 'home' },
  { at: 'form' },
  { at: 'chat' },
  { at: 'renewing', step: 'closed' },
  { at: 'renewing', step: 'home' },
  { at: 'renewing', step: 'form' },
]
const ALL: Guards = {
  consents: true,
  leaving: false,
  carriesOn: false,
  closed: false,
  home: true,
  form: true,
}
const NONE: Guards = { ...ALL, home: false, form: false }
const nameOf = (state: Prechat) => (state.at === 'renewing' ? `renewing/${state.step}` : state.at)
const draw = (guards: Guards) =>
  [
    ['', ...EVENTS],
    ...STATES.map((state) => [
      nameOf(state),
      ...EVENTS.map((event) => {
        const next = nextStep(state, event, guards)
        return next === state ? '·' : nameOf(next)
      }),
    ]),
  ].map((row) =>
    row
      .map((cell) => cell.padEnd(14))
      .join('')
      .trimEnd(),
  )

it('with consent, a home screen and a form', () => {
  expect(draw(ALL)).toEqual([
    '              begun         agreed        refused       left          passed        back          renewed       looked        signedOut',
    'consent       home          home          consent       ·             ·             ·             ·             ·             home',
    'withdrawing   home          ·             consent       home          ·             ·             ·             ·             home',
    'closed        home          ·             consent       ·             ·             ·             ·             home          home',
    'home          home          ·             consent       ·             form          ·             ·             ·             home',
    'form          home          ·             consent       ·             chat          ·             ·             ·             home',
    'chat          home          ·             consent       ·             ·             ·             renewing/home ·             ·',
    'renewing/closedhome          ·             consent       ·             ·             chat          renewing/home renewing/home home',
    'renewing/home home          ·             consent       ·             renewing/form chat          renewing/home ·             home',
    'renewing/form home          ·             consent       ·             chat          chat          renewing/home ·             home',
  ])
})

it('where nothing stands, every way leads to the chat', () => {
  for (const state of STATES)
    for (const event of EVENTS) {
      const { at } = nextStep(state, event, NONE)
      if (at !== state.at && at !== 'consent')
        expect([nameOf(state), event, at]).toEqual([nameOf(state), event, 'chat'])
    }
})

it('without consent nothing but the gate is reached from the start', () => {
  for (const state of STATES)
    for (const event of ['begun', 'refused'] as const)
      expect(nextStep(state, event, { ...ALL, consents: false }).at).toBe('consent')
})

it('while the chat before is being forgotten, the next one waits', () => {
  const leaving = { ...ALL, leaving: true }
  expect(nextStep({ at: 'consent' }, 'agreed', leaving).at).toBe('withdrawing')
  expect(nextStep({ at: 'form' }, 'signedOut', leaving).at).toBe('withdrawing')
  expect(nextStep({ at: 'withdrawing' }, 'left', ALL).at).toBe('home')
})

it('a conversation of an earlier page is carried on without steps, and a later chat has them', () => {
  const carries = { ...ALL, carriesOn: true }
  expect(nextStep({ at: 'consent' }, 'begun', carries).at).toBe('chat')
  expect(nextStep({ at: 'chat' }, 'renewed', carries)).toEqual({ at: 'renewing', step: 'home' })
})

it('a closed office comes before all other steps, and nobody passes it before it opens', () => {
  const closed = { ...ALL, closed: true }
  expect(nextStep({ at: 'consent' }, 'agreed', closed).at).toBe('closed')
  expect(nextStep({ at: 'closed' }, 'looked', closed).at).toBe('closed')
  expect(nextStep({ at: 'closed' }, 'passed', closed).at).toBe('closed')
  expect(nextStep({ at: 'chat' }, 'renewed', closed)).toEqual({ at: 'renewing', step: 'closed' })
})
