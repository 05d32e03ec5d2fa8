// What a visitor can do beside writing: with an answer, in the menu, in the queue, at the end.

import { createEvent, fireEvent, waitFor, within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Capabilities } from '../../src/protocol/index.ts'
import type { Renderers } from '../../src/ui/context/site.ts'
import { createPanel, message } from './world.ts'

const capabilities: Capabilities = {
  streaming: true,
  max_message_size_bytes: 1_000,
  max_reconnect_attempts: 0,
  heartbeat_interval_seconds: 30,
  session_idle_seconds: undefined,
  csat: true,
  stop: true,
  feedback: true,
  leave_queue: true,
  confirm: true,
  session_status: false,
}

let world: ReturnType<typeof createPanel>
beforeEach(() => {
  world = createPanel()
})
afterEach(() => {
  world.remove()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const screen = () => within(world.container)
const button = (name: string | RegExp) => screen().getByRole('button', { name })
const noButton = (name: string | RegExp) => expect(screen().queryByRole('button', { name })).toBeNull()
const show = (...entries: Parameters<typeof message>[]) => {
  world.chat.transcript.value = entries.map((each) => message(...each).entry)
}
/** Behind a question: the agent's first words would be a greeting, with which nothing can be done. */
const answers = (...entries: Parameters<typeof message>[]) => show(['visitor', 'Well?'], ...entries)
const openMenu = async () => {
  await fireEvent.click(button('More'))
  return waitFor(() => screen().getByRole('menu', { name: 'More' }))
}
const choose = async (name: string) => {
  const menu = await openMenu()
  await fireEvent.click(within(menu).getByRole('menuitem', { name }))
}

describe('an answer', () => {
  const copyAnswer = async () => {
    // It comes with what draws Markdown: before, it would copy the source.
    await fireEvent.click(await waitFor(() => button('Copy answer')))
    await waitFor(() => expect(button('Copied')).toBeTruthy())
  }

  it('is copied as text for people, and says so', async () => {
    const written: string[] = []
    vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => written.push(text) } })
    answers(['agent', '**Bold** [words](https://example.com/a)'])
    await copyAnswer()
    expect(written).toEqual(['Bold words (https://example.com/a)'])
  })

  it('is copied with its format where the browser takes that, without buttons and the language of code', async () => {
    const written: Record<string, Blob>[] = []
    class ClipboardItem {
      readonly kinds: Record<string, Blob>
      constructor(kinds: Record<string, Blob>) {
        this.kinds = kinds
      }
    }
    vi.stubGlobal('ClipboardItem', ClipboardItem)
    const write = async ([item]: ClipboardItem[]) => item && written.push(item.kinds)
    vi.stubGlobal('navigator', { clipboard: { write } })
    answers(['agent', '## Title\n\n- [x] <i>paid</i>\n\n```js\n1\n```'])
    await copyAnswer()
    const [kinds] = written
    const read = (kind: string) => readText(kinds?.[kind] as Blob)
    expect(await read('text/plain')).toBe('Title\n\n☑ <i>paid</i>\n\n1')
    const html = new DOMParser().parseFromString(await read('text/html'), 'text/html')
    expect(html.querySelectorAll('button, input, i').length).toBe(0)
    expect(html.body.textContent).toBe('Title☑ <i>paid</i>1\n')
    expect(html.querySelector('h3, h4')?.textContent).toBe('Title')
  })

  it('is rated where the service takes ratings, and nowhere else', async () => {
    answers(['agent', 'Hello'])
    await waitFor(() => button('Copy answer'))
    noButton('Good answer')
    world.chat.capabilities.value = capabilities
    await fireEvent.click(await waitFor(() => button('Bad answer')))
    const entry = world.chat.transcript.value.at(-1)
    expect(world.asked).toEqual([`feedback ${entry?.key} down`])
  })

  it('rated up is asked for no words, also once those of another are asked for', async () => {
    world.chat.capabilities.value = capabilities
    answers(['agent', 'Hello'])
    const field = () => screen().queryByRole('textbox', { name: /Anything to add/ })
    // What asks is loaded by now.
    await fireEvent.click(await waitFor(() => button('Bad answer')))
    await waitFor(() => expect(field()).not.toBeNull())
    await fireEvent.click(button('Good answer'))
    await waitFor(() => expect(field()).toBeNull())
    await fireEvent.click(button('Good answer'))
    expect(field()).toBeNull()
  })

  it('rated down can be commented on, once, and needs no comment', async () => {
    world.chat.capabilities.value = capabilities
    answers(['agent', 'Hello'])
    const entry = world.chat.transcript.value.at(-1)
    const field = () => screen().queryByRole('textbox', { name: /Anything to add/ })
    await fireEvent.click(await waitFor(() => button('Good answer')))
    await fireEvent.click(button('Bad answer'))
    await waitFor(() => expect(field()).not.toBeNull())
    expect(document.activeElement).toBe(field())
    // As it is seen: the form, then the thumbs below it.
    expect(
      (field() as Element).compareDocumentPosition(button('Bad answer')) & Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy()
    await fireEvent.click(button('Not now'))
    expect(field()).toBeNull()
    expect(document.activeElement).toBe(screen().getByRole('textbox', { name: 'Message' }))

    await fireEvent.click(button('Bad answer'))
    const comment = await waitFor(() => field() as HTMLElement)
    const form = comment.closest('form') as HTMLElement
    const send = within(form).getByRole('button', { name: 'Send' })
    expect(send.getAttribute('aria-disabled')).toBe('true')
    // A region that is read holds no form, and is there before its words.
    expect(form.closest('[role="status"]')).toBeNull()
    const regions = screen().getAllByRole('status').length
    await fireEvent.submit(form)
    await fireEvent.input(comment, { target: { value: '  The price is old.  ' } })
    expect([send.isConnected, send.getAttribute('aria-disabled')]).toEqual([true, 'false'])
    await fireEvent.click(send)
    await waitFor(() => expect(screen().getByText('Thank you for your rating.')).toBeTruthy())
    expect(screen().getByText('Thank you for your rating.').closest('[role="status"]')).not.toBeNull()
    expect(screen().getAllByRole('status')).toHaveLength(regions)
    expect(field()).toBeNull()
    expect(world.asked).toEqual([
      `feedback ${entry?.key} up`,
      `feedback ${entry?.key} down`,
      `feedback ${entry?.key} down`,
      `feedback ${entry?.key} down The price is old.`,
    ])
    expect(document.activeElement).toBe(screen().getByRole('textbox', { name: 'Message' }))
  })

  it('names each box of a task list by its state, in the language of the panel', async () => {
    answers(['agent', '- [x] Ordered\n- [ ] Paid'])
    const names = () =>
      screen()
        .queryAllByRole('checkbox')
        .map((each) => each.getAttribute('aria-label'))
    await waitFor(() => expect(names()).toEqual(['Done', 'Not done']))
    world.panel.update({ locale: 'de' })
    await waitFor(() => expect(names()).toEqual(['Erledigt', 'Offen']))
  })

  it('shows how it was rated', async () => {
    world.chat.capabilities.value = capabilities
    answers(['agent', 'Hello', { rating: 'up' }])
    await waitFor(() =>
      expect(button('Good answer').ariaPressed ?? button('Good answer').getAttribute('aria-pressed')).toBe(
        'true',
      ),
    )
    expect(button('Bad answer').getAttribute('aria-pressed')).toBe('false')
  })

  it('of a person is not rated', async () => {
    world.chat.capabilities.value = capabilities
    answers(['live', 'Hello'])
    await waitFor(() => button('Copy answer'))
    noButton('Good answer')
  })

  it('is neither copied nor rated while it is written', async () => {
    world.chat.capabilities.value = capabilities
    const { entry, content } = message('agent', 'Hel', { complete: false })
    world.chat.transcript.value = [message('visitor', 'Well?').entry, entry]
    await waitFor(() => expect(screen().getByText('Hel')).toBeTruthy())
    noButton('Copy answer')
    content.value = { ...content.value, complete: true }
    await waitFor(() => button('Copy answer'))
  })

  it('that came before has its buttons once somebody comes near', async () => {
    answers(['agent', 'first'], ['agent', 'second'])
    await waitFor(() => expect(screen().getAllByRole('button', { name: 'Copy answer' })).toHaveLength(1))
    await fireEvent.pointerEnter(screen().getAllByRole('article')[1] as HTMLElement)
    await waitFor(() => expect(screen().getAllByRole('button', { name: 'Copy answer' })).toHaveLength(2))
  })

  it('has no room of its own once the visitor has sent something, whether or not the service has it', async () => {
    answers(['agent', 'first'])
    await waitFor(() => button('Copy answer'))
    world.chat.outbox.value = [{ id: '1', text: 'And then?', at: 0, state: 'queued' }]
    await waitFor(() => noButton('Copy answer'))
    expect(screen().getAllByRole('article')[0]?.classList).not.toContain('last')
    // It may stand there for long.
    world.chat.outbox.value = [{ id: '1', text: 'And then?', at: 0, state: 'failed' }]
    await waitFor(() => button('Copy answer'))
  })

  it('that was stopped says so, and its question is asked again while nothing followed', async () => {
    answers(['visitor', 'All about brakes?'], ['agent', 'Brakes', { stopped: true }])
    await waitFor(() => expect(screen().getByText('Stopped')).toBeTruthy())
    await fireEvent.click(await waitFor(() => button('Ask again')))
    expect(world.asked).toEqual(['send All about brakes?'])
    world.chat.transcript.value = [...world.chat.transcript.value, message('visitor', 'Never mind').entry]
    await waitFor(() => noButton('Ask again'))
  })

  it('is stopped from the composer while nothing is written there', async () => {
    noButton('Stop answering')
    world.chat.stoppable.value = true
    await fireEvent.click(await waitFor(() => button('Stop answering')))
    expect(world.asked).toEqual(['stop'])
    await fireEvent.input(screen().getByRole('textbox', { name: 'Message' }), { target: { value: 'Wait' } })
    await waitFor(() => button('Send'))
    noButton('Stop answering')
  })
})

describe('a question to confirm', () => {
  const confirm = {
    id: 'q',
    title: 'Cancel *booking* 4711?',
    summary: 'Two nights.\nNo fee.',
    confirm: 'Cancel it',
    cancel: 'Keep it',
  }
  function ask(more: Partial<typeof confirm & { decision: 'confirm' | 'cancel' }> = {}) {
    answers(['agent', `${confirm.title}\n\n${confirm.summary}`, { confirm: { ...confirm, ...more } }])
    const { key } = world.chat.transcript.value.at(-1) as { key: string }
    return key
  }
  const card = () => waitFor(() => screen().getByRole('group', { name: confirm.title }))

  it('shows its texts as they are, and two buttons while it is open', async () => {
    const key = ask()
    world.chat.question.value = { key, chosen: undefined }
    expect((await card()).textContent).toContain('Cancel *booking* 4711?Two nights.\nNo fee.')
    await fireEvent.click(button('Cancel it'))
    await fireEvent.click(button('Keep it'))
    expect(world.asked).toEqual([`decide ${key} confirm`, `decide ${key} cancel`])
    noButton('Copy answer')
  })

  it('keeps the pressed button while its decision is on its way, and says what it waits for', async () => {
    const key = ask()
    world.chat.question.value = { key, chosen: undefined }
    await card()
    button('Cancel it').focus()
    world.chat.question.value = { key, chosen: 'confirm' }
    await waitFor(() => expect(button('Cancel it').getAttribute('aria-pressed')).toBe('true'))
    expect(document.activeElement).toBe(button('Cancel it'))
    for (const name of ['Cancel it', 'Keep it'])
      expect(button(name).getAttribute('aria-disabled')).toBe('true')
    expect(screen().queryByText('Waiting for a connection')).toBeNull()
    world.chat.status.value = 'reconnecting'
    await waitFor(() => expect(screen().getByText('Waiting for a connection')).toBeTruthy())
  })

  it.each([
    ['confirm', 'Confirmed · \u2068Cancel it\u2069'],
    ['cancel', 'Cancelled · \u2068Keep it\u2069'],
  ] as const)(
    'shows the decision to %s, without buttons, and the composer takes the focus',
    async (decision, text) => {
      const key = ask()
      world.chat.question.value = { key, chosen: undefined }
      await card()
      button('Cancel it').focus()
      const entry = world.chat.transcript.value.at(-1) as ReturnType<typeof message>['entry']
      world.chat.question.value = undefined
      if (entry.kind === 'message')
        Object.assign(entry.content, {
          value: { ...entry.content.peek(), confirm: { ...confirm, decision } },
        })
      await waitFor(() => expect(screen().getByText(text)).toBeTruthy())
      noButton('Cancel it')
      noButton('Keep it')
      expect(document.activeElement).toBe(screen().getByRole('textbox', { name: 'Message' }))
    },
  )

  it('of another message, or of a session that is over, has no buttons', async () => {
    ask()
    world.chat.question.value = { key: 'another', chosen: undefined }
    await card()
    noButton('Cancel it')
  })
})

describe('an error of the agent', () => {
  const error = { kind: 'notice', notice: 'error', key: 'e', at: 0, text: 'Something broke.' } as const

  it('and other words of the service have their own direction, the panel’s lines that of its language', async () => {
    const line = (notice: 'system' | 'live-joined', more: object) =>
      ({ kind: 'notice', notice, key: notice, at: 0, ...more }) as const
    world.chat.transcript.value = [
      error,
      line('system', { text: 'نعم' }),
      line('live-joined', { name: 'سارة' }),
    ]
    const log = () => within(screen().getByRole('log'))
    const directionOf = (text: string) => log().getByText(text).getAttribute('dir')
    await waitFor(() => log().getByText('سارة joined'))
    expect(['Something broke.', 'نعم', 'سارة joined'].map(directionOf)).toEqual(['auto', 'auto', null])
  })

  it('offers to try again, and what was asked goes again', async () => {
    world.chat.transcript.value = [message('visitor', 'How much?').entry, error]
    await fireEvent.click(await waitFor(() => button('Try again')))
    expect(world.asked).toEqual(['send How much?'])
  })

  it('after a part of an answer offers to ask again', async () => {
    world.chat.transcript.value = [
      message('visitor', 'How much?').entry,
      message('agent', 'It co').entry,
      error,
    ]
    await waitFor(() => button('Ask again'))
  })

  it('offers nothing once the conversation went on, or where nothing was asked', async () => {
    world.chat.transcript.value = [
      message('visitor', 'How much?').entry,
      error,
      message('agent', 'Ten.').entry,
    ]
    await waitFor(() => expect(screen().getByText('Something broke.')).toBeTruthy())
    noButton(/again/)
    world.chat.transcript.value = [message('agent', 'Hello').entry, error]
    await waitFor(() => expect(screen().getByText('Hello')).toBeTruthy())
    noButton(/again/)
  })
})

describe('a message that the service took and did not deliver', () => {
  it('says so and can be sent again', async () => {
    show(['visitor', 'Are you there?', { undelivered: true }])
    await waitFor(() => expect(screen().getByText('Not delivered')).toBeTruthy())
    await fireEvent.click(button('Retry'))
    expect(world.asked).toEqual([`retry ${world.chat.transcript.value[0]?.key}`])
    noButton('Discard')
  })
})

describe('days', () => {
  it('are marked where one begins, in the words of the locale', async () => {
    const now = Date.now()
    const day = 86_400_000
    show(
      ['agent', 'a', {}, now - 40 * day],
      ['agent', 'b', {}, now - day],
      ['agent', 'c', {}, now],
      ['agent', 'd', {}, now],
    )
    const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' })
    await waitFor(() => expect(screen().getByText(/^Yesterday/)).toBeTruthy())
    expect(screen().getAllByText(/^Today/)).toHaveLength(1)
    // The first day of a history is not marked.
    expect(screen().queryByText(date.format(now - 40 * day))).toBeNull()
  })
})

describe('attachments', () => {
  const link = (name: string, more = {}) => ({
    content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
    content_url: `https://shop.example.com/${name}`,
    title: name,
    preview_image_url: undefined,
    call_to_action_text: undefined,
    ...more,
  })

  it('are one list that scrolls where there are several', async () => {
    show(['agent', 'These:', { attachments: [link('one'), link('two', { call_to_action_text: 'See it' })] }])
    const list = await waitFor(() => screen().getByRole('list', { name: 'Attachments' }))
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
    expect(within(list).getByRole('link', { name: 'Open one' }).getAttribute('href')).toBe(
      'https://shop.example.com/one',
    )
    expect(within(list).getByRole('link', { name: 'See it' })).toBeTruthy()
    expect(list.tabIndex).toBe(0)
  })

  it('show a picture of their own only when asked, or from where the site allows', async () => {
    const preview = { preview_image_url: 'https://img.example.com/a.png' }
    show(['agent', 'These:', { attachments: [link('one', preview), link('two')] }])
    const show1 = await waitFor(() => button(/Show image: one/))
    expect(world.container.querySelector('img')).toBeNull()
    await fireEvent.click(show1)
    await waitFor(() =>
      expect(screen().getByRole('img', { name: 'one' }).getAttribute('src')).toBe(
        'https://img.example.com/a.png',
      ),
    )
  })
})

describe('a phone number', () => {
  it('is shown as it was sent, and dialled without what only the eye needs', async () => {
    const numbers = ['+15005550006', '020 7946 0000', '(0) 30/123-45']
    show([
      'agent',
      'Call us',
      { callActions: numbers.map((contact_number) => ({ title: 'Shop', contact_number })) },
    ])
    const links = () => screen().getAllByRole('link')
    await waitFor(() =>
      expect(links().map((each) => each.textContent)).toEqual(numbers.map((each) => `Shop${each}`)),
    )
    expect(links().map((each) => each.getAttribute('href'))).toEqual([
      'tel:+15005550006',
      'tel:02079460000',
      'tel:03012345',
    ])
  })
})

describe('the menu', () => {
  it('asks twice before it ends or deletes a chat', async () => {
    show(['agent', 'Hello'])
    const answer = (question: string, name: string) =>
      fireEvent.click(
        within(screen().getByRole('alertdialog', { name: question })).getByRole('button', { name }),
      )
    await choose('End chat')
    await answer('End this chat now?', 'Cancel')
    expect(screen().queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(button('More'))
    expect(world.asked).toEqual([])
    await choose('End chat')
    await answer('End this chat now?', 'End chat')
    expect(world.asked).toEqual(['end'])
    await choose('Delete this chat')
    expect(world.asked).toEqual(['end'])
    await answer('Delete it for good?', 'Delete this chat')
    await waitFor(() => expect(world.asked).toEqual(['end', 'logout']))
    await waitFor(() => expect(screen().getByText('This chat was deleted.')).toBeTruthy())
    await fireEvent.click(button('Start a new chat'))
    expect(world.asked).toEqual(['end', 'logout', 'restart'])
  })

  it('that is opened anew before the next frame stays open when one of its items is pressed', async () => {
    show(['agent', 'Hello'])
    await openMenu()
    const menus = () => screen().queryAllByRole('menu').length
    // A microtask brings no frame.
    const soon = async (count: number) => {
      for (let turns = 0; turns < 20 && menus() !== count; turns++) await Promise.resolve()
      expect(menus()).toBe(count)
    }
    button('More').click()
    await soon(0)
    button('More').click()
    await soon(1)
    screen()
      .getByRole('menuitem', { name: 'Language' })
      .dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }))
    for (let turns = 0; turns < 20; turns++) await Promise.resolve()
    expect(menus()).toBe(1)
  })

  it.each([
    ['End chat', 'End this chat now?'],
    ['Delete this chat', 'Delete it for good?'],
  ])('takes no double click and no held key on “%s” for an answer to its question', async (act, question) => {
    show(['agent', 'Hello'])
    await choose(act)
    const asked = screen().getByRole('alertdialog', { name: question })
    const [cancel, yes] = within(asked).getAllByRole('button') as [HTMLElement, HTMLElement]
    expect([cancel.textContent, yes.textContent]).toEqual(['Cancel', act])
    // The safe answer has the focus.
    expect(document.activeElement).toBe(cancel)
    await fireEvent.click(yes, { detail: 2 })
    expect(world.asked).toEqual([])
    expect(asked.isConnected).toBe(true)
    const held = createEvent.keyDown(cancel, { key: 'Enter', repeat: true })
    await fireEvent(cancel, held)
    expect(held.defaultPrevented).toBe(true)
    // Nothing behind the question is reached.
    for (const next of [yes, cancel, yes]) {
      await fireEvent.keyDown(document.activeElement as Element, { key: 'Tab' })
      expect(document.activeElement).toBe(next)
    }
    await fireEvent.keyDown(yes, { key: 'Escape' })
    expect(screen().queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(button('More'))
    expect(world.asked).toEqual([])
  })

  it('takes no second press of “Back” for one of what stands there then', async () => {
    show(['agent', 'Hello'])
    await choose('Language')
    await fireEvent.click(screen().getByRole('menuitem', { name: 'Back' }))
    expect(document.activeElement).toBe(screen().getByRole('menuitem', { name: 'Language' }))
    await fireEvent.click(screen().getByRole('menuitem', { name: 'Start a new chat' }), { detail: 2 })
    expect(world.asked).toEqual([])
    await fireEvent.click(screen().getByRole('menuitem', { name: 'Start a new chat' }))
    expect(world.asked).toEqual(['restart'])
  })

  it('lets no second press of a double click reach what lies behind it', async () => {
    show(['agent', 'Hello'])
    world.chat.status.value = 'reconnecting'
    world.chat.notice.value = { kind: 'reconnecting' }
    await choose('Start a new chat')
    expect(world.asked).toEqual(['restart'])
    await waitFor(() => button('Try again'))
    await fireEvent.click(button('Try again'), { detail: 2 })
    await fireEvent.click(button('Try again'), { detail: 3 })
    expect(world.asked).toEqual(['restart'])
    await fireEvent.click(button('Try again'), { detail: 1 })
    await fireEvent.click(button('Try again'), { detail: 2 })
    expect(world.asked).toEqual(['restart', 'wake', 'wake'])
  })

  it('gives the focus to the composer once a new chat begins', async () => {
    show(['agent', 'Hello'])
    await choose('Start a new chat')
    expect(world.asked).toEqual(['restart'])
    expect(document.activeElement).toBe(screen().getByRole('textbox', { name: 'Message' }))
  })

  it('changes the language, keeps the choice, and gives the focus back', async () => {
    const kept = new Map<string, string>()
    world.remove()
    world = createPanel(
      {},
      { get: (key) => kept.get(key), set: (key, value) => kept.set(key, value), remove: () => {} },
    )
    await choose('Language')
    await fireEvent.click(await waitFor(() => screen().getByRole('menuitemradio', { name: 'Deutsch' })))
    await waitFor(() => expect(button('Senden')).toBeTruthy())
    expect(document.activeElement).toBe(button('Mehr'))
    expect([...kept]).toEqual([['language', 'de']])
  })

  it('goes back from a view with Escape, and then closes', async () => {
    await choose('Screen reader')
    const first = await waitFor(() => screen().getByRole('menuitemradio', { name: 'Reads whole answers' }))
    expect(document.activeElement).toBe(first)
    await fireEvent.keyDown(first, { key: 'Escape' })
    await waitFor(() => expect(screen().getByRole('menuitem', { name: 'Language' })).toBeTruthy())
    await fireEvent.keyDown(screen().getByRole('menu'), { key: 'Escape' })
    await waitFor(() => expect(screen().queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(button('More'))
  })

  it('makes the panel wide and narrow where the page can, and has no item for it elsewhere', async () => {
    expect(within(await openMenu()).queryByRole('menuitem', { name: /Make the chat/ })).toBeNull()
    world.panel.update({ expanded: false })
    await fireEvent.click(
      await waitFor(() => screen().getByRole('menuitem', { name: 'Make the chat wider' })),
    )
    expect(document.activeElement).toBe(button('More'))
    world.panel.update({ expanded: true })
    await choose('Make the chat narrower')
    expect(world.asked).toEqual(['expand true', 'expand false'])
  })

  it('names the site’s pages in the language of the panel', async () => {
    const links = [
      { name: 'privacyPolicy', url: 'https://example.com/privacy' },
      { name: 'terms', url: 'javascript:alert(1)' },
    ] as const
    world.panel.update({ site: { links }, locale: 'de' })
    await fireEvent.click(await waitFor(() => button('Mehr')))
    const link = await waitFor(() => screen().getByRole('menuitem', { name: 'Datenschutzerklärung' }))
    expect(link.getAttribute('href')).toBe('https://example.com/privacy')
    expect(screen().queryByRole('menuitem', { name: 'Nutzungsbedingungen' })).toBeNull()
  })

  it('has no search and no download before there is something to find', async () => {
    const menu = await openMenu()
    expect(within(menu).queryByRole('menuitem', { name: /Search|Download/ })).toBeNull()
  })
})

describe('the search', () => {
  /** The highlights of a browser that has them, by their names. */
  function highlights(): Map<string, Set<Range>> {
    const painted = new Map<string, Set<Range>>()
    vi.stubGlobal('CSS', { highlights: painted })
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    vi.stubGlobal(
      'Highlight',
      class extends Set<Range> {
        constructor(...ranges: Range[]) {
          super(ranges)
        }
      },
    )
    return painted
  }

  const search = async (query: string) => {
    await choose('Search this chat')
    const field = await waitFor(() => screen().getByRole('searchbox', { name: 'Search this chat' }))
    await fireEvent.input(field, { target: { value: query } })
    return field
  }
  const told = (text: string) => waitFor(() => expect(screen().getByText(text)).toBeTruthy())
  const articles = () => screen().getAllByRole('article')
  const drawn = (count: number) => waitFor(() => expect(articles()).toHaveLength(count))
  /** The places of the messages that are marked. */
  const marked = () => articles().flatMap((each, at) => (each.hasAttribute('data-found') ? [at] : []))

  it('counts the messages whatever the accents, goes from one to the next, and gives the focus back', async () => {
    show(['agent', 'Crème and creme'], ['visitor', 'CRÈME?'], ['agent', 'Nothing here'])
    await drawn(3)
    const field = await search('creme')
    expect(document.activeElement).toBe(field)
    await told('2 of 2')
    expect(marked()).toEqual([1])
    await fireEvent.keyDown(field, { key: 'Enter' })
    await told('1 of 2')
    expect(marked()).toEqual([0])
    await fireEvent.click(button('Next'))
    await told('2 of 2')
    await fireEvent.input(field, { target: { value: 'elephant' } })
    await told('Nothing found')
    expect(marked()).toEqual([])
    await fireEvent.input(field, { target: { value: 'here' } })
    await told('1 of 1')
    await fireEvent.keyDown(field, { key: 'Escape' })
    await waitFor(() => expect(screen().queryByRole('searchbox')).toBeNull())
    expect(marked()).toEqual([])
    expect(document.activeElement).toBe(button('More'))
    expect(world.asked).toEqual([])
  })

  it('leaves the Enter to an input method that composes, as the field for messages does', async () => {
    show(['agent', 'one'], ['visitor', 'one'])
    await drawn(2)
    const field = await search('one')
    await told('2 of 2')
    await fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    await fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
    await told('2 of 2')
    await fireEvent.keyDown(field, { key: 'Enter' })
    await told('1 of 2')
  })

  it('goes on from what was typed a moment ago', async () => {
    show(['agent', 'one'], ['visitor', 'one'], ['agent', 'one'])
    await drawn(3)
    await choose('Search this chat')
    const field = await waitFor(() => screen().getByRole('searchbox'))
    // As a browser does, and not the testing library, which draws a frame behind each event.
    Object.assign(field, { value: 'one' }).dispatchEvent(new Event('input', { bubbles: true }))
    await Promise.resolve()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await told('2 of 3')
  })

  it('stays at the message that the reader looks at while others come, and match, above and below', async () => {
    const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    const { entry, content } = message('agent', 'On', { complete: false })
    const said = (['agent', 'visitor', 'agent'] as const).map((role) => message(role, 'one').entry)
    world.chat.transcript.value = [entry, ...said]
    await drawn(4)
    const field = await search('one')
    await told('3 of 3')
    await fireEvent.keyDown(field, { key: 'Enter' })
    await told('2 of 3')
    await waitFor(() => expect(scrolled).toHaveBeenCalledTimes(2))
    world.chat.transcript.value = [...world.chat.transcript.value, message('agent', 'one and one').entry]
    await told('2 of 4')
    content.value = { ...content.value, pieces: ['On', 'e'], length: 2 }
    await told('3 of 5')
    expect(marked()).toEqual([2])
    expect(scrolled).toHaveBeenCalledTimes(2)
  })

  it.each<[locale: string, text: string, query: string, found: string[] | undefined]>([
    ['ko', '안녕하세요, 서울', '서울', ['서울']],
    ['ko', '서울'.normalize('NFD'), '서울', []],
    ['tr', 'İstanbul ve istanbul', 'istanbul', ['istanbul']],
    ['tr', 'İstanbul', 'İSTANBUL', ['İstanbul']],
    ['tr', 'ILIK ılık', 'ilik', undefined],
    ['de', 'Die Größe, GRÖSSE', 'große', []],
    ['de', 'Straße', 'e', ['e']],
    ['fr', 'cafe\u0301 au lait', 'café au', []],
    ['el', 'Οδός ΟΔΟΣ', 'οδοσ', ['ΟΔΟΣ']],
    ['ar', 'مَرْحَبًا بك', 'مرحبا', []],
    ['he', 'שָׁלוֹם', 'שלום', []],
    ['hi', 'किताब', 'कताब', undefined],
    ['en', 'All 👩‍🚀 good 👍🏽 here', 'GOOD 👍🏽 h', ['good 👍🏽 h']],
    ['en', 'a+b (c)', 'A+B (', ['a+b (']],
    ['en', 'a^b', 'ab', undefined],
  ])('in the language %s finds in “%s” what “%s” means, and marks %j', async (locale, text, query, found) => {
    const painted = highlights()
    show(['visitor', text])
    await drawn(1)
    await choose('Search this chat')
    const field = await waitFor(() => screen().getByRole('searchbox'))
    world.panel.update({ locale })
    await fireEvent.input(field, { target: { value: query } })
    await waitFor(() => expect([...(painted.get('foyer-current') ?? [])].map(String)).toEqual(found ?? []))
    expect(marked()).toEqual(found ? [0] : [])
  })

  it.each([
    ['costs **€ 690**, [with](https://example.com) lights', 'costs € 690, with lights', '1 of 1'],
    ['run `npm start` now', 'run npm start now', '1 of 1'],
    ['one\ntwo', 'one two', '1 of 1'],
    ['1\u202f200\u00a0€', '1 200 €', '1 of 1'],
    ['- one\n- two', 'onetwo', 'Nothing found'],
    ['one\n\ntwo', 'one two', 'Nothing found'],
  ])('in the answer %j for “%s” tells “%s”', async (text, query, tells) => {
    const painted = highlights()
    show(['agent', text])
    await waitFor(() =>
      expect(world.container.querySelector('article :is(p:not(.plain), li)')).not.toBeNull(),
    )
    await search(query)
    await told(tells)
    expect(painted.get('foyer-current')?.size).toBe(tells === '1 of 1' ? 1 : 0)
  })

  it('finds what an answer says while it grows, keeps its marks, and reads no other message again', async () => {
    const painted = highlights()
    const words = () => [...(painted.get('foyer-current') ?? [])].map(String)
    const { entry, content } = message('agent', 'On', { complete: false })
    world.chat.transcript.value = [message('visitor', 'One?').entry, message('agent', 'Two.').entry, entry]
    await drawn(3)
    await search('one')
    await told('1 of 1')
    const grow = (...pieces: string[]) => {
      content.value = { ...content.value, pieces, length: pieces.length }
    }
    const reads = vi.spyOn(document, 'createTreeWalker')
    grow('On', 'e and')
    await told('1 of 2')
    grow('On', 'e and', ' one')
    await waitFor(() => expect(articles()[2]?.textContent).toContain('One and one'))
    await told('1 of 2')
    const read = new Set(reads.mock.calls.map(([node]) => articles().indexOf(node as HTMLElement)))
    expect(read).not.toContain(1)
    await fireEvent.keyDown(screen().getByRole('searchbox'), { key: 'Enter' })
    await waitFor(() => expect(words()).toEqual(['One', 'one']))
  })
})

describe('the queue', () => {
  it('is left only where that is possible', async () => {
    world.chat.handoff.value = { state: 'pending', position: 3, waitSeconds: 120 }
    await waitFor(() => expect(screen().getByText(/number 3 in the queue/)).toBeTruthy())
    noButton('Leave the queue')
    world.chat.leavable.value = true
    await fireEvent.click(await waitFor(() => button('Leave the queue')))
    expect(world.asked).toEqual(['leaveQueue'])
  })
})

describe('a rating of the chat', () => {
  /** Resolves once the panel has drawn what came before it. */
  const drawn = async (text: string) => {
    world.chat.transcript.value = [...world.chat.transcript.value, message('agent', text).entry]
    await waitFor(() => screen().getByText(text))
  }
  const stars = (count: number) =>
    screen().getByRole('radio', { name: count === 1 ? '1 star' : `${count} stars` })

  it('is asked for when the service asks, and sent with a comment', async () => {
    expect(screen().queryByRole('radio')).toBeNull()
    world.chat.csat.value = { state: 'asked' }
    await waitFor(() => expect(stars(1)).toBeTruthy())
    noButton('Send rating')
    await fireEvent.click(stars(4))
    await fireEvent.input(await waitFor(() => screen().getByRole('textbox', { name: /Anything to add/ })), {
      target: { value: ' Thanks ' },
    })
    await fireEvent.click(button('Send rating'))
    expect(world.asked).toEqual(['rate 4 Thanks'])
    world.chat.csat.value = { state: 'given', score: 4 }
    await waitFor(() => expect(screen().getByText('Thank you for your rating.')).toBeTruthy())
  })

  it('shows every star up to the chosen one', async () => {
    world.chat.csat.value = { state: 'asked' }
    await waitFor(() => expect(stars(1)).toBeTruthy())
    const shown = () => [1, 2, 3, 4, 5].filter((each) => stars(each).closest('label')?.matches('.on'))
    expect(shown()).toEqual([])
    for (const count of [4, 2, 5]) {
      await fireEvent.click(stars(count))
      await waitFor(() => expect(shown()).toEqual([1, 2, 3, 4, 5].slice(0, count)))
    }
  })

  it('is asked for at the end where the site wants it, by thumbs', async () => {
    // It was there before, so that it would be there at once.
    world.chat.csat.value = { state: 'asked' }
    await waitFor(() => expect(stars(1)).toBeTruthy())
    world.chat.csat.value = { state: 'none' }
    world.panel.update({ rating: 'thumbs' })
    await drawn('Hello')
    expect(screen().queryByRole('radio')).toBeNull()
    world.chat.status.value = 'ended'
    await fireEvent.click(await waitFor(() => screen().getByRole('radio', { name: 'Good' })))
    await fireEvent.click(await waitFor(() => button('Send rating')))
    expect(world.asked.map((each) => each.trim())).toEqual(['rate 5'])
  })

  it('that the visitor does not want to give is not asked for again in this session', async () => {
    world.chat.csat.value = { state: 'asked' }
    await fireEvent.click(await waitFor(() => button('Not now')))
    await waitFor(() => expect(screen().queryByRole('radio')).toBeNull())
    world.chat.csat.value = { state: 'none' }
    await drawn('Meanwhile')
    world.chat.csat.value = { state: 'asked' }
    await drawn('And once more')
    expect(screen().queryByRole('radio')).toBeNull()
    world.chat.sessionId.value = 'next'
    await waitFor(() => expect(stars(5)).toBeTruthy())
  })
})

describe('the composer', () => {
  const field = () => screen().getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement

  it.each([
    [150, 'a'.repeat(850)],
    [50, 'é'.repeat(450)],
    [0, 'a'.repeat(1_000)],
  ])(
    'says that %i characters are left near the limit, whose bytes the service counts',
    async (left, text) => {
      world.chat.capabilities.value = capabilities
      await fireEvent.input(field(), { target: { value: 'a'.repeat(700) } })
      expect(screen().queryByRole('img', { name: /Characters left/ })).toBeNull()
      await fireEvent.input(field(), { target: { value: text } })
      const count = await screen().findByRole('img', { name: `Characters left: ${left}` })
      expect([count.textContent, field().getAttribute('aria-describedby')]).toEqual([`${left}`, count.id])
    },
  )

  it.each([
    [30, 'a'.repeat(1_030)],
    [2, `${'a'.repeat(998)}👋👋`],
  ])('says that %i characters are too many', async (more, text) => {
    const bytes = new TextEncoder().encode(text).length
    world.chat.refusal = () => ({ reason: 'too-long', bytes, limit: 1_000 })
    await fireEvent.input(field(), { target: { value: text } })
    await fireEvent.click(button('Send'))
    const alert = await screen().findByRole('alert')
    expect(alert.textContent).toBe(`This message is too long: ${more} characters over the limit.`)
  })

  it('says why it does not send', async () => {
    world.chat.refusal = () => ({ reason: 'full' })
    await fireEvent.input(field(), { target: { value: 'one more' } })
    await fireEvent.click(button('Send'))
    await waitFor(() => expect(screen().getByRole('alert').textContent).toMatch(/Too many messages/))
    const reason = screen().getByRole('alert')
    expect([field().value, field().getAttribute('aria-describedby')]).toEqual(['one more', reason.id])
  })

  it('sends with Shift+Enter and breaks the line with Enter where the site wants it so', async () => {
    world.panel.update({ enterSends: false })
    await fireEvent.input(field(), { target: { value: 'Hello' } })
    expect(await fireEvent.keyDown(field(), { key: 'Enter' })).toBe(true)
    expect(world.asked).toEqual(['typed'])
    await fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
    expect(world.asked).toEqual(['typed', 'send Hello'])
  })
})

describe('the focus', () => {
  const queued = () => {
    world.chat.handoff.value = { state: 'pending' }
    world.chat.leavable.value = true
  }
  const field = () => screen().getByRole('textbox', { name: 'Message' })
  const rate = async () => {
    world.chat.csat.value = { state: 'asked' }
    await fireEvent.click(await waitFor(() => screen().getByRole('radio', { name: '4 stars' })))
    return waitFor(() => screen().getByRole('textbox', { name: /Anything to add/ }))
  }
  const press = async (name: string | RegExp) => {
    const control = await waitFor(() => button(name))
    control.focus()
    await fireEvent.click(control)
  }

  it('goes to the composer when the panel opens, whatever field stands before it', async () => {
    await rate()
    world.panel.focus()
    expect(document.activeElement).toBe(field())
  })

  it('goes to the composer once the rating is sent, or to the button for a new chat', async () => {
    await rate()
    await press('Send rating')
    expect(document.activeElement).toBe(field())
    world.chat.status.value = 'ended'
    await waitFor(() => button('Start a new chat'))
    await press('Send rating')
    expect(document.activeElement).toBe(button('Start a new chat'))
  })

  it('goes at the end to the button for a new chat, and with it to the composer', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    await rate()
    field().focus()
    world.chat.status.value = 'ended'
    await waitFor(() => expect(document.activeElement).toBe(button('Start a new chat')))
    world.chat.status.value = 'live'
    await waitFor(() => expect(document.activeElement).toBe(field()))
  })

  const stopped = () => show(['visitor', 'How much?'], ['agent', 'It co', { stopped: true }])
  const failed = () => {
    world.chat.transcript.value = [
      message('visitor', 'How much?').entry,
      { kind: 'notice', notice: 'error', key: 'e', at: 0, text: 'Something broke.' },
    ]
  }
  const unsent = () => {
    world.chat.outbox.value = [{ id: 'o', text: 'Hello', at: 0, state: 'failed' }] as never
  }
  it.each<[name: string, what: string, begin: () => void]>([
    [
      'Try again',
      'of a lost connection',
      () => (world.chat.notice.value = { kind: 'reconnecting' } as never),
    ],
    [
      'Keep chatting',
      'of a warning',
      () => (world.chat.notice.value = { kind: 'idle-warning', endsAt: 9e15 }),
    ],
    ['Leave the queue', 'of the queue', queued],
    ['Try again', 'of an error', failed],
    ['Ask again', 'of a stopped answer', stopped],
    ['Retry', 'of an unsent message', unsent],
    ['Discard', 'of an unsent message', unsent],
    ['Not now', 'of the rating', () => (world.chat.csat.value = { state: 'asked' })],
    [
      'How much?',
      'of the suggestions',
      () => (world.chat.suggestions.value = [{ message_text: 'How much?' }] as never),
    ],
  ])('goes to the composer after “%s” %s, which disappears', async (name, _, begin) => {
    begin()
    await press(name)
    expect(document.activeElement).toBe(field())
  })

  it('goes to the composer when the message whose “Discard” had it is sent', async () => {
    unsent()
    const discard = await waitFor(() => button('Discard'))
    discard.focus()
    expect(document.activeElement).toBe(discard)
    world.chat.outbox.value = [{ id: 'o', text: 'Hello', at: 0, state: 'sent' }] as never
    await waitFor(() => expect(discard.isConnected).toBe(false))
    expect(document.activeElement).toBe(field())
  })

  it.each<[name: string, begin: () => void, end: () => void]>([
    ['Leave the queue', queued, () => (world.chat.leavable.value = false)],
    [
      'Try again',
      () => (world.chat.notice.value = { kind: 'reconnecting' } as never),
      () => (world.chat.notice.value = undefined),
    ],
    [
      'Keep chatting',
      () => (world.chat.notice.value = { kind: 'idle-warning', endsAt: 9e15 }),
      () => (world.chat.notice.value = undefined),
    ],
    [
      'How much?',
      () => (world.chat.suggestions.value = [{ message_text: 'How much?' }] as never),
      () => (world.chat.suggestions.value = []),
    ],
    ['Ask again', stopped, () => (world.chat.status.value = 'reconnecting')],
  ])('goes to the composer when “%s” had it and is of no use any more', async (name, begin, end) => {
    begin()
    const control = await waitFor(() => button(name))
    control.focus()
    end()
    await waitFor(() => expect(control.isConnected).toBe(false))
    expect(document.activeElement).toBe(field())
  })

  it('goes to the conversation on a phone, where a field would raise the keyboard', async () => {
    world.panel.update({ phone: true })
    unsent()
    await press('Retry')
    expect(document.activeElement?.className).toBe('scroll')
  })

  /** A picture that the visitor asked for, which has the focus. */
  async function showMap() {
    const picture = {
      content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' as const,
      content_url: 'https://img.example.com/a.png',
      title: 'A map',
    }
    show(['agent', 'Here:', { attachments: [picture] }])
    await press(/Show image: A map/)
    const image = await waitFor(() => screen().getByRole('img', { name: 'A map' }))
    await waitFor(() => expect(document.activeElement).toBe(image))
    return image
  }

  it('goes to the picture that was asked for, and to the button of one that cannot be loaded', async () => {
    const image = await showMap()
    await fireEvent.error(image)
    await waitFor(() => expect(document.activeElement).toBe(button(/Show image: A map/)))
  })

  it('is not taken by a picture that cannot be loaded while it is elsewhere', async () => {
    const attachments = ['one', 'two'].map((name) => ({
      content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' as const,
      content_url: `https://img.example.com/${name}.png`,
      title: name,
    }))
    show(['agent', 'Here:', { attachments }])
    await press(/Show image: one/)
    const image = await waitFor(() => screen().getByRole('img', { name: 'one' }))
    field().focus()
    await fireEvent.error(image)
    await waitFor(() => button(/Show image: one/))
    expect(document.activeElement).toBe(field())
  })

  it('is left in the field by a picture that is drawn again, after it was asked for', async () => {
    await showMap()
    const write = field()
    write.focus()
    world.panel.update({ locale: 'de' })
    await waitFor(() => screen().getByRole('textbox', { name: 'Nachricht' }))
    expect(document.activeElement).toBe(write)
  })

  it('stays where the button does', async () => {
    show(['agent', '```js\n1\n```'])
    await press('Copy')
    expect(document.activeElement?.textContent).toBe('Copy')
  })

  it('goes back to the menu’s button after a policy', async () => {
    world.panel.update({ site: { links: [{ name: 'privacyPolicy', url: 'https://example.com/privacy' }] } })
    const menu = await openMenu()
    const link = within(menu).getByRole('menuitem', { name: 'Privacy policy' })
    link.focus()
    link.addEventListener('click', (event) => event.preventDefault())
    await fireEvent.click(link)
    await waitFor(() => expect(document.activeElement).toBe(button('More')))
  })
})

/** The text of a file, as jsdom lets one read it. */
const readText = (file: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(file)
  })

describe('the transcript as a file', () => {
  const files: { name: string; text: Promise<string> }[] = []
  beforeEach(() => {
    files.length = 0
    let last: Blob | undefined
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          last = blob
          return 'blob:x'
        },
        revokeObjectURL: () => {},
      }),
    )
    HTMLAnchorElement.prototype.click = function () {
      if (last) files.push({ name: this.download, text: readText(last) })
    }
    show(['agent', '**Hello** <b>there</b>\n\n```js\n1\n```'], ['visitor', '<script>alert(1)</script>'])
  })

  it('is plain text with names and times', async () => {
    await choose('Download as text')
    await waitFor(() => expect(files).toHaveLength(1))
    const text = await files[0]?.text
    expect(files[0]?.name).toMatch(/^Chat \d{4}-\d\d-\d\d\.txt$/)
    expect(text).toMatch(/^Ada, .*\nHello <b>there<\/b>\n\n1\n/)
    expect(text).toContain('You, ')
  })

  it('says what was decided about a question', async () => {
    const confirm = { id: 'q', title: 'Sure?', summary: '', confirm: 'Yes', cancel: 'No' }
    show(['agent', 'Sure?', { confirm: { ...confirm, decision: 'confirm' } }])
    await choose('Download as text')
    await waitFor(() => expect(files).toHaveLength(1))
    expect(await files[0]?.text).toContain('\nSure?\nConfirmed · \u2068Yes\u2069\n')
  })

  it('holds nothing that the page withholds', async () => {
    world.panel.update({ site: { accepts: (_, { text }) => !text.startsWith('**Hello') } })
    await waitFor(() => expect(screen().getAllByRole('article')).toHaveLength(1))
    await choose('Download as text')
    await waitFor(() => expect(files).toHaveLength(1))
    await choose('Download as a web page')
    await waitFor(() => expect(files).toHaveLength(2))
    for (const { text } of files) {
      expect(await text).not.toContain('Hello')
      expect(await text).toContain('alert(1)')
    }
  })

  it('is a page in which ticks stay, and what hangs on an answer stands behind its code', async () => {
    const attachments = [
      {
        content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
        content_url: 'https://example.com/__init__.py',
        title: '**Hours**',
      },
    ]
    show(['agent', '- [x] done\n- [ ] open\n\n```js\n2', { attachments }])
    await choose('Download as a web page')
    await waitFor(() => expect(files).toHaveLength(1))
    const page = new DOMParser().parseFromString((await files[0]?.text) ?? '', 'text/html')
    expect([...page.querySelectorAll('input')].map((box) => box.checked)).toEqual([true, false])
    const link = page.querySelector('a[href="https://example.com/__init__.py"]')
    expect(link?.closest('pre')).toBeNull()
    expect(link?.parentElement?.textContent).toBe('**Hours**: https://example.com/__init__.py')
  })

  it('is a page that keeps the lines of the visitor and the sides of a table, on a phone too', async () => {
    show(['visitor', 'One\nTwo'], ['agent', '| A | B |\n| -- | --: |\n| 1 | 2 |'])
    await choose('Download as a web page')
    await waitFor(() => expect(files).toHaveLength(1))
    const frame = document.body.appendChild(document.createElement('iframe'))
    const page = frame.contentDocument as Document
    page.write((await files[0]?.text) ?? '')
    const style = (element: Element | null | undefined) =>
      page.defaultView?.getComputedStyle(element as Element)
    const words = [...page.querySelectorAll('article')].find((each) => each.textContent?.includes('One\nTwo'))
    expect(style(words?.lastElementChild)?.whiteSpace).toBe('pre-wrap')
    expect(words?.lastElementChild?.textContent).toBe('One\nTwo')
    // Of the root, whose ground is drawn: on the body alone, a dark scheme would write white on white.
    expect(style(page.documentElement)?.colorScheme).toBe('light dark')
    expect(style(page.querySelector('td:last-child'))?.textAlign).toBe('end')
    // A cell keeps its words whole, and the table scrolls.
    expect(style(page.querySelector('.table'))?.overflowWrap).toBe('normal')
    expect(page.querySelector('meta[name="viewport"]')?.getAttribute('content')).toBe('width=device-width')
    frame.remove()
  })

  it('is a page in which each block has the direction of its own words, whoever speaks', async () => {
    show(['visitor', 'مرحبا؟'], ['agent', 'First English.\n\nكيف يمكنني مساعدتك؟'])
    await choose('Download as a web page')
    await waitFor(() => expect(files).toHaveLength(1))
    const page = new DOMParser().parseFromString((await files[0]?.text) ?? '', 'text/html')
    for (const words of ['مرحبا؟', 'First English.', 'كيف يمكنني مساعدتك؟']) {
      const whole = [...page.querySelectorAll('[dir="auto"]')].find((each) => each.textContent === words)
      expect(whole, words).toBeTruthy()
    }
    expect(page.querySelector('article')?.hasAttribute('dir')).toBe(false)
    expect([...page.querySelectorAll('header')].map(({ children }) => children.length)).toEqual(
      Array(page.querySelectorAll('article').length).fill(2),
    )
  })

  it('is a page in which what was written is text, without buttons', async () => {
    await choose('Download as a web page')
    await waitFor(() => expect(files).toHaveLength(1))
    const page = new DOMParser().parseFromString((await files[0]?.text) ?? '', 'text/html')
    expect([
      page.querySelectorAll('script, button').length,
      page.querySelector('strong')?.textContent,
    ]).toEqual([0, 'Hello'])
    expect(page.body.textContent).toContain('<script>alert(1)</script>')
    expect([page.documentElement.lang, page.querySelector('.code')?.textContent]).toEqual(['en', '1\n'])
  })
})

describe('the connection', () => {
  it('that the service puts off says that the chat is busy, and offers no button that could do nothing', async () => {
    world.chat.status.value = 'connecting'
    world.chat.notice.value = { kind: 'busy' }
    await waitFor(() => expect(screen().getByText(/The chat is busy/)).toBeTruthy())
    expect(screen().queryByText('Connecting…')).toBeNull()
    noButton('Try again')
  })

  it('that takes long for the first time is not called a new one', async () => {
    world.chat.status.value = 'connecting'
    world.chat.notice.value = { kind: 'reconnecting' }
    await waitFor(() => expect(screen().getByText('Connecting is taking longer than usual…')).toBeTruthy())
    await fireEvent.click(button('Try again'))
    expect(world.asked).toEqual(['wake'])
  })
})

describe('a part that the page draws', () => {
  const draw = async (render: Renderers) => {
    world.panel.update({ site: { render } })
  }
  beforeEach(() => {
    vi.stubGlobal('reportError', () => {})
  })

  it('may be a fragment, and stays when its message is drawn again', async () => {
    await draw({
      header: () => document.createRange().createContextualFragment('<h2>Own header</h2>'),
      message: ({ text }) => document.createRange().createContextualFragment(`<b>${text}!</b>`),
    })
    await waitFor(() => screen().getByText('Own header'))
    show(['agent', 'first'])
    await waitFor(() => screen().getByText('first!'))
    world.chat.transcript.value = [...world.chat.transcript.value, message('agent', 'second').entry]
    world.panel.update({ locale: 'de', showHeader: false })
    world.panel.update({ showHeader: true })
    await waitFor(() => screen().getByText('second!'))
    await waitFor(() => screen().getByText('Own header'))
    screen().getByText('first!')
  })

  it('is not a question, which the visitor could not decide then', async () => {
    await draw({ message: ({ text }) => document.createRange().createContextualFragment(`<b>${text}!</b>`) })
    const confirm = { id: 'q', title: 'Sure?', summary: '', confirm: 'Yes', cancel: 'No' }
    show(['agent', 'first'], ['agent', 'Sure?', { confirm }])
    const { key } = world.chat.transcript.value.at(-1) as { key: string }
    world.chat.question.value = { key, chosen: undefined }
    await waitFor(() => button('Yes'))
    screen().getByText('first!')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('a part that fails')
      },
    ],
    ['makes nothing', () => undefined],
    ['makes a text', () => 'a text' as never],
    ['makes a promise', () => Promise.resolve() as never],
  ])('leaves the chat’s own where its function %s', async (_, make) => {
    await draw({ header: make, message: make })
    show(['agent', 'hello'], ['visitor', 'good day'])
    await waitFor(() => screen().getByText('hello'))
    screen().getByText('good day')
    button('Close chat')
    button('More')
  })
})
