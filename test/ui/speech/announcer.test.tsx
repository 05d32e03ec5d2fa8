// What a screen reader is told, counted: nothing of the history, every sentence once, at reading pace.

import { act, fireEvent, within } from '@testing-library/preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Entry } from '../../../src/chat/index.ts'
import { createPanel, message } from '../world.ts'

let world: ReturnType<typeof createPanel>
let said: string[]
let observer: MutationObserver
beforeEach(async () => {
  // A sentence is read for seconds.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  world = createPanel({}, undefined, 'idle')
  // It is loaded beside the panel.
  await act(async () => void (await import('../../../src/ui/parts/markdown-part.ts')))
  listen()
})
afterEach(() => {
  observer.disconnect()
  world.remove()
  vi.useRealTimers()
})

/** Keeps what the region says. */
function listen(): void {
  said = []
  const region = within(world.container).getAllByRole('status').at(-1) as HTMLElement
  observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) said.push(node.textContent ?? '')
  })
  observer.observe(region, { childList: true, subtree: true })
}

/** Keeps what any region of the panel says, by the rules of a browser: the nearest element that has a word on it decides. */
function listenToAll(): string[] {
  observer.disconnect()
  const told: string[] = []
  observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const element = node instanceof Element ? node : node.parentElement
        const region = element?.closest('[aria-live], [role="status"], [role="alert"]')
        const text = node.textContent?.trim()
        if (text && region && region.getAttribute('aria-live') !== 'off') told.push(text)
      }
  })
  observer.observe(world.container, { childList: true, characterData: true, subtree: true })
  return told
}

const show = (...entries: Entry[]) => {
  world.chat.transcript.value = [...world.chat.transcript.value, ...entries]
}
const notice = (notice: 'live-joined' | 'live-left' | 'error', more: object): Entry => ({
  kind: 'notice',
  key: `n-${notice}`,
  at: 0,
  notice,
  ...more,
})
/** Turns the clock until so much is said. */
async function heard(count: number): Promise<void> {
  for (let ms = 0; said.length < count && ms < 30_000; ms += 20) {
    await vi.advanceTimersByTimeAsync(20)
    // What is drawn, loaded or asked for in an idle moment does not go by this clock.
    await new Promise((go) => setImmediate(go))
  }
  expect(said.length).toBeGreaterThanOrEqual(count)
}

it('history is not read, and what comes after it is, once', async () => {
  show(message('agent', 'From before. Long ago.').entry, message('visitor', 'Hi').entry)
  world.chat.status.value = 'live'
  show(message('visitor', 'And now?').entry, message('agent', 'Set `FOYER_CONNECTOR_TOKEN`.').entry)
  await heard(1)
  // The same list again, as a replay gives it.
  world.chat.transcript.value = [...world.chat.transcript.value]
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(2)
  expect(said).toEqual(['Ada said: Set FOYER_CONNECTOR_TOKEN.', 'Sarah joined'])
})

it('a greeting is read that comes before the panel is on the screen', async () => {
  world.remove()
  observer.disconnect()
  world = createPanel({}, undefined, 'idle')
  listen()
  world.chat.status.value = 'live'
  show(message('agent', 'Hello.').entry)
  await heard(1)
  expect(said).toEqual(['Ada said: Hello.'])
})

it('a message is read under the name of its speaker, whoever joins before it is said', async () => {
  world.chat.status.value = 'live'
  world.chat.agent.value = { name: undefined, live: false }
  const { entry } = message('agent', 'I pass you on.')
  if (entry.kind !== 'message') throw new Error('not a message')
  show(message('agent', 'I look that up.').entry)
  await heard(1)
  // It waits until the first one is read.
  show({ ...entry, agentName: undefined })
  world.chat.agent.value = { name: 'Sarah', live: true }
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(3)
  expect(said).toEqual(['Ada said: I look that up.', 'Sarah joined', 'Assistant said: I pass you on.'])
})

it('a line is said once the one before it has been read at a usual pace', async () => {
  world.chat.status.value = 'live'
  show(message('agent', 'A line of thirty-odd letters.').entry)
  await heard(1)
  show(message('agent', 'Another.').entry)
  // With the name of the speaker it has 39 characters, and a voice speaks 15 in a second.
  await vi.advanceTimersByTimeAsync(2_500)
  expect(said).toEqual(['Ada said: A line of thirty-odd letters.'])
  await vi.advanceTimersByTimeAsync(200)
  await heard(2)
  expect(said.at(-1)).toBe('Ada said: Another.')
})

/** An answer that takes a voice minutes. */
const longAnswer = () =>
  message('agent', 'This is one of many paragraphs of a long answer.\n\n'.repeat(4)).entry

it.each<[what: string, happens: () => void, expected: string]>([
  [
    'an error',
    () => show(notice('error', { text: 'Sorry, I encountered an error. Please try again.' })),
    'Something went wrong.',
  ],
  ['the arrival of a person', () => show(notice('live-joined', { name: 'Sarah' })), 'Sarah joined'],
  [
    'a word of a person',
    () => show(message('live', 'Hello, this is Sarah.').entry),
    'Sarah said: Hello, this is Sarah.',
  ],
  [
    'a message that is not sent',
    () => (world.chat.outbox.value = [{ id: '1', text: 'May I?', at: 0, state: 'failed' }]),
    'Not sent',
  ],
])('%s is heard within a second and a half, whatever waits to be read', async (_, happens, expected) => {
  world.chat.status.value = 'live'
  show(longAnswer())
  await heard(1)
  happens()
  // Again while it is read: a second one waits no longer.
  for (const count of [1, 2]) {
    await vi.advanceTimersByTimeAsync(1_500)
    await new Promise((go) => setImmediate(go))
    expect(said.filter((line) => line === expected || line === 'Tom joined')).toHaveLength(count)
    show({ ...notice('live-joined', { name: 'Tom' }), key: 'n-tom' })
  }
})

it('the rest of an answer comes behind what was urgent', async () => {
  world.chat.status.value = 'live'
  show(longAnswer())
  await heard(1)
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(5)
  expect(said.slice(1)).toEqual([
    'Sarah joined',
    ...Array.from({ length: 3 }, () => 'This is one of many paragraphs of a long answer.'),
  ])
})

it('what is older than the newest message of the visitor is not read any more', async () => {
  world.chat.status.value = 'live'
  const pieces = ['The first.\n\nThe second.\n\nThe third.\n\n']
  const { entry, content } = message('agent', '', { pieces, complete: false })
  show(entry)
  await heard(1)
  world.chat.outbox.value = [{ id: 'mine', text: 'Wait', at: 0, state: 'sent' }]
  pieces.push('The fourth.')
  content.value = { ...content.value, length: 2, complete: true }
  // The echo has the same key, and asks for nothing more to be dropped.
  world.chat.outbox.value = []
  show({ ...message('visitor', 'Wait').entry, key: 'mine' }, message('agent', 'I wait.').entry)
  await heard(2)
  show(message('visitor', 'From another tab').entry)
  show(message('agent', 'I see.').entry)
  await heard(3)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(said).toEqual(['Ada said: The first.', 'Ada said: I wait.', 'Ada said: I see.'])
})

it('the beginning of an answer is read that comes before the echo of its question', async () => {
  world.chat.status.value = 'live'
  world.chat.outbox.value = [{ id: 'mine', text: 'Where?', at: 0, state: 'sent' }]
  const { entry: question } = message('visitor', 'Where?')
  const { entry: answer } = message('agent', 'There.\n\nAnd there.')
  show(answer)
  // A service that echoes no ids.
  world.chat.transcript.value = [question, answer]
  world.chat.outbox.value = []
  await heard(2)
  expect(said).toEqual(['Ada said: There.', 'And there.'])
})

it.each(['reconnecting', 'offline', 'busy'] as const)(
  'a connection that was said to be %s is said to be there again, once',
  async (kind) => {
    world.chat.status.value = 'live'
    await vi.advanceTimersByTimeAsync(200)
    world.chat.status.value = 'reconnecting'
    world.chat.notice.value = { kind }
    await vi.advanceTimersByTimeAsync(200)
    expect(said).toEqual([])
    world.chat.status.value = 'live'
    world.chat.notice.value = undefined
    await heard(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said).toEqual(['You’re connected.'])
  },
)

it('a warning of the end that goes says nothing of a connection, which was there all the time', async () => {
  world.chat.status.value = 'live'
  world.chat.notice.value = { kind: 'idle-warning', endsAt: Date.now() + 20_000 }
  await vi.advanceTimersByTimeAsync(200)
  world.chat.notice.value = undefined
  for (let count = 1; count <= 3; count++) await vi.advanceTimersByTimeAsync(4_000)
  expect(said).toEqual([])
})

it('a second wait says its place, also where it is the same as in the first', async () => {
  world.chat.status.value = 'live'
  const place = { state: 'pending', position: 2 } as const
  world.chat.handoff.value = place
  await heard(1)
  world.chat.handoff.value = { state: 'none' }
  await vi.advanceTimersByTimeAsync(4_000)
  world.chat.handoff.value = { ...place }
  await heard(2)
  expect(said).toEqual(['You’re number 2 in the queue', 'You’re number 2 in the queue'])
})

it('a warning says the time that is really left, once', async () => {
  world.chat.status.value = 'live'
  const told = listenToAll()
  world.chat.notice.value = { kind: 'idle-warning', endsAt: Date.now() + 20_000 }
  await vi.waitFor(() => expect(told.join()).toContain('0:20'))
  expect(told.filter((text) => text.includes('This chat will end'))).toHaveLength(1)
})

it('a sentence that cannot be read is passed over', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const unreadable = new RangeError('seven')
  const select = vi.spyOn(Intl.PluralRules.prototype, 'select').mockImplementation((count) => {
    if (count === 7) throw unreadable
    return 'other'
  })
  try {
    world.chat.status.value = 'live'
    show(message('agent', `\`\`\`\n${'line\n'.repeat(7)}\`\`\`\nThat is it.`).entry)
    await heard(1)
    show(notice('live-joined', { name: 'Sarah' }))
    await heard(2)
    expect(said).toEqual(['Ada said: That is it.', 'Sarah joined'])
    expect(reported).toHaveBeenCalledExactlyOnceWith(unreadable)
  } finally {
    select.mockRestore()
    vi.unstubAllGlobals()
  }
})

it('what hangs on an answer is read by its titles, also where the answer has no words', async () => {
  world.chat.status.value = 'live'
  const attachments = [
    { content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' as const, content_url: 'https://example.com/a.png' },
    {
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
      content_url: 'https://example.com',
      title: 'Opening hours',
    },
  ]
  const callActions = [{ title: 'Call us', contact_number: '+15005550006' }]
  const streamed = message('agent', 'Look here. ', { complete: false })
  show(streamed.entry)
  await heard(1)
  streamed.content.value = { ...streamed.content.value, complete: true, attachments, callActions }
  await heard(2)
  // The service repeats the whole message.
  streamed.content.value = { ...streamed.content.value, pieces: ['Look here.'] }
  show(message('agent', '', { attachments: attachments.slice(0, 1) }).entry)
  await heard(3)
  expect(said).toEqual([
    'Ada said: Look here.',
    'Attachments: Image, Opening hours, Call us',
    'Ada said: Attachments: Image',
  ])
})

it('a chat that can be rated is said to be so, each time it is asked', async () => {
  world.chat.status.value = 'live'
  world.chat.csat.value = { state: 'asked' }
  await heard(1)
  world.chat.csat.value = { state: 'given', score: 5 }
  world.chat.status.value = 'ended'
  world.panel.update({ rating: 'stars' })
  world.chat.csat.value = { state: 'none' }
  await heard(2)
  expect(said).toEqual(['How was this chat?', 'How was this chat?'])
})

it('a handoff is told once by all regions together, and each place in the queue behind what the agent said', async () => {
  world.chat.status.value = 'live'
  await within(world.container).findByText('AI assistant · replies instantly')
  const told = listenToAll()
  show(message('agent', 'I’ll pass you on: somebody answers here soon.').entry)
  world.chat.handoff.value = { state: 'pending' }
  world.chat.leavable.value = true
  await within(world.container).findByRole('button', { name: 'Leave the queue' })
  world.chat.handoff.value = { state: 'pending', position: 4 }
  world.chat.handoff.value = { state: 'pending', position: 3 }
  for (let count = 1; count <= 4; count++) await vi.advanceTimersByTimeAsync(4_000)
  world.chat.handoff.value = { state: 'pending', position: 2 }
  await vi.advanceTimersByTimeAsync(4_000)
  await new Promise((go) => setImmediate(go))
  expect(told).toEqual([
    'Ada said: I’ll pass you on: somebody answers here soon.',
    'You’re number 3 in the queue',
    'You’re number 2 in the queue',
  ])
})

it('thanks for a rating are told once, and not again in another language', async () => {
  world.chat.status.value = 'live'
  const told = listenToAll()
  world.chat.csat.value = { state: 'asked' }
  await vi.waitFor(() => expect(told).toContain('How was this chat?'))
  world.chat.csat.value = { state: 'given', score: 5 }
  await vi.waitFor(() => expect(told).toContain('Thank you for your rating.'))
  world.chat.language.value = 'de'
  await within(world.container).findByText('Danke für Ihre Bewertung.')
  world.chat.language.value = 'en'
  await within(world.container).findByText('Thank you for your rating.')
  show(notice('live-joined', { name: 'Sarah' }))
  await vi.waitFor(() => expect(told.at(-1)).toContain('Sarah'))
  expect(told).toEqual(['How was this chat?', 'Thank you for your rating.', expect.stringContaining('Sarah')])
})

it('nobody is thanked who did not want to rate, and rated elsewhere', async () => {
  world.chat.status.value = 'live'
  const told = listenToAll()
  world.chat.csat.value = { state: 'asked' }
  await vi.waitFor(() => expect(told).toContain('How was this chat?'))
  fireEvent.click(await within(world.container).findByRole('button', { name: 'Not now' }))
  world.chat.csat.value = { state: 'given', score: 5 }
  show(notice('live-joined', { name: 'Sarah' }))
  await vi.waitFor(() => expect(told.at(-1)).toBe('Sarah joined'))
  expect(told).toEqual(['How was this chat?', 'Sarah joined'])
})

it('thanks for words on an answer are told once, and not again in another language', async () => {
  world.chat.capabilities.value = { feedback: true } as never
  world.chat.status.value = 'live'
  show(message('visitor', 'Well?').entry, message('agent', 'Yes.').entry)
  const panel = within(world.container)
  fireEvent.click(await panel.findByRole('button', { name: 'Bad answer' }))
  fireEvent.input(await panel.findByRole('textbox', { name: 'Anything to add? (optional)' }), {
    target: { value: 'No.' },
  })
  const told = listenToAll()
  const form = panel.getByRole('form', { name: 'Bad answer' })
  fireEvent.submit(form)
  await vi.waitFor(() => expect(told).toContain('Thank you for your rating.'))
  world.chat.language.value = 'de'
  await panel.findByText('Danke für Ihre Bewertung.')
  world.chat.language.value = 'en'
  await panel.findByText('Thank you for your rating.')
  show(notice('live-joined', { name: 'Sarah' }))
  await vi.waitFor(() => expect(told.at(-1)).toContain('Sarah'))
  expect(told.filter((text) => !/Ada|Sarah/.test(text))).toEqual(['Thank you for your rating.'])
})

it('what the page withholds is not read, until the page lets it through', async () => {
  const accepts = (_: string, { text, complete }: { text: string; complete: boolean }) =>
    complete && !text.includes('secret')
  world.panel.update({ site: { accepts } })
  world.chat.status.value = 'live'
  const pieces = ['The first. Then ']
  const late = message('agent', '', { pieces, complete: false })
  show(message('agent', 'A secret.').entry, late.entry)
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(1)
  expect(said).toEqual(['Sarah joined'])
  pieces.push('the second.')
  late.content.value = { ...late.content.value, length: 2, complete: true }
  show(notice('live-left', { name: 'Sarah' }))
  await heard(4)
  expect(said.slice(1)).toEqual(['Sarah left', 'Ada said: The first.', 'Then the second.'])
})

it('an error is said in place of what is left of the broken answer', async () => {
  world.chat.status.value = 'live'
  show(message('agent', 'The first. The second', { complete: false }).entry)
  await heard(1)
  show(message('agent', 'The third. The fourth', { complete: false }).entry)
  show(notice('error', { text: 'It broke.' }))
  for (let count = 1; count <= 6; count++) await vi.advanceTimersByTimeAsync(4_000)
  expect(said).toEqual(['Ada said: The first.', 'It broke.'])
})

it('a handoff without a place is told once, and one who joins ends it', async () => {
  world.chat.status.value = 'live'
  world.chat.handoff.value = { state: 'pending' }
  await heard(1)
  expect(said).toEqual(['You’re waiting for a person.'])
  world.chat.handoff.value = { state: 'pending', position: 2 }
  world.chat.handoff.value = { state: 'live' }
  show(notice('live-joined', { name: 'Sarah' }))
  for (let count = 1; count <= 3; count++) await vi.advanceTimersByTimeAsync(4_000)
  expect(said).toEqual(['You’re waiting for a person.', 'Sarah joined'])
})

it('the site’s greeting is read in place of the agent’s', async () => {
  world.panel.update({ site: { greeting: 'What can we do for you?' } })
  world.chat.status.value = 'live'
  show(message('agent', 'Hello, I am a robot.').entry)
  await heard(1)
  show(message('visitor', 'Hi').entry, message('agent', 'Yes?').entry)
  await heard(2)
  expect(said).toEqual(['What can we do for you?', 'Ada said: Yes?'])
})

it('an answer is read sentence by sentence while it comes, code by its lines', async () => {
  world.chat.status.value = 'live'
  const pieces: string[] = []
  const { entry, content } = message('agent', '', { pieces, length: 0, complete: false })
  show(entry)
  const grow = (text: string, complete = false) => {
    pieces.push(text)
    content.value = { ...content.value, pieces, length: pieces.length, complete }
  }
  grow('Run')
  grow(' this. Then')
  await heard(1)
  expect(said).toEqual(['Ada said: Run this.'])
  grow(' that:\n\n```sh\nnpm start\nnpm test\n')
  grow('```\nDone.', true)
  await heard(4)
  expect(said).toEqual(['Ada said: Run this.', 'Then that:', 'Code, 2 lines.', 'Done.'])
})

it.each([
  ['goes on', 'One. Tw', 'One. Two. Three.', ['Ada said: One.', 'Sarah joined', 'Two. Three.']],
  ['ends there', 'One. ', 'One. ', ['Ada said: One.', 'Sarah joined']],
  ['says something else', 'One. ', 'Another. Two.', ['Ada said: One.', 'Sarah joined']],
])(
  'a whole message in the place of its first pieces is read from there: it %s',
  async (_, first, whole, all) => {
    world.chat.status.value = 'live'
    const { entry, content } = message('agent', first, { complete: false })
    show(entry)
    await heard(1)
    content.value = { ...content.value, pieces: [whole], length: 1, complete: true }
    show(notice('live-joined', { name: 'Sarah' }))
    await heard(all.length)
    expect(said).toEqual(all)
  },
)

it('errors of the service are read', async () => {
  world.chat.status.value = 'live'
  show(notice('error', { text: 'Sorry, I encountered an error.' }))
  await heard(1)
  expect(said).toEqual(['Sorry, I encountered an error.'])
})

it('what the panel says of itself stands in regions that were there before', () => {
  const regions = within(world.container).getAllByRole('status')
  expect(regions).toHaveLength(2)
  world.chat.notice.value = { kind: 'offline' }
  return vi.waitFor(() => {
    expect(within(world.container).getAllByRole('status')).toEqual(regions)
    expect(regions[0]?.textContent).toContain('You’re offline.')
  })
})

it('the notice that the chat cannot be reached is read once', async () => {
  world.chat.status.value = 'live'
  const told = listenToAll()
  world.chat.status.value = 'unavailable'
  world.chat.notice.value = { kind: 'unavailable', cause: 'gave-up' }
  await vi.waitFor(() => expect(told.join()).toContain('can’t be reached'))
  show(notice('live-joined', { name: 'Sarah' }))
  await vi.waitFor(() => expect(told).toContain('Sarah joined'))
  expect(told.filter((text) => text.includes('can’t be reached'))).toHaveLength(1)
})

it.each([
  ['that comes whole', ['One. Two. Three.']],
  ['that comes in sentences', ['One. ', 'Two. ', 'Three.']],
])('an answer %s is read as much as the visitor chose', async (_, parts) => {
  world.remove()
  for (const [choice, expected] of [
    ['brief', ['Ada said: One.', 'Sarah joined']],
    ['none', ['Sarah joined']],
  ] as const) {
    // Its effects have run: what is there until then is history.
    await act(() => {
      world = createPanel(
        {},
        { get: (key) => (key === 'announcements' ? choice : undefined), set() {}, remove() {} },
      )
    })
    const region = within(world.container).getAllByRole('status').at(-1) as HTMLElement
    said = []
    observer.observe(region, { childList: true, subtree: true })
    const pieces: string[] = []
    const { entry, content } = message('agent', '', { pieces, length: 0, complete: false })
    show(entry)
    await act(async () => void (await import('../../../src/ui/parts/markdown-part.ts')))
    for (const part of parts) {
      const length = pieces.push(part)
      content.value = { ...content.value, length, complete: length === parts.length }
    }
    show(notice('live-joined', { name: 'Sarah' }))
    await heard(expected.length)
    expect(said.toSorted()).toEqual([...expected].toSorted())
    world.remove()
  }
})

it('nothing is kept to be read of a chat that was deleted', async () => {
  world.chat.status.value = 'live'
  const region = within(world.container).getAllByRole('status').at(-1) as HTMLElement
  show(message('agent', 'A secret.\n\nAnother secret.').entry)
  await heard(1)
  world.chat.transcript.value = []
  await vi.waitFor(() => expect(region.textContent).toBe(''))
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(2)
  expect(said).toEqual(['Ada said: A secret.', 'Sarah joined'])
})

/**
 * Notes who waits for three seconds from here on: one timer is of the words that are seen, which a slow machine draws late, and one of
 * those that are heard. What is no longer waited for does not count.
 */
function watchWaits(): () => Promise<() => void> {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const ends = vi.spyOn(globalThis, 'clearTimeout')
  const late = () =>
    waits.mock.calls.flatMap(([act, ms], index) =>
      ms === 3_000 && !ends.mock.calls.some(([id]) => id === waits.mock.results[index]?.value)
        ? [act as () => void]
        : [],
    )
  return async () => {
    // The announcer's is named so.
    await vi.waitFor(() => expect(late().map(({ name }) => name)).toContain('say'), { timeout: 20_000 })
    const acts = late()
    waits.mockRestore()
    ends.mockRestore()
    return () => {
      for (const each of acts) act(each)
    }
  }
}

it('a message that is not sent is said to be so, once for each reason', async () => {
  const item = { id: '1', text: 'May I?', at: 0 }
  const afterThreeSeconds = watchWaits()
  world.chat.status.value = 'live'
  world.chat.outbox.value = [{ ...item, state: 'held' }]
  const pass = await afterThreeSeconds()
  expect(said).toEqual([])
  pass()
  await heard(1)
  world.chat.outbox.value = [{ ...item, state: 'failed' }]
  world.chat.outbox.value = [{ ...item, state: 'failed' }]
  await heard(2)
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(3)
  expect(said).toEqual(['Not sent yet', 'Not sent', 'Sarah joined'])
})

it('a message that failed once more, after a retry, is said to be so once more', async () => {
  const item = { id: '1', text: 'May I?', at: 0 }
  world.chat.status.value = 'live'
  world.chat.outbox.value = [{ ...item, state: 'failed' }]
  await heard(1)
  world.chat.outbox.value = [{ ...item, state: 'sent' }]
  world.chat.outbox.value = [{ ...item, state: 'failed' }]
  await heard(2)
  expect(said).toEqual(['Not sent', 'Not sent'])
})

it('a message that is sent after all is not said to wait', async () => {
  const item = { id: '1', text: 'May I?', at: 0 }
  const afterThreeSeconds = watchWaits()
  world.chat.status.value = 'live'
  world.chat.outbox.value = [{ ...item, state: 'held' }]
  const pass = await afterThreeSeconds()
  world.chat.outbox.value = [{ ...item, state: 'sent' }]
  pass()
  show(notice('live-joined', { name: 'Sarah' }))
  await heard(1)
  expect(said).toEqual(['Sarah joined'])
})

it('a decision about a question is read once, with the words of the choice', async () => {
  const confirm = { id: 'q', title: 'Sure?', summary: '', confirm: 'Yes', cancel: 'No' }
  const { entry } = message('agent', 'Sure?', { confirm: { ...confirm, decision: 'cancel' } })
  world.chat.status.value = 'live'
  show(message('visitor', 'Do it').entry, entry)
  await heard(1)
  world.tell('decision', { message_id: entry.key, decision: 'cancel' })
  world.tell('decision', { message_id: 'unknown', decision: 'cancel' })
  await heard(2)
  expect(said).toEqual(['Ada said: Sure?', 'Cancelled · \u2068No\u2069'])
})
