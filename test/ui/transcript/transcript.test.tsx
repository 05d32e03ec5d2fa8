// The transcript: what it costs to add to it, how it is walked through by keyboard, where the focus goes.

import { batch } from '@preact/signals'
import { fireEvent, waitFor, within } from '@testing-library/preact'
import { options, type VNode } from 'preact'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Entry } from '../../../src/chat/index.ts'
import { createPanel, message, stubResizeObserver } from '../world.ts'

let world: ReturnType<typeof createPanel>
beforeEach(() => {
  world = createPanel()
})
afterEach(() => {
  world.remove()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
const screen = () => within(world.container)
const box = () => world.container.querySelector('.scroll') as HTMLElement
const articles = () => [...world.container.querySelectorAll('article')]
const focused = () => document.activeElement as HTMLElement
/** Before the name of who speaks, for screen readers. */
const TIME = /^\d+:\d\d [AP]M (Ada|Assistant) said:/
const copy = () => screen().getAllByRole('button', { name: 'Copy answer' })

/** An entry that counts how often its time is read, which every drawing does. */
function counted(text: string, reads: { count: number }): Entry {
  const { entry } = message('agent', text)
  return Object.defineProperty({ ...entry }, 'at', {
    enumerable: true,
    get: () => {
      reads.count++
      return 0
    },
  }) as Entry
}

/**
 * The same entry. `read` gets its key when a field of it is read: its time as its line is drawn, or the one below it; its key as its group
 * is drawn.
 */
function noted(entry: Entry, read: Set<string>, field: 'at' | 'key' = 'at'): Entry {
  const { key, [field]: value } = entry
  return Object.defineProperty({ ...entry }, field, {
    enumerable: true,
    get() {
      read.add(key)
      return value
    },
  })
}
const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key)

describe('a long transcript', () => {
  it('draws the newest entries at once, and all of them in the end', async () => {
    world.chat.transcript.value = Array.from({ length: 340 }, (_, n) => message('agent', `No ${n}.`).entry)
    await waitFor(() => expect(articles().length).toBeGreaterThanOrEqual(100))
    expect(articles().at(-1)?.textContent).toContain('No 339.')
    await waitFor(() => expect(articles()).toHaveLength(340))
    expect(articles().map((each) => Number(/No (\d+)\./.exec(each.textContent ?? '')?.[1]))).toEqual(
      Array.from({ length: 340 }, (_, n) => n),
    )
  })

  it('draws nothing again but its last group when a message is added', async () => {
    const reads = { count: 0 }
    const old = Array.from({ length: 200 }, (_, n) => counted(`old ${n}`, reads))
    world.chat.transcript.value = [...old, message('agent', 'newest').entry]
    await waitFor(() => expect(articles()).toHaveLength(201))
    // What draws answers has come: only the last has something to be done with it.
    await waitFor(() =>
      expect(world.container.querySelectorAll('[aria-label="Copy answer"]')).toHaveLength(1),
    )
    // And the rest of the panel, which draws times.
    await waitFor(() => expect(articles()[200]?.textContent).toMatch(TIME))
    const [first, before] = [articles()[0], reads.count]
    expect(before).toBeGreaterThanOrEqual(200)
    world.chat.transcript.value = [...world.chat.transcript.value, message('agent', 'one more').entry]
    await waitFor(() => expect(articles()).toHaveLength(202))
    // The last group looks at the entry before it, and at no other.
    expect(reads.count - before).toBeLessThanOrEqual(3)
    expect(articles()[0]).toBe(first)
  })

  it.each([450, 850])('draws one group again when a message is added to %i', async (count) => {
    const read = new Set<string>()
    const plain = Array.from({ length: count }, (_, n) => message('visitor', `No ${n}`).entry)
    const all = plain.map((entry) => noted(entry, read, 'key'))
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(count))
    read.clear()
    world.chat.transcript.value = [...all, message('visitor', 'one more').entry]
    await waitFor(() => expect(articles()).toHaveLength(count + 1))
    expect(read).toEqual(new Set(keysOf(plain.slice(-50))))
  })

  it.each([400, 450])('draws no older line again when a message is added to %i', async (count) => {
    const read = new Set<string>()
    const all = Array.from({ length: count }, (_, n) => noted(message('visitor', `No ${n}`).entry, read))
    const added = noted(message('visitor', 'one more').entry, read)
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(count))
    read.clear()
    world.chat.transcript.value = [...all, added]
    await waitFor(() => expect(articles()).toHaveLength(count + 1))
    // The one that was the newest is not any more, and looks at the one above it.
    expect(read).toEqual(new Set([...keysOf(all.slice(-2)), added.key]))
  })

  it('draws the line again whose neighbour above changed, and no other', async () => {
    const read = new Set<string>()
    const all = Array.from({ length: 50 }, (_, n) => noted(message('agent', `No ${n}`).entry, read))
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(50))
    read.clear()
    const instead = noted(message('visitor', 'instead').entry, read)
    world.chat.transcript.value = all.with(48, instead)
    await waitFor(() => expect(articles()[48]?.textContent).toContain('instead'))
    expect(read).toEqual(new Set([...keysOf(all.slice(47, 48)), instead.key, ...keysOf(all.slice(49))]))
    expect(articles()[49]?.className).not.toContain('joined')
  })

  /** A page that never pauses. */
  const neverIdle = () => {
    vi.stubGlobal('requestIdleCallback', () => 0)
    // It stays: Preact may undo an effect after the panel is gone.
    Object.assign(globalThis, { cancelIdleCallback() {} })
  }

  describe.each([
    [
      'an attachment',
      {
        attachments: [
          {
            content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
            content_url: 'https://example.com/a',
            title: 'The page',
          },
        ],
      },
      () => screen().getByRole('link', { name: /The page/ }),
    ],
    [
      'a phone button',
      { callActions: [{ title: 'Call us', contact_number: '+15005550006' }] },
      () => screen().getByRole('link', { name: /Call us/ }),
    ],
    ['that it was stopped', { stopped: true }, () => screen().getByText('Stopped')],
  ])('shows %s below an older answer', (_, more, find) => {
    const follows = message('visitor', 'Where?').entry

    it('that had it when it was drawn', async () => {
      world.chat.transcript.value = [message('agent', 'Look here', more).entry, follows]
      await waitFor(() => expect(find()).toBeTruthy())
    })

    it('that had nothing there before', async () => {
      const { entry, content } = message('agent', 'Look here')
      world.chat.transcript.value = [entry, follows]
      await waitFor(() => expect(world.container.querySelector('article p:not(.plain)')).toBeTruthy())
      content.value = { ...content.value, ...more }
      await waitFor(() => expect(find()).toBeTruthy())
    })
  })

  it('shows the rest of an answer that goes on after it was whole', async () => {
    const pieces = ['One *two']
    const { entry, content } = message('agent', '', { complete: false })
    content.value = { ...content.value, pieces, length: 1 }
    world.chat.transcript.value = [entry]
    await waitFor(() => expect(articles()[0]?.textContent).toContain('One two'))
    content.value = { ...content.value, complete: true }
    await waitFor(() => expect(articles()[0]?.textContent).toContain('One *two'))
    pieces.push('* three')
    content.value = { ...content.value, length: 2, complete: false }
    await waitFor(() => expect(articles()[0]?.textContent).toContain('One two three'))
    expect(articles()[0]?.querySelector('em')?.textContent).toBe('two')
  })

  it('draws the newest hundred first, and the hundred before them without waiting for a pause', async () => {
    neverIdle()
    const all = Array.from({ length: 1_000 }, (_, n) => message('visitor', `No ${n}`).entry)
    const seen: number[] = []
    const observer = new MutationObserver(() => seen.push(articles().length))
    observer.observe(box(), { childList: true, subtree: true })
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(200))
    await new Promise((resolve) => setTimeout(resolve, 100))
    observer.disconnect()
    expect([...new Set(seen)]).toEqual([100, 200])
    expect(articles()[0]?.textContent).toContain('No 800')
  })

  it('takes away nothing that is drawn when a group begins', async () => {
    neverIdle()
    const all = Array.from({ length: 701 }, (_, n) => message('visitor', `No ${n}`).entry)
    world.chat.transcript.value = all.slice(0, 650)
    await waitFor(() => expect(articles()).toHaveLength(250))
    const [oldest] = articles()
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(301))
    expect(articles()[0]).toBe(oldest)
  })

  it('keeps what is drawn of a conversation while it grows', async () => {
    const all = Array.from({ length: 300 }, (_, n) => message('visitor', `No ${n}`).entry)
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(300))
    const [first] = articles()
    world.chat.transcript.value = [...all, message('visitor', 'one more').entry]
    await waitFor(() => expect(articles().at(-1)?.textContent).toContain('one more'))
    expect([articles().length, articles()[0] === first]).toEqual([301, true])
  })

  it('draws a group again in which an entry was replaced or moved', async () => {
    const all = Array.from({ length: 150 }, (_, n) => message('agent', `No ${n}`).entry)
    world.chat.transcript.value = all
    await waitFor(() => expect(articles()).toHaveLength(150))
    world.chat.transcript.value = all.with(3, message('agent', 'instead').entry)
    await waitFor(() => expect(articles()[3]?.textContent).toContain('instead'))
    world.chat.transcript.value = [message('agent', 'before all').entry, ...all]
    await waitFor(() => expect(articles()).toHaveLength(151))
    expect(articles()[0]?.textContent).toContain('before all')
    expect(articles()[150]?.textContent).toContain('No 149')
  })

  describe('that a replay brings in batches:', () => {
    const read = new Set<string>()
    const entries = Array.from({ length: 400 }, (_, n) => noted(message('agent', `No ${n}.`).entry, read))
    /** What is drawn by the time that Preact has drawn all that is due, before any frame, and after so long. */
    const drawn = async (ms = 0) => {
      await vi.advanceTimersByTimeAsync(ms)
      return articles().at(-1)?.textContent
    }
    const frames = new Map<number, FrameRequestCallback>()
    let count = 0
    const frame = () => {
      const due = [...frames.values()]
      frames.clear()
      for (const callback of due) callback(0)
    }
    beforeEach(() => {
      // A machine that is busy does not make a replay long.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      frames.clear()
      vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((callback) => {
        frames.set(++count, callback)
        return count
      })
      vi.spyOn(globalThis, 'cancelAnimationFrame').mockImplementation((id) => void frames.delete(id))
    })
    afterEach(() => vi.useRealTimers())
    const replay = (status: 'connecting' | 'reconnecting') => {
      batch(() => {
        world.chat.status.value = status
        world.chat.replaying.value = true
      })
    }
    const over = () =>
      batch(() => {
        world.chat.status.value = 'live'
        world.chat.replaying.value = false
      })

    it('draws a short one with its first frame, and of what follows the end, once it is over', async () => {
      replay('connecting')
      world.chat.transcript.value = entries.slice(0, 60)
      world.chat.transcript.value = entries.slice(0, 120)
      frame()
      expect(await drawn()).toContain('No 119.')
      read.clear()
      for (const end of [180, 240, 300, 400]) {
        world.chat.transcript.value = entries.slice(0, end)
        frame()
        expect(await drawn()).toContain('No 119.')
      }
      over()
      expect(await drawn()).toContain('No 399.')
      // The first line looks at the one above it.
      expect(read).toEqual(new Set(keysOf(entries.slice(199))))
    })

    it('draws nothing but the end of one that is long by its first frame, and shows until then that it loads', async () => {
      replay('connecting')
      read.clear()
      for (const end of [60, 120, 180, 240]) world.chat.transcript.value = entries.slice(0, end)
      frame()
      expect(await drawn()).toBeUndefined()
      expect(screen().getByRole('img', { name: 'The chat is loading' })).toBeTruthy()
      world.chat.transcript.value = entries
      frame()
      expect(await drawn()).toBeUndefined()
      over()
      expect(await drawn()).toContain('No 399.')
      expect(screen().queryByRole('img', { name: 'The chat is loading' })).toBeNull()
      expect(read).toEqual(new Set(keysOf(entries.slice(299))))
    })

    it.each(['connecting', 'reconnecting'] as const)(
      'draws every second what has come of one that takes longer, and waits anew (%s)',
      async (status) => {
        replay(status)
        world.chat.transcript.value = entries.slice(0, 60)
        frame()
        expect(await drawn()).toContain('No 59.')
        const comes = async (end: number, ms: number) => {
          world.chat.transcript.value = entries.slice(0, end)
          return drawn(ms)
        }
        expect(await comes(120, 600)).toContain('No 59.')
        expect(await comes(180, 300)).toContain('No 59.')
        expect(await comes(180, 200)).toContain('No 179.')
        expect(await comes(240, 900)).toContain('No 179.')
        expect(await comes(300, 200)).toContain('No 299.')
      },
    )

    it('draws at once what comes in a chat that is live', async () => {
      world.chat.transcript.value = entries.slice(0, 60)
      expect(await drawn()).toContain('No 59.')
      world.chat.transcript.value = entries.slice(0, 180)
      expect(await drawn()).toContain('No 179.')
    })

    it('draws a message at once that leaves the outbox for it', async () => {
      const own = { id: 'own', text: 'Mine', at: 0, state: 'sent' as const }
      replay('reconnecting')
      world.chat.transcript.value = entries.slice(0, 60)
      world.chat.outbox.value = [own]
      await drawn()
      batch(() => {
        world.chat.outbox.value = []
        world.chat.transcript.value = [...entries.slice(0, 120), message('visitor', 'Mine').entry]
      })
      expect(await drawn()).toContain('Mine')
    })
  })

  it('draws nothing again for a chunk but its words', async () => {
    const { entry, content } = message('agent', 'Take ', { complete: false })
    world.chat.transcript.value = [entry]
    await waitFor(() => expect(articles()[0]?.textContent).toContain('Take'))
    await waitFor(() => expect(world.container.querySelector('article p:not(.plain)')).toBeTruthy())
    await waitFor(() => expect(articles()[0]?.textContent).toMatch(TIME))
    // Whatever else a loaded part draws is drawn by now.
    await new Promise((resolve) => setTimeout(resolve, 0))
    const drawings = vi.spyOn(options as { diffed(node: VNode): void }, 'diffed')
    const { value } = content
    const pieces = value.pieces as string[]
    for (let n = 0; n < 50; n++) {
      pieces.push('more ')
      content.value = { ...value, pieces, length: pieces.length }
      await Promise.resolve()
    }
    await waitFor(() => expect(articles()[0]?.textContent).toContain('more more '))
    const names = drawings.mock.calls.map(([{ type }]) => typeof type === 'function' && type.name)
    expect(names).toContain('Markdown')
    const within = ['Line', 'Below', 'Tools', 'Entries', 'Transcript', 'PanelView']
    expect(names.filter((name) => within.includes(`${name}`))).toEqual([])
  })

  describe('an appended answer', () => {
    const add = async (text: string) => {
      const { value } = world.chat.transcript
      world.chat.transcript.value = [...value, message('agent', text).entry]
      await waitFor(() => expect(articles()).toHaveLength(value.length + 1))
    }
    beforeEach(async () => {
      world.chat.transcript.value = [message('visitor', 'Well?').entry]
      await add('one')
      await waitFor(() => expect(copy()).toHaveLength(1))
      await waitFor(() => expect(articles()[1]?.textContent).toMatch(TIME))
    })

    it('has the tools in place of the one before, which nobody came near', async () => {
      await add('two')
      await waitFor(() => expect(articles()[2]?.contains(copy()[0] as HTMLElement)).toBe(true))
      expect(copy()).toHaveLength(1)
    })

    it.each([
      ['the focus', (button: HTMLElement) => button.focus()],
      ['the pointer', (button: HTMLElement) => fireEvent.pointerEnter(button.closest('article') as Element)],
    ])('leaves the one before the tools that %s came to', async (_, come) => {
      const [button] = copy() as [HTMLElement]
      come(button)
      await add('two')
      await waitFor(() => expect(copy()).toHaveLength(2))
      expect(articles()[1]?.contains(button)).toBe(true)
      const written: string[] = []
      vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => written.push(text) } })
      for (const each of copy()) fireEvent.click(each)
      expect(written).toEqual(['one', 'two'])
    })

    it('of which the visitor has seen nothing has no tools once the visitor has answered', async () => {
      const { value } = world.chat.transcript
      world.chat.transcript.value = [...value, message('visitor', 'Thank you').entry]
      await waitFor(() => expect(articles()).toHaveLength(3))
      await waitFor(() => expect(screen().queryByRole('button', { name: 'Copy answer' })).toBeNull())
    })
  })

  describe('gives the tools of an answer', () => {
    /** Each step in which the transcript changes: whether its words came in it, and its tools. */
    async function steps(act: () => void) {
      const seen: string[] = []
      const observer = new MutationObserver((records) => {
        const added = records.flatMap(({ addedNodes, target }) => [...addedNodes, target])
        const text = added.map(({ textContent }) => textContent).join(' ')
        const tools = added.some(
          (node) => node instanceof Element && node.querySelector('[aria-label="Copy answer"]'),
        )
        seen.push(`${text.includes('the end') ? 'words' : ''}${tools ? ' tools' : ''}`)
      })
      observer.observe(box(), { childList: true, characterData: true, subtree: true })
      act()
      await waitFor(() => screen().getByRole('button', { name: 'Copy answer' }))
      observer.disconnect()
      return seen
    }
    const begin = async (...entries: Entry[]) => {
      world.chat.transcript.value = entries
      await waitFor(() => expect(world.container.querySelector('article p:not(.plain)')).toBeTruthy())
      await waitFor(() =>
        expect(articles().some(({ textContent }) => TIME.test(`${textContent}`))).toBe(true),
      )
    }

    it('that came in pieces after the step that draws its last words', async () => {
      const { entry, content } = message('agent', 'This is ', { complete: false })
      await begin(message('visitor', 'Well?').entry, entry)
      const seen = await steps(() => {
        content.value = { ...content.value, pieces: ['This is ', 'the end'], length: 2, complete: true }
      })
      expect(seen[0]).toBe('words')
      expect(seen.join()).toContain('tools')
    })

    it('that came whole in the step that draws it', async () => {
      const { entry } = message('visitor', 'Hello')
      await begin(message('agent', 'Before', { complete: false }).entry, entry)
      const seen = await steps(() => {
        world.chat.transcript.value = [
          ...world.chat.transcript.value,
          message('agent', 'This is the end').entry,
        ]
      })
      expect(seen[0]).toBe('words tools')
    })
  })
})

describe('the log by keyboard', () => {
  beforeEach(async () => {
    world.chat.transcript.value = ['one', 'two', 'three'].map((text) => message('agent', text).entry)
    await waitFor(() => expect(articles()).toHaveLength(3))
    box().focus()
  })

  it('is one tab stop, and one more for what can be done with the newest answer', async () => {
    await waitFor(() => expect(screen().getByRole('button', { name: 'Copy answer' })).toBeTruthy())
    const stops = [...box().querySelectorAll<HTMLElement>('*')].filter((each) => each.tabIndex >= 0)
    expect([box().tabIndex, stops.map((each) => each.ariaLabel ?? each.getAttribute('aria-label'))]).toEqual([
      0,
      ['Copy answer'],
    ])
    expect(articles()[2]?.contains(stops[0] as HTMLElement)).toBe(true)
  })

  it('is left alone by letters, which some keyboards do not name', async () => {
    world.chat.transcript.value = [1, 2].map((n) => message('agent', `See https://example.com/${n}`).entry)
    await waitFor(() => expect(screen().getAllByRole('link')).toHaveLength(2))
    const field = screen().getByRole('textbox', { name: 'Message' })
    const first = () => screen().getAllByRole('link')[0]?.tabIndex
    for (const init of [{ keyCode: 229 }, { keyCode: 229, shiftKey: true }, { keyCode: 0 }]) {
      fireEvent.keyDown(field, { key: 'Unidentified', ...init })
      expect(first()).toBe(0)
    }
    // Tab with Shift in WebKit on Linux.
    fireEvent.keyDown(field, { key: 'Unidentified', shiftKey: true, keyCode: 9 })
    expect(first()).toBe(-1)
    fireEvent.keyUp(field, { key: 'Unidentified', shiftKey: true, keyCode: 9 })
  })

  it('is one tab stop where older answers have links, until the key goes up', async () => {
    world.chat.transcript.value = [1, 2].map((n) => message('agent', `See https://example.com/${n}`).entry)
    await waitFor(() => expect(screen().getAllByRole('link')).toHaveLength(2))
    const stops = () =>
      screen()
        .getAllByRole('link')
        .map((each) => each.tabIndex)
    fireEvent.keyDown(box(), { key: 'Tab' })
    expect(stops()).toEqual([-1, 0])
    fireEvent.keyDown(box(), { key: 'Tab' })
    fireEvent.keyUp(box(), { key: 'Tab' })
    expect(stops()).toEqual([0, 0])
  })

  it('goes from message to message with the arrows, and stays at both ends', async () => {
    const walk = async (key: string) => {
      await fireEvent.keyDown(focused(), { key })
      return articles().indexOf(focused())
    }
    expect(await walk('ArrowUp')).toBe(2)
    expect(await walk('ArrowUp')).toBe(1)
    expect(await walk('Home')).toBe(0)
    expect(await walk('ArrowUp')).toBe(0)
    expect(await walk('ArrowDown')).toBe(1)
    expect(await walk('End')).toBe(2)
    expect(await walk('ArrowDown')).toBe(2)
  })

  it('leaves shortcuts, and keys inside a message, alone', async () => {
    const untouched = async (target: HTMLElement, init: KeyboardEventInit) =>
      expect(await fireEvent.keyDown(target, init)).toBe(true)
    await untouched(box(), { key: 'ArrowUp', altKey: true })
    await untouched(box(), { key: 'a' })
    await untouched(articles()[0]?.querySelector('.text') as HTMLElement, { key: 'ArrowUp' })
  })
})

describe('the focus', () => {
  it('goes to the composer when a suggestion was chosen, and on a phone to the conversation', async () => {
    for (const [phone, expected] of [
      [false, 'TEXTAREA'],
      [true, 'DIV'],
    ] as const) {
      world.panel.update({ phone })
      world.chat.suggestions.value = [{ message_text: 'Opening hours?' }]
      const chip = await screen().findByRole('button', { name: 'Opening hours?' })
      chip.focus()
      await fireEvent.click(chip)
      expect(focused().tagName).toBe(expected)
      world.chat.suggestions.value = []
      await waitFor(() => expect(screen().queryByRole('button', { name: 'Opening hours?' })).toBeNull())
    }
  })

  it('goes to “Start a new chat” when the chat ends, and to the composer when it has started', async () => {
    // jsdom says false while nothing inside has the focus; a browser's window keeps it.
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    screen().getByRole('textbox', { name: 'Message' }).focus()
    world.chat.status.value = 'ended'
    const again = await screen().findByRole('button', { name: 'Start a new chat' })
    await waitFor(() => expect(focused()).toBe(again))
    world.chat.status.value = 'live'
    await waitFor(() => expect(focused().tagName).toBe('TEXTAREA'))
  })

  it('stays on the page when the chat ends while the visitor is elsewhere', async () => {
    const elsewhere = document.body.appendChild(document.createElement('input'))
    elsewhere.focus()
    world.chat.status.value = 'ended'
    await screen().findByRole('button', { name: 'Start a new chat' })
    expect(focused()).toBe(elsewhere)
    elsewhere.remove()
  })
})

describe('suggestions', () => {
  /** So many chips to a row of 40 pixels: jsdom lays nothing out. */
  const layOut = (inRow = () => 3) =>
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
      const row = [...(this.parentElement?.children ?? [])].filter((each) => !(each as HTMLElement).hidden)
      return Math.floor(row.indexOf(this) / inRow()) * 40
    })
  const offer = (count: number) => {
    world.chat.suggestions.value = Array.from({ length: count }, (_, n) => ({
      message_text: `Question ${n}`,
    }))
  }
  const chips = () => screen().queryAllByRole('button', { name: /^Question/ })
  const more = () => screen().queryByRole('button', { name: /^\+\d/ })
  const talk = () => {
    world.chat.transcript.value = [message('visitor', 'Hello').entry, message('agent', 'Hello').entry]
  }

  it('stand in two rows below an answer, and fold behind a button that shows the rest', async () => {
    talk()
    layOut()
    offer(9)
    await waitFor(() => expect(chips()).toHaveLength(5))
    await fireEvent.click(screen().getByRole('button', { name: '+4 suggestions' }))
    await waitFor(() => expect(chips()).toHaveLength(9))
    expect(more()).toBeNull()
  })

  it('are four starters in a column as long as nobody has written', async () => {
    layOut(() => 1)
    offer(9)
    await waitFor(() => expect(chips()).toHaveLength(4))
    expect(more()?.textContent).toContain('5')
    talk()
    await waitFor(() => expect(chips()).toHaveLength(1))
  })

  it.each([
    [6, 6],
    [7, 7],
    [8, 5],
    [3, 3],
  ])('are folded only where three or more are hidden: of %i, %i are shown', async (offered, shown) => {
    talk()
    layOut()
    offer(offered)
    await waitFor(() => expect(chips()).toHaveLength(shown))
    expect(more() === null).toBe(offered === shown)
  })

  it('are folded again when others come', async () => {
    talk()
    layOut()
    offer(9)
    await waitFor(() => expect(chips()).toHaveLength(5))
    await fireEvent.click(more() as HTMLElement)
    await waitFor(() => expect(chips()).toHaveLength(9))
    offer(10)
    await waitFor(() => expect(chips()).toHaveLength(5))
  })

  it('are counted anew when a phone is turned, and when it is turned back', async () => {
    let width = 300
    const observers = stubResizeObserver()
    onTestFinished(() => void vi.unstubAllGlobals())
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => width)
    layOut(() => width / 100)
    const turn = (to: number) => {
      width = to
      for (const told of [...observers]) told()
    }
    talk()
    offer(9)
    for (const [to, count] of [
      [300, 5],
      [400, 9],
      [300, 5],
      [200, 3],
      [300, 5],
    ] as const) {
      turn(to)
      await waitFor(() => expect(chips()).toHaveLength(count))
    }
  })
})

describe('a long paste', () => {
  const paste = `First line\n${'many words '.repeat(300)}the end`
  const shown = () => world.container.querySelector('.visitor')?.textContent ?? ''

  it.each(['transcript', 'outbox'] as const)(
    'is folded in the %s until all of it is asked for',
    async (where) => {
      if (where === 'outbox') world.chat.outbox.value = [{ id: 'own', text: paste, at: 0, state: 'sent' }]
      else world.chat.transcript.value = [message('visitor', paste).entry]
      const all = await screen().findByRole('button', { name: 'Show all' })
      expect(shown()).toContain('First line')
      expect(shown()).not.toContain('the end')
      expect(shown().length).toBeLessThan(700)
      await fireEvent.click(all)
      expect(shown()).toContain('the end')
      const less = await screen().findByRole('button', { name: 'Show less', expanded: true })
      await fireEvent.click(less)
      expect(shown()).not.toContain('the end')
    },
  )

  it.each([
    ['of 2,000 characters is shown whole', 'a'.repeat(2_000), undefined],
    ['without a space is cut anywhere', 'a'.repeat(3_000), 600],
    ['of many lines shows ten of them', 'a\n'.repeat(1_500), 19],
    ['of pairs of surrogates cuts none in half', `a${'😀'.repeat(1_500)}`, 599],
  ])('%s', async (_, text, length) => {
    world.chat.transcript.value = [message('visitor', text).entry]
    await waitFor(() => expect(shown()).toContain(text.slice(0, 1)))
    if (length === undefined) return expect(shown()).toContain(text)
    await screen().findByRole('button', { name: 'Show all' })
    const own = world.container.querySelector('.visitor [dir]')?.textContent ?? ''
    expect(own).toBe(`${text.slice(0, length)} …`)
  })
})
