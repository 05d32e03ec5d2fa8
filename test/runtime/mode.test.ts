// Who talks with the user: the whole table as a picture, so that a changed arrow shows.

import { expect, it } from 'vitest'
import { type ModeEvent, nextMode, type SessionMode } from '../../src/runtime/sessions/state/mode.ts'

const MODES: readonly SessionMode[] = ['agent', 'queued', 'desk']
const EVENTS: readonly ModeEvent[] = [
  'handed-off',
  'taken',
  'transferred',
  'given-back',
  'left',
  'timed-out',
  'ended',
]

it('each mode and event lead to one mode, or mean nothing', () => {
  const rows = EVENTS.map((event) =>
    [event.padEnd(11), ...MODES.map((mode) => (nextMode(mode, event) ?? '–').padEnd(7))].join(' ').trimEnd(),
  )
  expect([['           ', ...MODES.map((mode) => mode.padEnd(7))].join(' ').trimEnd(), ...rows]).toEqual([
    '            agent   queued  desk',
    'handed-off  queued  –       –',
    'taken       –       desk    –',
    'transferred –       –       queued',
    'given-back  –       –       agent',
    'left        –       agent   –',
    'timed-out   –       agent   –',
    'ended       agent   agent   agent',
  ])
})
