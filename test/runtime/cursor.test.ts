import { describe, expect, it } from 'vitest'
import { type CursorPlace, createCursors } from '../../src/runtime/conversations/list/cursor.ts'

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

  const id = 'a'.repeat(128)
  const searched = { asOf: 1_800_000_000_123, startedAt: 1_799_999_999_999, id }
  const places: [string, CursorPlace][] = [
    ['of the list', { at: 1_800_000_000_000, id }],
    ...[0.06079271, 0.1 + 0.2, 1 / 3, 1e-20, 5e-324, 0].flatMap((number): [string, CursorPlace][] => [
      [`of a search for words, rank ${number}`, { ...searched, first: -719_162, last: 20_833, rank: number }],
      [`of a semantic search, distance ${-number}`, { ...searched, distance: -number || 0 }],
    ]),
  ]
  it.each(places)('holds a place exactly: %s', (_, exact) => {
    const cursors = createCursors(['key'])
    const signed = cursors.sign(exact, 'query')
    expect(cursors.verify(signed, 'query')).toStrictEqual(exact)
    expect(signed.length).toBeLessThan(512)
  })

  it.each([
    ['of a search of an earlier build', { asOf: 1_800_000_000_000, offset: 20 }],
    ['with a part too many', { ...place, offset: 20 }],
    ['of no page', {}],
  ])('is invalid if its place is unknown: %s', (_, other) => {
    const cursors = createCursors(['key'])
    expect(cursors.verify(cursors.sign(other as never, 'query'), 'query')).toBeUndefined()
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
