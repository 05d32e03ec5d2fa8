// What the page hears: every event of the wire, with a marked text in every field that can hold one, and
// everything that comes out of the port and onto the page.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { readMessage } from '../../../../src/embed/channel.ts'
import { createChatController } from '../../../../src/embed/frame/chat/chat-controller.ts'
import type { Exposure } from '../../../../src/embed/frame/chat/config.ts'
import { exposedDetail, EVENTS as FACTS } from '../../../../src/embed/frame/chat/exposure.ts'
import { openPanel } from '../../../../src/embed/frame/panel.ts'
import { createHost, type Handle } from '../../../../src/embed/page/host/host.ts'
import { createPageChannel } from '../../../../src/embed/page/panel/page-channel.ts'
import type { ServerEventType, ServerPayloads } from '../../../../src/protocol/index.ts'
import { openIn, openOn } from '../open-panel.ts'

const MARK = 'the words of the service'
const attachment = {
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
  content_url: `https://example.com/${MARK}`,
  title: MARK,
  preview_image_url: `https://example.com/${MARK}`,
  call_to_action_text: MARK,
}
const message = {
  message_id: `${MARK} id`,
  text: MARK,
  attachments: [attachment],
  response_suggestions: [{ message_text: MARK, payload: MARK }],
  chat_call_actions: [{ title: MARK, contact_number: MARK }],
  agent_name: MARK,
  avatar_url: `https://example.com/${MARK}`,
}
const capabilities = {
  streaming: true,
  max_message_size_bytes: 1,
  max_reconnect_attempts: 0,
  heartbeat_interval_seconds: 0,
  session_idle_seconds: 1,
  csat: true,
  stop: true,
  feedback: true,
  leave_queue: true,
  confirm: true,
  session_status: true,
}
const reason = { reason: MARK }
const confirm = { id: MARK, title: MARK, summary: MARK, confirm: MARK, cancel: MARK }

/** A field that is new in `events.ts` does not compile until it stands here. */
type Whole<T> = T extends readonly (infer E)[]
  ? Whole<E>[]
  : T extends object
    ? { [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }
    : T
const EVENTS: { [T in ServerEventType]: Whole<ServerPayloads[T]> } = {
  EVENT_TYPE_SESSION_START: { capabilities, context_id: MARK },
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: {},
  EVENT_TYPE_POLY_AGENT_JOINED: { agent_name: MARK, agent_avatar_url: MARK },
  EVENT_TYPE_USER_MESSAGE: { text: MARK, message_id: MARK },
  EVENT_TYPE_HEARTBEAT: {},
  EVENT_TYPE_CSAT_RESPONSE: { score: 1, comment: MARK },
  EVENT_TYPE_USER_FEEDBACK: { message_id: MARK, rating: 'up', comment: MARK },
  EVENT_TYPE_USER_DECISION: { confirm_id: MARK, decision: 'confirm' },
  EVENT_TYPE_SESSION_IDLE_WARNING: {},
  EVENT_TYPE_SYSTEM_MESSAGE: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: MARK, code: 'waiting' },
  EVENT_TYPE_LANGUAGE_CHANGED: { language_code: MARK },
  EVENT_TYPE_POLY_AGENT_THINKING: {},
  EVENT_TYPE_POLY_AGENT_MESSAGE: { ...message, end_conversation: false, stopped: true, confirm },
  EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK: {
    ...message,
    message_id: `${MARK} chunk`,
    chunk_index: 1,
    is_complete: true,
    stopped: true,
  },
  EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF: {},
  EVENT_TYPE_HANDOFF_ACCEPTED: { queue_name: MARK },
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    queue_name: MARK,
    position_in_queue: 3,
    estimated_wait_seconds: 60,
    display_message: MARK,
  },
  EVENT_TYPE_HANDOFF_FAILED: reason,
  EVENT_TYPE_HANDOFF_TIMEOUT: reason,
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: { ...reason, queue_name: MARK, route: MARK },
  EVENT_TYPE_LIVE_AGENT_JOINED: { agent: { id: MARK, name: MARK, avatar_url: MARK } },
  EVENT_TYPE_LIVE_AGENT_TYPING: { state: 'TYPING_STATE_STARTED', agent_id: MARK, agent_name: MARK },
  EVENT_TYPE_LIVE_AGENT_MESSAGE: {
    ...message,
    message_id: `${MARK} live`,
    agent_id: MARK,
    end_conversation: false,
    stopped: false,
    confirm,
  },
  EVENT_TYPE_LIVE_AGENT_LEFT: { ...reason, agent_id: MARK, agent_name: MARK },
  EVENT_TYPE_POLY_AGENT_LEFT: reason,
  EVENT_TYPE_SHOW_CSAT_REQUEST: {},
  EVENT_TYPE_USER_RECEIVED_MESSAGE: {},
  EVENT_TYPE_USER_READ_MESSAGE: {},
  EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE: {},
  EVENT_TYPE_POLY_AGENT_READ_MESSAGE: {},
  EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE: {},
  EVENT_TYPE_LIVE_AGENT_READ_MESSAGE: {},
  EVENT_TYPE_USER_END_SESSION: {},
  EVENT_TYPE_SESSION_END: reason,
}

beforeAll(() => {
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: false, onchange: null }),
    CSS: { supports: () => false },
  })
})

let handle: Handle | undefined
let undo: (() => void) | undefined
afterEach(() => {
  handle?.destroy()
  undo?.()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})

/** A service that opens every socket and says what it is told to. */
function service() {
  const sockets: FakeSocket[] = []
  class FakeSocket extends EventTarget {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readyState = 0
    binaryType = 'blob'
    sent: string[] = []
    constructor() {
      super()
      sockets.push(this)
      queueMicrotask(() => {
        this.readyState = 1
        this.dispatchEvent(new Event('open'))
      })
    }
    send(text: string) {
      this.sent.push(text)
    }
    close() {
      this.readyState = 3
    }
    say(frame: object) {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
    }
  }
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', async (url: string | URL) =>
    Response.json(
      String(url).endsWith('access-token')
        ? {
            access_token: 'token',
            expires_in: 3_600,
            token_type: 'Bearer',
            resumed: false,
            chat_url: 'https://service.example.com',
          }
        : { session_id: 's-1' },
    ),
  )
  return sockets
}

/** Everything the page hears of one conversation in which every event comes, each of them twice. */
async function heard(expose: Exposure, imageOrigins: string[] = []) {
  const sockets = service()
  const port: unknown[] = []
  const page: unknown[] = []
  const container = document.body.appendChild(document.createElement('div'))
  vi.spyOn(EventTarget.prototype, 'dispatchEvent').mockImplementation(function (this: EventTarget, event) {
    if (event.type.startsWith('foyer-')) page.push([event.type, (event as CustomEvent).detail])
    return real.call(this, event)
  })
  handle = createHost({}, 'foyer:test', (host) => {
    const link = createPageChannel(host, { ready() {}, newest() {}, expand() {} })
    const own = link.connect()
    const { postMessage } = own
    own.postMessage = (data: unknown) => {
      port.push(data)
      postMessage.call(own, data)
    }
    undo = openOn(openPanel, own, {
      root: document,
      container,
      start: { tools: true },
      origin: 'https://chat.example.com',
      expose,
      config: { imageOrigins },
    })
    host.attach({ say: link.post, draw() {}, remove() {} })
  })
  await handle.ready
  handle.open()
  await vi.waitFor(() => expect(sockets.at(-1)?.readyState).toBe(1))
  const [socket] = sockets as [(typeof sockets)[number]]
  let sequence = 0
  let frame = {}
  const last = ['EVENT_TYPE_USER_END_SESSION', 'EVENT_TYPE_SESSION_END']
  const { EVENT_TYPE_SYSTEM_MESSAGE: system } = EVENTS
  const rounds: [string, object][] = [
    ...Object.entries(EVENTS).filter(([type]) => !last.includes(type)),
    // A text that the client acts on.
    ['EVENT_TYPE_SYSTEM_MESSAGE', { ...system, message: `Unknown event type: ${MARK}` }],
    ...Object.entries(EVENTS),
  ]
  for (const [type, payload] of rounds) {
    sequence++
    frame = {
      type,
      payload,
      id: `e-${sequence}`,
      event_id: `e-${sequence}`,
      sequence,
      timestamp: new Date(1_800_000_000_000 + sequence).toISOString(),
      metadata: { custom: { client_event_id: MARK, local_id: MARK, more: MARK } },
    }
    socket.say(frame)
  }
  socket.say({ type: 'EVENT_TYPE_FROM_TOMORROW', payload: { text: MARK }, sequence: sequence + 1 })
  await vi.waitFor(() => {
    // An end within a replay is asked for again, and told on each socket.
    if (sockets.length > 1) sockets.at(-1)?.say(frame)
    expect(handle?.getState().status).toBe('ended')
  })
  handle.on('probe' as 'open', () => page.push('done'))
  const pictures = () => [...container.querySelectorAll('img')].map(({ src }) => new URL(src).origin)
  return { port, page, pictures }
}
const real = EventTarget.prototype.dispatchEvent

/** The names of the events that were heard, and of their fields. */
function fields(port: unknown[]): Record<string, string[]> {
  const names: Record<string, Set<string>> = {}
  for (const each of port) {
    const told = readMessage<{ type: string; name: string; detail: object }>(each)
    if (told?.type !== 'fact') continue
    names[told.name] ??= new Set()
    for (const field of Object.keys(told.detail)) names[told.name]?.add(field)
  }
  return Object.fromEntries(Object.entries(names).map(([name, set]) => [name, [...set].sort()]))
}

it('the table of exposure has every event of the wire', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../../../../src/protocol/events.ts'), 'utf8')
  const payloads = source.slice(source.indexOf('type ServerPayloads'), source.indexOf('type ServerEventType'))
  const names = [...payloads.matchAll(/^ {2}(EVENT_TYPE_\w+):/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(Object.keys(EVENTS).sort()).toEqual(names.sort())
})

it('with `none` the page hears no word of service or visitor, in no event and no field', async () => {
  const { port, page } = await heard('none')
  expect(JSON.stringify(port)).not.toContain('words of the service')
  expect(JSON.stringify(page)).not.toContain('words of the service')
  const told = fields(port)
  expect(Object.keys(told)).toEqual(
    expect.arrayContaining(['session', 'connection', 'message', 'handoff', 'language', 'end', 'error']),
  )
  expect(told).not.toHaveProperty('wire')
  expect(told.message).toEqual(['length', 'role'])
  expect(told.handoff).toEqual(['position', 'state', 'waitSeconds'])
  expect(told.error).toEqual(['code'])
  expect(page.length).toBeGreaterThan(5)
})

it('with `messages` the page hears them where the table says so, and no log of the wire', async () => {
  const { port } = await heard('messages')
  const told = fields(port)
  expect(told.message).toEqual(['length', 'name', 'role', 'text'])
  expect(told.handoff).toEqual([
    'message',
    'position',
    'queueName',
    'reason',
    'route',
    'state',
    'waitSeconds',
  ])
  expect(told.error).toEqual(['code', 'message'])
  expect(told.language).toEqual([])
  expect(told.end).toEqual([])
  expect(told).not.toHaveProperty('wire')
})

it('a page that never answers delays a message and does not lose it', async () => {
  service()
  const asked: unknown[] = []
  const states: unknown[] = []
  const { say, port, container, undo: leave } = openIn(openPanel, { start: {}, expose: 'messages' })
  undo = leave
  port.onmessage = ({ data }) => {
    if (data.type === 'ask') asked.push(data.name)
    if (data.name === 'delivery') states.push(data.detail.state)
  }
  say({ type: 'show', shown: true })
  say({ type: 'send', text: 'Is anybody there?' })
  await vi.waitFor(() => expect(asked).toEqual(['before-send']))
  await vi.waitFor(() => expect(container.textContent).toContain('Is anybody there?'))
  await vi.waitFor(() => expect(states).toEqual(['held', 'queued']))
})

/** A panel whose page is asked about each message, and answers when the test does. */
function askedPanel(start: object = {}) {
  service()
  const asked: number[] = []
  /** The states of each message, by its id. */
  const states: Record<string, string[]> = {}
  const { say, port, container, undo: leave } = openIn(openPanel, { start, expose: 'messages' })
  undo = leave
  port.onmessage = ({ data }) => {
    if (data.type === 'ask') asked.push(data.id)
    const { message_id: id, state } = { ...data.detail }
    if (data.name === 'delivery') states[id] = [...(states[id] ?? []), state]
  }
  say({ type: 'show', shown: true })
  return {
    say,
    asked,
    container,
    delivery: () => Object.values(states),
    draft: () => container.querySelector('textarea')?.value,
  }
}

/** After a sign-out: the next message is sent and shown, and nothing of the one that the page was asked about before. */
async function goesOnWithoutIt({ say, asked, container, delivery, draft }: ReturnType<typeof askedPanel>) {
  say({ type: 'send', text: 'Of the next' })
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  say({ type: 'answer', id: asked[1], allowed: true })
  await vi.waitFor(() => expect(delivery()).toEqual([['held'], ['held', 'queued']]))
  await vi.waitFor(() => expect(container.textContent).toContain('Of the next'))
  expect(container.textContent).not.toContain('Of the one before')
  expect(draft()).toBe('')
}

it.each([true, false])(
  'after `logout` a message that the page is still asked about is neither sent nor shown, allowed: %s',
  async (allowed) => {
    const panel = askedPanel()
    const { say, asked } = panel
    say({ type: 'send', text: 'Of the one before' })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    say({ type: 'logout' })
    say({ type: 'answer', id: asked[0], allowed })
    say({ type: 'restart' })
    await goesOnWithoutIt(panel)
  },
)

it.each([
  [true, ['held', 'queued'], ''],
  [false, ['held'], 'Still of mine'],
])(
  'after `restart` a message that the page is still asked about goes with the visitor, allowed: %s',
  async (allowed, states, written) => {
    const { say, asked, container, delivery, draft } = askedPanel({ answers: true })
    say({ type: 'send', text: 'Still of mine' })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    say({ type: 'restart' })
    say({ type: 'answer', id: asked[0], allowed })
    await vi.waitFor(() => expect(delivery()).toEqual([states]))
    await vi.waitFor(() => expect(draft()).toBe(written))
    const log = () => container.querySelector('[role=log]')?.textContent
    await vi.waitFor(() => expect(log()?.includes('Still of mine')).toBe(allowed))
    expect(asked).toHaveLength(1)
  },
)

it('after `end` a message that the page is still asked about is not sent, and says so', async () => {
  const { say, asked, container } = askedPanel()
  say({ type: 'send', text: 'Of the one before' })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  say({ type: 'end' })
  say({ type: 'answer', id: asked[0], allowed: true })
  await vi.waitFor(() => expect(container.textContent).toContain('Not sent'))
  expect(container.textContent).toContain('Of the one before')
})

it('after a sign-out in another tab a message that the page is still asked about is neither sent nor shown', async () => {
  const panel = askedPanel()
  const { say, asked } = panel
  say({ type: 'send', text: 'Of the one before' })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  localStorage.setItem('foyer::signed-out', 'elsewhere')
  document.dispatchEvent(new Event('visibilitychange'))
  say({ type: 'answer', id: asked[0], allowed: true })
  await goesOnWithoutIt(panel)
})

it('a page that says that it answers is waited for', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const { say, asked, draft } = askedPanel({ answers: true })
  say({ type: 'send', text: 'Is anybody there?' })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  // Whatever was to end the waiting does so at once.
  for (const [act, ms, ...rest] of waits.mock.calls) if (ms === 2_000) act(...rest)
  await Promise.resolve()
  say({ type: 'answer', id: asked[0], allowed: false })
  await vi.waitFor(() => expect(draft()).toBe('Is anybody there?'))
})

it('a text that the visitor discards while the page is asked about it does not come back', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const { say, asked, container, draft } = askedPanel({ answers: true })
  say({ type: 'send', text: 'Discarded' })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  const late = () => waits.mock.calls.find(([, ms]) => ms === 3_000)
  await vi.waitFor(() => expect(late()).toBeDefined())
  late()?.[0]()
  const discard = () => [...container.querySelectorAll('button')].find((one) => one.textContent === 'Discard')
  await vi.waitFor(() => expect(discard()).toBeDefined())
  discard()?.click()
  say({ type: 'answer', id: asked[0], allowed: false })
  say({ type: 'send', text: 'Refused' })
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  say({ type: 'answer', id: asked[1], allowed: false })
  await vi.waitFor(() => expect(draft()).toBe('Refused'))
})

it('a message that does not fit waits in the composer, and the page is not asked about it', async () => {
  const items = Array.from({ length: 49 }, (_, index) => ({
    id: `i-${index}`,
    text: 'waits',
    at: 0,
    state: 'failed',
    tries: 0,
    after: 0,
  }))
  sessionStorage.setItem('foyer::outbox', JSON.stringify({ items }))
  const { say, asked, draft } = askedPanel()
  say({ type: 'send', text: 'the last that fits' })
  say({ type: 'send', text: 'one too many' })
  await vi.waitFor(() => expect(draft()).toBe('one too many'))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
})

it('without an exposed word a message waits neither for the page nor for the configuration', async () => {
  service()
  const { say, port, container, undo: leave } = openIn(openPanel, { start: {} })
  undo = leave
  const heard = vi.fn()
  port.onmessage = ({ data }) => heard(data.type)
  say({ type: 'send', text: 'At once' })
  await vi.waitFor(() => expect(container.textContent).toContain('At once'))
  expect(heard).not.toHaveBeenCalledWith('ask')
})

it('pictures load by themselves only from where the BFF says', async () => {
  const { pictures } = await heard('none', ['https://example.com'])
  await vi.waitFor(() => expect(pictures()).toContain('https://example.com'))
  handle?.destroy()
  undo?.()
  document.body.replaceChildren()
  const without = await heard('none', ['https://other.example.com'])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(without.pictures()).toEqual([])
})

it('with `wire` tools hear everything', async () => {
  const { port } = await heard('wire')
  const told = fields(port)
  expect(told).toHaveProperty('wire')
  expect(told.message).toEqual(['length', 'message_id', 'name', 'role', 'text'])
})

it.each(['none', 'messages'] as const)(
  'with `%s` no field is known by a name that every object has',
  (level) => {
    const hostile = Object.fromEntries(
      ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'].map((name) => [name, MARK]),
    )
    for (const name of FACTS) expect(exposedDetail(name, hostile, level)).toEqual({})
  },
)

it.each([
  ['', 'One\nTwo'],
  ['half a sentence', 'half a sentence\nOne\nTwo'],
])(
  'each text that the page cancels is given back, behind what is being written: “%s”',
  async (draft, whole) => {
    const { say, asked, container, draft: written } = askedPanel({ answers: true })
    say({ type: 'draft', text: draft })
    for (const text of ['One', 'Two']) say({ type: 'send', text })
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    for (const id of asked) say({ type: 'answer', id, allowed: false })
    await vi.waitFor(() => expect(written()).toBe(whole))
    // They are in no outbox any more: a page that ends without a word still has them.
    expect(sessionStorage.getItem('foyer::draft')).toContain(whole)
    await vi.waitFor(() => expect(container.querySelector('.visitor')).toBeNull())
  },
)

it('the next chat is asked for in the language that the page has set since', async () => {
  const languages: (string | null)[] = []
  let opened = 0
  async function fetch(url: string | URL, init: RequestInit = {}) {
    if (!String(url).includes('/api/v1/sessions'))
      return Response.json({
        access_token: `t${opened}`,
        expires_in: 1_000,
        token_type: 'Bearer',
        resumed: false,
        chat_url: 'https://chat.example.com',
      })
    languages.push(new Headers(init.headers).get('accept-language'))
    return Response.json({ session_id: `s${++opened}` })
  }
  const surroundings = {
    ...{ root: document, container: document.body, start: {}, origin: 'https://site.example.com' },
    ...{ expose: 'none', config: { imageOrigins: [] }, fetch },
  }
  const controller = createChatController(
    surroundings as never,
    { locale: 'de' } as never,
    () => {},
    () => true,
  )
  controller.take({ type: 'show', shown: true } as never)
  await vi.waitFor(() => expect(languages).toEqual(['de']))
  controller.update({}, { locale: 'fr' } as never)
  controller.restart()
  await vi.waitFor(() => expect(languages).toEqual(['de', 'fr']))
  controller.dispose()
})
