// Tabs that get no socket: with the engine of each, the lock and the channel between them, and a service that turns new sockets away. And
// the effect alone, whose questions are answered by hand.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Access } from '../../../src/chat/access/access.ts'
import { AccessError } from '../../../src/chat/access/request.ts'
import { enterEffect } from '../../../src/chat/effects/enter.ts'
import { newItem } from '../../../src/chat/outbox/items.ts'
import type { Event } from '../../../src/chat/state/events.ts'
import { inConversation, initialState, type State } from '../../../src/chat/state/state.ts'
import { createBrowser, screenOf } from '../browser.ts'
import { createService, pass } from '../service.ts'

let service: ReturnType<typeof createService>
let browser: ReturnType<typeof createBrowser>
beforeEach(() => {
  vi.useFakeTimers()
  service = createService()
  browser = createBrowser(service)
})
afterEach(() => {
  browser.dispose()
  vi.useRealTimers()
})

async function live(count: number) {
  const tabs = Array.from({ length: count }, () => browser.openTab())
  for (const { chat } of tabs) {
    chat.open()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
  }
  expect(service.sessions.size).toBe(1)
  return tabs
}
type Tab = ReturnType<typeof browser.openTab>
const cut = (tab: Tab | undefined) => {
  for (const socket of tab?.sockets() ?? []) socket.end(1006)
}

describe.each(['truthful', 'none'] as const)('where the service tells how a session stands: %s', (status) => {
  beforeEach(() => {
    service.faults.status = status
  })

  it('a tab that is refused tries on while another one is live in its session', async () => {
    const [, tab] = await live(2)
    service.faults.refuseSockets = true
    cut(tab)
    await pass(40_000)
    expect(tab?.chat.status.value).toBe('reconnecting')
    service.faults.refuseSockets = false
    await pass(15_000)
    expect(tab?.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })

  it('after a minute it says so, makes no other session, and is back half a minute after there is a socket again', async () => {
    const [first, tab] = await live(2)
    service.faults.refuseSockets = true
    cut(tab)
    tab?.chat.send('late')
    await pass(120_000)
    expect(tab?.chat.status.value).toBe('unavailable')
    service.faults.refuseSockets = false
    await pass(31_000)
    expect([tab, first].map((each) => each?.chat.status.value)).toEqual(['live', 'live'])
    expect(service.sessions.size).toBe(1)
    expect(service.stored(service.last())).toEqual(['late'])
  })

  it('an eleventh tab says so after three refusals, since the others have all sockets, and tries again for its visitor', async () => {
    const [first] = await live(10)
    service.faults.refuseSockets = true
    const { chat } = browser.openTab()
    chat.open()
    await pass(10_000)
    expect(chat.status.value).toBe('unavailable')
    first?.chat.dispose()
    service.faults.refuseSockets = false
    chat.open()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })
})

describe('a tab whose token is lost while another one is live', () => {
  it('makes no other session by itself, and one for a visitor who tries again', async () => {
    await live(1)
    service.faults.noCookie = true
    const { chat } = browser.openTab()
    chat.open()
    await pass(10_000)
    expect(chat.status.value).toBe('unavailable')
    expect(service.sessions.size).toBe(1)
    chat.open()
    await pass(1_000)
    expect(chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(2)
  })
})

it('a tab that can read no store asks the others, and joins the session of one that is live', async () => {
  await live(1)
  const { chat } = browser.openTab({ sessionStore: { get: () => undefined, set() {}, remove() {} } })
  chat.open()
  await pass(2_000)
  expect(chat.status.value).toBe('live')
  expect(service.sessions.size).toBe(1)
})

describe('a tab that was never visible', () => {
  function background() {
    const tab = browser.openTab()
    tab.chat.setVisible(false)
    tab.chat.open()
    return tab
  }
  it('opens no socket while another tab is live, and does so as soon as it is seen', async () => {
    await live(1)
    const tab = background()
    await pass(60_000)
    expect(tab.sockets()).toHaveLength(0)
    tab.chat.setVisible(true)
    await pass(1_000)
    expect(tab.chat.status.value).toBe('live')
    expect(service.sessions.size).toBe(1)
  })
  it('has its socket where it is the only one', async () => {
    const tab = background()
    await pass(1_000)
    expect(tab.chat.status.value).toBe('live')
  })
  it('has one where something is to be sent from it', async () => {
    await live(1)
    const tab = background()
    tab.chat.send('from behind')
    await pass(2_000)
    expect(service.stored(service.last())).toEqual(['from behind'])
  })
  it('keeps its socket when it is hidden again, however long', async () => {
    const [, tab] = await live(2)
    tab?.chat.setVisible(false)
    await pass(500_000)
    expect(tab?.sockets()).toHaveLength(1)
  })
})

it('tabs whose session is refused for long ask for another one after the other: one is made, in which all go on', async () => {
  service.faults.status = 'none'
  const tabs = await live(3)
  service.last().gone = true
  service.drop()
  await pass(180_000)
  expect(service.sessions.size).toBe(2)
  for (const { chat } of tabs) expect(chat.sessionId.value).toBe(service.last().id)
  tabs[0]?.chat.send('Is it you?')
  await pass(1_000)
  for (const { chat } of tabs) expect(screenOf(chat)).toContain('visitor: Is it you?')
})

it('a background tab that is looked at while it asks who is live connects', async () => {
  await live(1)
  const tab = browser.openTab()
  tab.chat.setVisible(false)
  tab.chat.open()
  await pass(100)
  tab.chat.setVisible(true)
  await pass(60_000)
  expect(tab.chat.status.value).toBe('live')
})

it('a tab that is seen asks no other tab before it connects, since that takes 300 ms', async () => {
  await live(1)
  const tab = browser.openTab()
  tab.chat.open()
  await pass(290)
  expect(tab.sockets()).toHaveLength(1)
})

/** The effect alone. `holds`: the question that is answered only by `answer`; `told`: called with each event of the effect. */
function byHand({
  holds,
  state: changes = {},
  session: given = {},
  named = () => undefined,
  works = true,
  hasStatus = false,
  told = () => {},
}: {
  holds?: string
  state?: Partial<State>
  session?: object
  named?: () => string | undefined
  works?: boolean
  hasStatus?: boolean
  told?: (event: Event) => void
}) {
  const tally = { fails: 0, refusals: 0, waited: 0, refusedFor: 0, unopened: 0, denials: 0 }
  const session = { name: 'entering', sessionId: 'own', run: 1, ...tally, ...given } as State['session']
  const state: State = { ...initialState(0, { sessionId: 'own', shared: true }), ...changes, session }
  /** What was asked and told, in order. */
  const log: string[] = []
  let answer = (_?: Error) => {}
  const ask = <T>(what: string, answered: T): Promise<T> => {
    log.push(what)
    if (what !== holds) return Promise.resolve(answered)
    return new Promise((resolve, reject) => {
      answer = (error) => (error ? reject(error) : resolve(answered))
    })
  }
  const entered: Parameters<Access['enter']>[] = []
  const effect = enterEffect({
    loop: {
      state: { peek: () => state },
      dispatch(event: Event) {
        log.push(event.type === 'session' ? event.event.type : event.type)
        told(event)
      },
    },
    access: {
      holds: (id: string) => id === 'own',
      statusOf: () => ask('status', 'active'),
      enter(...request: Parameters<Access['enter']>) {
        entered.push(request)
        const named = holds === 'named' ? ask('named', undefined) : Promise.resolve()
        return ask('enter', { sessionId: 'own', resumed: true, fresh: false, named })
      },
    },
    storing: {
      named: () => {
        const id = named()
        return id === undefined ? undefined : { session: id }
      },
      works: () => works,
      hasStatus: () => hasStatus,
      readAgain: () => log.push('store'),
    },
    tabs: {
      whoIsLive: (id: string | undefined) => ask(id === undefined ? 'any tab' : 'tabs', []),
      alone: (work: () => Promise<void>) =>
        ask('lock', undefined)
          .then(work)
          .finally(() => log.push('unlocked')),
    },
    tell: ({ type }: { type: string }) => log.push(`page: ${type}`),
    note() {},
  } as unknown as Parameters<typeof enterEffect>[0])
  const move = (to: State['session']) => effect(state, { ...state, session: to })
  move(session)
  return {
    log,
    entered,
    leave: () => move({ name: 'ended', reason: 'REASON_USER_END', run: 2 }),
    enterAnew: () => move({ ...session, run: 2 } as State['session']),
    answer: (error?: Error) => answer(error),
  }
}

const REFUSED = { refusals: 3 }
/** A page that nobody has looked at. */
const UNSEEN = { visible: false }
const NO_SESSION = { sessionId: undefined, named: undefined }
/** A page of a visitor who acts, to which another session is named. */
const OTHER = { named: () => 'other', session: { follows: true } }

describe('a session that is left while', () => {
  it.each<[string, Parameters<typeof byHand>[0]]>([
    ['the tabs are asked who is live in it', { holds: 'tabs', session: REFUSED, hasStatus: true }],
    ['the service is asked how it stands', { holds: 'status', session: REFUSED, hasStatus: true }],
    ['another tab has the lock', { holds: 'lock', state: UNSEEN }],
    ['an unseen page asks whether any tab is live', { holds: 'any tab', state: UNSEEN }],
    [
      'a page without a store asks for the session of any tab',
      { holds: 'any tab', state: NO_SESSION, session: { sessionId: undefined }, works: false },
    ],
    ['it is entered', { holds: 'enter' }],
  ])('%s has nothing more done for it', async (_, given) => {
    const [stays, goes] = [byHand(given), byHand(given)]
    await pass(0)
    expect(goes.log.at(-1)).toBe(given.holds)
    const before = goes.log.length
    goes.leave()
    for (const each of [stays, goes]) each.answer()
    await pass(0)
    expect(stays.log.slice(before)).toContain('entered')
    // What other tabs have stored is read all the same.
    expect(goes.log.slice(before).filter((each) => each !== 'store' && each !== 'unlocked')).toEqual([])
  })

  it.each<[string, Error]>([
    ['refused', new AccessError('answered 403', { refused: true })],
    ['failed', new TypeError('a fault')],
  ])('it is entered is not said to be %s', async (kind, error) => {
    const [stays, goes] = [byHand({ holds: 'enter' }), byHand({ holds: 'enter' })]
    goes.leave()
    for (const each of [stays, goes]) each.answer(error)
    await pass(0)
    expect(stays.log).toContain(kind)
    expect(goes.log).toEqual(['enter'])
  })

  it('it is entered is given up for the attempt that follows', async () => {
    const page = byHand({ holds: 'enter' })
    page.enterAnew()
    await pass(0)
    expect(page.entered.map(([, , signal]) => signal.aborted)).toEqual([true, false])
  })

  it('the engine hears how it stands has nothing more done for it', async () => {
    const page = byHand({
      ...OTHER,
      session: { ...REFUSED, follows: true },
      hasStatus: true,
      told: (event) => event.type === 'session' && event.event.type === 'told' && page.leave(),
    })
    await pass(0)
    expect(page.log).toEqual(['tabs', 'status', 'told'])
  })
})

describe('the session that is entered', () => {
  it('is chosen once there is the lock: another tab may have made it meanwhile', async () => {
    let named: string | undefined = 'before'
    const page = byHand({ holds: 'lock', named: () => named, session: { follows: true } })
    await pass(0)
    named = 'meanwhile'
    page.answer()
    await pass(0)
    const [target, , , others] = page.entered[0] ?? []
    expect(target).toBe('meanwhile')
    expect(others?.isLate()).toBe(false)
  })

  it.each<[string, string, Partial<State>]>([
    ['where nothing is open', 'other', {}],
    ['where a message is on its way in the own one', 'own', { outbox: [sentIn('own')] }],
    ['where a message is on its way in an earlier one', 'other', { outbox: [sentIn('earlier')] }],
    ['where events are missing', 'own', missing({ gap: { after: 1, since: 0, seen: new Set() } })],
    ['where a chunk is missing', 'own', missing({ missingChunk: { key: 'k', after: 1, since: 0 } })],
  ])('is, %s, the %s one', async (_, target, state) => {
    const page = byHand({ ...OTHER, state })
    await pass(0)
    expect(page.entered[0]?.[0]).toBe(target)
  })

  it.each<[string | undefined, string | undefined, boolean]>([
    ['before', 'before', false],
    ['before', 'after', true],
    [undefined, 'after', true],
    [undefined, undefined, false],
    // The visitor has signed out there.
    ['before', undefined, false],
  ])('comes late where the store named %s and names %s now: %s', async (before, after, isLate) => {
    let named = before
    const page = byHand({ named: () => named })
    await pass(0)
    named = after
    expect(page.entered[0]?.[3]?.isLate()).toBe(isLate)
  })

  it.each<[string, string[], Parameters<typeof byHand>[0]]>([
    ['of no other tab about a session that is not refused for long', ['enter'], { session: { refusals: 2 } }],
    [
      'of no other tab about a session that has ended',
      ['enter'],
      { session: { refusals: 3, endReason: { expired: false, reason: 'REASON_NATURAL_END' } } },
    ],
    [
      'of no other tab by a page that is hidden and was seen',
      ['enter'],
      { state: { visible: false, tabs: { ...initialState(0).tabs, shared: true, seen: true } } },
    ],
    ['of the other tabs by one that nobody has seen', ['lock', 'any tab', 'enter'], { state: UNSEEN }],
  ])('is asked %s', async (_, questions, given) => {
    const page = byHand({ ...given, holds: 'enter' })
    await pass(0)
    expect(page.log).toEqual(questions)
  })

  it('keeps the lock until the BFF knows it: another tab would get a token without it', async () => {
    const page = byHand({ ...OTHER, holds: 'named' })
    await pass(0)
    expect(page.log).toContain('entered')
    expect(page.log).not.toContain('unlocked')
    page.answer()
    await pass(0)
    expect(page.log.at(-1)).toBe('unlocked')
  })

  it('is told once the store was read again, for a tab without a channel', async () => {
    const page = byHand({})
    await pass(0)
    expect(page.log).toEqual(['enter', 'store', 'entered', 'page: session'])
  })
})

function sentIn(session: string): State['outbox'][number] {
  return { ...newItem('m', 'hi', 0, session), state: 'sent' }
}
function missing(what: Partial<State['conversation']['log']>): Partial<State> {
  const state = initialState(0)
  return { conversation: inConversation(state, { log: { ...state.conversation.log, ...what } }).conversation }
}
