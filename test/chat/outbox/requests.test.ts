// What the visitor asks of the service beside messages: stop, leave the queue, rate an answer and the chat.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Chat, ChatEvents } from '../../../src/chat/index.ts'
import { createService, pass } from '../service.ts'

let service: ReturnType<typeof createService>
let chat: Chat
const ALL = { csat: true, stop: true, feedback: true, leave_queue: true, confirm: true }

beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  service.faults.capabilities = ALL
  chat = service.page()
})
afterEach(() => {
  chat.dispose()
  vi.useRealTimers()
})

type Said = { type: string; payload: Record<string, unknown>; metadata?: { custom: Record<string, string> } }
/** What the client said of a type, in order. */
const said = (type: string): Said[] =>
  service.wire
    .filter(({ direction }) => direction === 'out')
    .map(({ text }) => JSON.parse(text) as Said)
    .filter((frame) => frame.type === type)
const opened = async () => {
  chat.open()
  await pass(100)
  expect(chat.status.value).toBe('live')
}
/** The visitor has written: what the agent says is an answer. */
const asked = async () => {
  service.faults.autoReply = false
  await opened()
  chat.send('Tell me')
  await pass(50)
}
const tell = (type: string, payload: object = {}, stored = true, custom?: Record<string, string>) =>
  service.publish(
    service.last(),
    { type, payload: { ...payload }, ...(custom && { metadata: { custom } }) },
    stored,
  )
const chunk = (chunk_index: number, text: string, more: object = {}) =>
  tell('EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', {
    message_id: 'answer',
    text,
    chunk_index,
    is_complete: false,
    ...more,
  })
const contentOf = (key: string) => {
  const entry = chat.transcript.value.find((each) => each.key === key)
  return entry?.kind === 'message' ? entry.content.value : undefined
}
/** A whole answer, with the key by which it is rated. */
const answered = () => {
  tell('EVENT_TYPE_POLY_AGENT_MESSAGE', { message_id: 'answer', text: 'So it is' })
  return 'answer'
}

const STOP = 'EVENT_TYPE_USER_STOP_ANSWER'
const LEAVE = 'EVENT_TYPE_USER_LEAVE_QUEUE'
const FEEDBACK = 'EVENT_TYPE_USER_FEEDBACK'
const CSAT = 'EVENT_TYPE_CSAT_RESPONSE'
const DECISION = 'EVENT_TYPE_USER_DECISION'

/** A question that the agent asks, under its message's id. */
const question = (message_id: string, id = message_id) => ({
  type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
  payload: {
    message_id,
    text: 'Cancel it?',
    response_suggestions: [{ message_text: 'Yes' }, { message_text: 'No' }],
    confirm: { id, title: 'Cancel it?', summary: '', confirm: 'Yes', cancel: 'No' },
  },
})
const asksFor = (message_id: string, id?: string) => service.publish(service.last(), question(message_id, id))
const decides = (confirm_id: string, decision: string, told = true) =>
  tell(DECISION, { confirm_id, decision }, told)

describe('stop', () => {
  it('is there while an answer runs, and names the one that comes in', async () => {
    await asked()
    expect(chat.stoppable.value).toBe(false)
    tell('EVENT_TYPE_POLY_AGENT_THINKING', {}, false)
    expect(chat.stoppable.value).toBe(true)
    chunk(1, 'One ')
    expect(chat.stoppable.value).toBe(true)
    chat.stop()
    chat.stop()
    expect(chat.stoppable.value).toBe(false)
    expect(said(STOP).map(({ payload }) => payload)).toEqual([{ message_id: 'answer' }])
    chunk(2, '', { is_complete: true, stopped: true })
    expect(contentOf('answer')).toMatchObject({ pieces: ['One '], complete: true, stopped: true })
    expect(chat.stoppable.value).toBe(false)
  })

  it('is not there for a greeting, in this conversation or the next', async () => {
    await opened()
    tell('EVENT_TYPE_POLY_AGENT_THINKING', {}, false)
    chunk(1, 'Hel')
    expect(chat.stoppable.value).toBe(false)
    chat.send('Tell me')
    await pass(50)
    chat.restart()
    await pass(500)
    tell('EVENT_TYPE_POLY_AGENT_THINKING', {}, false)
    expect(chat.stoppable.value).toBe(false)
  })

  it('of an answer that only thinks names none, and an empty message ends the wait', async () => {
    await asked()
    tell('EVENT_TYPE_POLY_AGENT_THINKING', {}, false)
    chat.stop()
    expect(said(STOP)[0]?.payload).toEqual({})
    const before = chat.transcript.value.length
    tell('EVENT_TYPE_POLY_AGENT_MESSAGE', { message_id: 'none', text: '', stopped: true })
    expect(chat.typing.value).toBeUndefined()
    expect(chat.transcript.value).toHaveLength(before)
    tell('EVENT_TYPE_POLY_AGENT_THINKING', {}, false)
    expect(chat.stoppable.value).toBe(true)
  })

  it('is said again on the next socket where the answer still runs, and not where it is complete', async () => {
    await asked()
    chunk(1, 'One ')
    chat.stop()
    service.drop()
    await pass(5_000)
    expect(said(STOP)).toHaveLength(2)
    chunk(2, 'two', { is_complete: true })
    service.drop()
    await pass(5_000)
    expect(said(STOP)).toHaveLength(2)
  })

  it('stays a mark of the answer over a reload', async () => {
    await opened()
    tell('EVENT_TYPE_POLY_AGENT_MESSAGE', { message_id: 'answer', text: 'One ', stopped: true })
    chat.dispose()
    chat = service.page()
    await opened()
    expect(contentOf('answer')?.stopped).toBe(true)
  })

  it.each([
    ['that does not take it', { ...ALL, stop: false }],
    ['that does not say', {}],
  ])('is not there on a service %s', async (_, capabilities) => {
    service.faults.capabilities = capabilities
    await opened()
    tell('EVENT_TYPE_POLY_AGENT_THINKING', {}, false)
    expect(chat.stoppable.value).toBe(false)
    chat.stop()
    expect(said(STOP)).toEqual([])
  })

  it('does not stop a person', async () => {
    await opened()
    tell('EVENT_TYPE_LIVE_AGENT_TYPING', { state: 'TYPING_STATE_STARTED' }, false)
    expect(chat.stoppable.value).toBe(false)
  })
})

describe('leaving the queue', () => {
  const queued = async () => {
    await opened()
    tell('EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF')
    tell('EVENT_TYPE_HANDOFF_QUEUE_STATUS', { position_in_queue: 3, estimated_wait_seconds: 120 })
  }

  it('is there while the visitor waits, and ends with the agent', async () => {
    await queued()
    expect(chat.leavable.value).toBe(true)
    chat.leaveQueue()
    chat.leaveQueue()
    expect(chat.leavable.value).toBe(false)
    expect(said(LEAVE)).toHaveLength(1)
    tell('EVENT_TYPE_HANDOFF_FAILED', { reason: 'left' })
    expect(chat.handoff.value).toEqual({ state: 'none' })
    expect(chat.transcript.value.at(-1)).toMatchObject({ notice: 'queue-left' })
    expect(chat.leavable.value).toBe(false)
  })

  it('ends the typing of the person who was about to answer', async () => {
    await queued()
    tell('EVENT_TYPE_LIVE_AGENT_TYPING', { state: 'TYPING_STATE_STARTED' }, false)
    expect(chat.typing.value).toBeDefined()
    tell('EVENT_TYPE_HANDOFF_FAILED', { reason: 'left' })
    expect(chat.typing.value).toBeUndefined()
  })

  it('is said again on the next socket while the visitor still waits', async () => {
    await queued()
    chat.leaveQueue()
    service.drop()
    await pass(5_000)
    expect(said(LEAVE)).toHaveLength(2)
  })

  it('is given up where a person comes first', async () => {
    await queued()
    service.vanish()
    chat.leaveQueue()
    service.publish(service.last(), {
      type: 'EVENT_TYPE_LIVE_AGENT_JOINED',
      payload: { agent: { id: 's', name: 'Sarah' } },
    })
    service.drop()
    await pass(20_000)
    expect(chat.handoff.value).toEqual({ state: 'live' })
    expect(said(LEAVE)).toHaveLength(1)
  })

  it('is not there on a service that does not take it, nor before and after the wait', async () => {
    await opened()
    expect(chat.leavable.value).toBe(false)
    service.faults.capabilities = {}
    chat.restart()
    await pass(1_000)
    tell('EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF')
    expect(chat.leavable.value).toBe(false)
  })

  it('is not what any other failure of a handoff is taken for', async () => {
    await queued()
    tell('EVENT_TYPE_HANDOFF_FAILED', { reason: 'closed' })
    expect(chat.handoff.value).toEqual({ state: 'failed', reason: 'closed' })
  })

  it('does not follow from a message of the queue, which is shown in a line of its own', async () => {
    await queued()
    tell('EVENT_TYPE_SYSTEM_MESSAGE', {
      level: 'SYSTEM_MESSAGE_LEVEL_INFO',
      message: 'Kept',
      code: 'waiting',
    })
    expect(chat.transcript.value.at(-1)).toMatchObject({ notice: 'queue-message', text: 'Kept' })
  })
})

describe('a question', () => {
  it('is open until the service has stored a decision, and draws no suggestions', async () => {
    await opened()
    asksFor('q')
    expect(chat.question.value).toEqual({ key: 'q', chosen: undefined })
    expect(chat.suggestions.value).toEqual([])
    chat.decide('q', 'confirm')
    expect(chat.question.value).toEqual({ key: 'q', chosen: 'confirm' })
    expect(contentOf('q')?.confirm?.decision).toBeUndefined()
    decides('q', 'confirm')
    expect(chat.question.value).toBeUndefined()
    expect(contentOf('q')?.confirm?.decision).toBe('confirm')
  })

  it('is decided by the first press here, and by the first decision that the service stored', async () => {
    await opened()
    const told: ChatEvents['decision'][] = []
    chat.on('decision', (detail) => told.push(detail))
    asksFor('q')
    chat.decide('q', 'confirm')
    chat.decide('q', 'cancel')
    expect(said(DECISION).map(({ payload }) => payload)).toEqual([{ confirm_id: 'q', decision: 'confirm' }])
    decides('q', 'cancel')
    decides('q', 'confirm')
    expect(contentOf('q')?.confirm?.decision).toBe('cancel')
    expect(told).toEqual([{ message_id: 'q', decision: 'cancel' }])
    chat.decide('q', 'confirm')
    expect(said(DECISION)).toHaveLength(1)
  })

  it('is decided again under the same id after a lost socket, until its decision comes', async () => {
    await opened()
    asksFor('q')
    service.vanish()
    chat.decide('q', 'confirm')
    service.drop()
    await pass(5_000)
    const ids = said(DECISION).map(({ metadata }) => metadata?.custom.client_event_id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    decides('q', 'confirm')
    service.drop()
    await pass(5_000)
    expect(said(DECISION)).toHaveLength(2)
  })

  it('is decided at once where the page waits before it connects again, since the visitor acts', async () => {
    await opened()
    asksFor('q')
    service.faults.refuseSockets = true
    service.drop()
    await pass(60_000)
    const tries = service.sockets.length
    // One has just failed: the next one is seconds away.
    while (service.sockets.length === tries) await pass(100)
    await pass(500)
    service.faults.refuseSockets = false
    chat.decide('q', 'confirm')
    await pass(1_500)
    expect(said(DECISION)).toHaveLength(1)
  })

  it('whose decision the replay brings is not decided again', async () => {
    await opened()
    asksFor('q')
    service.vanish()
    chat.decide('q', 'confirm')
    decides('q', 'cancel', true)
    service.drop()
    await pass(5_000)
    expect(said(DECISION)).toHaveLength(1)
    expect(contentOf('q')?.confirm?.decision).toBe('cancel')
  })

  it('is known with its decision after a reload, which tells the page nothing, and open where there is none', async () => {
    await opened()
    asksFor('q')
    decides('q', 'confirm')
    asksFor('r')
    chat.dispose()
    chat = service.page()
    const told: ChatEvents['decision'][] = []
    chat.on('decision', (detail) => told.push(detail))
    await opened()
    expect(told).toEqual([])
    expect(contentOf('q')?.confirm?.decision).toBe('confirm')
    expect(chat.question.value).toEqual({ key: 'r', chosen: undefined })
  })

  it('whose decision came before it is decided as it comes', async () => {
    await opened()
    decides('q', 'cancel')
    asksFor('q')
    expect(contentOf('q')?.confirm?.decision).toBe('cancel')
    expect(chat.question.value).toBeUndefined()
  })

  it('that comes late leaves the one open that was asked after it, decided or not', async () => {
    await opened()
    const [socket] = service.open()
    const first = (service.last().events.at(-1)?.sequence ?? 0) + 1
    for (const [index, decision] of ['cancel', undefined].entries()) {
      const [early, next] = [`early ${index}`, `next ${index}`]
      const late = (id: string, sequence: number) =>
        socket?.receive(
          JSON.stringify({ ...question(id), id, sequence, timestamp: new Date().toISOString() }),
        )
      late(next, first + 2 * index + 1)
      if (decision) decides(early, decision, false)
      late(early, first + 2 * index)
      expect(chat.question.value).toEqual({ key: next, chosen: undefined })
    }
  })

  it('that the service refuses to decide can be pressed again', async () => {
    await opened()
    asksFor('q')
    chat.decide('q', 'confirm')
    const [frame] = said(DECISION)
    tell(
      'EVENT_TYPE_SYSTEM_MESSAGE',
      { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Invalid decision' },
      false,
      frame?.metadata?.custom,
    )
    expect(chat.question.value).toEqual({ key: 'q', chosen: undefined })
    chat.decide('q', 'confirm')
    expect(said(DECISION)).toHaveLength(2)
  })

  it('of a session that is over cannot be decided, nor in the next one', async () => {
    await opened()
    asksFor('q')
    tell('EVENT_TYPE_SESSION_END', { reason: 'REASON_NATURAL_END' })
    await pass(100)
    expect(chat.question.value).toBeUndefined()
    chat.decide('q', 'confirm')
    chat.restart()
    await pass(1_000)
    chat.decide('q', 'confirm')
    expect(said(DECISION)).toEqual([])
  })

  it.each([
    ['on a service that takes no decision', {}, 'q'],
    ['under an id that is not its message’s', ALL, 'other'],
  ])('%s is a message with suggestions', async (_, capabilities, id) => {
    service.faults.capabilities = capabilities
    await opened()
    asksFor('q', id)
    expect(contentOf('q')?.confirm).toBeUndefined()
    expect(chat.question.value).toBeUndefined()
    expect(chat.suggestions.value).toHaveLength(2)
  })
})

describe('the rating of an answer', () => {
  it('shows at once, goes over the wire under an id, and comes back with a reload', async () => {
    await opened()
    const told: ChatEvents['feedback'][] = []
    chat.on('feedback', (detail) => told.push(detail))
    const key = answered()
    chat.feedback(key, 'down', '  Too short ')
    expect(contentOf(key)?.rating).toBe('down')
    expect(told).toEqual([{ message_id: key, rating: 'down', comment: 'Too short' }])
    const [frame, ...more] = said(FEEDBACK)
    expect(more).toEqual([])
    expect(frame?.payload).toEqual({ message_id: key, rating: 'down', comment: 'Too short' })
    tell(FEEDBACK, frame?.payload, true, frame?.metadata?.custom)
    service.drop()
    await pass(5_000)
    expect(said(FEEDBACK)).toHaveLength(1)
    chat.dispose()
    chat = service.page()
    await opened()
    expect(contentOf(key)?.rating).toBe('down')
  })

  it('is said again under the same id until its echo comes', async () => {
    await opened()
    chat.feedback(answered(), 'up')
    service.drop()
    await pass(5_000)
    const ids = said(FEEDBACK).map(({ metadata }) => metadata?.custom.client_event_id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it('that is changed shows the later one, whatever the echo of the earlier says', async () => {
    await opened()
    const key = answered()
    chat.feedback(key, 'up')
    chat.feedback(key, 'down')
    const [first] = said(FEEDBACK)
    tell(FEEDBACK, first?.payload, true, first?.metadata?.custom)
    expect(contentOf(key)?.rating).toBe('down')
    expect(said(FEEDBACK)).toHaveLength(2)
  })

  it('that is refused is not said again, and the visitor reads no error', async () => {
    await opened()
    const key = answered()
    const errors: string[] = []
    chat.on('error', ({ code }) => errors.push(code))
    chat.feedback(key, 'up')
    const before = chat.transcript.value.length
    tell(
      'EVENT_TYPE_SYSTEM_MESSAGE',
      { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Invalid feedback: the session has no such answer' },
      false,
      said(FEEDBACK)[0]?.metadata?.custom,
    )
    expect(chat.transcript.value).toHaveLength(before)
    expect(errors).toEqual(['protocol'])
    service.drop()
    await pass(5_000)
    expect(said(FEEDBACK)).toHaveLength(1)
  })

  it('stays on the answer where a replay tells the answer again', async () => {
    await opened()
    chunk(1, 'One', { is_complete: true })
    chat.feedback('answer', 'up')
    tell('EVENT_TYPE_POLY_AGENT_MESSAGE', { message_id: 'answer', text: 'One, and more' })
    expect(contentOf('answer')).toMatchObject({ rating: 'up', pieces: ['One, and more'] })
  })

  it('is only for whole answers of the agent, on a service that takes it', async () => {
    await opened()
    chunk(1, 'One ')
    chat.feedback('answer', 'up')
    tell('EVENT_TYPE_LIVE_AGENT_MESSAGE', { message_id: 'live', text: 'Hello' })
    chat.feedback('live', 'up')
    chat.feedback('nobody', 'up')
    expect(said(FEEDBACK)).toEqual([])
    service.faults.capabilities = {}
    chat.restart()
    await pass(1_000)
    chat.feedback(answered(), 'up')
    expect(said(FEEDBACK)).toEqual([])
  })
})

describe('the rating of the chat', () => {
  it('is asked for by the service, given once, and told to the page', async () => {
    await opened()
    const told: ChatEvents['csat'][] = []
    chat.on('csat', (detail) => told.push(detail))
    expect(chat.csat.value).toEqual({ state: 'none' })
    tell('EVENT_TYPE_SHOW_CSAT_REQUEST')
    expect(chat.csat.value).toEqual({ state: 'asked' })
    chat.rate(4, 'Quick')
    expect(chat.csat.value).toEqual({ state: 'given', score: 4, comment: 'Quick' })
    expect(told).toEqual([{ score: 4, comment: 'Quick' }])
    expect(said(CSAT).map(({ payload }) => payload)).toEqual([{ score: 4, comment: 'Quick' }])
  })

  it('may be given without being asked for, and survives a reload', async () => {
    await opened()
    chat.rate(2)
    const [frame] = said(CSAT)
    tell(CSAT, frame?.payload, true, frame?.metadata?.custom)
    chat.dispose()
    chat = service.page()
    await opened()
    expect(chat.csat.value).toEqual({ state: 'given', score: 2 })
  })

  it.each([-1, 11, 2.5, Number.NaN])('of %s is none', async (score) => {
    await opened()
    chat.rate(score)
    expect(chat.csat.value).toEqual({ state: 'none' })
    expect(said(CSAT)).toEqual([])
  })

  it('cuts a comment that is too long, never within a character', async () => {
    await opened()
    chat.rate(3, `${'x'.repeat(1_999)}😀`)
    expect(said(CSAT)[0]?.payload.comment).toBe('x'.repeat(1_999))
  })

  it('stays an event of the page on a service that takes none', async () => {
    service.faults.capabilities = {}
    await opened()
    chat.rate(5)
    expect(chat.csat.value).toEqual({ state: 'given', score: 5 })
    expect(said(CSAT)).toEqual([])
  })

  it('goes to the old session after its end, on a socket with the sequence of the end', async () => {
    await opened()
    const session = service.last()
    tell('EVENT_TYPE_SHOW_CSAT_REQUEST')
    service.over(session, 'REASON_NATURAL_END')
    await pass(100)
    expect(chat.status.value).toBe('ended')
    const before = service.sockets.length
    chat.rate(5)
    await pass(100)
    expect(service.sockets).toHaveLength(before + 1)
    const late = service.sockets.at(-1)
    expect(late?.cursor).toBe(session.events.at(-1)?.sequence)
    expect([...service.rated.values()]).toEqual([{ score: 5 }])
    expect(chat.status.value).toBe('ended')
    await pass(60_000)
    expect(service.sockets).toHaveLength(before + 1)
  })

  it('that was on its way when the session ended is told after it, with the same id', async () => {
    await opened()
    chat.rate(1, 'Slow')
    service.over(service.last(), 'REASON_NATURAL_END')
    await pass(100)
    expect([...service.rated.values()]).toEqual([{ score: 1, comment: 'Slow' }])
  })

  it('is given up where the session cannot be reached any more', async () => {
    await opened()
    service.over(service.last(), 'REASON_NATURAL_END')
    await pass(100)
    service.last().gone = true
    chat.rate(1)
    await pass(700_000)
    const tried = service.sockets.length
    await pass(600_000)
    expect(service.sockets).toHaveLength(tried)
    expect(chat.csat.value).toEqual({ state: 'given', score: 1 })
  })

  it('is gone with a new session', async () => {
    await opened()
    chat.rate(5)
    chat.restart()
    await pass(1_000)
    expect(chat.csat.value).toEqual({ state: 'none' })
  })
})
