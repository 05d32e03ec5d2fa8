// What the desk keeps of what a live agent wrote, and for how long.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { previewOf } from '../../demo/desk/queue.tsx'
import { createDeskState } from '../../demo/desk/state.ts'
import type { DeskEntry } from '../../src/runtime/index.ts'

afterEach(() => vi.unstubAllGlobals())

/** A desk whose endpoint lists `ids` and answers each request to write when it is told to. */
function createDesk(ids: string[], gone: readonly string[] = []) {
  const writes: ((status: number) => void)[] = []
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit) => {
    asked.push(path)
    if (method !== 'POST' && path === '/demo/desk/agents') return Promise.resolve(new Response('[]'))
    if (method !== 'POST')
      return Promise.resolve(
        new Response(
          JSON.stringify(
            ids.map((id) => ({ id, state: 'waiting', presence: gone.includes(id) ? 'gone' : 'here' })),
          ),
        ),
      )
    return new Promise<Response>((resolve) =>
      writes.push((status) => resolve(new Response('{}', { status }))),
    )
  })
  return { state: createDeskState({ id: 'sarah', name: 'Sarah' }), writes, asked }
}
const note = 'note' as const

describe('the next visitor', () => {
  const taken = (asked: readonly string[]) => asked.filter((path) => path.endsWith('/take'))
  it('is the first who is here, and not one who has left the page', async () => {
    const desk = createDesk(['gone', 'here', 'later'], ['gone'])
    const first = desk.state.take('none')
    desk.writes.shift()?.(409)
    await first
    await vi.waitFor(() => expect(desk.state.entries.peek()).toBeDefined())
    const next = desk.state.takeNext()
    desk.writes.shift()?.(200)
    await next
    expect(taken(desk.asked).slice(1)).toEqual(['/demo/desk/here/take'])
    expect(desk.state.ordered.peek().map(({ id }) => id)).toEqual(['here', 'later', 'gone'])
  })

  it('is the one after, where another live agent was quicker', async () => {
    const desk = createDesk(['one', 'two', 'three'])
    const first = desk.state.take('none')
    desk.writes.shift()?.(409)
    await first
    await vi.waitFor(() => expect(desk.state.entries.peek()).toBeDefined())
    const next = desk.state.takeNext()
    for (const status of [409, 200]) {
      await vi.waitFor(() => expect(desk.writes.length).toBe(1))
      desk.writes.shift()?.(status)
    }
    await next
    expect(taken(desk.asked).slice(1)).toEqual(['/demo/desk/one/take', '/demo/desk/two/take'])
    expect(desk.state.chosen.peek()).toBe('two')
  })
})

it('a refused text comes back before what was typed since', async () => {
  const { state, writes } = createDesk(['a'])
  for (const [since, draft] of [
    ['', 'First.'],
    ['Second', 'First.\nSecond'],
  ] as const) {
    const sending = state.send('a', note, 'First.')
    expect(state.draftOf('a', note)).toBe('')
    state.draft('a', note, since)
    writes.shift()?.(500)
    await sending
    expect(state.draftOf('a', note)).toBe(draft)
  }
})

it('a conversation that left the desk leaves nothing behind once it is closed', async () => {
  const ids = ['a', 'b']
  const { state, writes } = createDesk(ids)
  const readAgain = async () => {
    const before = state.entries.peek()
    const asking = state.take('b')
    writes.shift()?.(200)
    await asking
    await vi.waitFor(() => expect(state.entries.peek()).not.toBe(before))
  }
  state.choose('a')
  state.draft('a', note, 'Kept')
  state.draft('b', note, 'Kept too')
  await readAgain()
  ids.shift()
  await readAgain()
  expect([state.talk.peek()?.standing, state.draftOf('a', note)]).toEqual(['over', 'Kept'])
  state.choose(undefined)
  await readAgain()
  expect(Object.keys(state.drafts.peek())).toEqual(['note b'])
  state.choose('a')
  expect(state.talk.peek()).toBeUndefined()
})

it.each([
  ['tom', 'Sarah: Hello'],
  ['sarah', 'You: Hello'],
])('the preview names who wrote the message, whoever has the conversation: seen by %s', (id, preview) => {
  const { state } = createDesk([])
  state.person.value = { id, name: id }
  const entry = {
    id: 'a',
    state: 'taken',
    agent: { id: 'tom', name: 'Tom' },
    question: 'Where is it?',
    last: { from: 'live', text: 'Hello', at: '', agent: { id: 'sarah', name: 'Sarah' } },
  } as unknown as DeskEntry
  expect(previewOf(entry, state)).toBe(preview)
})
