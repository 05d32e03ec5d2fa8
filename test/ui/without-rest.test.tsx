// What a visitor sees where the parts that load beside the panel never come.

import { fireEvent, waitFor, within } from '@testing-library/preact'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createPanel, message } from './world.ts'

vi.mock('../../src/ui/rest.ts', () => {
  throw new TypeError('no network')
})

let world: ReturnType<typeof createPanel>
beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})
beforeEach(() => {
  world = createPanel()
})
afterEach(() => world.remove())

const screen = () => within(world.container)
const retry = () => screen().queryByRole('button', { name: 'Retry' })
const skeleton = () => screen().queryByRole('img', { name: 'The conversation is loading' })

it.each(['unavailable', 'elsewhere'] as const)(
  'a chat that is %s says that it is not connected, and can be asked for again',
  async (kind) => {
    world.chat.status.value = kind
    world.chat.notice.value = { kind }
    await waitFor(() => screen().getByText('Offline'))
    expect(skeleton()).toBeNull()
    await fireEvent.click(retry() as HTMLElement)
    expect(world.asked).toEqual(['open'])
  },
)

it.each(['connecting', 'reconnecting'] as const)(
  'a chat that takes long while it is %s says so',
  async (status) => {
    world.chat.status.value = status
    world.chat.notice.value = { kind: 'reconnecting' }
    await waitFor(() => screen().getByText('Connecting…'))
    // It goes on by itself.
    expect(retry()).toBeNull()
  },
)

it('a chat that begins to connect says so, and offers nothing yet', async () => {
  world.chat.status.value = 'connecting'
  await waitFor(() => screen().getByText('Connecting…'))
  expect(skeleton()).not.toBeNull()
  expect(retry()).toBeNull()
})

it('a chat that is there, or that the service puts off, has nothing to press in vain', async () => {
  world.chat.transcript.value = [message('agent', 'Hello').entry]
  world.chat.notice.value = { kind: 'idle-warning', endsAt: Date.now() + 59_000 }
  await waitFor(() => screen().getByText('Hello'))
  expect(retry()).toBeNull()
  world.chat.status.value = 'connecting'
  world.chat.notice.value = { kind: 'busy' }
  await waitFor(() => screen().getByText('Connecting…'))
  expect(retry()).toBeNull()
})

it('a message that waits where nothing is tried is not sent, and can be sent by hand', async () => {
  world.chat.outbox.value = [{ id: '1', text: 'Anybody?', at: 0, state: 'queued' }]
  world.chat.status.value = 'unavailable'
  await waitFor(() => screen().getByText('Not sent'))
  await fireEvent.click(within(screen().getByRole('log')).getByRole('button', { name: 'Retry' }))
  expect(world.asked).toEqual(['retry 1'])
})
