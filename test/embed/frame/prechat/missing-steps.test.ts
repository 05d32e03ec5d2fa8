// A panel whose steps before a chat cannot be loaded: the chat goes on as it was, and a refusal still ends it.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ToPage } from '../../../../src/embed/channel.ts'
import { openPanel } from '../../../../src/embed/frame/panel.ts'
import { openOn } from '../open-panel.ts'

vi.mock('../../../../src/ui/prechat/prechat.tsx', () => {
  throw new TypeError('no network')
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
  undo = openOn(openPanel, channel.port2, {
    root: document,
    container: container(),
    start: {},
    origin: 'https://chat.example.com',
    expose: 'none',
  })
  await vi.waitFor(() => expect(said).toContainEqual({ type: 'ready' }))
})
afterEach(() => {
  undo()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

it('what the page says reaches the chat though its steps cannot be loaded', async () => {
  port.postMessage({ type: 'looks', looks: { agentName: 'Fern', theme: 'dark' } })
  port.postMessage({ type: 'send', text: 'meanwhile' })
  await vi.waitFor(() => expect(container().textContent).toContain('meanwhile'))
  expect(container().querySelector('.foyer')?.classList).toContain('dark')
  port.postMessage({ type: 'send', text: 'afterwards' })
  await vi.waitFor(() => expect(container().textContent).toContain('afterwards'))
})

it('a refusal ends the chat though its steps cannot be loaded, and nothing of it can be used', async () => {
  port.postMessage({ type: 'looks', looks: { consent: 'refused' } })
  await vi.waitFor(() => expect(requests).toEqual(['DELETE https://chat.example.com/foyer/access-token']))
  expect(container().querySelector('textarea')).toBeNull()
  port.postMessage({ type: 'restart' })
  await vi.waitFor(() => expect(said).toContainEqual({ type: 'close' }))
  expect(requests).toHaveLength(1)
})
