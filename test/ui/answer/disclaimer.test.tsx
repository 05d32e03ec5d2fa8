// A site's disclaimer: its text for a language, its links, and where and how long it stands.

import { waitFor } from '@testing-library/preact'
import { afterEach, describe, expect, it } from 'vitest'
import type { OutboxItem } from '../../../src/chat/index.ts'
import { textFor } from '../../../src/ui/answer/disclaimer.tsx'
import { createPanel, message } from '../world.ts'

let world: ReturnType<typeof createPanel>
afterEach(() => world?.remove())

const line = () => world.container.querySelector<HTMLElement>('.disclaimer')
async function show(disclaimer: { text: string; place?: unknown; once?: unknown }, locale = 'en') {
  world = createPanel({ site: { disclaimer }, locale })
  // Its code comes with what reads Markdown.
  await waitFor(() => expect(line()).not.toBeNull())
  return line() as HTMLElement
}

describe('the text of a disclaimer', () => {
  const BY_TAG = '{"en":"Kept","de":"Gespeichert","pt-BR":"Guardado","zh-Hant":"保留"}'

  it.each([
    ['de-AT', 'de', 'Gespeichert'],
    ['pt', 'pt-BR', 'Guardado'],
    ['zh-TW', 'zh-Hant', '保留'],
    ['en-GB', 'en', 'Kept'],
    // The first is for all languages that have none.
    ['ja', 'en', 'Kept'],
    ['pt-PT', 'en', 'Kept'],
    ['no language', 'en', 'Kept'],
  ])('for %s is that of %s', (locale, tag, text) => {
    expect(textFor(locale, BY_TAG)).toEqual([tag, text])
  })

  it.each(['Kept for 30 days', '{"en":"Kept"', '{}', '{Kept}', '["en"]'])(
    'that is no JSON of texts is one for all languages: %s',
    (given) => {
      expect(textFor('de', given)).toEqual([undefined, given])
    },
  )

  it('has up to 1,000 characters', () => {
    expect(textFor('en', '😀'.repeat(1_001))[1]).toBe('😀'.repeat(1_000))
    expect(textFor('en', `{"en":"${'a'.repeat(1_001)}"}`)[1]).toHaveLength(1_000)
  })

  it('follows the language of the panel, and names its own', async () => {
    const drawn = await show({ text: BY_TAG }, 'ja')
    expect([drawn.textContent, drawn.lang, drawn.dir]).toEqual(['Kept', 'en', 'auto'])
    world.panel.update({ locale: 'de' })
    await waitFor(() => expect([line()?.textContent, line()?.lang]).toEqual(['Gespeichert', 'de']))
  })
})

describe('links in a disclaimer', () => {
  const linksOf = (drawn: HTMLElement) =>
    [...drawn.querySelectorAll('a')].map(({ textContent, href }) => `${textContent} ${href}`)

  it('are those of Markdown to pages on https, in a tab of their own that learns nothing of this one', async () => {
    const drawn = await show({
      text: 'See our [privacy policy](https://example.com/privacy?a=1&b=2#top) and [terms](https://example.com/terms).',
    })
    expect(drawn.textContent).toBe('See our privacy policy and terms.')
    expect(linksOf(drawn)).toEqual([
      'privacy policy https://example.com/privacy?a=1&b=2#top',
      'terms https://example.com/terms',
    ])
    const link = drawn.querySelector('a')
    expect(['target', 'rel', 'referrerpolicy'].map((name) => link?.getAttribute(name))).toEqual([
      '_blank',
      'noopener noreferrer nofollow',
      'no-referrer',
    ])
  })

  it.each([
    '[terms](javascript:alert(1))',
    '[terms](http://example.com)',
    '[terms](data:text/html,x)',
    '[terms](/terms)',
    '[terms](<https://example.com>)',
    '[](https://example.com)',
    '<a href="https://example.com">terms</a>',
    '**terms** https://example.com',
  ])('are nothing else, which stays as it is written: %s', async (text) => {
    const drawn = await show({ text })
    expect(drawn.textContent).toBe(text)
    expect(drawn.children).toHaveLength(0)
  })

  it.each(['https://user:secret@example.com', 'https:///', 'https://exa<mple.com'])(
    'to an address that may not be followed are their words alone: %s',
    async (address) => {
      const drawn = await show({ text: `Our [terms](${address}) hold` })
      expect(drawn.textContent).toBe('Our terms hold')
      expect(linksOf(drawn)).toEqual([])
    },
  )
})

describe('a disclaimer stands', () => {
  const isBefore = (one: string) =>
    !!(
      (world.container.querySelector(one) as Element).compareDocumentPosition(line() as Element) &
      Node.DOCUMENT_POSITION_FOLLOWING
    )

  it.each([
    [undefined, true, false],
    ['left', true, false],
    ['above', false, false],
    ['below', false, true],
  ])('where the site wants it, and once: %s', async (place, inLog, afterField) => {
    await show({ text: 'Kept', place })
    expect(world.container.querySelectorAll('.disclaimer')).toHaveLength(1)
    expect(line()?.closest('[role="log"]') !== null).toBe(inLog)
    expect(isBefore('textarea')).toBe(afterField)
  })

  it('until the visitor has written, if the site wants that, and again in a new chat', async () => {
    await show({ text: 'Kept', place: 'above', once: true })
    world.chat.transcript.value = [message('agent', 'Hello').entry]
    await waitFor(() => expect(world.container.textContent).toContain('Hello'))
    expect(line()).not.toBeNull()
    world.chat.outbox.value = [{ id: '1', text: 'Hi', state: 'queued', at: 0 } as unknown as OutboxItem]
    await waitFor(() => expect(line()).toBeNull())
    world.chat.outbox.value = []
    await waitFor(() => expect(line()).not.toBeNull())
    world.chat.transcript.value = [message('agent', 'Hello').entry, message('visitor', 'Hi').entry]
    await waitFor(() => expect(line()).toBeNull())
    world.chat.transcript.value = []
    await waitFor(() => expect(line()).not.toBeNull())
  })

  it('after the visitor has written too, unless the site wants it gone', async () => {
    await show({ text: 'Kept', once: 'yes' })
    world.chat.transcript.value = [message('visitor', 'Hi').entry]
    await waitFor(() => expect(world.container.textContent).toContain('Hi'))
    expect(line()).not.toBeNull()
  })
})

it('no disclaimer stands where the site has none', async () => {
  world = createPanel()
  world.chat.transcript.value = [message('agent', '**Hello**').entry]
  await waitFor(() => expect(world.container.querySelector('strong')).not.toBeNull())
  expect(line()).toBeNull()
})
