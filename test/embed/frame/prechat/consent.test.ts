// What stands before a chat: that nothing of it is begun before consent, who can give consent, and what a withdrawal leaves.

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { memoryStore } from '../../../../src/chat/index.ts'
import type { ToPage } from '../../../../src/embed/channel.ts'
import { openPanel } from '../../../../src/embed/frame/panel.ts'
import { createConsent } from '../../../../src/embed/frame/prechat/consent.ts'
import { openOn } from '../open-panel.ts'

let undo: (() => void) | undefined
let requests: string[]
let bodies: string[]
/** Messages between page and panel. */
let traffic: { byPage: number; heardByPanel: number; byPanel: number; heardByPage: number }
let sockets: string[]
let said: ToPage[]
let port: MessagePort
/** Has the panel hear a message at once, so that another can follow before anything is loaded for it. */
let hear: (message: object) => void
let stores: string[]
/** What the BFF's configuration says, where the panel asks for it again. */
let configuration: object
/** What the answer to a DELETE waits for. */
let held: Promise<void> | undefined
const container = () => document.querySelector('#panel') as HTMLElement
const button = (name: string) =>
  [...container().querySelectorAll('button')].find((each) => each.textContent === name)
/** What is stored besides the mark of a sign-out, by which other tabs drop what they keep. */
const left = () =>
  Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => key !== 'foyer::signed-out')
const facts = () => said.flatMap((each) => (each.type === 'fact' ? [[each.name, each.detail]] : []))

beforeEach(() => {
  requests = []
  bodies = []
  sockets = []
  said = []
  stores = []
  held = undefined
  configuration = {}
  document.body.innerHTML = '<div id="panel"></div>'
  vi.stubGlobal('fetch', async (given: string | URL, init: RequestInit = {}) => {
    // As a browser's: what was given up is not sent.
    init.signal?.throwIfAborted()
    const url = String(given)
    requests.push(`${init.method ?? 'GET'} ${url}`)
    bodies.push(String(init.body))
    if (init.method === 'DELETE') await held
    if (url.endsWith('/config')) return Response.json(configuration)
    return url.endsWith('access-token')
      ? Response.json({
          access_token: 'token',
          expires_in: 3600,
          token_type: 'Bearer',
          resumed: false,
          chat_url: 'https://chat.example.com',
        })
      : Response.json({ session_id: 'session-1' })
  })
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      static readonly CONNECTING = 0
      static readonly OPEN = 1
      static readonly CLOSING = 2
      static readonly CLOSED = 3
      readyState = 0
      constructor(url: string) {
        super()
        sockets.push(url)
      }
      close() {}
      send() {}
    },
  )
  const set = Storage.prototype.setItem
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    stores.push(key)
    set.call(this, key, value)
  })
})
afterEach(() => {
  undo?.()
  undo = undefined
  localStorage.clear()
  sessionStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open(
  start: object,
  consentRequired = false,
  expose: 'none' | 'messages' = 'none',
  off = false,
) {
  prepare(start, consentRequired, expose, off)
  port.postMessage({ type: 'show', shown: true, focus: true })
  await vi.waitFor(() => expect(said).toContainEqual({ type: 'ready' }))
}
/** The panel before anybody opens it. */
function prepare(start: object, consentRequired = false, expose: 'none' | 'messages' = 'none', off = false) {
  const channel = new MessageChannel()
  port = channel.port1
  const now = { byPage: 0, heardByPanel: 0, byPanel: 0, heardByPage: 0 }
  traffic = now
  count(channel.port1, () => now.byPage++)
  count(channel.port2, () => now.byPanel++)
  channel.port2.addEventListener('message', () => now.heardByPanel++)
  port.onmessage = ({ data }) => {
    said.push(data)
    now.heardByPage++
  }
  // The last words of a panel would be taken for those of the next test's.
  onTestFinished(() => {
    channel.port1.onmessage = null
  })
  const listening = vi.spyOn(channel.port2, 'addEventListener')
  undo = openOn(openPanel, channel.port2, {
    root: document,
    container: container(),
    start,
    origin: 'https://chat.example.com',
    expose,

    consentRequired,
    off,
  })
  const [[, listener] = []] = listening.mock.calls
  hear = (data) => (listener as unknown as (event: object) => void)({ data })
}
/** Calls back with each message that the port sends. */
function count(of: MessagePort, sent: () => void): void {
  const post = of.postMessage.bind(of) as (message: unknown) => void
  of.postMessage = (message: unknown) => {
    sent()
    post(message)
  }
}
/** Holds the answer to each DELETE. Returns what lets it go. */
function hold(): () => void {
  let release = () => {}
  held = new Promise((resolve) => {
    release = resolve
  })
  return () => release()
}
/** Resolves once page and panel have heard all that was said, and nothing is loading that follows from it. */
async function arrive() {
  let before: string
  do {
    before = JSON.stringify([traffic, requests])
    await vi.waitFor(() =>
      expect([traffic.heardByPanel, traffic.heardByPage]).toEqual([traffic.byPage, traffic.byPanel]),
    )
    await vi.dynamicImportSettled()
    await new Promise((resolve) => setTimeout(resolve))
  } while (JSON.stringify([traffic, requests]) !== before)
}

it('consent is not asked for where nobody requires it, and the chat begins at once', async () => {
  await open({})
  await vi.waitFor(() => expect(requests).not.toEqual([]))
  expect(stores).not.toContain('foyer::consent')
})

describe('before the panel is shown', () => {
  it.each([
    ['a chat with lines of the site', { greeting: 'Hello', agentName: 'Fern' }, false],
    ['a form', { form: JSON.stringify([{ label: 'Name' }]) }, false],
    ['the gate of the BFF', {}, true],
  ])('%s is drawn, and asks, stores and says nothing', async (_, start, byBff) => {
    localStorage.setItem('foyer::session', JSON.stringify({ id: 'session-0', at: Date.now() - 48 * 3600e3 }))
    sessionStorage.setItem('foyer::draft', 'undefined half a message')
    stores = []
    const removed = vi.spyOn(Storage.prototype, 'removeItem')
    const before = JSON.stringify([localStorage, sessionStorage])
    prepare(start, byBff)
    await vi.waitFor(() => expect(said).toContainEqual({ type: 'ready' }))
    for (const type of ['focus', 'online', 'pageshow']) window.dispatchEvent(new Event(type))
    document.dispatchEvent(new Event('resume'))
    await arrive()
    expect([requests, sockets, stores, removed.mock.calls]).toEqual([[], [], [], []])
    expect(JSON.stringify([localStorage, sessionStorage])).toBe(before)
    expect(said).toEqual([{ type: 'ready' }])
    expect(document.activeElement).toBe(document.body)
    expect(container().querySelector('[role="dialog"]')).not.toBeNull()
  })

  it('what was being written comes back once, and leaves the storage as the panel is shown', async () => {
    sessionStorage.setItem('foyer::draft', 'undefined half a message')
    prepare({})
    await vi.waitFor(() => expect(container().querySelector('textarea')?.value).toBe('half a message'))
    port.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(requests).not.toEqual([]))
    expect(sessionStorage.getItem('foyer::draft')).toBeNull()
    expect(container().querySelector('textarea')?.value).toBe('half a message')
  })

  it('a message of the page begins the chat that is shown, however late that is', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 10) })
    onTestFinished(() => void vi.useRealTimers())
    localStorage.setItem('foyer::session', JSON.stringify({ id: 'session-0', at: Date.now() - 60_000 }))
    prepare({ form: JSON.stringify([{ label: 'Name' }]) })
    await vi.waitFor(() => expect(said).toContainEqual({ type: 'ready' }))
    port.postMessage({ type: 'send', text: 'hello' })
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    const field = container().querySelector('textarea')
    vi.setSystemTime(Date.UTC(2026, 0, 5, 10, 1))
    port.postMessage({ type: 'show', shown: true, focus: true })
    await arrive()
    expect(container().querySelector('textarea')).toBe(field)
    expect(sockets).toHaveLength(1)
  })

  it('no consent is asked for that was given in another tab meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 10) })
    onTestFinished(() => void vi.useRealTimers())
    prepare({}, true)
    await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
    localStorage.setItem('foyer::consent', new Date().toISOString())
    vi.setSystemTime(Date.UTC(2026, 0, 5, 10, 5))
    port.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(button('Agree and chat')).toBeUndefined())
  })

  it('an office that closes meanwhile begins no new chat', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 16, 59) })
    prepare({ hours: 'Mon 09:00-17:00', timeZone: 'UTC', outsideHours: 'closed' })
    await vi.waitFor(() => expect(said).toContainEqual({ type: 'ready' }))
    vi.setSystemTime(Date.UTC(2026, 0, 5, 17, 30))
    port.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    await arrive()
    expect(requests).toEqual([])
    expect(container().querySelectorAll('[role="dialog"]')).toHaveLength(1)
    vi.useRealTimers()
  })

  it('a chat that another tab begins meanwhile is continued, and no form stands before it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 10) })
    prepare({ form: JSON.stringify([{ label: 'Name' }]) })
    await vi.waitFor(() => expect(button('Start chat')).toBeDefined())
    vi.setSystemTime(Date.UTC(2026, 0, 5, 10, 5))
    localStorage.setItem('foyer::session', JSON.stringify({ id: 'session-2', at: Date.now() }))
    port.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(requests).not.toEqual([]))
    await vi.waitFor(() => expect(button('Start chat')).toBeUndefined())
    expect(container().querySelectorAll('[role="dialog"]')).toHaveLength(1)
    expect(container().querySelector('textarea')).not.toBeNull()
    vi.useRealTimers()
  })
})

it('where the page withdraws consent, the chat ends, and nothing of it can be used while the BFF has not answered yet', async () => {
  await open({ consent: 'required' })
  expect(stores).toEqual([])
  button('Agree and chat')?.click()
  expect(stores[0]).toBe('foyer::consent')
  await vi.waitFor(() => expect(localStorage.getItem('foyer::session')).not.toBeNull())
  const resolve = hold()
  requests = []
  port.postMessage({ type: 'looks', looks: { consent: 'refused' } })
  await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
  expect(container().querySelectorAll('[role="dialog"]')).toHaveLength(1)
  expect(container().querySelector('textarea')).toBeNull()
  expect(button('Start a new chat')).toBeUndefined()
  await arrive()
  expect(requests).toEqual(['DELETE https://chat.example.com/foyer/access-token'])
  expect(said).toContainEqual({ type: 'live', live: false })
  resolve()
  await vi.waitFor(() => expect(left()).toEqual([]))
  await arrive()
  expect(facts().filter(([name]) => name === 'consent')).toEqual([
    ['consent', { given: true }],
    ['consent', { given: false }],
  ])
})

it('consent that is given again while the chat before it still ends stays, and a new chat begins after that', async () => {
  await open({ consent: 'required' })
  button('Agree and chat')?.click()
  await vi.waitFor(() => expect(localStorage.getItem('foyer::session')).not.toBeNull())
  localStorage.setItem('foyer::sound', 'on')
  const first = hold()
  port.postMessage({ type: 'looks', looks: { consent: 'refused' } })
  await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
  button('Agree and chat')?.click()
  await arrive()
  const second = hold()
  port.postMessage({ type: 'looks', looks: { consent: 'required' } })
  port.postMessage({ type: 'looks', looks: { consent: 'refused' } })
  await arrive()
  button('Agree and chat')?.click()
  requests = []
  first()
  await arrive()
  expect(requests).toEqual([])
  second()
  await vi.waitFor(() => expect(requests).toContain('POST https://chat.example.com/foyer/access-token'))
  expect(localStorage.getItem('foyer::consent')).not.toBeNull()
  expect(localStorage.getItem('foyer::sound')).toBeNull()
})

it('where another tab withdraws consent, what that tab begins anew is not forgotten here', async () => {
  await open({ consent: 'required' })
  button('Agree and chat')?.click()
  await vi.waitFor(() => expect(localStorage.getItem('foyer::session')).not.toBeNull())
  sessionStorage.setItem('foyer::old', 'of this tab')
  const release = hold()
  localStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: 'foyer::consent', newValue: null }))
  await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
  localStorage.setItem('foyer::consent', 'again')
  localStorage.setItem('foyer::session', 'of the other tab')
  release()
  await vi.waitFor(() => expect({ ...sessionStorage }).toEqual({}))
  expect(localStorage.getItem('foyer::consent')).toBe('again')
  expect(localStorage.getItem('foyer::session')).toBe('of the other tab')
})

it('where consent is withdrawn before the chat is opened, a conversation of an earlier page is forgotten too', async () => {
  localStorage.setItem('foyer::session', JSON.stringify({ id: 'old', at: Date.now() }))
  await open({ consent: 'refused' })
  await vi.waitFor(() => expect(requests).toEqual(['DELETE https://chat.example.com/foyer/access-token']))
  await vi.waitFor(() => expect(left()).toEqual([]))
  expect(button('Agree and chat')).toBeDefined()
})

it('a logout before the chat forgets at once what is kept, and does not reach the chat that follows', async () => {
  localStorage.setItem('foyer::session', JSON.stringify({ id: 'old', at: Date.now() }))
  await open({ consent: 'required' })
  port.postMessage({ type: 'send', text: 'of the one before' })
  const release = hold()
  port.postMessage({ type: 'logout' })
  port.postMessage({ type: 'end' })
  port.postMessage({ type: 'restart' })
  await vi.waitFor(() => expect(requests).toEqual(['DELETE https://chat.example.com/foyer/access-token']))
  expect(localStorage.getItem('foyer::session')).toBeNull()
  await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
  button('Agree and chat')?.click()
  await arrive()
  expect(requests).toHaveLength(1)
  release()
  await vi.waitFor(() => expect(sockets).toHaveLength(1))
  await arrive()
  expect(requests.filter((each) => each.startsWith('DELETE'))).toHaveLength(1)
  expect(requests.filter((each) => each.endsWith('access-token'))).toHaveLength(2)
  expect(container().textContent).not.toContain('of the one before')
})

it('a logout at a form empties it, and contacts nobody where nothing is kept', async () => {
  await open({ form: JSON.stringify([{ label: 'Name' }]) })
  const field = () => container().querySelector('input') as HTMLInputElement
  const before = field()
  port.postMessage({ type: 'logout' })
  await vi.waitFor(() => expect(field() && field() !== before).toBe(true))
  expect([requests, stores]).toEqual([[], []])
})

it('a refusal on the next page contacts nobody: the mark of the sign-out alone is nothing that is kept', async () => {
  localStorage.setItem('foyer::signed-out', 'earlier')
  stores = []
  await open({ consent: 'refused' })
  await arrive()
  expect([requests, stores]).toEqual([[], []])
})

it('where another tab withdraws consent, the chat of this one ends', async () => {
  await open({ consent: 'required' })
  button('Agree and chat')?.click()
  await vi.waitFor(() => expect(requests).not.toEqual([]))
  // The page repeats what it heard.
  port.postMessage({ type: 'looks', looks: { consent: 'given' } })
  await arrive()
  localStorage.removeItem('foyer::consent')
  window.dispatchEvent(new StorageEvent('storage', { key: 'foyer::consent', newValue: null }))
  await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
})

it.each([
  ['that of a cleared storage', () => window.dispatchEvent(new StorageEvent('storage', { key: null }))],
  ['that of a tab that wakes', () => window.dispatchEvent(new Event('pageshow'))],
])(
  'consent that was given in another tab and is gone there does not hold here either, by an event that names no key: %s',
  async (_, tell) => {
    const store = memoryStore()
    const onWithdrawn = vi.fn()
    const consent = createConsent(store, true, 'required')
    const stop = consent.watch('foyer::', onWithdrawn)
    expect(consent.holds()).toBe(false)
    store.set('consent', 'in another tab')
    tell()
    expect(onWithdrawn).not.toHaveBeenCalled()
    expect(consent.holds()).toBe(true)
    store.remove('consent')
    tell()
    expect(onWithdrawn).toHaveBeenCalledOnce()
    expect(consent.holds()).toBe(false)
    stop()
  },
)

it.each(['resume', 'visibilitychange'])(
  'where consent was withdrawn while this tab slept, its chat ends at `%s`, before it wakes',
  async (type) => {
    await open({ consent: 'required' })
    button('Agree and chat')?.click()
    await vi.waitFor(() => expect(localStorage.getItem('foyer::session')).not.toBeNull())
    port.postMessage({ type: 'looks', looks: { consent: 'given' } })
    await arrive()
    document.dispatchEvent(new Event('freeze'))
    localStorage.clear()
    requests = []
    document.dispatchEvent(new Event(type, { bubbles: type === 'visibilitychange' }))
    expect(requests).toEqual(['DELETE https://chat.example.com/foyer/access-token'])
    await vi.waitFor(() => expect(button('Agree and chat')).toBeDefined())
    expect(requests).toHaveLength(1)
  },
)

it('a tab that wakes withdraws no consent that was never recorded', async () => {
  const onWithdrawn = vi.fn()
  const nowhere = { get: () => undefined, set() {}, remove() {} }
  const pressed = createConsent(nowhere, true, 'required')
  pressed.give()
  const undoes = [
    pressed.watch('foyer::', onWithdrawn),
    createConsent(memoryStore(), false, 'given').watch('foyer::', onWithdrawn),
    createConsent(memoryStore(), false, undefined).watch('foyer::', onWithdrawn),
  ]
  window.dispatchEvent(new Event('pageshow'))
  expect(onWithdrawn).not.toHaveBeenCalled()
  expect(pressed.holds()).toBe(true)
  for (const each of undoes) each()
})

it('consent that the page gives while the question is still on its way begins the chat', async () => {
  const opening = open({ consent: 'required' })
  port.postMessage({ type: 'looks', looks: { consent: 'given' } })
  await opening
  await vi.waitFor(() => expect(container().querySelector('textarea')).not.toBeNull())
  expect(button('Agree and chat')).toBeUndefined()
})

it('the panel asks in English where the page’s language is none', async () => {
  await open({ consent: 'required', locale: 'en_US' })
  expect(button('Agree and chat')).toBeDefined()
  expect(container().querySelector('.foyer')?.getAttribute('lang')).toBe('en')
  undo?.()
  said = []
  container().replaceChildren()
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][(new Date().getUTCDay() + 3) % 7]
  await open({ hours: `${day} 09:00-10:00`, timeZone: 'UTC', outsideHours: 'closed', locale: 'en_US' })
  expect(container().textContent).toMatch(/We’re back on \w+day/)
})

it('the page’s word counts where the page alone asks, and is heard when it changes', () => {
  const consent = createConsent(memoryStore(), false, 'required')
  expect(consent.holds()).toBe(false)
  expect(consent.hear('given')).toBe('given')
  expect(consent.hear('given')).toBeUndefined()
  expect(consent.holds()).toBe(true)
  expect(consent.hear('refused')).toBe('refused')
  consent.give()
  expect(consent.holds()).toBe(true)
  expect(consent.hear('refused')).toBe('refused')
})

it('with a form, nothing is contacted before it is filled, and it becomes the first message', async () => {
  await open({
    form: JSON.stringify([
      { label: 'Name', required: true },
      { label: 'Email', type: 'email' },
      { label: 'Topic', type: 'select', options: ['Order', 'Return'] },
      { label: 'News', type: 'checkbox' },
      { label: 'Odd', type: 'password' },
    ]),
  })
  const [name, email] = container().querySelectorAll('input')
  expect(container().querySelectorAll('input, select')).toHaveLength(4)
  button('Start chat')?.click()
  await vi.waitFor(() => expect(document.activeElement).toBe(name))
  expect(container().querySelector('[role="alert"]')?.textContent).toBe('Please fill this in.')
  Object.assign(name as HTMLInputElement, { value: ' Ana ' })
  Object.assign(email as HTMLInputElement, { value: 'ana@nowhere' })
  button('Start chat')?.click()
  await vi.waitFor(() => expect(document.activeElement).toBe(email))
  expect(requests).toEqual([])
  Object.assign(email as HTMLInputElement, { value: 'ana@example.com' })
  button('Start chat')?.click()
  await vi.waitFor(() => expect(requests).not.toEqual([]))
  await vi.waitFor(() =>
    expect(container().querySelector('.visitor')?.textContent).toContain(
      'Name: Ana\nEmail: ana@example.com\nNews: No',
    ),
  )
})

it('a starter of the home screen is sent first, and the screen is not shown to a visitor who goes on', async () => {
  await open({ starters: 'Where is my order?|Opening hours' })
  expect(requests).toEqual([])
  const starter = [...container().querySelectorAll('button')].find(
    (each) => each.textContent === 'Opening hours',
  )
  starter?.click()
  await vi.waitFor(() =>
    expect(container().querySelector('.visitor')?.textContent).toContain('Opening hours'),
  )
  undo?.()
  container().replaceChildren()
  localStorage.setItem('foyer::session', JSON.stringify({ id: 'old', at: Date.now() }))
  said = []
  await open({ starters: 'Where is my order?' })
  await vi.waitFor(() => expect(container().querySelector('textarea')).not.toBeNull())
})

it('a form is shown to a visitor who comes back on another day, and the BFF is asked for the old session after it', async () => {
  const at = Date.now() - 10 * 24 * 60 * 60 * 1000
  localStorage.setItem('foyer::session', JSON.stringify({ id: 'old', at }))
  await open({ form: JSON.stringify([{ label: 'Name' }]) })
  await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
  await arrive()
  expect([requests, sockets]).toEqual([[], []])
  button('Start chat')?.click()
  await vi.waitFor(() => expect(requests).not.toEqual([]))
  expect(bodies[0]).toContain('"resume":true')
})

it('a starter that cannot be sent waits in the composer', async () => {
  const items = Array.from({ length: 50 }, (_, index) => ({ id: `i-${index}`, text: 'x', state: 'failed' }))
  sessionStorage.setItem('foyer::outbox', JSON.stringify({ items }))
  await open({ starters: 'Opening hours' })
  button('Opening hours')?.click()
  await vi.waitFor(() => expect(container().querySelector('textarea')?.value).toBe('Opening hours'))
})

describe('a chat that is switched off', () => {
  const CONFIG = 'GET https://chat.example.com/foyer/shop/config'
  const openOff = (start: object = {}) => open({ connector: 'shop', ...start }, false, 'none', true)
  const text = () => container().textContent
  const asked = () => requests.filter((each) => each !== CONFIG)

  it('says so in one sentence, whatever stands before it, and contacts the service with nothing', async () => {
    configuration = { enabled: false }
    await openOff({ starters: 'Opening hours', form: JSON.stringify([{ label: 'Name' }]) })
    expect(text()).toContain('We’re closed right nowPlease try again later.')
    await arrive()
    port.postMessage({ type: 'send', text: 'Hello?' })
    await arrive()
    expect(text()).toContain('We’re closed right now')
    expect(asked()).toEqual([])
    expect(sockets).toEqual([])
  })

  it('does not promise the hours of the office, which say nothing about it', async () => {
    configuration = { enabled: false }
    const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][(new Date().getUTCDay() + 3) % 7]
    await openOff({ hours: `${day} 09:00-10:00`, timeZone: 'UTC', outsideHours: 'closed' })
    expect(text()).toContain('Please try again later.')
  })

  it('stays closed where its configuration cannot be read', async () => {
    configuration = []
    vi.stubGlobal('fetch', async (url: string) => {
      requests.push(`GET ${url}`)
      throw new TypeError('no network')
    })
    await openOff()
    await arrive()
    expect([text().includes('We’re closed right now'), requests]).toEqual([true, [CONFIG]])
  })
})

describe('what is filled in', () => {
  const fields = [
    { label: 'Name' },
    { label: 'Topic', type: 'select', options: ['Order', 'Return'] },
    { label: 'News', type: 'checkbox' },
    { label: 'More', type: 'textarea' },
  ]
  const start = { form: JSON.stringify(fields) }
  const controls = () => [...container().querySelectorAll<HTMLInputElement>('input, select, textarea')]
  const values = () => controls().map((each) => (each.type === 'checkbox' ? each.checked : each.value))
  const ALL = ['Ana', 'Return', true, 'the blue\none']
  async function fillIn() {
    await vi.waitFor(() => expect(controls()).toHaveLength(4))
    for (const [index, control] of controls().entries())
      if (typeof ALL[index] === 'boolean') control.checked = true
      else control.value = `${ALL[index]}`
  }
  const leave = () => window.dispatchEvent(new Event('pagehide'))
  /** The page is loaded again, with this chat. */
  async function reload(options: object = start, byBff = false) {
    leave()
    undo?.()
    said = []
    container().replaceChildren()
    await open(options, byBff)
  }

  it('is there again after a reload, and gone once it is sent', async () => {
    await open(start)
    await fillIn()
    await reload()
    await vi.waitFor(() => expect(values()).toEqual(ALL))
    button('Start chat')?.click()
    await vi.waitFor(() => expect(requests).not.toEqual([]))
    leave()
    expect(sessionStorage.getItem('foyer::form')).toBeNull()
  })

  it('is stored as it is written: Firefox may drop what is stored first as a frame goes', async () => {
    await open(start)
    await fillIn()
    controls()[0]?.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    expect(sessionStorage.getItem('foyer::form')).toBe(
      `undefined ${JSON.stringify(fields.map(({ label }, index) => [label, ALL[index]]))}`,
    )
  })

  it('is not filled into fields of other names', async () => {
    await open(start)
    await fillIn()
    await reload({ form: JSON.stringify([{ label: 'Email', type: 'email' }, ...fields.slice(1)]) })
    await vi.waitFor(() => expect(values()).toEqual(['', ...ALL.slice(1)]))
  })

  it.each(['{', '[5, null]', '[["Name", {}]]'])('is nothing where somebody stored %s', async (text) => {
    sessionStorage.setItem('foyer::form', `undefined ${text}`)
    await open(start)
    await vi.waitFor(() => expect(values()).toEqual(['', '', false, '']))
  })

  it('is stored by nobody who filled in nothing', async () => {
    await open(start)
    await vi.waitFor(() => expect(controls()).toHaveLength(4))
    stores = []
    leave()
    expect(stores).toEqual([])
  })

  it('is neither kept for the next person nor after consent is withdrawn', async () => {
    for (const message of [{ type: 'logout' }, { type: 'looks', looks: { ...start, consent: 'refused' } }]) {
      await open({ ...start, consent: 'given' })
      await fillIn()
      leave()
      expect(sessionStorage.getItem('foyer::form')).not.toBeNull()
      port.postMessage(message)
      await arrive()
      leave()
      expect(sessionStorage.getItem('foyer::form')).toBeNull()
      undo?.()
      said = []
      container().replaceChildren()
    }
  })
})

describe('a new chat', () => {
  const form = JSON.stringify([{ label: 'Name', required: true }])
  const sessions = () => requests.filter((each) => each.endsWith('/api/v1/sessions')).length
  const named = (name: string) =>
    [...container().querySelectorAll('button')].find((each) => each.getAttribute('aria-label') === name)
  async function fill(name: string) {
    await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
    Object.assign(container().querySelector('input') as HTMLInputElement, { value: name })
    button('Start chat')?.click()
    await vi.waitFor(() => expect(container().querySelector('textarea')).not.toBeNull())
  }
  async function fromMenu() {
    named('More')?.click()
    const item = await vi.waitFor(() => {
      const found = [...container().querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
        (each) => each.textContent === 'Start a new chat',
      )
      expect(found).toBeTruthy()
      return found
    })
    item?.click()
  }
  const visitor = () => [...container().querySelectorAll('.visitor')].map((each) => each.textContent)

  it.each([
    ['from the menu', fromMenu],
    ['of the page', async () => port.postMessage({ type: 'restart' })],
    [
      'after the end',
      async () => {
        port.postMessage({ type: 'end' })
        await vi.waitFor(() => expect(button('Start a new chat')).toBeTruthy())
        button('Start a new chat')?.click()
      },
    ],
    [
      'after the chat was deleted',
      async () => {
        port.postMessage({ type: 'logout' })
        await vi.waitFor(() => expect(requests.join()).toContain('DELETE'))
        const again = await vi.waitFor(() => {
          const found = button('Start a new chat') ?? button('Start chat')
          expect(found).toBeTruthy()
          return found
        })
        if (again?.textContent === 'Start a new chat') again.click()
      },
    ],
  ])('%s asks the form again, and nothing of it is begun before', async (_, begin) => {
    await open({ form })
    await fill('Ana')
    await vi.waitFor(() => expect(sessions()).toBe(1))
    await begin()
    await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
    expect(container().querySelectorAll('[role="dialog"]')).toHaveLength(1)
    await arrive()
    expect(sessions()).toBe(1)
    await fill('Ben')
    await vi.waitFor(() => expect(sessions()).toBe(2))
    await vi.waitFor(() => expect(visitor().at(-1)).toContain('Name: Ben'))
    expect(document.activeElement).toBe(container().querySelector('textarea'))
  })

  it('ends the one before as its steps come, and has what was being written', async () => {
    await open({ form })
    await fill('Ana')
    await vi.waitFor(() => expect(sessions()).toBe(1))
    port.postMessage({ type: 'draft', text: 'half a sentence' })
    await vi.waitFor(() => expect(container().querySelector('textarea')?.value).toBe('half a sentence'))
    const isOver = () => said.filter((each) => each.type === 'live').at(-1)?.live === false
    expect(isOver()).toBe(false)
    await fromMenu()
    await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
    expect(button('Back')).toBeUndefined()
    await vi.waitFor(() => expect(isOver()).toBe(true))
    await fill('Ben')
    expect(container().querySelector('textarea')?.value).toBe('half a sentence')
    await vi.waitFor(() => expect(sessions()).toBe(2))
  })

  it('is not begun while the office is closed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 10) })
    await open({ hours: 'Mon 09:00-17:00', timeZone: 'UTC', outsideHours: 'closed' })
    await vi.waitFor(() => expect(sessions()).toBe(1))
    vi.setSystemTime(Date.UTC(2026, 0, 5, 17))
    await fromMenu()
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    await arrive()
    expect(sessions()).toBe(1)
    vi.useRealTimers()
  })

  it('begins once the office has opened and the panel is shown again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 8, 59) })
    await open({ hours: 'Mon 09:00-17:00', timeZone: 'UTC', outsideHours: 'closed' })
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    port.postMessage({ type: 'show', shown: false })
    port.postMessage({ type: 'show', shown: true, focus: true })
    await arrive()
    expect(sessions()).toBe(0)
    vi.setSystemTime(Date.UTC(2026, 0, 5, 9))
    port.postMessage({ type: 'show', shown: false })
    port.postMessage({ type: 'show', shown: true, focus: true })
    await vi.waitFor(() => expect(sessions()).toBe(1))
    await vi.waitFor(() => expect(document.activeElement).toBe(container().querySelector('textarea')))
    vi.useRealTimers()
  })

  /** A clock that is turned by hand, with its intervals. */
  const clock = (now: number) => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
    onTestFinished(() => void vi.useRealTimers())
  }
  const CLOSED = { hours: 'Mon 09:00-17:00', timeZone: 'UTC', outsideHours: 'closed' }

  it('begins by itself where the office opens on the screen, also of a machine that slept for days, and gives the visitor the composer', async () => {
    clock(Date.UTC(2026, 0, 2, 17))
    await open(CLOSED)
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    vi.advanceTimersByTime(30_000)
    await arrive()
    expect(requests).toEqual([])
    vi.setSystemTime(Date.UTC(2026, 0, 5, 11))
    vi.advanceTimersByTime(15_000)
    await vi.waitFor(() => expect(sessions()).toBe(1))
    expect(container().textContent).not.toContain('We’re closed right now')
    await vi.waitFor(() => expect(document.activeElement).toBe(container().querySelector('textarea')))
    vi.advanceTimersByTime(60_000)
    await arrive()
    expect(sessions()).toBe(1)
  })

  it('that begins by itself leaves the focus where it is on the page', async () => {
    clock(Date.UTC(2026, 0, 5, 8, 59))
    await open(CLOSED)
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    const elsewhere = document.body.appendChild(document.createElement('input'))
    elsewhere.focus()
    vi.advanceTimersByTime(75_000)
    await vi.waitFor(() => expect(sessions()).toBe(1))
    await arrive()
    expect(document.activeElement).toBe(elsewhere)
  })

  it('begins in no tab in the background, and at once when the visitor comes back', async () => {
    clock(Date.UTC(2026, 0, 5, 8, 59))
    await open(CLOSED)
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    for (let hours = 0; hours < 2; hours++) {
      vi.advanceTimersByTime(3_600_000)
      document.dispatchEvent(new Event('visibilitychange'))
      await arrive()
      expect(requests).toEqual([])
      expect(container().textContent).toContain('We’re closed right now')
    }
    visible.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(sessions()).toBe(1))
    await arrive()
    expect(sessions()).toBe(1)
  })

  it('does not begin behind a panel that the visitor has closed', async () => {
    clock(Date.UTC(2026, 0, 5, 8, 59))
    await open(CLOSED)
    await vi.waitFor(() => expect(container().textContent).toContain('We’re closed right now'))
    port.postMessage({ type: 'show', shown: false })
    await arrive()
    vi.advanceTimersByTime(3600_000)
    await arrive()
    expect(requests).toEqual([])
  })

  it('has a line about the hours that goes once they begin, and comes once they are over', async () => {
    clock(Date.UTC(2026, 0, 5, 8, 59))
    await open({ ...CLOSED, outsideHours: 'notice' })
    const line = () => /Our team is back/.test(`${container().textContent}`)
    await vi.waitFor(() => expect(line()).toBe(true))
    vi.advanceTimersByTime(75_000)
    await vi.waitFor(() => expect(line()).toBe(false))
    vi.setSystemTime(Date.UTC(2026, 0, 5, 17))
    vi.advanceTimersByTime(15_000)
    await vi.waitFor(() => expect(line()).toBe(true))
  })

  describe('after the end', () => {
    const sayAtOnce = (...texts: string[]) => {
      for (const text of texts) hear({ type: 'send', text })
    }
    async function ended() {
      await open({ form })
      await fill('Ana')
      await vi.waitFor(() => expect(sessions()).toBe(1))
      port.postMessage({ type: 'end' })
      await vi.waitFor(() => expect(button('Start a new chat')).toBeTruthy())
    }
    const sent = () =>
      visitor()
        .slice(-3)
        .map((each) => /Name: Ben|first|second|third/.exec(each ?? '')?.[0])

    it('has each message that was written before the form came, in order', async () => {
      await ended()
      sayAtOnce('first', 'second')
      await fill('Ben')
      await vi.waitFor(() => expect(sent()).toEqual(['Name: Ben', 'first', 'second']))
      await vi.waitFor(() => expect(sessions()).toBe(2))
    })

    it('asks the page about each message once', async () => {
      await open({ form, answers: true }, false, 'messages')
      const asked = () => said.flatMap((each) => (each.type === 'ask' ? [each] : []))
      const answer = async (count: number) => {
        await vi.waitFor(() => expect(asked().length).toBeGreaterThanOrEqual(count))
        port.postMessage({ type: 'answer', id: asked()[count - 1]?.id, allowed: true })
      }
      await fill('Ana')
      await answer(1)
      await vi.waitFor(() => expect(sessions()).toBe(1))
      port.postMessage({ type: 'end' })
      await vi.waitFor(() => expect(button('Start a new chat')).toBeTruthy())
      sayAtOnce('first')
      await fill('Ben')
      await answer(2)
      await answer(3)
      await vi.waitFor(() => expect(visitor().at(-1)).toContain('first'))
      await vi.waitFor(() => expect(sessions()).toBe(2))
      await arrive()
      expect(asked().map(({ detail }) => /Ana|Ben|first/.exec(`${detail.text}`)?.[0])).toEqual([
        'Ana',
        'Ben',
        'first',
      ])
    })

    it('has the form first, then what it was begun with, then what came while the form was shown', async () => {
      await ended()
      sayAtOnce('first')
      await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
      port.postMessage({ type: 'send', text: 'second' })
      await arrive()
      await fill('Ben')
      await vi.waitFor(() => expect(sent()).toEqual(['Name: Ben', 'first', 'second']))
    })

    it('has them still when the page is loaded anew at the form', async () => {
      await ended()
      sayAtOnce('first', 'second')
      await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
      await arrive()
      undo?.()
      container().replaceChildren()
      said = []
      await open({ form })
      await fill('Ben')
      await vi.waitFor(() => expect(sent()).toEqual(['Name: Ben', 'first', 'second']))
      expect(sessionStorage.getItem('foyer::written')).toBeNull()
    })

    it.each([
      ['here', async () => port.postMessage({ type: 'logout' })],
      ['in another tab', async () => localStorage.setItem('foyer::signed-out', 'later')],
    ])('has nothing of a visitor who signed out %s', async (_, leave) => {
      await ended()
      sayAtOnce('first')
      await vi.waitFor(() => expect(button('Start chat')).toBeTruthy())
      await leave()
      await arrive()
      await fill('Ben')
      await vi.waitFor(() => expect(visitor().at(-1)).toContain('Name: Ben'))
      await arrive()
      expect(container().textContent).not.toContain('first')
      expect(JSON.stringify({ ...sessionStorage })).not.toContain('first')
    })
  })

  /** A chat that has ended, with a message that was not sent. */
  async function endedWithLost(start: object, expose?: 'messages') {
    const items = [{ id: 'lost', text: 'the lost words', state: 'failed' }]
    sessionStorage.setItem('foyer::outbox', JSON.stringify({ items }))
    localStorage.setItem('foyer::session', JSON.stringify({ id: 'old', at: Date.now() }))
    await open(start, false, expose)
    port.postMessage({ type: 'end' })
    await vi.waitFor(() => expect(button('Start a new chat')).toBeTruthy())
    await vi.waitFor(() => expect(button('Retry')).toBeTruthy())
  }

  it('that Retry begins after the end has the form first, and sends the message again once the page has seen it', async () => {
    await endedWithLost({ form, answers: true }, 'messages')
    const before = sessions()
    button('Retry')?.click()
    await fill('Ben')
    const asked = await vi.waitFor(() => {
      const found = said.find((each) => each.type === 'ask')
      expect(found).toBeTruthy()
      return found
    })
    port.postMessage({ type: 'answer', id: asked?.type === 'ask' && asked.id, allowed: true })
    await vi.waitFor(() => {
      expect(visitor().map((text) => text?.replace(/^You said:?\s*/, ''))).toEqual([
        expect.stringContaining('Name: Ben'),
        expect.stringContaining('the lost words'),
      ])
      expect(button('Retry')).toBeUndefined()
    })
    expect(container().textContent).not.toContain('Not sent')
    await vi.waitFor(() => expect(sessions()).toBe(before + 1))
  })

  it.each([
    ['Retry begins, and then a message before the form is there,', true],
    ['a message begins, and then Retry before the form is there,', false],
  ])('that %s sends both again after it, in the order in which they were written', async (_, retryFirst) => {
    await endedWithLost({ form })
    const before = sessions()
    const retry = button('Retry')
    if (retryFirst) retry?.click()
    hear({ type: 'send', text: 'one more thing' })
    if (!retryFirst) retry?.click()
    await fill('Ben')
    await vi.waitFor(() =>
      expect(
        visitor().map((text) => /Name: Ben|the lost words|one more thing/.exec(text ?? '')?.[0]),
      ).toEqual(['Name: Ben', 'the lost words', 'one more thing']),
    )
    expect(button('Retry')).toBeUndefined()
    await vi.waitFor(() => expect(sessions()).toBe(before + 1))

    // What went out is not asked for by the chat after it.
    port.postMessage({ type: 'end' })
    await vi.waitFor(() => expect(button('Start a new chat')).toBeTruthy())
    button('Start a new chat')?.click()
    await fill('Cem')
    await vi.waitFor(() => expect(visitor().at(-1)).toContain('Name: Cem'))
    await arrive()
    expect(visitor().filter((text) => text?.includes('the lost words'))).toHaveLength(1)
  })

  it('begins at once where nothing stands before it', async () => {
    await open({ greeting: 'Hello', hours: 'Mon 09:00-09:01' })
    await vi.waitFor(() => expect(sessions()).toBe(1))
    port.postMessage({ type: 'restart' })
    await vi.waitFor(() => expect(sessions()).toBe(2))
  })
})

it('what the page says of sounds is heard when it changes', async () => {
  const start = { greeting: 'Hello' }
  await open(start)
  const sound = async () => {
    container().querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
    const item = await vi.waitFor(() => {
      const found = container().querySelector<HTMLElement>('[role="menuitemcheckbox"]')
      expect(found).toBeTruthy()
      return found
    })
    const checked = item?.getAttribute('aria-checked')
    container().querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
    await vi.waitFor(() => expect(container().querySelector('[role="menuitemcheckbox"]')).toBeNull())
    return checked
  }
  expect(await sound()).toBe('false')
  port.postMessage({ type: 'looks', looks: { ...start, notify: 'sound' } })
  await arrive()
  expect(await sound()).toBe('true')
  port.postMessage({ type: 'looks', looks: { ...start, notify: 'preview' } })
  await arrive()
  expect(await sound()).toBe('false')
})

it('the site’s links are named in the language that the visitor chose, in the menu too', async () => {
  await open({ privacyUrl: 'https://example.com/privacy', locale: 'fr' })
  const link = () => container().querySelector('a[role="menuitem"]')?.textContent
  const menu = () => container().querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
  await vi.waitFor(() => expect(container().textContent).toContain('Politique de confidentialité'))
  menu()
  await vi.waitFor(() => expect(link()).toBe('Politique de confidentialité'))
  menu()
  localStorage.setItem('foyer::language', 'de')
  undo?.()
  container().replaceChildren()
  said = []
  await open({ privacyUrl: 'https://example.com/privacy', locale: 'fr' })
  await vi.waitFor(() => expect(container().textContent).toContain('Datenschutzerklärung'))
  menu()
  await vi.waitFor(() => expect(link()).toBe('Datenschutzerklärung'))
})

describe('the focus', () => {
  it('stays where the visitor is on the page when the page itself gives consent', async () => {
    await open({ consent: 'required' })
    const banner = document.createElement('button')
    document.body.append(banner)
    banner.focus()
    port.postMessage({ type: 'looks', looks: { consent: 'given' } })
    await vi.waitFor(() => expect(container().querySelector('textarea')).not.toBeNull())
    await arrive()
    expect(document.activeElement).toBe(banner)
  })
})

it('words, names and lines of the site are shown, and a feature that is switched off is not', async () => {
  await open({
    agentName: 'Fern',
    greeting: 'Hello there',
    disclaimer: 'Kept for 30 days',
    privacyUrl: 'https://example.com/privacy',
    termsUrl: 'javascript:alert(1)',
    words: '{"send":"Go","language":"xx","nonsense":"x"}',
    without: 'suggestions nonsense',
  })
  await vi.waitFor(() => expect(container().textContent).toContain('Hello there'))
  expect(container().textContent).toContain('Fern')
  await vi.waitFor(() => expect(container().textContent).toContain('Kept for 30 days'))
  expect([...container().querySelectorAll('a')].map(({ href }) => href)).toEqual([
    'https://example.com/privacy',
  ])
  expect(container().querySelector('.send')?.getAttribute('aria-label')).toBe('Go')
})
