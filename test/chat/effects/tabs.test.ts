// How the tabs of one browser keep out of each other's way: real loops and reducers, locks in a queue, channels that deliver later, and a
// clock that is turned by hand. The session is entered by hand too.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLoop, type Effect } from '../../../src/chat/effects/loop.ts'
import { createStored } from '../../../src/chat/effects/stored.ts'
import { createTabs } from '../../../src/chat/effects/tabs.ts'
import { type KeyValue, type Locks, memoryStore, type ShareTabs } from '../../../src/chat/index.ts'
import { newItem } from '../../../src/chat/outbox/items.ts'
import type { Event } from '../../../src/chat/state/events.ts'
import type { SessionEvent } from '../../../src/chat/state/session.ts'
import { initialState, type State } from '../../../src/chat/state/state.ts'
import { parseFrame } from '../../../src/protocol/index.ts'
import { createChannels, createLocks } from '../browser.ts'
import { createSleepingClock, pass } from '../service.ts'

let locks: ReturnType<typeof createLocks>
let channels: ReturnType<typeof createChannels>
let sessions: KeyValue
let opened: { kill(): void }[]

beforeEach(() => {
  vi.useFakeTimers()
  locks = createLocks()
  channels = createChannels()
  sessions = memoryStore()
  opened = []
})
afterEach(() => {
  for (const tab of opened) tab.kill()
  vi.useRealTimers()
})

const NAME = 'foyer:test'
const never = new AbortController().signal
/** What a page learns by asking, not from the others. */
const OWN = ['claimed', 'copied', 'answered']
const DENIED: Locks = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) }

type Options = {
  sessionId?: string
  /** What the page has stored: a copy of a page has the same. */
  outboxes?: KeyValue
  share?: Partial<ShareTabs>
}

/** A page. Pages are named in the order in which they were opened: `tab-1`, `tab-2`. */
function open({ sessionId, outboxes = memoryStore(), share = {} }: Options = {}) {
  const held = locks.forTab()
  const heard = channels.forTab()
  const clock = createSleepingClock()
  const number = opened.length + 1
  const stored = createStored(sessions, outboxes, clock)
  const given: ShareTabs = { channel: heard.channel, locks: held.locks, ...share }
  const events: Event[] = []
  const effects: Effect[] = []
  const start = {
    sessionId,
    outbox: stored.outbox().map((item) => ({ ...item, unclaimed: given.locks !== undefined })),
    shared: true,
  }
  const loop = createLoop({
    initial: initialState(clock.now(), start),
    clock,
    random: () => 0.5,
    tell: () => {},
    effects,
  })
  const dispatch = (event: Event) => {
    if (!OWN.includes(event.type)) events.push(event)
    loop.dispatch(event)
  }
  const tabs = createTabs(given, {
    loop: { ...loop, dispatch },
    name: NAME,
    uuid: () => `tab-${number}`,
    clock,
  })
  effects.push(tabs.changed)
  const session = (event: SessionEvent) => loop.dispatch({ type: 'session', event })
  const page = {
    tabs,
    stored,
    clock,
    /** What the others made this page do. */
    events,
    dispatch: loop.dispatch,
    session,
    state: (): State => loop.state.peek(),
    open() {
      session({ type: 'open' })
      return page
    },
    /** Enters a session, as the service answers. */
    enter(id: string) {
      const { session: entering } = page.state()
      const run = 'run' in entering ? entering.run : 0
      session({ type: 'entered', run, sessionId: id })
      return page
    },
    /** The service says something over the socket. */
    hear(frame: object) {
      const { session: connected } = page.state()
      const run = 'run' in connected ? connected.run : 0
      loop.dispatch({ type: 'frame', run, frame: parseFrame(JSON.stringify(frame)) })
    },
    /** Opens the page, and connects it to a session, of which it reads one event. */
    live(id: string) {
      page.open().enter(id)
      const { session: connecting } = page.state()
      session({ type: 'opened', run: 'run' in connecting ? connecting.run : 0 })
      page.hear({
        type: 'EVENT_TYPE_EVENT_BATCH',
        payload: { events: [event('SESSION_START', 1, { capabilities: {} })] },
      })
      loop.dispatch({ type: 'barrier', id: 'b' })
      page.hear({ type: 'EVENT_TYPE_HEARTBEAT', metadata: { custom: { local_id: 'b' } } })
      expect(page.state().session.name).toBe('live')
      return page
    },
    /** The process is gone: nobody is told. */
    kill() {
      held.kill()
      heard.kill()
      loop.dispatch({ type: 'session', event: { type: 'dispose' } })
    },
  }
  opened.push(page)
  return page
}

const event = (name: string, sequence: number, payload: object) => ({
  type: `EVENT_TYPE_${name}`,
  id: `event-${sequence}`,
  sequence,
  timestamp: new Date(0).toISOString(),
  payload,
})

/** Work of which the test says when it is done. */
function work() {
  let finish = () => {}
  const did = { begun: 0, run: () => Promise.resolve(), finish: () => finish() }
  did.run = () => {
    did.begun++
    return new Promise<void>((done) => {
      finish = done
    })
  }
  return did
}
/** Something that has what all tabs of the browser hear. */
const bystander = () => channels.forTab().channel(NAME)
const said = (type: string) =>
  channels.said.map((text) => JSON.parse(text) as { type: string }).filter((each) => each.type === type)

describe('entering a session', () => {
  it('is for one tab at a time, in the order in which they asked', async () => {
    const jobs = [work(), work(), work()]
    const done = jobs.map(({ run }) => open().tabs.alone(run, never))
    await pass(10)
    expect(jobs.map(({ begun }) => begun)).toEqual([1, 0, 0])
    jobs[0]?.finish()
    await done[0]
    await pass(10)
    expect(jobs.map(({ begun }) => begun)).toEqual([1, 1, 0])
    jobs[1]?.finish()
    await pass(10)
    expect(jobs.map(({ begun }) => begun)).toEqual([1, 1, 1])
    jobs[2]?.finish()
    await Promise.all(done)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the others waiting for at most 15 s, whenever they came', async () => {
    const [slow, next] = [work(), work()]
    void open().tabs.alone(slow.run, never)
    await pass(10_000)
    void open().tabs.alone(next.run, never)
    await pass(4_990)
    expect(next.begun).toBe(0)
    await pass(20)
    expect(next.begun).toBe(1)
    slow.finish()
    next.finish()
  })

  it('waits for at most 15 s for a lock that nobody gives back', async () => {
    void locks.forTab().locks.request(`${NAME}:enter`, { signal: never }, () => new Promise(() => {}))
    const job = work()
    void open().tabs.alone(job.run, never)
    await pass(14_990)
    expect(job.begun).toBe(0)
    await pass(20)
    expect(job.begun).toBe(1)
    job.finish()
  })

  it('lets the others go on when the one that holds the lock is aborted, or fails', async () => {
    const [first, failing, last] = [work(), vi.fn(() => Promise.reject(new Error('refused'))), work()]
    const abort = new AbortController()
    void open().tabs.alone(first.run, abort.signal)
    const failed = open().tabs.alone(failing, never)
    void open().tabs.alone(last.run, never)
    failed.catch(() => {})
    await pass(10)
    expect(failing).not.toHaveBeenCalled()
    abort.abort()
    await pass(10)
    await expect(failed).rejects.toThrow('refused')
    expect(last.begun).toBe(1)
    first.finish()
    last.finish()
  })

  it('is given up by whoever is aborted in the queue, which holds up nobody', async () => {
    const [first, second, third] = [work(), work(), work()]
    const abort = new AbortController()
    void open().tabs.alone(first.run, never)
    void open().tabs.alone(second.run, abort.signal)
    void open().tabs.alone(third.run, never)
    await pass(10)
    abort.abort()
    await pass(10)
    second.finish()
    first.finish()
    await pass(10)
    expect(third.begun).toBe(1)
    third.finish()
    await pass(10)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, Locks | undefined]>([
    ['has no locks', undefined],
    ['denies them', DENIED],
  ])('waits for nobody where the browser %s', async (_, given) => {
    const jobs = [work(), work()]
    for (const { run } of jobs) void open({ share: { locks: given } }).tabs.alone(run, never)
    await pass(10)
    expect(jobs.map(({ begun }) => begun)).toEqual([1, 1])
    for (const { finish } of jobs) finish()
  })
})

describe('stored messages', () => {
  /** Two messages that wait, as a page has stored them. */
  const stored = () => {
    const outboxes = memoryStore()
    const page = createStored(sessions, outboxes, createSleepingClock())
    page.saveOutbox([newItem('p', 'hi', 0, 's'), newItem('q', 'you', 0, 's')])
    return outboxes
  }
  const copyOf = (from: KeyValue) => {
    const to = memoryStore()
    to.set('outbox', from.get('outbox') ?? '')
    return to
  }
  const waiting = ({ state }: ReturnType<typeof open>) => state().outbox.map(({ id }) => id)
  /** Those that are not sent, since they may be another page's. */
  const unclaimed = ({ state }: ReturnType<typeof open>) =>
    state().outbox.flatMap(({ id, unclaimed }) => (unclaimed ? [id] : []))

  it('are sent by nobody before a page is opened, and by the page whose they are after', async () => {
    const page = open({ sessionId: 's', outboxes: stored() })
    await pass(10)
    expect(unclaimed(page)).toEqual(['p', 'q'])
    page.open()
    await pass(10)
    expect(unclaimed(page)).toEqual([])
    expect(waiting(page)).toEqual(['p', 'q'])
  })

  it('are dropped by a copy of the page, after 5 s, which has its own from then on', async () => {
    const outboxes = stored()
    const original = open({ sessionId: 's', outboxes }).open()
    await pass(10)
    const copy = open({ sessionId: 's', outboxes: copyOf(outboxes) }).open()
    copy.dispatch({ type: 'send', id: 'own', text: 'of the copy' })
    await pass(4_990)
    expect(waiting(copy)).toEqual(['p', 'q', 'own'])
    expect(unclaimed(copy)).toEqual(['p', 'q'])
    await pass(20)
    expect(waiting(copy)).toEqual(['own'])
    expect(unclaimed(copy)).toEqual([])
    expect(waiting(original)).toEqual(['p', 'q'])
    expect(unclaimed(original)).toEqual([])
  })

  it('of a copy are its own: a copy of that one drops them too', async () => {
    const outboxes = stored()
    open({ sessionId: 's', outboxes }).open()
    await pass(10)
    const outboxesOfCopy = copyOf(outboxes)
    const copy = open({ sessionId: 's', outboxes: outboxesOfCopy }).open()
    await pass(5_010)
    copy.dispatch({ type: 'send', id: 'own', text: 'of the copy' })
    copy.stored.saveOutbox(copy.state().outbox)
    const second = open({ sessionId: 's', outboxes: copyOf(outboxesOfCopy) }).open()
    await pass(5_010)
    expect(waiting(copy)).toEqual(['own'])
    expect(waiting(second)).toEqual([])
  })

  it('stay those of a page that is loaded anew, though the page before holds the lock for a moment', async () => {
    const outboxes = stored()
    const before = open({ sessionId: 's', outboxes }).open()
    await pass(10)
    const after = open({ sessionId: 's', outboxes: copyOf(outboxes) }).open()
    await pass(4_000)
    before.kill()
    await pass(10)
    expect(unclaimed(after)).toEqual([])
    expect(waiting(after)).toEqual(['p', 'q'])
  })

  it('are claimed anew by a page that was left, which may find that a copy has them', async () => {
    const outboxes = stored()
    const page = open({ sessionId: 's', outboxes }).open()
    await pass(10)
    page.dispatch({ type: 'suspend' })
    const copy = open({ sessionId: 's', outboxes: copyOf(outboxes) }).open()
    await pass(10)
    expect(waiting(copy)).toEqual(['p', 'q'])
    expect(unclaimed(copy)).toEqual([])
    page.dispatch({ type: 'wake' })
    await pass(5_010)
    expect(waiting(page)).toEqual([])
  })

  it('keep their locks when they are gone: a copy that comes back late sends none', async () => {
    const page = open({ sessionId: 's', outboxes: stored() }).open()
    await pass(10)
    page.dispatch({ type: 'discard', id: 'p' })
    const copy = vi.fn(() => undefined)
    void locks.forTab().locks.request(`${NAME}:message:p`, { signal: never }, copy)
    await pass(600_000)
    expect(copy).not.toHaveBeenCalled()
    page.dispatch({ type: 'suspend' })
    await pass(10)
    expect(copy).toHaveBeenCalled()
  })
  it('keep so many locks as a page needs: the oldest of 501 that is gone is given back', async () => {
    const page = open({ sessionId: 's' }).open()
    const [waits, first] = [vi.fn(() => undefined), vi.fn(() => undefined)]
    page.dispatch({ type: 'send', id: 'waits', text: 'x' })
    void locks.forTab().locks.request(`${NAME}:message:waits`, { signal: never }, waits)
    for (let count = 0; count < 500; count++) {
      page.dispatch({ type: 'send', id: `m${count}`, text: 'x' })
      page.dispatch({ type: 'discard', id: `m${count}` })
    }
    void locks.forTab().locks.request(`${NAME}:message:m0`, { signal: never }, first)
    const second = vi.fn(() => undefined)
    void locks.forTab().locks.request(`${NAME}:message:m1`, { signal: never }, second)
    await pass(10)
    expect(waits).not.toHaveBeenCalled()
    expect(first).toHaveBeenCalled()
    expect(second).not.toHaveBeenCalled()
  })

  it('are all kept where the browser denies locks', async () => {
    const page = open({ sessionId: 's', outboxes: stored(), share: { locks: DENIED } }).open()
    const copy = open({ sessionId: 's', outboxes: stored(), share: { locks: DENIED } }).open()
    await pass(60_000)
    for (const each of [page, copy]) {
      expect(waiting(each)).toEqual(['p', 'q'])
      expect(unclaimed(each)).toEqual([])
    }
  })
  it('are nobody else’s where the browser has no locks', () => {
    const page = open({ sessionId: 's', outboxes: stored(), share: { locks: undefined } })
    expect(unclaimed(page)).toEqual([])
  })
})

describe('a page that is left', () => {
  it.each<[string, (page: ReturnType<typeof open>) => void]>([
    ['frozen', ({ dispatch }) => dispatch({ type: 'suspend' })],
    ['disposed of', ({ session }) => session({ type: 'dispose' })],
  ])('gives all locks back, and hears nothing any more: %s', async (_, leave) => {
    const page = open().live('s')
    page.dispatch({ type: 'send', id: 'm', text: 'hi' })
    const [held, next] = [work(), work()]
    void page.tabs.alone(held.run, never)
    await pass(10)
    leave(page)
    void open().tabs.alone(next.run, never)
    await pass(10)
    expect(next.begun).toBe(1)
    const requested = vi.fn(() => undefined)
    await locks.forTab().locks.request(`${NAME}:message:m`, { signal: never }, requested)
    expect(requested).toHaveBeenCalled()
    bystander().postMessage({ type: 'signed out', from: 'x', mark: 'm' })
    await pass(10)
    expect(page.events.some(({ type }) => type === 'signed-out')).toBe(false)
    held.finish()
    next.finish()
  })

  it('ends its question at once, and hears the others again once it is back', async () => {
    const page = open().live('s')
    open().live('s')
    const answer = page.tabs.whoIsLive('s')
    page.dispatch({ type: 'suspend' })
    expect(await answer).toEqual([])
    page.dispatch({ type: 'wake' })
    await pass(10)
    const again = page.tabs.whoIsLive('s')
    await pass(300)
    expect(await again).toHaveLength(1)
  })
})

describe('who is connected', () => {
  const asked = async (page: ReturnType<typeof open>, session?: string) => {
    const answer = page.tabs.whoIsLive(session)
    let live: Awaited<typeof answer> | undefined
    void answer.then((given) => {
      live = given
    })
    await pass(299)
    expect(live).toBeUndefined()
    await pass(1)
    return live
  }

  it('is known after 300 ms: each tab that is live in the session', async () => {
    open().live('s')
    open().live('s').dispatch({ type: 'visible', visible: false })
    open().live('other')
    open({ sessionId: 's' }).open()
    open({ sessionId: 's' })
    const page = open({ sessionId: 's' }).open()
    await pass(1_000)
    expect(await asked(page, 's')).toEqual(['s', 's'])
  })

  it('includes no tab of another session that goes live during the question', async () => {
    const page = open({ sessionId: 's' }).open()
    await pass(1_000)
    const answer = page.tabs.whoIsLive('s')
    await pass(100)
    const other = open().live('other')
    other.tabs.whoIsLive(undefined)
    open({ sessionId: 'other' }).live('other').tabs.whoIsLive('other')
    await pass(200)
    expect(await answer).toEqual([])
  })

  it('includes a tab once, though it answers two questions', async () => {
    open().live('s')
    const pages = [open({ sessionId: 's' }).open(), open({ sessionId: 's' }).open()]
    await pass(1_000)
    const answers = pages.map(({ tabs }) => tabs.whoIsLive('s'))
    await pass(300)
    expect(await Promise.all(answers)).toEqual([['s'], ['s']])
  })

  it('is asked of all sessions by a page that has none', async () => {
    open().live('s')
    open().live('other')
    expect(await asked(open().open())).toEqual(['s', 'other'])
  })

  it('is nobody who answers later', async () => {
    const heard = channels.forTab()
    open({ share: { channel: heard.channel } }).live('s')
    const page = open({ sessionId: 's' }).open()
    await pass(10)
    heard.stall(true)
    expect(await asked(page, 's')).toEqual([])
    heard.stall(false)
    await pass(10)
    expect(await asked(page, 's')).toHaveLength(1)
  })

  it.each<[string, ShareTabs['channel']]>([
    [
      'denies the channel',
      () => {
        throw new DOMException('denied', 'SecurityError')
      },
    ],
  ])('is nobody, at once, where the browser %s', async (_, channel) => {
    const page = open({ sessionId: 's', share: { channel } }).open()
    expect(await page.tabs.whoIsLive('s')).toEqual([])
  })

  it('is nobody, at once, for a page that has no part in the tabs', async () => {
    open().live('s')
    expect(await open({ sessionId: 's' }).tabs.whoIsLive('s')).toEqual([])
  })
})

describe('a sign-out', () => {
  it('reaches the other tabs, also from a page that has no part in them', async () => {
    const [live, connecting] = [open().live('s'), open({ sessionId: 's' }).open()]
    const idle = open({ sessionId: 's' })
    idle.tabs.signOut('mark')
    await pass(10)
    for (const page of [live, connecting]) {
      expect(page.events).toContainEqual({ type: 'signed-out', mark: 'mark' })
      expect(page.state().session.name).toBe('ended')
    }
    bystander().postMessage({ type: 'signed out', from: 'x', mark: 'later' })
    await pass(10)
    expect(idle.events).toEqual([])
  })
  it('is told over the channel that is open, which stays so', async () => {
    const [one, other] = [open().live('s'), open().live('s')]
    one.tabs.signOut('mark')
    await pass(10)
    other.tabs.signOut('later')
    await pass(10)
    expect(one.events).toContainEqual({ type: 'signed-out', mark: 'later' })
    expect(other.events).toContainEqual({ type: 'signed-out', mark: 'mark' })
  })
})

describe('a sign-out that a tab slept through', () => {
  it('is told to it as it is back, before the answer to its question, with its age', async () => {
    const [one, other] = [open().live('s'), open().live('s')]
    other.dispatch({ type: 'suspend' })
    one.tabs.signOut('mark')
    one.dispatch({ type: 'signed-out', mark: 'mark' })
    await pass(5_000)
    expect(other.events).not.toContainEqual(expect.objectContaining({ type: 'signed-out' }))
    channels.said.length = 0
    other.dispatch({ type: 'wake' })
    await pass(10)
    expect(other.events).toContainEqual({ type: 'signed-out', mark: 'mark', ago: 5_001 })
    const said = channels.said.map((text) => (JSON.parse(text) as { type: string }).type)
    expect(said.slice(0, 2)).toEqual(['live?', 'signed out'])
  })

  it('is told again by each tab that heard of it, as old as it is', async () => {
    const [one] = [open().live('s'), open().live('s')]
    one.tabs.signOut('mark')
    await pass(1_000)
    one.kill()
    channels.said.length = 0
    bystander().postMessage({ type: 'live?', from: 'x', session: undefined })
    await pass(10)
    expect(said('signed out')).toEqual([{ type: 'signed out', from: 'tab-2', mark: 'mark', ago: 1_000 }])
  })
})

describe('what a tab says', () => {
  it('is which session it has entered, unless another tab has said so', async () => {
    const page = open().live('s')
    const other = open({ sessionId: 'older' }).open()
    await pass(10)
    expect(other.state().named).toEqual({ session: 'older' })
    page.hear(event('POLY_AGENT_MESSAGE', 2, { text: 'hi' }))
    page.dispatch({ type: 'restart' })
    page.enter('new')
    await pass(10)
    const named = { session: 'new', why: 'restarted' }
    expect(said('session').at(-1)).toEqual({ type: 'session', ...named, left: 's', from: 'tab-1' })
    expect(other.state().named).toMatchObject({ ...named, from: 's' })
    const { length } = said('session')
    other.enter('new')
    await pass(10)
    expect(said('session')).toHaveLength(length)
  })

  it('is that the visitor types, once a second', async () => {
    const page = open().live('s')
    const other = open().live('s')
    await pass(700)
    for (let key = 0; key < 10; key++) {
      page.dispatch({ type: 'typed' })
      await pass(100)
    }
    expect(said('active')).toHaveLength(2)
    expect(other.events.filter(({ type }) => type === 'active')).toEqual([
      { type: 'active', idleFor: 0 },
      { type: 'active', idleFor: 0 },
    ])
    const elsewhere = open().live('another')
    page.dispatch({ type: 'typed' })
    await pass(2_000)
    page.dispatch({ type: 'typed' })
    await pass(10)
    expect(elsewhere.events.some(({ type }) => type === 'active')).toBe(false)
  })

  it('is what the visitor has read, as the panel is shown', async () => {
    const page = open().live('s')
    const other = open().live('s')
    for (const { hear } of [page, other]) hear(event('POLY_AGENT_MESSAGE', 2, { text: 'hi' }))
    expect(other.state().unread).toBe(1)
    page.dispatch({ type: 'shown', shown: true })
    await pass(10)
    expect(said('read')).toContainEqual({ type: 'read', session: 's', sequence: 2, from: 'tab-1' })
    expect(other.state()).toMatchObject({ unread: 0, tabs: { readTo: 2 } })
  })
})

describe('a message on the channel', () => {
  const LONG = 'x'.repeat(201)
  const WRONG: [string, unknown][] = [
    ['a session, for a reason that is none', { type: 'session', from: 'x', session: 'b', why: 'boredom' }],
    ['a form that every object has', { type: 'constructor', from: 'x' }],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'signed out'],
    ['without a type', { from: 'x', session: 'b' }],
    ['of an unknown type', { type: 'lease', from: 'x', session: 'b' }],
    ['from nobody', { type: 'session', session: 'b' }],
    ['from an empty name', { type: 'session', from: '', session: 'b' }],
    ['from a name that is no text', { type: 'session', from: 5, session: 'b' }],
    ['from a name that is too long', { type: 'session', from: LONG, session: 'b' }],
    ['of a session without a name', { type: 'session', from: 'x' }],
    ['of a session with an empty name', { type: 'session', from: 'x', session: '' }],
    ['of a session with a name that is too long', { type: 'session', from: 'x', session: LONG }],
    ['of a session with a name that is no text', { type: 'session', from: 'x', session: ['b'] }],
    ['of an activity in the future', { type: 'active', from: 'x', session: 's', rested: -1 }],
    ['of an activity without a time', { type: 'active', from: 'x', session: 's' }],
    ['of an activity in no session', { type: 'active', from: 'x', rested: 5 }],
    ['of a negative sequence', { type: 'read', from: 'x', session: 's', sequence: -1 }],
    ['of no number', { type: 'read', from: 'x', session: 's', sequence: Number.NaN }],
    ['of a number that is a text', { type: 'read', from: 'x', session: 's', sequence: '4' }],
    ['of a number that is too large', { type: 'read', from: 'x', session: 's', sequence: 2 ** 53 }],
    ['of a sign-out without a mark', { type: 'signed out', from: 'x' }],
    ['of a sign-out with a mark that is too long', { type: 'signed out', from: 'x', mark: LONG }],
    ['of a tab in no session', { type: 'live', from: 'x' }],
    ['that asks about no name', { type: 'live?', from: 'x', session: 5 }],
    ['that asks for a socket, as an earlier release did', { type: 'give', from: 'x', to: 'tab-1' }],
    ['of this tab itself', { type: 'session', from: 'tab-1', session: 'b' }],
  ]
  it.each(WRONG)('changes nothing, and is not answered: %s', async (_, message) => {
    const page = open().live('s')
    await pass(10)
    const before = page.state()
    const { length } = channels.said
    // JSON has no way to say NaN.
    const heard = channels.forTab().channel(NAME)
    heard.postMessage(message === undefined ? null : message)
    await pass(10)
    expect(page.events).toEqual([])
    expect(page.state()).toBe(before)
    expect(channels.said).toHaveLength(length + 1)
  })

  const RIGHT: [string, object, Event][] = [
    [
      'a session',
      { type: 'session', session: 'b', why: 'lost' },
      { type: 'named', session: 'b', why: 'lost' },
    ],
    ['an activity', { type: 'active', session: 's', rested: 5 }, { type: 'active', idleFor: 5 }],
    [
      'what was read',
      { type: 'read', session: 's', sequence: 0 },
      { type: 'read', session: 's', sequence: 0 },
    ],
    ['a sign-out', { type: 'signed out', mark: 'm' }, { type: 'signed-out', mark: 'm' }],
    [
      'a name of 200 characters',
      { type: 'session', session: 'x'.repeat(200) },
      { type: 'named', session: 'x'.repeat(200), why: undefined },
    ],
  ]
  it.each(RIGHT)('is heard: %s', async (_, message, event) => {
    const page = open().live('s')
    bystander().postMessage({ from: 'x', ...message })
    await pass(10)
    expect(page.events).toEqual([event])
  })
  it('is answered where it asks about the session of this tab, or about any', async () => {
    open().live('s')
    await pass(10)
    const { length } = said('live')
    const ask = bystander()
    for (const session of ['s', undefined, 'other']) ask.postMessage({ type: 'live?', from: 'x', session })
    await pass(10)
    expect(said('live')).toHaveLength(length + 2)
  })
})
