// A panel that is not in English is shown once it has its words, or when they take too long.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openOn } from './open-panel.ts'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', async () => Response.json({}))
  document.body.innerHTML = '<div id="panel"></div>'
})
let undo = () => {}
afterEach(() => {
  undo()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.doUnmock('../../../src/ui/locales/de.ts')
  localStorage.clear()
})
/** Resolves with the words of the composer at the moment when the panel says that it is there. */
async function wordsWhenReady(start: object): Promise<string | undefined> {
  const { openPanel } = await import('../../../src/embed/frame/panel.ts')
  const { port1, port2 } = new MessageChannel()
  const container = document.querySelector('#panel') as HTMLElement
  const shown = new Promise<string | undefined>((resolve) => {
    const post = port2.postMessage.bind(port2) as (message: unknown) => void
    port2.postMessage = (message: unknown) => {
      if ((message as { type: string }).type === 'ready')
        resolve(container.querySelector('textarea')?.placeholder)
      post(message)
    }
  })
  undo = openOn(openPanel, port2, {
    root: document,
    container,
    start,
    origin: 'https://chat.example.com',
    expose: 'none',
  })
  port1.postMessage({ type: 'show', shown: true })
  return shown
}

it.each([
  ['of the page', { locale: 'de' }],
  ['of the page, with a greeting', { locale: 'de', greeting: 'Hallo' }],
])('has the words %s when it is shown', async (_, start) => {
  expect(await wordsWhenReady(start)).toBe('Nachricht schreiben…')
})

it('has the words that the visitor chose when it is shown', async () => {
  localStorage.setItem('foyer::language', 'fr')
  expect(await wordsWhenReady({ locale: 'de' })).toBe('Écrivez un message…')
})

it('is shown in English where other words do not come', async () => {
  vi.doMock('../../../src/ui/locales/de.ts', () => {
    throw new TypeError('no network')
  })
  const found = vi.fn()
  void wordsWhenReady({ locale: 'de' }).then(found)
  await vi.waitFor(() => expect(document.querySelector('textarea')).not.toBeNull())
  await vi.waitFor(() => expect(found).toHaveBeenCalledExactlyOnceWith('Write a message…'))
})
