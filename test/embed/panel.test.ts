// A panel whose reception cannot be loaded: the chat goes on as it was, and a refusal still ends it.

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToPage } from '../../src/embed/channel.ts'
import type { Handle } from '../../src/embed/host.ts'

/** What cannot be loaded. */
const missing = new Set<string>()
const loading = async (part: string, original: () => Promise<object>) => {
  if (missing.has(part)) throw new Error('not there')
  return original()
}
beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})
let requests: string[]
let said: ToPage[]
let port: MessagePort
let undo: () => void
const container = () => document.querySelector('#panel') as HTMLElement

beforeEach(async () => {
  missing.clear()
  missing.add('reception')
  vi.resetModules()
  vi.doMock('../../src/embed/reception.ts', (original) => loading('reception', original))
  vi.doMock('../../src/ui/door.tsx', (original) => loading('door', original))
  const { openPanel } = await import('../../src/embed/panel.ts')
  requests = []
  said = []
  document.body.innerHTML = '<div id="panel"></div>'
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    requests.push(`${init.method ?? 'GET'} ${String(url)}`)
    return Response.json({})
  })
  const channel = new MessageChannel()
  port = channel.port1
  port.onmessage = ({ data }) => said.push(data)
  undo = openPanel({
    root: document,
    container: container(),
    port: channel.port2,
    start: {},
    origin: 'https://chat.example.com',
    expose: 'none',
    config: new Promise(() => {}),
  })
  await vi.waitFor(() => expect(said).toContainEqual({ type: 'ready' }), 10_000)
})
afterEach(() => {
  undo()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

it('what is said while it is on its way, and afterwards, reaches the chat', async () => {
  port.postMessage({ type: 'looks', looks: { agentName: 'Fern', theme: 'dark' } })
  port.postMessage({ type: 'send', text: 'meanwhile' })
  await vi.waitFor(() => expect(container().textContent).toContain('meanwhile'), 10_000)
  expect(container().querySelector('.foyer')?.classList).toContain('dark')
  port.postMessage({ type: 'send', text: 'afterwards' })
  await vi.waitFor(() => expect(container().textContent).toContain('afterwards'), 10_000)
})

it('a refusal ends the chat, and nothing of it can be used', async () => {
  port.postMessage({ type: 'looks', looks: { consent: 'refused' } })
  await vi.waitFor(
    () => expect(requests).toEqual(['DELETE https://chat.example.com/foyer/access-token']),
    10_000,
  )
  expect(container().querySelector('textarea')).toBeNull()
  port.postMessage({ type: 'restart' })
  await vi.waitFor(() => expect(said).toContainEqual({ type: 'close' }), 10_000)
  expect(requests).toHaveLength(1)
})

describe('without a frame', () => {
  const BFF = 'https://chat.example.com'
  let handle: Handle
  const box = () => document.querySelector('foyer-host')?.shadowRoot?.querySelector('dialog') as HTMLElement
  const within = (selector: string) =>
    [...box().querySelectorAll('*')].flatMap((each) => [
      ...(each.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
    ])
  const button = (name: string) => within('button').find((each) => each.textContent === name)

  afterEach(() => {
    handle.destroy()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it.each([['reception'], ['door']])(
    'a gate whose %s cannot be loaded is said in words, and the retry shows it',
    async (part) => {
      missing.clear()
      missing.add(part)
      vi.spyOn(console, 'warn').mockImplementation(() => {})
      vi.stubGlobal('matchMedia', () => ({ matches: false }))
      vi.stubGlobal('CSS', { supports: () => false })
      vi.stubGlobal('fetch', async () => Response.json({ consent: 'required', unframed: true }))
      const { createHost } = await import('../../src/embed/host.ts')
      const { placePanel } = await import('../../src/embed/place.ts')
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      handle = createHost({ isolation: 'none' }, 'foyer:x', placePanel(BFF, 'none'))
      await handle.ready
      handle.open()
      await vi.waitFor(() => expect(box()?.querySelector('section')).not.toBeNull(), 10_000)
      for (let round = 0; round < 2; round++) {
        await vi.waitFor(() => expect(box().querySelectorAll('section')).toHaveLength(1), 10_000)
        await vi.advanceTimersByTimeAsync(8_000)
        await vi.waitFor(() => expect(button('Try again')).toBeTruthy(), 10_000)
        expect(handle.getState().open).toBe(true)
        if (round === 1) missing.clear()
        button('Try again')?.click()
      }
      await vi.waitFor(() => expect(button('Agree and chat')).toBeTruthy(), 10_000)
      expect(button('Try again')).toBeUndefined()
      expect(box().querySelectorAll('section')).toHaveLength(1)
    },
  )
})
