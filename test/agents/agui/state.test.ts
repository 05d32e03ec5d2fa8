import { describe, expect, it } from 'vitest'
import { createThreadState } from '../../../src/agents/agui/state.ts'

function patched(before: unknown, ...operations: object[]): unknown {
  const state = createThreadState(before)
  state.patch(operations)
  return state.changed()?.state
}
const MISFIT = 'a change of its state does not fit'

describe('a change of the state', () => {
  it.each<[string, unknown, object[], unknown]>([
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: null }], { a: 1, b: null }],
    ['replaces a member by adding it', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['adds to the middle of a list', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['adds to the end of a list', [1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
    ['adds behind a list', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
    ['removes a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes from a list', [1, 2, 3], [{ op: 'remove', path: '/1' }], [1, 3]],
    ['removes all', { a: 1 }, [{ op: 'remove', path: '' }], null],
    ['replaces a value', { a: [1] }, [{ op: 'replace', path: '/a/0', value: 2 }], { a: [2] }],
    ['replaces all', { a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
    ['moves a value', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    ['moves within a list', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], [2, 3, 1]],
    ['moves a value to where it is', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
    ['copies a value', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    [
      'copies without a tie to the first',
      { a: [1] },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/-', value: 2 },
      ],
      { a: [1], b: [1, 2] },
    ],
    [
      'tests a value',
      { a: { b: [1, 'x', null] } },
      [{ op: 'test', path: '/a', value: { b: [1, 'x', null] } }],
      { a: { b: [1, 'x', null] } },
    ],
    [
      'reads names with signs',
      { 'a/b': 1, '~1': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/~01' },
      ],
      {},
    ],
    ['has a member without a name', {}, [{ op: 'add', path: '/', value: 1 }], { '': 1 }],
  ])('%s', (_, before, operations, after) => {
    expect(patched(before, ...operations)).toEqual(after)
  })

  it.each<[string, unknown, object]>([
    ['has an unknown kind', {}, { op: 'turn', path: '/a' }],
    ['adds without a value', {}, { op: 'add', path: '/a' }],
    ['has no place', {}, { op: 'add', value: 1 }],
    ['has a place that is none', { a: 1 }, { op: 'replace', path: 'a', value: 1 }],
    ['has a sign that is none', { 'a~2': 1 }, { op: 'remove', path: '/a~2' }],
    ['adds below what is missing', {}, { op: 'add', path: '/a/b', value: 1 }],
    ['adds below a text', { a: 'x' }, { op: 'add', path: '/a/0', value: 1 }],
    ['removes what is missing', {}, { op: 'remove', path: '/a' }],
    ['removes what every object inherits', {}, { op: 'remove', path: '/toString' }],
    ['replaces what is missing', {}, { op: 'replace', path: '/a', value: 1 }],
    ['adds past the end of a list', [1], { op: 'add', path: '/2', value: 1 }],
    ['removes at the end of a list', [1], { op: 'remove', path: '/1' }],
    ['removes behind a list', [1], { op: 'remove', path: '/-' }],
    ['names a place of a list otherwise', [1, 2], { op: 'remove', path: '/01' }],
    ['moves a value into itself', { a: { b: {} } }, { op: 'move', from: '/a', path: '/a/b/c' }],
    ['moves what is missing', {}, { op: 'move', from: '/a', path: '/b' }],
    ['tests another value', { a: 1 }, { op: 'test', path: '/a', value: '1' }],
    ['tests a list as an object', { a: [1] }, { op: 'test', path: '/a', value: { 0: 1 } }],
    ['tests fewer members', { a: { b: 1, c: 1 } }, { op: 'test', path: '/a', value: { b: 1 } }],
    ['changes what an object is', {}, { op: 'add', path: '/__proto__', value: { a: 1 } }],
    ['changes what all objects are', {}, { op: 'add', path: '/__proto__/a', value: 1 }],
  ])('does not fit if it %s', (_, before, operation) => {
    expect(() => patched(before, operation)).toThrow(MISFIT)
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  it.each([[undefined], ['x'], [[1]], [[null]]])(
    'does not fit if it is no list of operations: %j',
    (given) => {
      expect(() => createThreadState({}).patch(given)).toThrow(MISFIT)
    },
  )

  it('leaves the state before as it was', () => {
    const before = { a: { b: 1 } }
    expect(patched(before, { op: 'replace', path: '/a/b', value: 2 })).toEqual({ a: { b: 2 } })
    expect(before).toEqual({ a: { b: 1 } })
  })

  it('is none if nothing is changed', () => {
    const state = createThreadState({ a: 1 })
    state.patch([])
    expect(state.changed()).toBeUndefined()
  })
})

describe('the state takes linear work', () => {
  const double = Array.from({ length: 40 }, (_, n) => ({ op: 'copy', from: '', path: `/${n}` }))
  const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  it.each<[string, unknown, object[], string]>([
    ['doubled again and again', { a: 'x'.repeat(100) }, double, 'its state takes too much work'],
    [
      'nested too deeply',
      {},
      [{ op: 'add', path: '/a', value: deep(200) }],
      'its state is nested too deeply',
    ],
    [
      'nested by a move',
      { a: deep(60), b: deep(60) },
      [{ op: 'move', from: '/a', path: `/b${'/0'.repeat(60)}` }],
      'its state is nested too deeply',
    ],
    [
      'pushed along a long list',
      Array.from({ length: 30_000 }, () => 0),
      Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/0', value: 0 })),
      'its state takes too much work',
    ],
    [
      'compared again and again',
      { a: 'x'.repeat(60_000) },
      Array.from({ length: 100 }, () => ({ op: 'test', path: '/a', value: 'x'.repeat(60_000) })),
      'its state takes too much work',
    ],
    [
      'changed too often',
      { a: 1 },
      Array.from({ length: 10_001 }, () => ({ op: 'replace', path: '/a', value: 1 })),
      'its state changes too often',
    ],
  ])('also if it is %s', (_, before, operations, message) => {
    const began = performance.now()
    expect(() => patched(before, ...operations)).toThrow(message)
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it('keeps 64,000 characters', () => {
    const state = createThreadState({})
    state.snapshot('x'.repeat(63_998))
    expect(state.changed()?.state).toHaveLength(63_998)
    state.snapshot('x'.repeat(63_999))
    expect(() => state.changed()).toThrow('its state is too large')
  })
})
