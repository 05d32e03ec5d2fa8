import { describe, expect, it } from 'vitest'
import { createCursors } from '../../src/runtime/conversations/list/cursor.ts'

const place = { at: 1_800_000_000_000, id: 'conversation-1' }

describe('a cursor', () => {
  it('is valid after a key rotation: the first key signs, every key verifies', () => {
    const old = createCursors(['old']).sign(place, 'query')
    const rotated = createCursors(['new', 'old'])
    expect(rotated.verify(old, 'query')).toEqual(place)
    const fresh = rotated.sign(place, 'query')
    expect(createCursors(['new']).verify(fresh, 'query')).toEqual(place)
    expect(createCursors(['old']).verify(fresh, 'query')).toBeUndefined()
  })

  it('is invalid once its key is removed', () => {
    const old = createCursors(['old']).sign(place, 'query')
    expect(createCursors(['new', 'newer']).verify(old, 'query')).toBeUndefined()
  })

  it('is bound to its query by every key', () => {
    const old = createCursors(['old']).sign(place, 'query')
    expect(createCursors(['new', 'old']).verify(old, 'another query')).toBeUndefined()
  })

  it('is invalid if one letter is changed', () => {
    const cursors = createCursors(['key'])
    const signed = cursors.sign(place, 'query')
    const bytes = Buffer.from(signed, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(cursors.verify(changed.toString('base64url'), 'query')).toBeUndefined()
    }
  })

  it('is invalid if malformed', () => {
    const cursors = createCursors(['key'])
    for (const text of ['', 'a', 'x'.repeat(2_000), 'ä'.repeat(40), `${cursors.sign(place, 'q')}=`])
      expect(cursors.verify(text, 'q')).toBeUndefined()
  })
})
