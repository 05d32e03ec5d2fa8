import type { RunAgentInput } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import { describe, expect, it } from 'vitest'
import { type AguiAgentOptions, createAguiAgent } from '../../../src/agents/agui/agui.ts'
import { type Meter, noMeter } from '../../../src/api/index.ts'
import type { AgentEvent, Turn } from '../../../src/runtime/index.ts'
import { turnOf } from '../turn.ts'

const frames = (...events: object[]) => events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
const start = (messageId: string, role = 'assistant') => ({ type: 'TEXT_MESSAGE_START', messageId, role })
const piece = (delta: unknown, messageId = 'm') => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
const end = (messageId = 'm') => ({ type: 'TEXT_MESSAGE_END', messageId })
const custom = (name: string, value: unknown) => ({ type: 'CUSTOM', name, value })
const snapshot = (state: unknown) => ({ type: 'STATE_SNAPSHOT', snapshot: state })
const delta = (...operations: object[]) => ({ type: 'STATE_DELTA', delta: operations })
const finished = (outcome?: object) => ({ type: 'RUN_FINISHED', threadId: 's', runId: 'r', outcome })
const FINISHED = finished()
const call = (toolCallName: string, toolCallId: string) => ({
  type: 'TOOL_CALL_START',
  toolCallId,
  toolCallName,
})
const input = (toolCallId: string, text: string) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta: text })
const stream = (body: string | ReadableStream) =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } })

/** The events that a visitor sees, with the thinking left out. */
const shown = (events: readonly AgentEvent[]) =>
  events
    .map((event) => {
      if (event.type === 'text') return event.text
      if (event.type !== 'finish') return ''
      const offered = event.suggestions?.map(({ message_text }) => `[${message_text}]`).join('') ?? ''
      return `${offered}${event.endConversation ? ' and ends' : ''}|`
    })
    .join('')

async function run(
  response: Response,
  more: Partial<Turn> = {},
  options: Partial<AguiAgentOptions> = {},
  store: (event: AgentEvent) => Promise<void> = async () => {},
) {
  const lines: string[] = []
  const causes: unknown[] = []
  const requests: RequestInit[] = []
  const meter: Meter = {
    ...noMeter,
    count: (...[, , labels]) => void causes.push(labels && 'cause' in labels && labels.cause),
  }
  const agent = createAguiAgent({
    url: 'https://agent.example/run',
    key: 'secret-key',
    log: (line) => lines.push(line),
    meter,
    fetch: async (_, init) => {
      requests.push(init as RequestInit)
      return response
    },
    ...options,
  })
  const events: AgentEvent[] = []
  const turn = turnOf('When do you open?', { sleep: () => new Promise(() => {}), ...more })
  for await (const event of agent.act(turn)) {
    events.push(event)
    await store(event)
  }
  const request = requests[0]
  return {
    ...{ events, lines, causes, request },
    text: shown(events),
    sent: request && (JSON.parse(String(request.body)) as RunAgentInput),
    memory: Object.assign({}, ...events.flatMap((each) => (each.type === 'remember' ? [each.memory] : []))),
  }
}
const runOf = (...events: object[]) => run(stream(frames(...events)))

it('an agent by its address may be silent for longer than its runs may take', () => {
  const at = (seconds?: number) =>
    createAguiAgent({ url: 'https://agent.example/run', ...(seconds && { seconds }) })
  expect([at().silentSeconds, at(600).silentSeconds]).toEqual([240, 780])
})

describe('the request for a run', () => {
  it('is one that the protocol takes, of the conversation as the thread and the turn as the run', async () => {
    const history = [{ id: 'g', role: 'agent' as const, text: 'Hello' }]
    const { sent, request } = await run(stream(frames(FINISHED)), {
      history,
      language: 'de',
      attributes: { shop: 7 },
      page: { url: 'https://shop.example/a', title: 'A' },
      connectorId: undefined,
    })
    expect(RunAgentInputSchema.parse(sent)).toEqual(sent)
    expect(sent).toEqual({
      threadId: 's',
      runId: 't',
      state: {},
      messages: [
        { id: 'g', role: 'assistant', content: 'Hello' },
        { id: 't', role: 'user', content: 'When do you open?' },
      ],
      tools: [],
      context: [
        { description: 'language', value: 'de' },
        { description: 'channel', value: 'WEBCHAT' },
        { description: 'attributes', value: '{"shop":7}' },
        { description: 'accountId', value: 'ws-1' },
        { description: 'projectId', value: 'PROJECT-1' },
        { description: 'environment', value: 'sandbox' },
        { description: 'platform', value: 'web' },
        { description: 'page', value: '{"url":"https://shop.example/a","title":"A"}' },
      ],
      forwardedProps: {},
    })
    expect(request?.redirect).toBe('manual')
    expect(new Headers(request?.headers).get('authorization')).toBe('Bearer secret-key')
  })

  it('names the messages of the agent as the agent named them, and all others as the runtime does', async () => {
    const asked = { id: 'v1', role: 'visitor' as const, text: 'Hi' }
    const history = [
      { id: 'g', role: 'agent' as const, text: 'Hello' },
      asked,
      { id: 'a1', role: 'agent' as const, text: 'One' },
      { id: 'l1', role: 'live' as const, text: 'A person' },
      { id: 'a2', role: 'agent' as const, text: 'Two' },
      { id: 'a3', role: 'agent' as const, text: 'Cut' },
    ]
    const { sent } = await run(stream(frames(FINISHED)), {
      history,
      memory: { agui_messages: { v1: ['theirs-1', 'theirs-2'] } },
    })
    expect(sent?.messages.map(({ id }) => id)).toEqual(['g', 'v1', 'theirs-1', 'l1', 'theirs-2', 'a3', 't'])
  })

  it('asks the question before again where the visitor wants another try', async () => {
    const history = [
      { id: 'v', role: 'visitor' as const, text: 'Where is the lantern?' },
      { id: 'a', role: 'agent' as const, text: 'Sorry' },
    ]
    const { sent } = await run(stream(frames(FINISHED)), { text: 'try again', history })
    expect(sent?.messages.at(-1)).toMatchObject({ id: 't', content: 'Where is the lantern?' })
  })

  it('is not made where a visitor only opened the chat: agents do not answer an empty conversation', async () => {
    const { sent, text } = await run(stream(''), { trigger: 'join', text: '', language: 'de' })
    expect(sent).toBeUndefined()
    expect(text).toBe('Hallo! Welche Frage darf ich beantworten?|')
  })

  it.each([
    ['live agents answer', { handsOff: true }, {}, ['handoff']],
    ['nobody answers the queue', {}, {}, []],
    ['the desk refuses', { handsOff: true }, { desk: { here: 0, waitSeconds: 0, refuses: true } }, []],
    ['it is a call', { handsOff: true }, { channel: 'VOICE-SIP' as const }, []],
  ])('has the tools to hand off that fit where %s', async (_, options, turn, names) => {
    const { sent } = await run(stream(frames(FINISHED)), turn, options)
    expect(sent?.tools.map(({ name }) => name)).toEqual(names)
  })
})

describe('the events of a run', () => {
  it.each<[string, object[], string]>([
    ['two messages', [piece('At '), piece('nine.'), end(), piece('Bye.', 'n'), end('n')], 'At nine.|Bye.|'],
    ['two messages without ends', [piece('At nine.'), piece('Bye.', 'n')], 'At nine.|Bye.|'],
    ['the end of another message', [piece('At '), end('x'), piece('nine.')], 'At nine.|'],
    ['two messages of one name', [piece('At nine.'), end(), piece('Bye.')], 'At nine.|Bye.|'],
    [
      'chunks',
      [
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'At ' },
        { type: 'TEXT_MESSAGE_CHUNK', delta: 'nine.' },
      ],
      'At nine.|',
    ],
    [
      'an echo of the visitor',
      [start('u', 'user'), piece('Hi', 'u'), end('u'), piece('At nine.')],
      'At nine.|',
    ],
    ['an empty message', [start('m'), piece(''), end(), piece('At nine.', 'n')], 'At nine.|'],
    ['words of a subagent', [{ ...piece('Hm'), subagentRunId: 'sub' }, piece('At nine.')], 'At nine.|'],
    [
      'events of no concern',
      [{ type: 'RAW', event: 1 }, custom('other', 1), { type: 'NEW_KIND' }, piece('At nine.')],
      'At nine.|',
    ],
    [
      'an answer that was not streamed',
      [
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [
            { id: '0', role: 'assistant', content: 'Before' },
            { id: '1', role: 'user', content: 'Hi' },
            { id: '2', role: 'assistant', toolCalls: [] },
            { id: '3', role: 'assistant', content: 'At nine.' },
          ],
        },
      ],
      'At nine.|',
    ],
    [
      'a streamed answer, and the list of messages',
      [
        piece('At nine.'),
        end(),
        { type: 'MESSAGES_SNAPSHOT', messages: [{ role: 'assistant', content: 'X' }] },
      ],
      'At nine.|',
    ],
    ['nothing', [], 'Sorry, I have no answer to that.|'],
    ['suggestions before the text', [custom('foyer.suggestions', ['Yes']), piece('Open?')], 'Open?[Yes]|'],
    [
      'suggestions behind it',
      [piece('Open?'), end(), custom('foyer.suggestions', [' Yes ', 'No'])],
      'Open?[Yes][No]|',
    ],
    [
      'suggestions of the first of two',
      [piece('Open?'), end(), custom('foyer.suggestions', ['Yes']), piece('Or not?', 'n')],
      'Open?[Yes]|Or not?|',
    ],
    [
      'an empty suggestion, and a long one',
      [custom('foyer.suggestions', [' ', 'x'.repeat(201), 'A']), piece('B')],
      'B[A]|',
    ],
    [
      'a long list of suggestions',
      [custom('foyer.suggestions', [...'abcdefghijk']), piece('B')],
      'B[a][b][c][d][e][f][g][h][i][j]|',
    ],
    [
      'a suggestion with invisible characters',
      [custom('foyer.suggestions', ['a\u0000b']), piece('B')],
      'B[ab]|',
    ],
    ['the end', [custom('foyer.end', true), piece('Bye.')], 'Bye. and ends|'],
    ['invisible characters', [piece('a\u0000b\u202ec')], 'abc|'],
  ])('become what a visitor reads: %s', async (_, events, text) => {
    expect((await runOf({ type: 'RUN_STARTED' }, ...events, FINISHED)).text).toBe(text)
  })

  it('end a conversation also without a word', async () => {
    const { events } = await runOf(custom('foyer.end', null), FINISHED)
    expect(events.map(({ type }) => type)).toEqual(['thinking', 'end'])
  })

  it('show that the agent works, once until it writes', async () => {
    const { events } = await runOf(
      { type: 'STEP_STARTED', stepName: 'look' },
      { type: 'REASONING_START', messageId: 'r' },
      piece('A '),
      call('find', 'c'),
      FINISHED,
    )
    const kinds = events.map(({ type }) => type).filter((type) => type !== 'remember')
    expect(kinds).toEqual(['thinking', 'thinking', 'text', 'thinking', 'finish'])
  })

  it('may be hundreds of pieces of one call', async () => {
    const chunk = { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'find', delta: 'x' }
    expect((await runOf(...Array.from({ length: 500 }, () => chunk), piece('A'), FINISHED)).text).toBe('A|')
  })

  it('are read between comments and fields that no stream has', async () => {
    expect((await run(stream(`: hi\nfoo: bar\nretry: x\n${frames(piece('A'), FINISHED)}`))).text).toBe('A|')
  })

  it('may be cut anywhere, also within a letter', async () => {
    const bytes = new TextEncoder().encode(frames(piece('Größe'), FINISHED).replaceAll('\n', '\r\n'))
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect((await run(stream(body))).text).toBe('Größe|')
  })

  it('are in the language of the question, else in that of the chat', async () => {
    const { text } = await run(stream(frames(FINISHED)), { text: '17', language: 'de-DE' })
    expect(text).toBe('Darauf habe ich leider keine Antwort.|')
  })

  it('name their messages in at most 200 characters', async () => {
    expect((await runOf(piece('A', 'x'.repeat(300)), FINISHED)).memory).toEqual({
      agui_messages: { t: ['x'.repeat(200)] },
    })
  })

  it('tell the operator of suggestions that are none', async () => {
    const { lines, text } = await runOf(piece('A'), custom('foyer.suggestions', { a: 1 }), FINISHED)
    expect(text).toBe('A|')
    expect(lines).toEqual(['The agent at agent.example sent foyer.suggestions that are no list of texts.'])
  })

  it('leave the identifiers of the last hundred messages for the next request', async () => {
    const before = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`v${n}`, [`m${n}`]]))
    const { memory } = await run(stream(frames(piece('A', 'x'), end('x'), piece('B', 'y'), FINISHED)), {
      memory: { agui_messages: before },
    })
    const { v0: _, v1: __, ...kept } = before
    expect(memory).toEqual({ agui_messages: { ...kept, t: ['x', 'y'] } })
  })
})

describe('the state of a thread', () => {
  it('is sent with the next run as the last one left it', async () => {
    const first = await runOf(
      snapshot({ seats: 2 }),
      delta({ op: 'add', path: '/day', value: 'Mon' }),
      FINISHED,
    )
    expect(first.memory).toEqual({ agui_state: { seats: 2, day: 'Mon' } })
    const second = await run(stream(frames(FINISHED)), { memory: first.memory })
    expect(second.sent?.state).toEqual({ seats: 2, day: 'Mon' })
    expect(second.memory).toEqual({})
  })

  it('goes on from the run before', async () => {
    const memory = Object.freeze({ agui_state: Object.freeze({ seats: 2 }) })
    const { memory: next } = await run(
      stream(frames(delta({ op: 'replace', path: '/seats', value: 3 }), FINISHED)),
      { memory },
    )
    expect(next).toEqual({ agui_state: { seats: 3 } })
  })

  it('stays as it was where the run fails', async () => {
    expect((await runOf(snapshot({ seats: 2 }), { type: 'RUN_ERROR', message: 'x' })).memory).toEqual({})
  })
})

describe('a handoff', () => {
  const handedOff = async (response: Response) => {
    const { events, text } = await run(response, {}, { handsOff: true })
    return { text, last: events.at(-1) }
  }

  it('is what the agent asked for by the tool, after its words', async () => {
    const { text, last } = await handedOff(
      stream(
        frames(
          call('handoff', 'c'),
          input('c', '{"reason":"wants a person",'),
          call('find', 'd'),
          input('d', '{}'),
          input('c', '"queue":"sales","data":{"order":7}}'),
          { type: 'TOOL_CALL_END', toolCallId: 'c' },
          piece('One moment.'),
          finished({ type: 'success', pendingToolCallIds: ['c'] }),
        ),
      ),
    )
    expect(text).toBe('One moment.|')
    expect(last).toEqual({
      type: 'handoff',
      queueName: 'sales',
      reason: 'wants a person',
      data: { order: 7, last_question: 'When do you open?' },
    })
  })

  it('comes of chunks, and of an input that cannot be read', async () => {
    const chunk = { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'handoff', delta: '{"rea' }
    const { text, last } = await handedOff(stream(frames(chunk, FINISHED)))
    expect(text).toContain('I’ll pass you on')
    expect(last).toMatchObject({ queueName: 'front desk', reason: 'The visitor asked for a person' })
    const whole = await handedOff(
      stream(frames(chunk, { type: 'TOOL_CALL_CHUNK', delta: 'son":"R"}' }, FINISHED)),
    )
    expect(whole.last).toMatchObject({ reason: 'R' })
  })

  it('has texts of 500 characters, and data that are an object', async () => {
    const given = JSON.stringify({ reason: `a\u0000${'x'.repeat(600)}`, queue: 7, data: [1] })
    const { last } = await handedOff(stream(frames(call('handoff', 'c'), input('c', given), FINISHED)))
    expect(last).toEqual({
      type: 'handoff',
      queueName: 'front desk',
      reason: `a${'x'.repeat(499)}`,
      data: { last_question: 'When do you open?' },
    })
  })

  it('names the question that was asked again', async () => {
    const history = [{ id: 'v', role: 'visitor' as const, text: 'Where is it?' }]
    const response = stream(frames(call('handoff', 'c'), FINISHED))
    const { events } = await run(response, { text: 'try again', history }, { handsOff: true })
    expect(events.at(-1)).toMatchObject({ data: { last_question: 'Where is it?' } })
  })

  it('fails with an input without end, and offers no other way to a person', async () => {
    const response = stream(frames(call('handoff', 'c'), input('c', 'x'.repeat(16_001)), FINISHED))
    const { text, lines } = await run(response, {}, { handsOff: true, contact: 'call us' })
    expect(text).toBe(`${SORRY}[Try again]|`)
    expect(lines).toEqual(['The agent at agent.example failed: the input of its handoff is too long.'])
  })

  it('does not come of another tool, nor where nobody answers', async () => {
    expect((await handedOff(stream(frames(call('find', 'c'), piece('A'), FINISHED)))).last?.type).toBe(
      'finish',
    )
    const { events } = await runOf(call('handoff', 'c'), input('c', '{}'), piece('A'), FINISHED)
    expect(events.at(-1)?.type).toBe('finish')
  })
})

describe('what an agent waits for', () => {
  const refund = { id: 'i1', reason: 'tool_call', message: 'Refund 20 €?\nTo your card.' }
  const letter = { id: 'i2', reason: 'confirmation', message: 'A letter too?' }
  const interrupted = (...interrupts: unknown[]) => finished({ type: 'interrupt', interrupts })
  const asksFor = (memory: Turn['memory'], id: string, text: string, decision?: 'confirm' | 'cancel') => ({
    memory,
    text,
    decision: decision && { id, decision },
  })
  /** The turn of the visitor after a run that asked for both. */
  async function decided(...turns: ReturnType<typeof asksFor>[]) {
    let last = await runOf(interrupted(refund, letter))
    const asked = [last.events.at(-1)]
    for (const turn of turns) {
      last = await run(stream(frames(piece('Done.'), FINISHED)), { ...turn, memory: { ...last.memory } })
      asked.push(last.events.at(-1))
    }
    return { ...last, asked }
  }
  const first = (text: string, decision?: 'confirm' | 'cancel') => asksFor({}, 'i1', text, decision)
  const second = (text: string, decision?: 'confirm' | 'cancel') => asksFor({}, 'i2', text, decision)

  it('is asked as a question with two choices, after its words', async () => {
    const { events, text } = await runOf(piece('Let me see.'), end(), interrupted(refund))
    expect(text).toBe('Let me see.|')
    expect(events.at(-1)).toEqual({
      type: 'confirm',
      id: 'i1',
      title: 'Refund 20 €?',
      summary: 'To your card.',
      confirm: 'Yes',
      cancel: 'No',
    })
  })

  it.each([
    ['a long first line', 'x'.repeat(201), 'Shall I go on?', 'x'.repeat(201)],
    ['no message', undefined, 'Shall I go on?', ''],
    ['a message without end', 'x'.repeat(3_000), 'Shall I go on?', 'x'.repeat(2_000)],
    ['invisible characters', ' a\u0000b ', 'ab', ''],
    ['a link to another host', 'See [it](https://evil.example)?', 'See it?', ''],
  ])('has a title also with %s', async (_, message, title, summary) => {
    const { events } = await runOf(interrupted({ ...refund, message }))
    expect(events.at(-1)).toMatchObject({ title, summary })
  })

  it('is asked one after the other, and answered in one run without the words of the choices', async () => {
    const { asked, sent, text } = await decided(first('Yes', 'confirm'), second('no', 'cancel'))
    expect(asked.map((event) => (event?.type === 'confirm' ? event.id : event?.type))).toEqual([
      'i1',
      'i2',
      'finish',
    ])
    expect(sent?.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
      { interruptId: 'i2', status: 'resolved', payload: false },
    ])
    expect(RunAgentInputSchema.parse(sent)).toEqual(sent)
    expect(sent?.messages).toEqual([])
    expect(text).toBe('Done.|')
  })

  it('is no longer pending once the agent has gone on', async () => {
    const { memory } = await decided(first('Yes', 'confirm'), second('Yes', 'confirm'))
    expect(memory).toMatchObject({ agui_pending: null })
    const { sent } = await run(stream(frames(FINISHED)), { memory })
    expect(sent).not.toHaveProperty('resume')
    expect(sent?.messages).toHaveLength(1)
  })

  it.each([
    ['other words', first('Wait', 'cancel')],
    ['words that ask for another try', first('Try again', 'cancel')],
    ['words where no question is open any more', first('Yes')],
    [
      'the choice of another question',
      { ...first('Yes'), decision: { id: 'i0', decision: 'confirm' as const } },
    ],
  ])('is cancelled by %s, all that is open at once, and the agent reads the words', async (_, turn) => {
    const { sent } = await decided(turn)
    expect(sent?.resume).toEqual([
      { interruptId: 'i1', status: 'cancelled' },
      { interruptId: 'i2', status: 'cancelled' },
    ])
    expect(sent?.messages).toMatchObject([{ role: 'user', content: turn.text }])
  })

  it('is asked and answered once more by a turn that is answered again', async () => {
    const { memory: asked } = await runOf(interrupted(refund, letter))
    const one = await run(stream(''), { ...first('Yes', 'confirm'), memory: asked })
    const again = await run(stream(''), { ...first('Yes', 'confirm'), memory: one.memory })
    expect(again.events.at(-1)).toEqual(one.events.at(-1))
    const two = await run(status(500), { ...second('No', 'cancel'), memory: again.memory })
    const { sent } = await run(stream(frames(FINISHED)), { ...second('No', 'cancel'), memory: two.memory })
    expect(sent?.resume).toEqual(two.sent?.resume)
    expect(sent?.messages).toEqual([])
  })

  it('is cancelled with the words once more by a turn that is answered again', async () => {
    const { memory } = await decided(first('Wait', 'cancel'))
    const { sent } = await run(stream(frames(FINISHED)), {
      ...first('Wait', 'cancel'),
      memory: {
        agui_pending: { open: [], cancel: 'No', answers: [{ interruptId: 'i1', status: 'cancelled' }] },
      },
    })
    expect(memory).toMatchObject({ agui_pending: null })
    expect(sent?.messages).toMatchObject([{ content: 'Wait' }])
  })

  it('keeps the choices that were made before other words', async () => {
    const { sent } = await decided(first('Yes', 'confirm'), second('Hm', 'cancel'))
    expect(sent?.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
      { interruptId: 'i2', status: 'cancelled' },
    ])
  })

  it.each<[string, () => Response, boolean]>([
    ['did not get', () => status(500), true],
    ['broke off over', () => stream(frames(piece('Half'))), true],
    ['refused', () => stream(frames({ type: 'RUN_ERROR', message: 'x' })), false],
  ])('is answered again after an answer that the agent %s', async (_, response, again) => {
    const { memory } = await runOf(interrupted(refund))
    const failed = await run(response(), { ...first('Yes', 'confirm'), memory })
    const history = [{ id: 'v', role: 'visitor' as const, text: 'Yes' }]
    const { sent } = await run(stream(frames(FINISHED)), {
      text: 'Try again',
      history,
      memory: failed.memory,
    })
    const answer = { interruptId: 'i1', status: 'resolved', payload: { approved: true } }
    expect(sent?.resume).toEqual(again ? [answer] : undefined)
    expect(sent?.messages).toHaveLength(again ? 1 : 2)
  })

  const object = (properties: object, required?: string[]) => ({ type: 'object', properties, required })
  it.each<[string, object, unknown]>([
    ['no schema, for a tool', {}, { approved: true }],
    ['no schema, for a reason of one’s own', { reason: 'shop:refund' }, { approved: true }],
    ['no schema, for a confirmation', { reason: 'confirmation' }, true],
    ['true or false', { responseSchema: { type: 'boolean' } }, true],
    [
      'a field and edits that may be missing',
      { responseSchema: object({ ok: { type: 'boolean' }, editedArgs: { type: 'object' } }, ['ok']) },
      { ok: true },
    ],
  ])('is answered in the form that the agent wants: %s', async (_, fields, payload) => {
    const { memory } = await runOf(interrupted({ ...refund, ...fields }))
    const { sent } = await run(stream(frames(FINISHED)), { ...first('Yes', 'confirm'), memory })
    expect(sent?.resume?.[0]?.payload).toEqual(payload)
  })

  it.each([
    ['a text', { responseSchema: { type: 'string' } }],
    ['input without a schema', { reason: 'input_required' }],
    ['two decisions', { responseSchema: object({ a: { type: 'boolean' }, b: { type: 'boolean' } }) }],
    [
      'a text beside it',
      { responseSchema: object({ a: { type: 'boolean' }, b: { type: 'string' } }, ['a', 'b']) },
    ],
  ])('is cancelled where a yes or a no is not enough: %s', async (_, fields) => {
    const { text, lines, memory } = await runOf(interrupted(letter, { ...refund, ...fields }))
    expect(text).toBe(`${SORRY}[Try again]|`)
    expect(lines).toEqual(['The agent at agent.example failed: it asks for more than a yes or a no.'])
    const { sent } = await run(stream(frames(FINISHED)), { text: 'And now?', memory })
    expect(sent?.resume).toEqual([
      { interruptId: 'i2', status: 'cancelled' },
      { interruptId: 'i1', status: 'cancelled' },
    ])
  })

  it.each<[string, unknown[], string]>([
    ['nothing', [], 'what it waits for cannot be read'],
    ['what is none', [null], 'what it waits for cannot be read'],
    ['no identifier', [{ ...refund, id: '' }], 'what it waits for cannot be read'],
    ['a long identifier', [{ ...refund, id: 'x'.repeat(201) }], 'what it waits for cannot be read'],
    ['one identifier twice', [refund, refund], 'what it waits for cannot be read'],
    [
      'eleven questions',
      Array.from({ length: 11 }, (_, n) => ({ ...refund, id: `i${n}` })),
      'it asks too many questions at once',
    ],
  ])('fails with %s', async (_, interrupts, cause) => {
    expect((await runOf(interrupted(...interrupts))).lines).toEqual([
      `The agent at agent.example failed: ${cause}.`,
    ])
  })
})

describe('links', () => {
  const text =
    'See [a](https://evil.example/a), [b](https://agent.example/b) and [c](https://shop.example/c).'
  it.each([
    ['the host of the address', {}, ['agent.example']],
    ['the site too', { sourceUrl: 'https://shop.example/help/' }, ['agent.example', 'shop.example']],
    ['any host', { links: 'any' as const }, ['evil.example', 'agent.example', 'shop.example']],
  ])('lead to %s', async (_, options, hosts) => {
    const { text: said } = await run(stream(frames(piece(text), FINISHED)), {}, options)
    expect(said.match(/\w+\.example/g)).toEqual(hosts)
  })

  it('show pictures of the own host alone, also where links lead anywhere', async () => {
    const pictures = '![a](https://evil.example/a.png) ![b](https://agent.example/b.png)'
    const { text: said } = await run(stream(frames(piece(pictures), FINISHED)), {}, { links: 'any' })
    expect(said.match(/\w+\.example/g)).toEqual(['agent.example'])
  })

  it('are words on a phone too, also without a scheme, and numbers that nobody gave', async () => {
    const words = 'Call 0900 555 0100 or see evil.example.'
    const sms = { channel: 'SMS' as const }
    const { text: said } = await run(stream(frames(piece(words), FINISHED)), sms)
    expect(said).not.toMatch(/0900|evil\.example/)
    const given = { ...sms, text: 'I called 0900 555 0100', history: [] }
    expect((await run(stream(frames(piece(words), FINISHED)), given)).text).toContain('0900 555 0100')
    const own = await run(
      stream(frames(piece('See agent.example.'), end(), piece('Bye.', 'n'), FINISHED)),
      sms,
    )
    expect(own.text).toBe('See agent.example.|Bye.|')
    const kept = await run(stream(frames(piece(words), FINISHED)), sms, { links: 'any' })
    expect(kept.text).toMatch(/0900 555 0100 or see evil\.example/)
  })
})

const SORRY = 'Sorry, I can’t answer right now: the assistant does not respond. Please try again in a moment.'
const CUT = '\n\nSorry, the answer broke off here.'
const status = (code: number) => new Response('{"error":"secret-key"}', { status: code })

describe('a run that fails', () => {
  it.each<[string, () => Response, string, string]>([
    ['500', () => status(500), 'it answered 500', 'server'],
    ['429', () => status(429), 'it answered 429', 'limited'],
    ['504', () => status(504), 'it answered 504', 'timeout'],
    ['422', () => status(422), 'it answered 422', 'request'],
    ['a redirect', () => new Response(null, { status: 307 }), 'it answered 307', 'request'],
    [
      'a page',
      () => new Response('<p>', { headers: { 'content-type': 'text/html' } }),
      'it sent no event stream',
      'malformed',
    ],
    ['an event that is not JSON', () => stream('data: {\n\n'), 'an event is not JSON', 'malformed'],
    ['an event without a type', () => stream('data: 1\n\n'), 'an event has no type', 'malformed'],
    ['a text that is none', () => stream(frames(piece(7))), 'a piece of text has no text', 'malformed'],
    [
      'a reported error',
      () => stream(frames({ type: 'RUN_ERROR', code: 'no_model' })),
      'the agent reported an error (no_model)',
      'server',
    ],
    [
      'a code that is none',
      () => stream(frames({ type: 'RUN_ERROR', code: 'a b' })),
      'the agent reported an error',
      'server',
    ],
    [
      'a cancelled run',
      () => stream(frames(finished({ type: 'cancelled' }))),
      'the agent cancelled its run',
      'cut',
    ],
    ['no finish', () => stream(frames({ type: 'RUN_STARTED' })), 'the answer broke off', 'cut'],
    ['half an event', () => stream(frames(FINISHED).trimEnd()), 'the answer broke off', 'cut'],
    [
      'an event that never ends',
      () => stream(`data: ${'x'.repeat(300_000)}`),
      'an event is too long',
      'excess',
    ],
    ['an event of many lines', () => stream('data: x\n'.repeat(200_000)), 'an event is too long', 'excess'],
    ['a flood of comments', () => stream(': x\n'.repeat(1_100_000)), 'the stream is too long', 'excess'],
    ['too much text', () => stream(frames(piece('x'.repeat(201_000)))), 'the agent wrote too much', 'excess'],
    [
      'too many events',
      () => stream(frames({ type: 'RAW' }).repeat(20_001)),
      'there are too many events',
      'excess',
    ],
    [
      'too many tools',
      () => stream(frames(...Array.from({ length: 101 }, (_, n) => call('find', `c${n}`)))),
      'it called too many tools',
      'excess',
    ],
    [
      'a state without one',
      () => stream(frames(snapshot(undefined))),
      'a snapshot of its state has no state',
      'malformed',
    ],
    [
      'a large state',
      () => stream(frames(snapshot('x'.repeat(64_000)), FINISHED)),
      'its state is too large',
      'excess',
    ],
    [
      'a change that does not fit',
      () => stream(frames(delta({ op: 'remove', path: '/none' }))),
      'a change of its state does not fit',
      'malformed',
    ],
  ])('apologises, and names host and cause without the key: %s', async (_, response, cause, failure) => {
    const { text, lines, causes, events } = await run(response())
    expect(text).toBe(`${SORRY}[Try again]|`)
    expect(lines).toEqual([`The agent at agent.example failed: ${cause}.`])
    expect(causes).toEqual([failure])
    expect(events).toContainEqual({ type: 'metric', name: 'agui_error', value: cause })
  })

  it.each([
    ['Quota is used up.', 'Quota is used up'],
    ['secret-key of 4111 1111 1111 1111\n at "How much is it?"', '… of •••• •••• •••• 1111 at "…"'],
    ['x'.repeat(100_000), 'x'.repeat(500)],
  ])(
    'has what the agent reports in the log alone, masked, short and without key and question: %.30s',
    async (message, shown) => {
      const { lines, events } = await run(
        stream(frames({ type: 'RUN_ERROR', message })),
        { text: 'How much is it?' },
        { key: 'secret-key' },
      )
      expect(lines).toEqual([`The agent at agent.example failed: the agent reported an error: ${shown}.`])
      expect(events).toContainEqual({
        type: 'metric',
        name: 'agui_error',
        value: 'the agent reported an error',
      })
    },
  )

  it('keeps what was said, says that it broke off, and names the contact', async () => {
    const { text } = await run(stream(frames(piece('At ni'), piece('ne'))), {}, { contact: 'call us' })
    expect(text).toBe(`At nine${CUT}\n\nThis is how you reach a person: call us[Try again]|`)
  })

  it('apologises in a message of its own behind whole messages', async () => {
    const many = Array.from({ length: 21 }, (_, n) => [piece('A', `m${n}`), end(`m${n}`)]).flat()
    const { text, lines } = await runOf(...many)
    expect(text).toBe(`${'A|'.repeat(20)}${SORRY}[Try again]|`)
    expect(lines).toEqual(['The agent at agent.example failed: it sent too many messages.'])
  })

  it.each([401, 403])('asks nobody to try again with a wrong key: %i', async (code) => {
    const { text, causes, lines } = await run(status(code))
    expect(lines).toEqual([
      `The agent at agent.example failed: it answered ${code}: it does not take the key. Correct FOYER_AGENT_KEY.`,
    ])
    expect(text).toMatch(/a setting of the assistant is wrong.*correct it\.\|$/)
    expect(causes).toEqual(['refused'])
  })

  it.each([
    [undefined, ''],
    [{ code: 'ECONNREFUSED' }, ' (ECONNREFUSED)'],
    [{ code: 'connect 10.0.0.1' }, ''],
    [new Error('no code'), ''],
  ])('cannot be reached, and says why by the code of %j', async (cause, code) => {
    const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause }))
    const { lines, causes } = await run(stream(''), {}, { fetch })
    expect(lines).toEqual([`The agent at agent.example failed: it cannot be reached${code}.`])
    expect(causes).toEqual(['network'])
  })

  it('neither apologises nor logs when the turn was aborted', async () => {
    const { events, lines, causes } = await run(stream(frames(piece('At'))), { signal: AbortSignal.abort() })
    expect(events.filter(({ type }) => type === 'finish')).toEqual([])
    expect([lines, causes]).toEqual([[], []])
  })
})

describe('the time of a run', () => {
  /** Time that passes when told to, and an agent that sends what it is told to. */
  function slowWorld(store?: (event: AgentEvent) => Promise<void>, more: Partial<Turn> = {}) {
    const due: { ms: number; resolve: () => void }[] = []
    let send: (text: string) => void = () => {}
    let stop = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text))
        stop = () => controller.error(new Error('aborted'))
      },
    })
    const result = run(
      stream(''),
      { sleep: (ms) => new Promise((resolve) => due.push({ ms, resolve })), ...more },
      {
        fetch: async (_, init) => {
          init?.signal?.addEventListener('abort', () => stop())
          return stream(body)
        },
      },
      store,
    )
    const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
    return {
      result,
      send: async (text: string) => {
        send(text)
        await settle()
      },
      /** The sleeps of so many milliseconds end. */
      pass: async (ms: number) => {
        await settle()
        for (const each of due.splice(0)) each.ms === ms ? each.resolve() : due.push(each)
        await settle()
      },
    }
  }

  it('ends after a minute', async () => {
    const { result, pass } = slowWorld()
    await pass(60_000)
    expect((await result).lines).toEqual(['The agent at agent.example failed: there was no answer in time.'])
  })

  it('ends after half a minute of silence, which every byte breaks', async () => {
    const { result, pass, send } = slowWorld()
    for (let look = 0; look < 3; look++) await pass(7_500)
    await send(': still here\n\n')
    for (let look = 0; look < 3; look++) await pass(7_500)
    await send(frames(piece('At nine')))
    for (let look = 0; look < 4; look++) await pass(7_500)
    const { text, lines, causes } = await result
    expect(text).toBe(`At nine${CUT}[Try again]|`)
    expect(lines).toEqual(['The agent at agent.example failed: it fell silent.'])
    expect(causes).toEqual(['timeout'])
  })

  it('goes on while the store takes its time, in which nobody waits for the agent', async () => {
    let stored = () => {}
    const store = new Promise<void>((resolve) => {
      stored = resolve
    })
    const { result, pass, send } = slowWorld(async ({ type }) => (type === 'text' ? store : undefined))
    await send(frames(piece('At '), piece('nine')))
    for (let look = 0; look < 8; look++) await pass(7_500)
    stored()
    await send(frames(FINISHED))
    expect((await result).text).toBe('At nine|')
  })

  it.each([
    ['the chat', 'WEBCHAT' as const, 1],
    ['a phone', 'SMS' as const, 0],
  ])(
    'tells a visitor of %s that it takes longer, after ten seconds without a word',
    async (_, channel, times) => {
      const { result, pass, send } = slowWorld(undefined, { channel })
      await pass(10_000)
      await send(frames(piece('At nine'), FINISHED))
      expect((await result).events.filter(({ type }) => type === 'system')).toHaveLength(times)
    },
  )

  it('is over for the agent too once it is over', async () => {
    let signal: AbortSignal | null | undefined
    const fetch = async (_: unknown, init?: RequestInit) => {
      signal = init?.signal
      return stream(frames(FINISHED))
    }
    await run(stream(''), {}, { fetch })
    expect(signal?.aborted).toBe(true)
  })

  it('is over once a status says that it failed: nobody reads the body', async () => {
    let left = false
    const body = new ReadableStream({
      cancel: () => {
        left = true
      },
    })
    await run(new Response(body, { status: 500 }))
    expect(left).toBe(true)
  })
})
