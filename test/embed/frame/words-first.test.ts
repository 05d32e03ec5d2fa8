// A panel that is not in English is shown once it has its words, or when they take too long.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPanel } from '../../../src/embed/frame/panel.ts'
import { openOn } from './open-panel.ts'

vi.mock('../../../src/ui/locales/sv.ts', () => {
  throw new TypeError('no network')
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', async () => Response.json({}))
  document.body.innerHTML = '<div id="panel"></div>'
})
let undo = () => {}
afterEach(() => {
  undo()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})
/**
 * Resolves with the words of the composer at the moment when the panel says that it is there. Each test has a language that no other has
 * loaded.
 */
async function wordsWhenReady(start: object): Promise<string | undefined> {
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
  ['of the page', { locale: 'de' }, 'Nachricht schreiben…'],
  ['of the page, with a greeting', { locale: 'es', greeting: 'Hola' }, 'Escribe un mensaje…'],
])('the panel has the words %s when it is shown', async (_, start, words) => {
  expect(await wordsWhenReady(start)).toBe(words)
})

it('the panel has the words that the visitor chose when it is shown', async () => {
  localStorage.setItem('foyer::language', 'fr')
  expect(await wordsWhenReady({ locale: 'it' })).toBe('Écrivez un message…')
})

it('the panel is shown in English where other words do not come', async () => {
  const found = vi.fn()
  void wordsWhenReady({ locale: 'sv' }).then(found)
  await vi.waitFor(() => expect(document.querySelector('textarea')).not.toBeNull())
  await vi.waitFor(() => expect(found).toHaveBeenCalledExactlyOnceWith('Write a message…'))
})
