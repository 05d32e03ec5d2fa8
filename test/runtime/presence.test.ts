import { expect, it } from 'vitest'
import { createPresence } from '../../src/runtime/sessions/socket/presence.ts'

it('a session was last heard by any of its open sockets, until the last one has closed', () => {
  let now = 1_000
  const presence = createPresence(() => now)
  expect(presence.heardAt('session')).toBeUndefined()
  const phone = presence.opened('session')
  now = 2_000
  const laptop = presence.opened('session')
  expect(presence.heardAt('session')).toBe(2_000)
  now = 3_000
  phone.heard()
  expect(presence.heardAt('session')).toBe(3_000)
  phone.closed()
  // The other one is still open, and silent since then.
  expect(presence.heardAt('session')).toBe(2_000)
  phone.heard()
  expect(presence.heardAt('session')).toBe(2_000)
  expect(presence.heardAt('another')).toBeUndefined()
  laptop.closed()
  expect(presence.heardAt('session')).toBeUndefined()
})
