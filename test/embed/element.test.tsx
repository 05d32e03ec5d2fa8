// `<foyer-chat>` in a document: when there is a chat for it, which options the chat has, and where its events are heard.

import type { JSX as ReactJSX } from 'react'
import { afterEach, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest'
import manifest from '../../packages/foyer-webchat/custom-elements.json'
import { defineElement } from '../../src/embed/element/chat-element.ts'
import type { FoyerChatElement } from '../../src/embed/element/index.ts'
import type { Handle } from '../../src/embed/index.ts'

const ORIGIN = 'https://chat.example.com'
/** What the documents of this file share: an element is defined once. */
let late: HTMLElement

beforeAll(async () => {
  const matchMedia = () => ({ matches: false, onchange: null })
  Object.assign(globalThis, { matchMedia, CSS: { supports: () => true } })
  document.adoptedStyleSheets = []
  late = document.createElement('foyer-chat')
  late.setAttribute('origin', ORIGIN)
  late.setAttribute('position', 'left')
  Object.assign(late, { agentName: 'Fern', locale: 'de', form: [{ label: 'Name' }] })
  document.body.append(late)
  await import('../../src/embed/element/index.ts')
})
afterEach(async () => {
  document.body.replaceChildren()
  await settled()
  sessionStorage.clear()
  vi.restoreAllMocks()
})

/** The chat is mounted, and what it does then is done. */
const settled = () => new Promise((resolve) => setTimeout(resolve))
const hosts = () => [...document.querySelectorAll('foyer-host')] as HTMLElement[]
const host = () => {
  const all = hosts()
  expect(all).toHaveLength(1)
  return all[0] as HTMLElement
}
const launcher = () => host().shadowRoot?.querySelector('div > button') as HTMLButtonElement
/** What the panel's page is asked with. */
const asked = () =>
  new URL(host().shadowRoot?.querySelector('iframe')?.getAttribute('src') ?? 'https://none.example.com/')
async function put(attributes: Record<string, string> = {}, properties: object = {}) {
  const element = Object.assign(document.createElement('foyer-chat'), properties)
  for (const [name, value] of Object.entries({ origin: ORIGIN, ...attributes }))
    element.setAttribute(name, value)
  document.body.append(element)
  await settled()
  return element
}

describe('an element that was there before its definition', () => {
  it('keeps its attributes and properties, and takes changes of them as any other', async () => {
    const element = late as FoyerChatElement
    await settled()
    expect(launcher().ariaLabel).toBe('Chat öffnen')
    expect(host().dataset.foyerState).toContain('left')
    element.chat?.open()
    expect(asked().searchParams.get('name')).toBe('Fern')
    expect(asked().searchParams.get('first')).toBe('none')
    element.locale = 'en'
    await settled()
    expect(launcher().ariaLabel).toBe('Close chat')
  })
})

describe('the manifest of the package', () => {
  it('has the attributes that the element takes', () => {
    const [module] = manifest.modules
    const [declaration] = module?.declarations ?? []
    const taken = (customElements.get('foyer-chat') as { observedAttributes?: string[] }).observedAttributes
    expect(declaration?.attributes.map(({ name }) => name).sort()).toEqual([...(taken ?? [])].sort())
    expect(
      declaration?.members.filter(({ name }) => !(name in document.createElement('foyer-chat'))),
    ).toEqual([])
  })
})

describe('defined twice', () => {
  it('the second definition does nothing', () => {
    const first = customElements.get('foyer-chat')
    defineElement()
    expect(customElements.get('foyer-chat')).toBe(first)
  })
})

describe('a chat', () => {
  it('is there as soon as it is asked for, and at the latest once the script that puts the element there is done', async () => {
    const element = document.createElement('foyer-chat')
    expect(element.chat).toBeUndefined()
    document.body.append(element)
    expect(hosts()).toHaveLength(0)
    element.origin = ORIGIN
    expect(element.chat?.getState().open).toBe(false)
    host()
    const { chat } = element
    await settled()
    expect(element.chat).toBe(chat)
    host()
  })

  it('stays where the element is moved in one go, and goes with an element that does not come back', async () => {
    const element = await put()
    const [{ chat }, its] = [element, host()]
    const place = document.body.appendChild(document.createElement('main'))
    const heard: string[] = []
    element.addEventListener('foyer-destroy', () => heard.push('destroy'))
    place.append(element)
    element.remove()
    // Asked for amid the move.
    expect(element.chat).toBe(chat)
    document.body.prepend(element)
    await settled()
    expect([host(), element.chat, ...heard]).toEqual([its, chat])
    element.remove()
    await settled()
    expect(hosts()).toHaveLength(0)
    expect(element.chat).toBeUndefined()
    expect(heard).toEqual(['destroy'])
  })

  it('is another one once its element is put back later', async () => {
    const element = await put()
    const { chat } = element
    element.remove()
    await settled()
    document.body.append(element)
    await settled()
    expect(element.chat).not.toBe(chat)
    host()
  })

  it('stands in the element where it is embedded, else at the end of the page', async () => {
    const element = await put({ layout: 'embedded' })
    expect(host().parentNode).toBe(element)
    element.layout = 'float'
    await settled()
    expect(host().parentNode).toBe(document.body)
  })

  it('of each of two elements is one of its own, and goes alone', async () => {
    const [one] = [await put(), await put({ connector: 'sales', position: 'left' })]
    expect(hosts().map(({ dataset }) => dataset.foyerState?.includes('left'))).toEqual([false, true])
    one.remove()
    await settled()
    expect(host().dataset.foyerState).toContain('left')
  })
})

describe('an option', () => {
  it('as a property wins over the attribute, until it is null or undefined', async () => {
    const element = await put({ locale: 'de' }, { locale: 'en' })
    const said = async (locale: string | null | undefined) => {
      Object.assign(element, { locale })
      await settled()
      return launcher().ariaLabel
    }
    expect(launcher().ariaLabel).toBe('Open chat')
    expect(await said(null)).toBe('Chat öffnen')
    expect(await said('en')).toBe('Open chat')
    expect(await said(undefined)).toBe('Chat öffnen')
  })

  it('that changes reaches the chat that is there, and goes back to its default without the attribute', async () => {
    const element = await put({ accent: 'red' })
    const [{ chat }, its] = [element, host()]
    const accent = () => its.style.getPropertyValue('--foyer-accent')
    expect(accent()).toBe('red')
    for (const value of ['blue', '', 'green']) {
      element.setAttribute('accent', value)
      await settled()
      expect(accent()).toBe(value)
    }
    element.removeAttribute('accent')
    element.setAttribute('launcher', 'hidden')
    await settled()
    expect(accent()).toBe('')
    expect(launcher().hidden).toBe(true)
    expect([host(), element.chat]).toEqual([its, chat])
  })

  it('does not undo what the page said by the handle since', async () => {
    const element = await put({ accent: 'red', locale: 'de' })
    element.chat?.setLocale('en')
    element.setAttribute('accent', 'blue')
    await settled()
    expect(launcher().ariaLabel).toBe('Open chat')
  })

  it.each([
    ['origin', 'https://other.example.com'],
    ['connector', 'sales'],
    ['isolation', 'none'],
    ['layout', 'embedded'],
    ['platform', 'android'],
    ['streaming', 'false'],
    ['position', 'left'],
  ])('that a chat takes at its beginning only begins one anew, once: %s', async (name, value) => {
    const element = await put()
    const { chat } = element
    const ends = vi.fn()
    element.addEventListener('foyer-destroy', ends)
    element.setAttribute(name, value)
    element.setAttribute('locale', 'de')
    await settled()
    expect(element.chat).not.toBe(chat)
    expect(ends).toHaveBeenCalledTimes(1)
    host()
  })

  it('that is empty counts as missing', async () => {
    const element = await put()
    const { chat } = element
    element.setAttribute('connector', '')
    Object.assign(element, { layout: '' })
    await settled()
    expect(element.chat).toBe(chat)
  })

  it.each(['teaser', 'teaser-when', 'auto-open', 'prepare'])(
    'that says what happens at the beginning leaves a chat that is there alone: %s',
    async (name) => {
      const element = await put()
      const { chat } = element
      element.setAttribute(name, name === 'prepare' ? 'idle' : 'true')
      await settled()
      expect(element.chat).toBe(chat)
      expect(chat?.getState().open).toBe(false)
    },
  )

  it('that is an object begins nothing where it says the same as before, as that of a template does', async () => {
    const element = await put({}, { words: { placeholder: 'Fern' }, form: [{ label: 'Name' }] })
    const update = vi.spyOn(element.chat as Handle, 'update')
    Object.assign(element, { words: { placeholder: 'Fern' }, form: [{ label: 'Name' }] })
    await settled()
    expect(update).not.toHaveBeenCalled()
    element.words = { placeholder: 'Moss' }
    await settled()
    expect(update.mock.calls).toEqual([[{ words: { placeholder: 'Moss' } }]])
  })

  it('of consent is what the visitor told the page', async () => {
    const element = await put({ consent: 'required' })
    const { chat } = element
    const consent = vi.spyOn(chat as Handle, 'consent')
    for (const value of ['given', 'refused', 'required', '']) {
      element.setAttribute('consent', value)
      await settled()
    }
    expect(consent.mock.calls).toEqual([[true], [false], [false]])
    expect(element.chat).toBe(chat)
  })

  it('written as for the script tag is named in the console, once', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const element = await put({ 'data-agent-name': 'Fern', 'data-testid': 'chat' })
    element.setAttribute('theme', 'dark')
    await settled()
    expect(warned.mock.calls).toEqual([['Foyer: <foyer-chat> takes agent-name, without data-']])
  })

  it('for an object may be JSON in an attribute', async () => {
    const element = await put({ form: '[{"label":"Name"}]', 'agent-name': 'Fern' })
    element.chat?.open()
    expect(asked().searchParams.get('first')).toBe('none')
    expect(asked().searchParams.get('name')).toBe('Fern')
  })

  it('can be given in templates by its own name and by the attribute’s, with its type', () => {
    const good = (
      <foyer-chat
        agentName="Fern"
        agent-name="Fern"
        form={[{ label: 'Name' }]}
        onfoyer-unread={({ detail }) => detail.count}
      />
    )
    // @ts-expect-error There is no such option.
    const misspelt = <foyer-chat agentname="Fern" />
    // @ts-expect-error It is a text.
    const mistyped = <foyer-chat accent={3} />
    expect([good, misspelt, mistyped]).toHaveLength(3)
    type InReact = ReactJSX.IntrinsicElements['foyer-chat']
    expectTypeOf<InReact['agent-name']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<InReact['className']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<InReact>().not.toHaveProperty('target')
    expectTypeOf(document.querySelector('foyer-chat')).toEqualTypeOf<FoyerChatElement | null>()
  })
})

describe('an event', () => {
  it.each(['float', 'embedded'])(
    'is heard at the element once, at the document once, and by the handle: %s',
    async (layout) => {
      const heard: unknown[] = []
      const hear = (event: Event) => heard.push([event.type, event.target, event.composed])
      document.addEventListener('foyer-ready', hear)
      const element = document.createElement('foyer-chat')
      element.addEventListener('foyer-ready', hear)
      Object.assign(element, { origin: ORIGIN, layout, autoOpen: false })
      document.body.append(element)
      const byHandle = vi.fn()
      element.chat?.on('ready', byHandle)
      await settled()
      const event = ['foyer-ready', element, true]
      expect(heard).toEqual([event, event])
      expect(byHandle.mock.calls).toEqual([[expect.objectContaining({ version: 1 })]])
      document.removeEventListener('foyer-ready', hear)
    },
  )

  it('that can be cancelled can be so at the element', async () => {
    const element = await put()
    element.addEventListener('foyer-before-open', (event) => event.preventDefault(), { once: true })
    element.chat?.open()
    expect(element.chat?.getState().open).toBe(false)
    element.chat?.open()
    expect(element.chat?.getState().open).toBe(true)
  })

  it('leaves the shadow root that the element is in', async () => {
    const heard = vi.fn()
    document.addEventListener('foyer-ready', heard)
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
    root.append(Object.assign(document.createElement('foyer-chat'), { origin: ORIGIN }))
    await settled()
    expect(heard).toHaveBeenCalledTimes(1)
    document.removeEventListener('foyer-ready', heard)
  })
})
