// What a visitor has where the two parts that load beside the panel never come.

import { fireEvent, waitFor, within } from '@testing-library/preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPanel, message } from '../world.ts'

const fail = vi.hoisted(() => () => {
  throw new TypeError('no network')
})
vi.mock('../../../src/ui/parts/markdown-part.ts', fail)
vi.mock('../../../src/ui/parts/extras.ts', fail)

let world: ReturnType<typeof createPanel>
beforeEach(() => {
  world = createPanel()
})
afterEach(() => world.remove())

const screen = () => within(world.container)

it('answers are plain text without marks, with time, day and speaker, and the visitor writes', async () => {
  world.chat.transcript.value = [
    message('visitor', 'See https://example.com', {}, Date.now() - 86_400_000).entry,
    message('agent', '## Hello **there**, #1', {}, Date.now()).entry,
  ]
  const [said, answer] = await waitFor(() => screen().getAllByRole('article'))
  expect(said?.textContent).toContain('See https://example.com')
  expect(answer?.textContent).toMatch(/\d:\d\d.* Ada said:Hello there, #1$/)
  screen().getByText(/^Today/)
  await fireEvent.input(screen().getByRole('textbox', { name: 'Message' }), { target: { value: 'Hi' } })
  await fireEvent.click(screen().getByRole('button', { name: 'Send' }))
  expect(world.asked).toEqual(['typed', 'send Hi'])
})

it('an answer grows', async () => {
  const { entry, content } = message('agent', 'One', { complete: false })
  world.chat.transcript.value = [entry]
  await waitFor(() => screen().getByText('One'))
  content.value = { ...content.value, pieces: ['One', ' and two'], length: 2 }
  await waitFor(() => screen().getByText('One and two'))
})

it('what is wrong is said, with the way out of it', async () => {
  world.chat.status.value = 'unavailable'
  world.chat.notice.value = { kind: 'unavailable', cause: 'gave-up' }
  await waitFor(() => screen().getByText('The chat can’t be reached right now.'))
  await fireEvent.click(screen().getByRole('button', { name: 'Try again' }))
  expect(world.asked).toEqual(['open'])
})

it('the menu, an attachment and a rating leave the rest of the panel as it is', async () => {
  const attachments = [
    { content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const, content_url: 'https://example.com/a' },
  ]
  world.chat.transcript.value = [message('agent', 'Look', { attachments }).entry]
  world.chat.csat.value = { state: 'asked' }
  await waitFor(() => screen().getByText('Look'))
  await fireEvent.click(screen().getByRole('button', { name: 'More' }))
  await fireEvent.click(screen().getByRole('button', { name: 'More' }))
  await fireEvent.click(screen().getByRole('button', { name: 'Close chat' }))
  expect(world.asked).toEqual([expect.stringMatching(/^close/)])
})
