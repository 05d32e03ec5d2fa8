import { expect, it } from 'vitest'
import { createPresence } from '../../src/runtime/sessions/socket/presence.ts'

it('a session was last heard by any of its open sockets, until the last one has closed', () => {
  let now = 1_000
  const presence = createPresence(() => now)
  expect(presence.heardAt('session')).toBeUndefined()
  const phone = presence.opened('session', 'phone')
  now = 2_000
  const laptop = presence.opened('session', 'laptop')
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
  const again = presence.opened('session', 'phone')
  laptop.closed()
  expect(presence.heardAt('session')).toBe(3_000)
  again.closed()
})

it('an open socket is silent once it was last heard before a time', () => {
  let now = 1_000
  const presence = createPresence(() => now)
  const phone = presence.opened('session', 'phone')
  now = 2_000
  const laptop = presence.opened('session', 'laptop')
  const desk = presence.opened('another', 'desk')
  now = 3_000
  desk.heard()
  expect([...presence.silentSince(1_000)]).toEqual([])
  expect([...presence.silentSince(2_001)]).toEqual([
    ['phone', 1_000],
    ['laptop', 2_000],
  ])
  phone.heard()
  laptop.closed()
  expect([...presence.silentSince(3_000)]).toEqual([])
  expect([phone.heardAt(), desk.heardAt()]).toEqual([3_000, 3_000])
})
