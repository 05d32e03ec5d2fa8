// The socket, as the specification has it: a bare client against a real server. What a client of ours can see, which is
// all but `skipIf(isDouble)`, holds for the service double of test/chat too: the project `double` runs it there. (The
// double replays chunks as they came, as other services may, and refuses no handshake by a status.)

import { get } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handClock } from './clock.ts'
import { createDoubleWorld } from './double.ts'
import { chunkedText, createWorld, type Frame, isWhole } from './world.ts'

const isDouble = process.env.FOYER_TEST_SERVICE === 'double'

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = isDouble ? createDoubleWorld() : await createWorld()
})
afterAll(() => world.close())

const short = (event: Frame) => event.type.replace('EVENT_TYPE_', '')
const SORRY = 'Sorry, I encountered an error. Please try again.'

describe('the handshake', () => {
  it.skipIf(isDouble)('is refused without its parameters', async () => {
    expect(await world.refusal({})).toMatchObject({ status: 400, error: 'invalid connection parameters' })
    expect(await world.refusal({ session_id: 'x' })).toMatchObject({
      status: 400,
      error: 'invalid connection parameters',
    })
  })

  it.skipIf(isDouble).each([
    ['NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['too much', 'x'.repeat(129)],
  ])('is refused when the session id holds %s', async (_, session_id) => {
    const access_token = await world.accessToken()
    expect(await world.refusal({ session_id, access_token })).toMatchObject({
      status: 400,
      error: 'invalid connection parameters',
    })
  })

  it.skipIf(isDouble).each(['//[', '//', '//127.0.0.1/ws', 'http://[/ws'])(
    'is refused at the address %s',
    async (path) => {
      const { port } = new URL(world.base)
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
      }
      const status = await new Promise((resolve, reject) => {
        const asked = get({ host: '127.0.0.1', port, path, headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        asked.on('error', reject)
      })
      expect(status).toBe(400)
      expect(world.log).toEqual([])
    },
  )

  it.skipIf(isDouble)(
    'is refused with a bad token, an unknown session, or the token of another session',
    async () => {
      const token = await world.accessToken()
      const session_id = await world.session(token)
      expect(await world.refusal({ session_id, access_token: 'nonsense' })).toMatchObject({
        status: 401,
        error: 'authentication failed',
      })
      expect(await world.refusal({ session_id: 'nonsense', access_token: token })).toMatchObject({
        status: 404,
        error: 'session not found',
      })
      expect(await world.refusal({ session_id, access_token: await world.accessToken() })).toMatchObject({
        status: 401,
        error: 'authentication failed',
      })
    },
  )

  it.skipIf(isDouble)(
    'is refused with a correlation id: that of the request, or one of its own',
    async () => {
      const given = await world.refusal({}, { 'x-svc-correlation-id': 'trace-17' })
      expect(given.correlation).toBe('trace-17')
      const made = [await world.refusal({}), await world.refusal({}, { 'x-svc-correlation-id': 'a b' })]
      for (const { correlation } of made) expect(correlation).toMatch(/^[0-9a-f-]{36}$/)
      expect(new Set(made.map(({ correlation }) => correlation)).size).toBe(2)
      const { port } = new URL(world.base)
      const tcp = connect(Number(port), '127.0.0.1')
      tcp.write(
        'GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      )
      let answer = ''
      tcp.on('data', (data) => {
        answer += String(data)
      })
      await new Promise((resolve) => tcp.once('close', resolve))
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1.1 404 Not Found\r\n/)
      expect(head).toContain('\r\nCache-Control: no-store')
      expect(JSON.parse(body)).toEqual({ error: 'there is no socket at this address' })
    },
  )

  it.skipIf(isDouble)(
    'is refused for an eleventh socket, and accepted once another socket has closed',
    async () => {
      const token = await world.accessToken()
      const session_id = await world.session(token)
      const clients = []
      for (let count = 0; count < 10; count++) clients.push(await world.connect(session_id, token))
      expect(await world.refusal({ session_id, access_token: token })).toMatchObject({
        status: 429,
        error: 'connection limit exceeded for session',
      })
      clients[0]?.socket.close()
      await clients[0]?.closed()
      // The place is given back by a write of its own: asked until it is there.
      for (;;) {
        const client = await world.connect(session_id, token).catch(() => undefined)
        if (client) break
      }
    },
  )

  it.skipIf(isDouble)('that is malformed takes no place of the session', async () => {
    const token = await world.accessToken()
    const session_id = await world.session(token)
    const { port } = new URL(world.base)
    const query = new URLSearchParams({ session_id, access_token: token })
    for (let count = 0; count < 10; count++) {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'no key',
        'sec-websocket-version': '13',
      }
      const status = await new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: `/ws?${query}`, headers }
        const asked = get(options, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        asked.on('error', reject)
      })
      expect(status).toBe(400)
    }
    // The places are given back by writes of their own: asked until they are there.
    for (;;) {
      const client = await world.connect(session_id, token).catch(() => undefined)
      if (client) break
    }
  })

  it('accepts any cursor: a number, seq:<n>, and 0 for an unreadable one', async () => {
    const { sessionId, token } = await world.joined()
    const first = async (cursor: string) => {
      const client = await world.connect(sessionId, token, cursor)
      const batch = await client.until(() => client.frames[0])
      return (batch.payload.events as Frame[])[0]?.sequence
    }
    expect(await first('2')).toBe(3)
    expect(await first('seq:2')).toBe(3)
    for (const unreadable of ['-1', 'abc', '1.5', '', '99999']) expect(await first(unreadable)).toBe(1)
  })
})

describe('a new session', () => {
  it('begins with a batch that holds SESSION_START and its capabilities', async () => {
    const token = await world.accessToken()
    const client = await world.connect(await world.session(token, { streaming_enabled: false }), token)
    const start = await client.event('EVENT_TYPE_SESSION_START')
    expect(client.frames[0]?.type).toBe('EVENT_TYPE_EVENT_BATCH')
    expect(start).toMatchObject({
      sequence: 1,
      id: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(start.payload.capabilities).toEqual({
      streaming: false,
      max_message_size_bytes: 131_072,
      max_reconnect_attempts: 0,
      heartbeat_interval_seconds: 30,
      session_idle_seconds: 600,
      csat: true,
      stop: true,
      feedback: true,
      leave_queue: true,
      confirm: true,
      session_status: true,
    })
  })

  it('echoes the join; then the agent joins, thinks and greets', async () => {
    const { client } = await world.joined()
    const names = client.events().map(short)
    // The greeting has as many chunks as its service likes.
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual([
      'SESSION_START',
      'REQUEST_POLY_AGENT_JOIN',
      'POLY_AGENT_JOINED',
      'POLY_AGENT_THINKING',
      'POLY_AGENT_MESSAGE_CHUNK',
    ])
    expect((await client.event('EVENT_TYPE_POLY_AGENT_JOINED')).payload.agent_name).toBe('Echo')
    expect((await client.event('EVENT_TYPE_POLY_AGENT_THINKING')).sequence).toBeNull()
  })

  it('echoes a second join and does nothing else', async () => {
    const { client } = await world.joined()
    const before = client.events().length
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', {}, { mine: '2' })
    client.send('EVENT_TYPE_HEARTBEAT', {}, { mine: '3' })
    await client.event('EVENT_TYPE_HEARTBEAT')
    expect(client.events().slice(before).map(short)).toEqual(['REQUEST_POLY_AGENT_JOIN', 'HEARTBEAT'])
  })
})

describe('a message', () => {
  it('is echoed with its id and metadata, then answered in numbered chunks', async () => {
    const { client } = await world.joined()
    const before = client.events().length
    client.say('a b', 'id-1')
    await client.until(() => client.events().slice(before).some(isWhole))
    const events = client.events().slice(before)
    expect(events[0]).toMatchObject({
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: 'a b', message_id: expect.any(String) },
      metadata: { custom: { client_event_id: 'id-1', local_id: 'id-1' } },
    })
    const chunks = events.filter((event) => short(event) === 'POLY_AGENT_MESSAGE_CHUNK')
    expect(chunks.map((chunk) => chunk.payload.text).join('')).toBe('You said a b')
    expect(chunks.map((chunk) => chunk.payload.chunk_index)).toEqual(chunks.map((_, index) => index + 1))
    expect(chunks.map((chunk) => chunk.payload.is_complete)).toEqual(
      chunks.map((_, index) => index === chunks.length - 1),
    )
    expect(chunks.at(-1)?.payload.response_suggestions).toEqual([{ message_text: 'More' }])
    expect(new Set(chunks.map((chunk) => chunk.payload.message_id)).size).toBe(1)
  })

  it('is answered with one message in a session that does not stream', async () => {
    const { client } = await world.joined({ streaming_enabled: false })
    client.say('a b')
    const answer = await client.event(
      'EVENT_TYPE_POLY_AGENT_MESSAGE',
      (event) => event.payload.text === 'You said a b',
    )
    expect(answer.payload).toMatchObject({
      message_id: expect.any(String),
      attachments: [],
      chat_call_actions: [],
      agent_name: 'Echo',
    })
    expect(client.events().some((event) => short(event) === 'POLY_AGENT_MESSAGE_CHUNK')).toBe(false)
  })

  it('gets growing sequences without a gap', async () => {
    const { client } = await world.joined()
    client.say('one')
    client.say('two')
    await client.until(() => client.events().filter(isWhole).length === 3)
    const sequences = client.events().flatMap((event) => event.sequence ?? [])
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  })

  it('is stored once under its id, even if a copy has another text', async () => {
    const { client } = await world.joined()
    client.say('first', 'same')
    const echo = await client.event('EVENT_TYPE_USER_MESSAGE')
    await client.until(() => client.events().filter(isWhole).length === 2)
    client.say('second', 'same')
    await client.until(() => client.events().filter((event) => short(event) === 'USER_MESSAGE').length === 2)
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    const echoes = client.events().filter((event) => short(event) === 'USER_MESSAGE')
    expect(echoes[1]).toEqual(echo)
    expect(client.events().filter(isWhole).length).toBe(2)
  })

  it('is stored and echoed at once during an answer, and answered after that answer', async () => {
    const { client } = await world.joined()
    client.say('slow, with a pause')
    await client.until(() => chunkedText(client).includes('2, '))
    client.say('meanwhile')
    await client.until(() => client.events().filter(isWhole).length === 3)
    const said = client.events().map((event) => String(event.payload.text ?? ''))
    const at = (words: string) => said.findIndex((text) => text.includes(words))
    expect(at('meanwhile')).toBeLessThan(at('10, '))
    expect(at('10, ')).toBeLessThan(at('You '))
  })

  it('reaches every socket of the session', async () => {
    const { client, sessionId, token } = await world.joined()
    const other = await world.connect(sessionId, token)
    client.say('to all')
    await other.until(() => other.events().filter(isWhole).length === 2)
    const echo = (await client.event('EVENT_TYPE_USER_MESSAGE')) as Frame
    expect(await other.event('EVENT_TYPE_USER_MESSAGE')).toEqual(echo)
  })
})

describe('for its sender alone', () => {
  it('the runtime echoes a heartbeat with its metadata', async () => {
    const { client, sessionId, token } = await world.joined()
    const other = await world.connect(sessionId, token)
    client.send('EVENT_TYPE_HEARTBEAT', {}, { local_id: 'h' })
    expect(await client.event('EVENT_TYPE_HEARTBEAT')).toMatchObject({
      sequence: null,
      metadata: { custom: { local_id: 'h' } },
    })
    other.send('EVENT_TYPE_HEARTBEAT', {}, { local_id: 'o' })
    await other.event('EVENT_TYPE_HEARTBEAT')
    expect(other.events().filter((event) => short(event) === 'HEARTBEAT')).toHaveLength(1)
  })

  it.skipIf(isDouble).each([
    ['no JSON', 'nonsense', 'Unknown event type or invalid message format'],
    ['a list', '[]', 'Unknown event type or invalid message format'],
    ['an unknown type', '{"type":"HELLO"}', 'Unknown event type or invalid message format'],
    [
      'a type that looks like ours',
      '{"type":"EVENT_TYPE_FROM_TOMORROW"}',
      'Unknown event type or invalid message format',
    ],
    [
      'a type of the service',
      '{"type":"EVENT_TYPE_SESSION_END"}',
      'Event type not allowed: EVENT_TYPE_SESSION_END',
    ],
    [
      'a rating without a score',
      '{"type":"EVENT_TYPE_CSAT_RESPONSE","payload":{"comment":"Quick"}}',
      'Invalid rating: payload.score must be a whole number from 0 to 10',
    ],
  ])('the runtime answers %s with an error, and the socket stays open', async (_, text, message) => {
    const { client } = await world.joined()
    client.socket.send(text)
    const error = await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(error.payload).toEqual({ level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message })
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
  })

  it.skipIf(isDouble)(
    'the runtime answers an empty message, and too much metadata, with an error that has the valid metadata',
    async () => {
      const { client } = await world.joined()
      client.send('EVENT_TYPE_USER_MESSAGE', { text: '  ' }, { local_id: 'e' })
      expect(await client.event('EVENT_TYPE_SYSTEM_MESSAGE')).toMatchObject({
        metadata: { custom: { local_id: 'e' } },
      })
      client.send('EVENT_TYPE_USER_MESSAGE', { text: 'x' }, { long: 'x'.repeat(257) })
      await client.event('EVENT_TYPE_SYSTEM_MESSAGE', (event) =>
        String(event.payload.message).startsWith('Invalid metadata'),
      )
      client.send(
        'EVENT_TYPE_USER_MESSAGE',
        { text: 'x' },
        Object.fromEntries(Array.from({ length: 17 }, (_, key) => [`k${key}`, 'v'])),
      )
      await client.until(
        () =>
          client.events().filter((event) => String(event.payload.message).startsWith('Invalid metadata'))
            .length === 2,
      )
      expect(client.events().some((event) => short(event) === 'USER_MESSAGE')).toBe(false)
    },
  )
})

describe('a reconnect', () => {
  it.skipIf(isDouble)(
    'replays the events after the cursor, a finished answer as one message in place of its last chunk',
    async () => {
      const { client, sessionId, token } = await world.joined()
      client.say('one', 'id-1')
      await client.until(() => client.events().filter(isWhole).length === 2)
      const live = client.events()
      client.socket.close()
      const again = await world.connect(sessionId, token)
      await again.until(() => again.frames.length > 0)
      const replay = again.events()
      expect(replay.map(short)).toEqual([
        'SESSION_START',
        'REQUEST_POLY_AGENT_JOIN',
        'POLY_AGENT_JOINED',
        'POLY_AGENT_MESSAGE',
        'USER_MESSAGE',
        'POLY_AGENT_MESSAGE',
      ])
      const answer = replay.at(-1)
      const chunks = live.filter(
        (event) =>
          short(event) === 'POLY_AGENT_MESSAGE_CHUNK' &&
          event.payload.message_id === answer?.payload.message_id,
      )
      expect(answer).toMatchObject({
        sequence: chunks.at(-1)?.sequence,
        first_sequence: chunks[0]?.sequence,
        payload: { text: 'You said one' },
      })
      expect(live.map((event) => event.id)).not.toContain(answer?.id)
    },
  )

  it('during an answer replays the chunks after the cursor, then continues live', async () => {
    const { client, sessionId, token } = await world.joined()
    const before = chunkedText(client)
    client.say('slow')
    await client.until(() => chunkedText(client).includes('3, '))
    const first = chunkedText(client).slice(before.length)
    const third = client.events().findLast((event) => short(event) === 'POLY_AGENT_MESSAGE_CHUNK')
    client.socket.terminate()
    const again = await world.connect(sessionId, token, String(third?.sequence))
    await again.until(() => again.events().some(isWhole))
    const rest = again
      .events()
      .filter((event) => short(event) === 'POLY_AGENT_MESSAGE_CHUNK')
      .map((chunk) => chunk.payload.text)
      .join('')
    // Of a process that heard of the end late, the socket gets the whole message in place of the last chunks.
    const whole = again.events().find((event) => short(event) === 'POLY_AGENT_MESSAGE')
    const told = first + rest
    if (whole) expect(whole.payload.text).toContain(told)
    else expect(told).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ')
  })

  it('with nothing new gets an empty batch', async () => {
    const { client, sessionId, token } = await world.joined()
    const last = Math.max(...client.events().map((event) => event.sequence ?? 0))
    const again = await world.connect(sessionId, token, String(last))
    await again.until(() => again.frames.length > 0)
    expect(again.frames[0]?.payload.events).toEqual([])
  })
})

describe.skipIf(isDouble)('an agent’s answer', () => {
  it('keeps its text when the agent fails, and gets an apology', async () => {
    const { client, sessionId, token } = await world.joined()
    client.say('fail')
    const apology = await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(apology.payload).toEqual({ level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: SORRY })
    const again = await world.connect(sessionId, token)
    await again.until(() => again.frames.length > 0)
    expect(
      again
        .events()
        .slice(-2)
        .map((event) => event.payload.text ?? event.payload.message),
    ).toEqual(['Half of ', SORRY])
    client.say('after')
    await client.until(() => chunkedText(client).includes('You said after'))
  })

  it('with a phone button has its text in chunks only; a message without text brings the button', async () => {
    const { client, sessionId, token } = await world.joined()
    client.say('call')
    const button = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
    const last = client
      .events()
      .filter((event) => short(event) === 'POLY_AGENT_MESSAGE_CHUNK')
      .at(-1)
    expect(last?.payload).toMatchObject({ text: '', response_suggestions: [], is_complete: true })
    expect(last?.payload.attachments).toHaveLength(1)
    expect(button.sequence).toBe((last?.sequence ?? 0) + 1)
    expect(button.payload).toEqual({
      message_id: expect.any(String),
      text: '',
      attachments: [],
      response_suggestions: [{ message_text: 'Later' }],
      chat_call_actions: [{ title: 'Call', contact_number: '+15005550006' }],
      agent_name: 'Echo',
    })
    expect(button.payload.message_id).not.toBe(last?.payload.message_id)

    const again = await world.connect(sessionId, token)
    await again.until(() => again.frames.length > 0)
    const replayed = again.events().slice(-2)
    expect(replayed[0]).toMatchObject({
      type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
      sequence: last?.sequence,
      payload: {
        message_id: last?.payload.message_id,
        text: 'Call us',
        response_suggestions: [],
        chat_call_actions: [],
      },
    })
    expect(replayed[1]).toEqual(button)

    client.say('history')
    const heard = await client.until(() => {
      const said = client
        .events()
        .filter((event) => (event.sequence ?? 0) > (button.sequence ?? 0))
        .map((event) => (short(event) === 'POLY_AGENT_MESSAGE_CHUNK' ? event.payload.text : ''))
      return said.join('').endsWith(']') && said.join('')
    })
    expect((JSON.parse(heard) as { text: string }[]).map(({ text }) => text)).toEqual([
      'Hello there',
      'call',
      'Call us',
    ])
  })

  it('is never cut inside a word, however the agent yields it', async () => {
    const { client } = await world.joined()
    const before = client.events().length
    client.say('letters')
    await client.until(() => client.events().slice(before).some(isWhole))
    const chunks = client
      .events()
      .slice(before)
      .filter((event) => short(event) === 'POLY_AGENT_MESSAGE_CHUNK')
      .map((event) => String(event.payload.text))
    expect(chunks.join('')).toBe('One letter at a time')
    // But for the last words and the chunk that completes them.
    for (const chunk of chunks.slice(0, -2)) expect(chunk).toMatch(/\s$/)
  })

  it.skipIf(isDouble)('can hand off, with the events in the order of the specification', async () => {
    const { client, sessionId } = await world.joined({ streaming_enabled: false })
    const before = client.events().length
    client.say('desk')
    const place = await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    await world.desk.take(sessionId, { id: 'sarah', name: 'Sarah' })
    await world.desk.answer(sessionId, 'sarah', 'Hello from Sarah')
    await client.event('EVENT_TYPE_LIVE_AGENT_MESSAGE')
    expect(client.events().slice(before).map(short)).toEqual([
      'USER_MESSAGE',
      'POLY_AGENT_THINKING',
      'POLY_AGENT_MESSAGE',
      'POLY_AGENT_TRIGGERED_HANDOFF',
      'POLY_AGENT_LEFT',
      'HANDOFF_ACCEPTED',
      'HANDOFF_QUEUE_STATUS',
      'LIVE_AGENT_JOINED',
      'LIVE_AGENT_MESSAGE',
    ])
    expect(place.payload).toMatchObject({ queue_name: 'support', position_in_queue: 1 })
    expect((await client.event('EVENT_TYPE_LIVE_AGENT_JOINED')).payload).toEqual({
      agent: { id: 'sarah', name: 'Sarah' },
    })
  })
})

describe('the end', () => {
  it('by the visitor comes as echo, SESSION_END and close 1000; then there is only a replay, and no new message', async () => {
    const { client, sessionId, token } = await world.joined()
    client.send('EVENT_TYPE_USER_END_SESSION')
    expect((await client.event('EVENT_TYPE_SESSION_END')).payload).toEqual({ reason: 'REASON_USER_END' })
    expect(await client.closed()).toBe(1000)
    expect(client.events().slice(-2).map(short)).toEqual(['USER_END_SESSION', 'SESSION_END'])
    const again = await world.connect(sessionId, token)
    expect(await again.closed()).toBe(1000)
    expect(again.events().at(-1)?.type).toBe('EVENT_TYPE_SESSION_END')
  })

  it.skipIf(isDouble)(
    'by the agent of a session that streams comes as its chunks, then SESSION_END, and no message twice',
    async () => {
      const { client, sessionId, token } = await world.joined()
      client.say('bye')
      expect((await client.event('EVENT_TYPE_SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' })
      expect(await client.closed()).toBe(1000)
      expect(client.events().some((event) => short(event) === 'POLY_AGENT_MESSAGE')).toBe(false)
      const again = await world.connect(sessionId, token)
      await again.closed()
      const [answer, end] = again.events().slice(-2)
      expect(answer?.payload).toMatchObject({ text: 'Goodbye' })
      expect(answer?.payload).not.toHaveProperty('end_conversation')
      expect(end?.type).toBe('EVENT_TYPE_SESSION_END')
    },
  )

  it('by the agent in a session that does not stream comes as a message with end_conversation, then SESSION_END', async () => {
    const { client } = await world.joined({ streaming_enabled: false })
    client.say('bye')
    await client.event('EVENT_TYPE_SESSION_END')
    expect(client.events().at(-2)?.payload).toMatchObject({ text: 'Goodbye', end_conversation: true })
    expect(await client.closed()).toBe(1000)
  })

  it('in the middle of an answer stops the answer', async () => {
    const { client } = await world.joined()
    client.say('wait')
    await client.until(
      () => client.events().filter((event) => short(event) === 'POLY_AGENT_THINKING').length === 2,
    )
    client.send('EVENT_TYPE_USER_END_SESSION')
    expect(await client.closed()).toBe(1000)
    expect(client.events().at(-1)?.type).toBe('EVENT_TYPE_SESSION_END')
  })
})

const isFloodWarning = ({ payload }: Frame) => String(payload.message).startsWith('Too many messages')

describe.skipIf(isDouble)('limits', () => {
  it('a frame of more than 128 KiB closes the socket with 1009', async () => {
    const { client } = await world.joined()
    client.say('x'.repeat(131_072))
    expect(await client.closed()).toBe(1009)
  })

  it('above 100 frames in 10 s are dropped with a warning, above 500 close the socket with 1008', async () => {
    const { client } = await world.joined()
    // Twice as many as it takes, here and below: the service counts in windows, and one may end meanwhile.
    for (let count = 0; count < 202; count++) client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_SYSTEM_MESSAGE', isFloodWarning)
    for (let count = 0; count < 1_002; count++) client.send('EVENT_TYPE_HEARTBEAT')
    expect(await client.closed()).toBe(1008)
  })

  it('a flood gets one warning in a window, with the id of the first message that was dropped', async () => {
    const clock = handClock()
    const flooded = await createWorld({ clock })
    try {
      const { client } = await flooded.joined()
      const warnings = () => client.events().filter(isFloodWarning)
      const ids = () => warnings().map(({ metadata }) => metadata?.custom.client_event_id)
      /** As many messages as one window lets through, and twenty more. */
      const flood = (name: string) => {
        for (let n = 0; n < 119; n++) client.send('EVENT_TYPE_HEARTBEAT')
        client.say('lost', name)
        for (let n = 0; n < 20; n++) client.send('EVENT_TYPE_HEARTBEAT')
      }
      flood('first')
      await client.event('EVENT_TYPE_SYSTEM_MESSAGE', isFloodWarning)
      await clock.pass(10_000)
      client.send('EVENT_TYPE_HEARTBEAT', {}, { client_event_id: 'next window' })
      await client.event(
        'EVENT_TYPE_HEARTBEAT',
        ({ metadata }) => metadata?.custom.client_event_id === 'next window',
      )
      expect(warnings()).toHaveLength(1)
      for (let n = 0; n < 99; n++) client.send('EVENT_TYPE_HEARTBEAT')
      client.say('lost', 'second')
      await client.until(() => warnings().length === 2)
      expect(ids()[1]).toBe('second')
      expect(JSON.stringify(client.events())).not.toContain('"lost"')
    } finally {
      await flooded.close()
    }
  })
})

describe.skipIf(isDouble)('a client that sends too much', () => {
  it('is cut after 1008: no frame is handled, and its connection is destroyed if it does not answer the close', async () => {
    const token = await world.accessToken()
    const session_id = await world.session(token)
    const { port } = new URL(world.base)
    const tcp = connect(Number(port), '127.0.0.1')
    tcp.write(
      `GET /ws?${new URLSearchParams({ session_id, access_token: token })} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        'Sec-WebSocket-Version: 13\r\n\r\n',
    )
    await new Promise((resolve) => tcp.once('data', resolve))
    const received: Buffer[] = []
    tcp.on('data', (data) => received.push(data))
    // Masked text frames of two letters, which are no JSON: each one handled is answered.
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
    tcp.write(Buffer.concat(Array.from({ length: 40_000 }, () => frame)))
    tcp.on('error', () => {})
    await new Promise((resolve) => tcp.once('close', resolve))
    const text = Buffer.concat(received).toString('latin1')
    expect(text).toContain('too many frames')
    expect(text.split('EVENT_TYPE_SYSTEM_MESSAGE').length - 1).toBeLessThanOrEqual(500)
  })

  it('gets a warning above 1 MiB in 10 s, and 1008 above 4 MiB', async () => {
    const { client } = await world.joined()
    const frame = JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: { x: 'x'.repeat(120_000) } })
    for (let count = 0; count < 12; count++) client.socket.send(frame)
    await client.event('EVENT_TYPE_SYSTEM_MESSAGE', isFloodWarning)
    // Twice as many as it takes: the service counts in windows, and one may end meanwhile.
    for (let count = 0; count < 75; count++) client.socket.send(frame)
    expect(await client.closed()).toBe(1008)
  })

  it('gets pongs for its pings, and is closed for a flood of pings', async () => {
    const { client } = await world.joined()
    const pong = new Promise((resolve) => client.socket.once('pong', (data) => resolve(String(data))))
    client.socket.ping('are you there')
    expect(await pong).toBe('are you there')
    let pongs = 1
    client.socket.on('pong', () => pongs++)
    for (let count = 0; count < 600; count++) client.socket.ping()
    expect(await client.closed()).toBe(1008)
    expect(pongs).toBeLessThanOrEqual(100)
  })

  it('does not delay other sockets', async () => {
    const other = await world.joined()
    const { client } = await world.joined()
    const sockets = [client.socket]
    for (const socket of sockets) for (let count = 0; count < 20_000; count++) socket.send('{}')
    other.client.say('still here', 'here')
    await other.client.until(() => other.client.events().filter(isWhole).length === 2)
    expect(await client.closed()).toBe(1008)
  })

  it('is closed for a message in too many fragments', async () => {
    const { client } = await world.joined()
    for (let count = 0; count < 300; count++) client.socket.send('', { fin: false })
    expect(await client.closed()).toBe(1008)
  })
})

describe.skipIf(isDouble)('an id with characters that PostgreSQL cannot store', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['half a pair of surrogates', 'a\ud800b'],
  ])('is stored without the character: %s', async (_, id) => {
    const { client } = await world.joined()
    client.say('once', id)
    client.say('once', id)
    client.send('EVENT_TYPE_HEARTBEAT', {}, { client_event_id: 'the end' })
    await client.event('EVENT_TYPE_HEARTBEAT')
    const echoes = client.events().filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
    expect(new Set(echoes.map(({ sequence }) => sequence)).size).toBe(1)
    expect(client.events().filter(isWhole).length).toBeLessThanOrEqual(2)
  })
})
