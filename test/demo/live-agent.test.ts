// Who a live agent is comes from a cookie of the demo's server: never from what a colleague's page could send.

import { expect, it } from 'vitest'
import { cookieFor, personOf } from '../../demo/server/live-agent.ts'

const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''

it('a browser is one live agent in all its tabs, under whatever name', () => {
  const first = cookieFor('Sarah', null)
  expect(first).toMatch(/; Path=\/demo\/desk; HttpOnly; SameSite=Strict$/)
  const sarah = personOf(pairOf(first))
  expect(sarah).toMatchObject({
    name: 'Sarah',
    id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  })
  const renamed = personOf(`other=1; ${pairOf(cookieFor('سارة', `a=b; ${pairOf(first)}`))}`)
  expect(renamed).toEqual({ id: sarah?.id, name: 'سارة' })
  expect(personOf(pairOf(cookieFor('Sarah', null)))?.id).not.toBe(sarah?.id)
})

it.each([
  ['no cookie', null],
  ['the id that colleagues see', `foyer-desk=${personOf(pairOf(cookieFor('Ann', null)))?.id}.QW5u`],
  ['a secret of another length', 'foyer-desk=short.QW5u'],
  ['no name', `foyer-desk=${'a'.repeat(24)}.`],
])('%s identifies no live agent', (_, header) => {
  expect(personOf(header)).toBeUndefined()
})
