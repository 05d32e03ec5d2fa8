// The panel as a person finds it: by roles and names.

import { fireEvent, waitFor, within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPanel, message, stubResizeObserver } from './world.ts'

// What jsdom lacks, as little of it as the panel needs.
let world: ReturnType<typeof createPanel>
beforeEach(() => {
  world = createPanel()
})
afterEach(() => world.remove())

const screen = () => within(world.container)
const log = () => screen().getByRole('log', { name: 'Conversation' })
const field = () => screen().getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
const type = (text: string) => fireEvent.input(field(), { target: { value: text } })

describe('the names that the outside relies on', () => {
  it('are there', () => {
    for (const [role, name] of [
      ['dialog', 'Chat'],
      ['log', 'Conversation'],
      ['textbox', 'Message'],
      ['button', 'Send'],
      ['button', 'Close chat'],
    ] as const)
      expect(screen().getByRole(role, { name })).toBeTruthy()
  })

  it('say before the first message that an AI answers', () => {
    expect(log().textContent).toContain('You’re talking to an AI assistant.')
  })
})

describe('the composer', () => {
  it('sends with Enter, empties itself, and tells of typing', async () => {
    await type('Hello')
    await fireEvent.keyDown(field(), { key: 'Enter' })
    expect(world.asked).toEqual(['typed', 'send Hello'])
    await waitFor(() => expect(field().value).toBe(''))
  })

  it('breaks the line with Shift+Enter, and leaves an input method alone', async () => {
    await type('こんにちは')
    await fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
    await fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
    await fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
    expect(world.asked).toEqual(['typed'])
  })

  it('sends no blanks', async () => {
    await type('   ')
    await fireEvent.click(screen().getByRole('button', { name: 'Send' }))
    expect(world.asked).toEqual(['typed'])
  })

  it('keeps its draft while the session changes', async () => {
    await type('half a thought')
    world.chat.status.value = 'expired'
    world.chat.sessionId.value = undefined
    await waitFor(() => expect(screen().getByText(/ended due to inactivity/)).toBeTruthy())
    expect(field().value).toBe('half a thought')
  })
})

describe('who answers', () => {
  it.each([
    [false, 'AI assistant · replies instantly', 'You’re talking to an AI assistant.'],
    [true, 'Automatic answers', 'Answers come automatically from our pages.'],
  ])(
    'is said in the header and above the first message, where answers are automatic or not: %s',
    async (automatic, status, line) => {
      world.panel.update({ automatic })
      await waitFor(() => screen().getByText(status))
      expect(screen().getAllByText(line)).toHaveLength(1)
      world.chat.agent.value = { name: 'Sarah', live: true }
      await waitFor(() => screen().getByText('You’re talking to a person'))
      expect(screen().queryByText(status)).toBeNull()
    },
  )

  it('is not said of a chat without a connection, nor of one that waits for a person', async () => {
    world.chat.status.value = 'idle'
    await waitFor(() => expect(screen().queryByText(/replies instantly/)).toBeNull())
    world.chat.status.value = 'live'
    await waitFor(() => screen().getByText(/replies instantly/))
    world.chat.handoff.value = { state: 'pending', position: 3 }
    await waitFor(() => expect(screen().getAllByText('You’re number 3 in the queue')).toHaveLength(1))
    expect(screen().queryByText(/replies instantly/)).toBeNull()
  })
})

describe('the transcript', () => {
  it('shows messages, and below them what is not confirmed', async () => {
    world.chat.transcript.value = [message('agent', 'Hello').entry, message('visitor', 'Hi').entry]
    world.chat.outbox.value = [
      { id: '1', text: 'on its way', at: 0, state: 'sent' },
      { id: '2', text: 'refused', at: 0, state: 'failed' },
    ]
    await waitFor(() => expect(log().textContent).toMatch(/Hello.*Hi.*on its way.*refused.*Not sent/s))
    await fireEvent.click(screen().getByRole('button', { name: 'Retry' }))
    await fireEvent.click(await screen().findByRole('button', { name: 'Discard' }))
    expect(world.asked).toEqual(['retry 2', 'discard 2'])
  })

  it('says of a message that waits in a chat that is unavailable that it is not sent, and can be sent by hand', async () => {
    world.chat.outbox.value = [{ id: '1', text: 'Anybody?', at: 0, state: 'queued' }]
    world.chat.status.value = 'reconnecting'
    await waitFor(() => expect(screen().getByText('Waiting for a connection')).toBeTruthy())
    world.chat.status.value = 'unavailable'
    world.chat.notice.value = { kind: 'unavailable' }
    await waitFor(() => expect(screen().getByText('Not sent')).toBeTruthy())
    expect(screen().queryByText('Waiting for a connection')).toBeNull()
    await fireEvent.click(screen().getByRole('button', { name: 'Retry' }))
    await fireEvent.click(screen().getByRole('button', { name: 'Discard' }))
    expect(world.asked).toEqual(['retry 1', 'discard 1'])
  })

  it('says of a message that waits for the page that it is not sent, once that takes long, and lets it be discarded', async () => {
    const item = { id: '1', text: 'May I?', at: 0 }
    const waits = vi.spyOn(globalThis, 'setTimeout')
    world.chat.outbox.value = [{ ...item, state: 'held' }]
    const late = () => waits.mock.calls.filter(([, ms]) => ms === 3_000).map(([fn]) => fn)
    // To the eye and to the ear.
    await waitFor(() => expect(late()).toHaveLength(2))
    const told = late()
    waits.mockRestore()
    expect(log().textContent).toContain('May I?')
    expect(screen().queryByText('Not sent yet')).toBeNull()
    expect(screen().queryByRole('button', { name: 'Discard' })).toBeNull()
    for (const tell of told) tell()
    await waitFor(() => expect(screen().getByText('Not sent yet')).toBeTruthy())
    expect(screen().queryByRole('button', { name: 'Retry' })).toBeNull()
    await fireEvent.click(screen().getByRole('button', { name: 'Discard' }))
    expect(world.asked).toEqual(['discard 1'])
    // It comes back, and waits anew.
    world.chat.outbox.value = [{ ...item, state: 'failed' }]
    await waitFor(() => expect(screen().getByText('Not sent')).toBeTruthy())
    world.chat.outbox.value = [{ ...item, state: 'held' }]
    await waitFor(() => expect(screen().queryByText('Not sent')).toBeNull())
    expect(screen().queryByText('Not sent yet')).toBeNull()
  })

  it('grows an answer without touching what is finished', async () => {
    const { entry, content } = message('agent', 'First *block*.\n\n', { complete: false })
    world.chat.transcript.value = [entry]
    await waitFor(() => expect(log().querySelector('em')?.textContent).toBe('block'))
    const first = log().querySelector('em')
    const pieces = content.value.pieces as string[]
    pieces.push('Second ', 'block.\n\nThird')
    content.value = { ...content.value, length: pieces.length }
    await waitFor(() => expect(log().textContent).toContain('Third'))
    expect(log().querySelector('em')).toBe(first)
  })

  it('shows what comes between the first drawing of a message and the next frame', async () => {
    // The parser is here: nothing else will draw it again.
    const first = message('agent', 'One *moment*.').entry
    world.chat.transcript.value = [first]
    await waitFor(() => expect(log().querySelector('em')).toBeTruthy())
    const { entry, content } = message('agent', 'I’m ', { complete: false })
    world.chat.transcript.value = [first, entry]
    while (!log().textContent?.includes('I’m')) await Promise.resolve()
    const pieces = content.value.pieces as string[]
    pieces.push('back.')
    content.value = { ...content.value, length: pieces.length, complete: true }
    await waitFor(() => expect(log().textContent).toContain('I’m back.'))
  })

  it('shows suggestions that send their text', async () => {
    world.chat.suggestions.value = [{ message_text: 'Opening hours' }]
    await waitFor(() => screen().getByRole('button', { name: 'Opening hours' }))
    await fireEvent.click(screen().getByRole('button', { name: 'Opening hours' }))
    expect(world.asked).toEqual(['send Opening hours'])
  })

  it('loads no image from elsewhere before it is asked to', async () => {
    const picture = {
      content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' as const,
      content_url: 'https://images.example.com/a.png',
      title: 'A map',
    }
    world.chat.transcript.value = [
      message('agent', '![spy](https://spy.example.com/x.png)', { attachments: [picture] }).entry,
    ]
    await waitFor(() => screen().getByRole('button', { name: /Show image: A map/ }))
    expect(world.container.querySelectorAll('img')).toHaveLength(0)
    await fireEvent.click(screen().getByRole('button', { name: /Show image: A map/ }))
    await waitFor(() =>
      expect(screen().getByRole('img', { name: 'A map' }).getAttribute('src')).toBe(
        'https://images.example.com/a.png',
      ),
    )
  })

  it('follows no address but those of pages, mails and phones', async () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'https://user:pass@example.com',
      'JaVaScRiPt:alert(1)',
    ]
    const text = `${links.map((link) => `[bad](${link})`).join(' ')} [good](https://example.com/a) [mail](mailto:a@example.com)`
    world.chat.transcript.value = [
      message('agent', text, {
        attachments: [{ content_type: 'ATTACHMENT_CONTENT_TYPE_URL', content_url: 'javascript:alert(1)' }],
      }).entry,
    ]
    await waitFor(() => expect(screen().getAllByRole('link')).toHaveLength(2))
    for (const link of screen().getAllByRole('link')) {
      expect(link.getAttribute('href')).toMatch(/^(https|mailto):/)
      expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    }
  })
})

describe('a picture of who answers', () => {
  const origins = { imageOrigins: ['https://images.example.com', 'http://localhost:4700'] }
  const pictures = () =>
    [...world.container.querySelectorAll('header img')].map((image) => image.getAttribute('src'))
  const show = async (avatarUrl: string) => {
    world.chat.agent.value = { name: 'Zoe', live: true, avatarUrl }
    await waitFor(() => screen().getByRole('heading', { name: 'Zoe' }))
    // The sign of an assistant stands there until the rest of the panel is loaded.
    await waitFor(() => expect(world.container.querySelector('.avatar.live')).not.toBeNull())
  }

  it.each([
    'https://images.example.com/zoe.png',
    'http://localhost:4700/zoe.png',
    'data:image/png;base64,AAAA',
  ])('loads by itself from where the BFF says: %s', async (url) => {
    world.panel.update(origins)
    await show(url)
    expect(pictures()).toEqual([url])
  })

  it.each([
    'https://evil.example.com/zoe.png',
    'https://images.example.com.evil.example.com/zoe.png',
    'https://images.example.com@evil.example.com/zoe.png',
    'https://sub.images.example.com/zoe.png',
    'http://images.example.com/zoe.png',
    'https://images.example.com:8443/zoe.png',
    '//evil.example.com/zoe.png',
    'blob:https://images.example.com/1',
    'javascript:alert(1)',
    'data:text/html,x',
    'nonsense',
  ])('is an initial otherwise: %s', async (url) => {
    world.panel.update(origins)
    await show(url)
    expect(pictures()).toEqual([])
    expect(world.container.querySelector('.avatar')?.textContent).toBe('Z')
  })

  it('is an initial until the BFF has said anything', async () => {
    await show('https://images.example.com/zoe.png')
    expect(pictures()).toEqual([])
    world.panel.update(origins)
    await waitFor(() => expect(pictures()).toHaveLength(1))
  })

  it('is an initial once it could not be loaded', async () => {
    world.panel.update(origins)
    await show('https://images.example.com/zoe.png')
    await fireEvent.error(world.container.querySelector('header img') as HTMLImageElement)
    await waitFor(() => expect(pictures()).toEqual([]))
  })
})

describe('a colour', () => {
  /** A canvas that knows two colours, and as every canvas leaves its style as it was for all else. */
  const canvas = () => {
    let style = '#000000'
    const known: Record<string, string> = { '#000': '#000000', '#fff': '#ffffff', navy: '#000080' }
    return {
      get fillStyle() {
        return style
      },
      set fillStyle(text: string) {
        style = known[text] ?? style
      },
      fillRect() {},
      getImageData: () => ({ data: [0, 0, 128, 255] }),
    }
  }
  const accent = () =>
    world.container.querySelector<HTMLElement>('.foyer')?.style.getPropertyValue('--accent')

  it('is what the browser makes of it, never the text that was given', async () => {
    const get = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(canvas as never)
    world.panel.update({ accent: 'navy' })
    await waitFor(() => expect(accent()).toBe('rgb(0 0 128)'))
    for (const text of ['var(--x,url(https://evil.example.com))', 'url(//evil.example.com)', 'red;x:y']) {
      world.panel.update({ accent: text })
      await Promise.resolve()
      expect(accent()).toBe('rgb(0 0 128)')
    }
    world.panel.update({ accent: undefined })
    await waitFor(() => expect(accent()).toBe(''))
    expect(world.container.querySelector<HTMLElement>('.foyer')?.style).toHaveLength(0)
    get.mockRestore()
  })
})

describe('the connection', () => {
  it('is spoken of in one line with one thing to do', async () => {
    world.chat.notice.value = { kind: 'unavailable' }
    await waitFor(() => screen().getByText('The chat can’t be reached right now.'))
    await fireEvent.click(screen().getByRole('button', { name: 'Try again' }))
    world.chat.notice.value = { kind: 'idle-warning', endsAt: Date.now() + 50_000 }
    await waitFor(() => screen().getByText(/will end in 0:5\d/))
    await fireEvent.click(screen().getByRole('button', { name: 'Keep chatting' }))
    world.chat.notice.value = { kind: 'reconnecting' }
    await fireEvent.click(await waitFor(() => screen().getByRole('button', { name: 'Try again' })))
    expect(world.asked).toEqual(['open', 'keepAlive', 'wake'])
  })

  it.each([
    [{ kind: 'offline' }, /^You’re offline\./, undefined],
    [{ kind: 'busy' }, /^The chat is busy\./, undefined],
    [{ kind: 'reconnecting' }, /^Reconnecting…/, 'Try again'],
    [{ kind: 'unavailable', cause: 'gave-up' }, /^The chat can’t be reached right now\./, 'Try again'],
    [{ kind: 'unavailable', cause: 'refused' }, /^The chat isn’t available on this page\./, 'Try again'],
  ] as const)('says what is wrong, and what can be done: %j', async (notice, words, action) => {
    world.chat.status.value = 'live'
    world.chat.notice.value = notice
    const line = await waitFor(() => screen().getByText(words))
    const button = line.closest('.notice')?.querySelector('button') ?? undefined
    expect(button?.textContent).toBe(action)
  })

  it('that was given up is tried again by the notice’s button, or by writing', async () => {
    world.chat.status.value = 'unavailable'
    world.chat.notice.value = { kind: 'unavailable', cause: 'gave-up' }
    await fireEvent.click(await screen().findByRole('button', { name: 'Try again' }))
    await type('Hello')
    await fireEvent.click(screen().getByRole('button', { name: 'Send' }))
    expect(world.asked).toEqual(['open', 'typed', 'send Hello'])
  })

  it('that takes long says so of what waits for it, and not before', async () => {
    world.chat.status.value = 'connecting'
    world.chat.outbox.value = [{ id: '1', text: 'Hello', at: 0, state: 'queued' }]
    await waitFor(() => screen().getByText('Hello'))
    expect(screen().queryByText('Waiting for a connection')).toBeNull()
    world.chat.notice.value = { kind: 'reconnecting' }
    await waitFor(() => screen().getByText('Waiting for a connection'))
    expect(screen().getByText('Connecting is taking longer than usual…')).toBeTruthy()
    expect(screen().queryByText('Connecting…')).toBeNull()
  })

  it('that is not there yet shows that something is coming', async () => {
    world.chat.status.value = 'connecting'
    await waitFor(() => screen().getByRole('img', { name: 'The chat is loading' }))
    expect(screen().getByText('Connecting…')).toBeTruthy()
  })
})

describe('the name in the header', () => {
  const heading = () => world.container.querySelector('.header h2')?.textContent

  it.each(['idle', 'connecting', 'live'] as const)(
    'is not another one before the agent has joined a chat that is %s',
    async (status) => {
      world.chat.status.value = status
      world.chat.agent.value = { live: false }
      world.chat.transcript.value = []
      await waitFor(() => expect(world.container.querySelector('.header .who > i')).not.toBeNull())
      expect(heading()).toBeUndefined()
      world.chat.agent.value = { name: 'Ada', live: false }
      await waitFor(() => expect(heading()).toBe('Ada'))
    },
  )

  it.each<[string, () => void, string]>([
    ['the site names it', () => world.panel.update({ site: { agentName: 'Fern' } }), 'Fern'],
    [
      'it has joined without a name',
      () => (world.chat.agent.value = { name: undefined, live: false }),
      'Assistant',
    ],
    ['it has written', () => (world.chat.transcript.value = [message('agent', 'Hello').entry]), 'Assistant'],
    ['there is no connection', () => (world.chat.status.value = 'unavailable'), 'Assistant'],
  ])('is there where %s', async (_, happens, name) => {
    world.chat.status.value = 'connecting'
    world.chat.agent.value = { live: false }
    world.chat.transcript.value = []
    happens()
    await waitFor(() => expect(heading()).toBe(name))
  })
})

describe('a handoff', () => {
  it('shows the place in the queue and the wait, then the person', async () => {
    world.chat.handoff.value = { state: 'pending', position: 3, waitSeconds: 120 }
    await waitFor(() => screen().getByText('You’re number 3 in the queue, about 2 min'))
    world.chat.handoff.value = { state: 'live' }
    world.chat.agent.value = { name: 'Sarah', live: true }
    await waitFor(() => screen().getByText('You’re talking to a person'))
    expect(screen().getByRole('heading', { name: 'Sarah' })).toBeTruthy()
  })

  it.each([
    ['agent', undefined, 'Assistant'],
    ['agent', 'Ada', 'Ada'],
    ['live', undefined, 'A team member'],
    ['live', 'Ada', 'A team member'],
  ] as const)(
    'names a speaker without a name (%s, where the site calls its assistant %s) %s',
    async (role, agentName, name) => {
      world.panel.update({ site: { agentName, avatar: 'https://img.example.com/ada.png' } })
      world.panel.update({ imageOrigins: ['https://img.example.com'] })
      world.chat.agent.value = { name: undefined, live: role === 'live' }
      const { entry } = message(role, 'Hello')
      world.chat.transcript.value = [{ ...entry, agentName: undefined } as typeof entry]
      await waitFor(() => expect(screen().getByRole('heading', { name })).toBeTruthy())
      await waitFor(() => expect(log().textContent).toContain(name))
      // The picture of the assistant is no picture of a person.
      const avatar = role === 'live' ? '.header .avatar.live' : '.header .avatar img'
      await waitFor(() => expect(world.container.querySelector(avatar)).not.toBeNull())
      expect(world.container.querySelectorAll('.header img')).toHaveLength(role === 'live' ? 0 : 1)
    },
  )
})

describe('the end', () => {
  it('offers a new chat', async () => {
    world.chat.status.value = 'ended'
    await waitFor(() => screen().getByText('This chat has ended.'))
    expect(screen().queryByRole('textbox')).toBeNull()
    await fireEvent.click(screen().getByRole('button', { name: 'Start a new chat' }))
    expect(world.asked).toEqual(['restart'])
  })
})

describe('the keyboard', () => {
  it('opens the menu, walks through it and leaves it', async () => {
    const button = screen().getByRole('button', { name: 'More' })
    await fireEvent.click(button)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Start a new chat'))
    const menu = screen().getByRole('menu')
    await fireEvent.keyDown(document.activeElement ?? menu, { key: 'ArrowDown' })
    expect(document.activeElement?.textContent).toBe('Language')
    await fireEvent.keyDown(document.activeElement ?? menu, { key: 'e' })
    expect(document.activeElement?.textContent).toBe('End chat')
    await fireEvent.keyDown(document.activeElement ?? menu, { key: 'Escape' })
    await waitFor(() => expect(screen().queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(button)
    expect(world.asked).toEqual([])
  })

  it('cannot close a panel that nothing could open again', async () => {
    world.panel.update({ closable: false })
    await waitFor(() => expect(screen().queryByRole('button', { name: 'Close chat' })).toBeNull())
    await fireEvent.keyDown(field(), { key: 'Escape' })
    expect(world.asked).toEqual([])
  })

  it('closes the panel with Escape', async () => {
    await fireEvent.keyDown(field(), { key: 'Escape' })
    expect(world.asked).toEqual(['close'])
  })
})

describe('another language', () => {
  it('comes with its direction, by the page or by the agent', async () => {
    world.panel.update({ locale: 'ar-EG' })
    await waitFor(() => expect(world.container.querySelector('[dir="rtl"]')).toBeTruthy())
    world.chat.language.value = 'de'
    await waitFor(() => screen().getByRole('button', { name: 'Senden' }))
    expect(world.container.querySelector('[dir="rtl"]')).toBeNull()
  })

  it('is the last that was asked for, however late another arrives', async () => {
    world.panel.update({ locale: 'nl' })
    world.panel.update({ locale: 'en' })
    // Resolves with the module that the panel loads too, so its words have arrived by then.
    await import('../../src/ui/locales/nl.ts')
    await new Promise((resolve) => setTimeout(resolve))
    expect(screen().getByRole('button', { name: 'Send' })).toBeTruthy()
  })

  it('of the agent stays when something else changes', async () => {
    world.chat.language.value = 'de'
    await waitFor(() => screen().getByRole('button', { name: 'Senden' }))
    world.panel.update({ locale: 'en', theme: 'dark' })
    await waitFor(() => screen().getByRole('button', { name: 'Senden' }))
    world.panel.update({ locale: 'en', theme: 'light' })
    await new Promise((resolve) => setTimeout(resolve))
    expect(screen().getByRole('button', { name: 'Senden' })).toBeTruthy()
  })

  it('leaves the site its own words, until it takes them back', async () => {
    world.panel.update({ words: { send: 'Go' } })
    await waitFor(() => screen().getByRole('button', { name: 'Go' }))
    world.panel.update({ locale: 'de' })
    await waitFor(() => screen().getByRole('button', { name: 'Chat schließen' }))
    expect(screen().getByRole('button', { name: 'Go' })).toBeTruthy()
    world.panel.update({ words: undefined })
    await waitFor(() => screen().getByRole('button', { name: 'Senden' }))
  })

  it('counts in its own digits', async () => {
    world.chat.notice.value = { kind: 'idle-warning', endsAt: Date.now() + 50_000 }
    world.panel.update({ locale: 'ar-EG' })
    await waitFor(() => screen().getByText(/٠:٥[٠-٩]/))
  })

  it('that nobody speaks is English', async () => {
    world.panel.update({ locale: 'not a locale' })
    await waitFor(() => screen().getByRole('button', { name: 'Send' }))
  })
})

describe('the header', () => {
  it.each([
    [200, false],
    [259, false],
    [260, true],
    [0, true],
  ])('of %i px says who answers besides the name: %s', async (width, says) => {
    const told = stubResizeObserver((element) => element.localName === 'header')
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(width)
    world.remove()
    world = createPanel()
    world.chat.status.value = 'live'
    await waitFor(() => expect(told.size).toBe(1))
    for (const tell of told) tell()
    await waitFor(() => expect(world.container.querySelector('header .status') !== null).toBe(says))
    expect(world.container.querySelector('header .avatar') !== null).toBe(says)
    expect(screen().getByRole('heading')).toBeTruthy()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
})
