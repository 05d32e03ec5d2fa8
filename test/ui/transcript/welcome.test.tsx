// The beginning of a conversation: one greeting, one name, one thing that stands for what still comes.

import { within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entry } from '../../../src/chat/index.ts'
import { createPanel, message } from '../world.ts'

let world: ReturnType<typeof createPanel>
beforeEach(() => {
  world = createPanel({}, undefined, 'idle')
})
afterEach(() => world.remove())

const screen = () => within(world.container)
const skeleton = () => screen().queryByRole('img', { name: 'The chat is loading' })
const show = (...entries: Entry[]) => {
  world.chat.transcript.value = [...world.chat.transcript.value, ...entries]
}
const greeting = () => message('agent', 'Hello, I am a robot.').entry
const divider = (): Entry => ({ kind: 'divider', key: 'd', at: 0, reason: 'restarted' })
const drawn = () => vi.waitFor(() => screen().getByText('Yes?'))

describe('until the greeting comes', () => {
  it('one skeleton stands for it: while the chat connects, while the agent joins, while it thinks', async () => {
    for (const turn of [
      () => {
        world.chat.status.value = 'connecting'
      },
      () => {
        world.chat.status.value = 'live'
      },
      () => {
        world.chat.agent.value = { name: 'Ada', live: false }
        world.chat.typing.value = { role: 'agent' }
      },
    ]) {
      turn()
      await vi.waitFor(() => expect(skeleton()).not.toBeNull())
      expect(world.container.querySelector('.dots')).toBeNull()
    }
    show(greeting())
    await vi.waitFor(() => expect(skeleton()).toBeNull())
  })

  it('nothing stands for it where an agent joins that does not greet', async () => {
    world.chat.agent.value = { name: 'Ada', live: false }
    world.chat.status.value = 'live'
    await vi.waitFor(() => expect(skeleton()).toBeNull())
  })
})

describe('a site’s own greeting', () => {
  beforeEach(() => {
    world.panel.update({ site: { greeting: 'What can we do for you?' } })
    world.chat.status.value = 'live'
  })
  const texts = () => world.container.querySelector('.log')?.textContent

  it('takes the place of the agent’s, also when the visitor has written', async () => {
    show(greeting())
    await vi.waitFor(() => expect(texts()).toContain('What can we do for you?'))
    show(message('visitor', 'Hi').entry, message('agent', 'Yes?').entry)
    await drawn()
    expect(texts()).toContain('What can we do for you?')
    expect(texts()).not.toContain('robot')
  })

  it('does so in a new chat below an old one', async () => {
    show(message('visitor', 'Hi').entry, message('agent', 'Yes?').entry, divider(), greeting())
    await drawn()
    expect(texts()).not.toContain('robot')
    expect(screen().getAllByText('What can we do for you?')).toHaveLength(2)
  })

  it('gives its place back when the site takes it away', async () => {
    show(greeting())
    await vi.waitFor(() => expect(texts()).toContain('What can we do for you?'))
    world.panel.update({ site: {} })
    await vi.waitFor(() => expect(texts()).toContain('robot'))
  })
})

describe('the name', () => {
  it('is the site’s word, before and after the service has one, and a person has their own', async () => {
    world.panel.update({ site: { agentName: 'Fern' } })
    const names = () => screen().getByRole('heading', { level: 2 }).textContent
    await vi.waitFor(() => expect(names()).toBe('Fern'))
    world.chat.status.value = 'live'
    world.chat.agent.value = { name: 'Guide 2', live: false }
    show(greeting())
    await vi.waitFor(() => screen().getByText(/Fern said:/))
    expect(names()).toBe('Fern')
    world.chat.agent.value = { name: 'Sarah', live: true }
    await vi.waitFor(() => expect(names()).toBe('Sarah'))
  })
})

describe('a new chat below an old one', () => {
  it('looks like a welcome until the visitor writes: suggestions in a column', async () => {
    const log = () => screen().getByRole('log').className
    world.chat.status.value = 'live'
    show(message('visitor', 'Hi').entry, message('agent', 'Yes?').entry)
    await drawn()
    expect(log()).toBe('log')
    show(divider(), greeting())
    await vi.waitFor(() => expect(log()).toBe('log begins'))
    show(message('visitor', 'Hello again').entry)
    await vi.waitFor(() => expect(log()).toBe('log'))
  })
})
