// A panel whose reception cannot be loaded: the chat goes on as it was, and a refusal still ends it.

import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ToPage } from '../../src/embed/channel.ts'
import { openPanel } from '../../src/embed/panel.ts'

vi.mock('../../src/embed/reception.ts', () => {
  throw new Error('not there')
})
beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})
let requests: string[]
let said: ToPage[]
let port: MessagePort
let undo: () => void
const container = () => document.querySelector('#panel') as HTMLElement

beforeEach(async () => {
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
