// The tour: an agent around another one, whose steps show what the protocol can do.

import { describe, expect, it } from 'vitest'
import { withTour } from '../../demo/server/tour/tour.ts'
import { steps, tourWords } from '../../demo/server/tour/words.ts'
import type { AgentEvent, Turn } from '../../src/runtime/index.ts'
import { turnOf } from '../agents/turn.ts'

/** Says that the other agent was asked. */
const toured = withTour({
  name: 'Other',
  async *act() {
    yield { type: 'text', text: 'the other agent' }
  },
})

async function ask(text: string, more?: Partial<Turn>) {
  const events: AgentEvent[] = []
  for await (const event of toured.act(turnOf(text, more))) events.push(event)
  return { events, said: events.map((event) => (event.type === 'text' ? event.text : '')).join('') }
}
const kinds = async (text: string) => (await ask(text)).events.map(({ type }) => type)

describe('the tour', () => {
  it('begins on request, and continues with “next” from its last step', async () => {
    const { events } = await ask(tourWords.start)
    expect(events).toContainEqual({ type: 'remember', memory: { tour: 'long' } })
    const second = await ask('next', { memory: { tour: 'long' } })
    expect(second.events).toContainEqual({ type: 'remember', memory: { tour: 'attachment' } })
  })

  it('shows that it works before it speaks', async () => {
    expect((await kinds(steps.long)).slice(0, 1)).toEqual(['thinking'])
  })

  it.each([
    ['a question', 'When do you open?', {}],
    ['a visitor who joins after a step', '', { trigger: 'join', memory: { tour: 'long' } }],
  ] as const)('leaves %s to the other agent', async (_, text, more) => {
    expect((await ask(text, more)).said).toBe('the other agent')
  })

  it('begins with a tapped button of its name', async () => {
    const metadata = { button: { payload: 'tour', text: tourWords.start, type: 'reply' } }
    const tap = { channel: 'RCS', attributes: { metadata } } as const
    const { events } = await ask('<metadata><button/></metadata>', tap)
    expect(events).toContainEqual({ type: 'remember', memory: { tour: 'long' } })
  })

  it('shows each feature of the socket protocol', async () => {
    expect((await ask(steps.long)).said).toContain('```js')
    expect((await ask(steps.attachment)).events.at(-1)).toMatchObject({
      attachments: [{ content_type: 'ATTACHMENT_CONTENT_TYPE_URL' }],
    })
    expect((await ask(steps.image)).events.at(-1)).toMatchObject({
      attachments: [{ content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' }],
    })
    expect((await ask(steps.call)).events.at(-1)).toMatchObject({
      callActions: [{ contact_number: '+15005550006' }],
    })
    expect((await ask(steps.language)).events).toContainEqual({ type: 'language', code: 'de' })
    expect((await ask(steps.languageBack)).events).toContainEqual({ type: 'language', code: 'en' })
    expect((await ask(steps.handoff)).events.at(-1)).toMatchObject({ type: 'handoff', queueName: 'tour' })
    expect(await kinds(steps.handoffClient)).toContain('handoff-client')
    expect((await ask(steps.end)).events.at(-1)).toMatchObject({ endConversation: true })
    await expect(ask(steps.error)).rejects.toThrow()
  })
})
