// What a visitor is writing goes with them from page to page of their tab, and never to the next visitor.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPanel } from '../../../../src/embed/frame/panel.ts'
import { openIn } from '../open-panel.ts'

let undo = () => {}
beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(() => {
  undo()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

/** A page on which the chat is open. */
function openPage(start: object = {}) {
  document.body.replaceChildren()
  const { say, container, undo: leave } = openIn(openPanel, { start })
  undo = leave
  say({ type: 'show', shown: true })
  return { say, container, draft: () => container.querySelector('textarea')?.value }
}

describe('what is being written', () => {
  const leave = () => window.dispatchEvent(new Event('pagehide'))
  const write = (container: Element, text: string) => {
    const field = container.querySelector('textarea') as HTMLTextAreaElement
    field.value = text
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  /** The page is left, and the next one opens the chat. */
  function nextPage() {
    leave()
    undo()
    return openPage()
  }

  it('is there on the next page, and no longer once the field is empty', async () => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, ' half a\nsentence ')
    const second = nextPage()
    await vi.waitFor(() => expect(second.draft()).toBe(' half a\nsentence '))
    write(second.container, '')
    const third = nextPage()
    await vi.waitFor(() => expect(third.draft()).toBe(''))
    expect(sessionStorage.getItem('foyer::draft')).toBeNull()
  })

  it.each([
    ['here', (say: (message: object) => void) => say({ type: 'logout' })],
    [
      'in another tab, while no page was there',
      () => {
        leave()
        undo()
        localStorage.setItem('foyer::signed-out', 'later')
      },
    ],
  ])('is gone for the next visitor after somebody signed out %s', async (_, signOut) => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, 'of Ana alone')
    leave()
    expect(sessionStorage.getItem('foyer::draft')).toContain('of Ana alone')
    signOut(first.say)
    await vi.waitFor(() => expect(localStorage.getItem('foyer::signed-out')).toBeTruthy())
    const second = nextPage()
    await vi.waitFor(() => expect(second.draft()).toBe(''))
    leave()
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('of Ana alone')
  })

  it('is gone after a sign-out on a page that could not read whose it is', async () => {
    localStorage.setItem('foyer::signed-out', 'earlier')
    sessionStorage.setItem('foyer::draft', 'earlier of Ana alone')
    const read = Storage.prototype.getItem
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(function (this: Storage, key) {
      return key === 'foyer::signed-out' ? null : read.call(this, key)
    })
    try {
      const page = openPage()
      await vi.waitFor(() => expect(page.draft()).toBe(''))
      expect(sessionStorage.getItem('foyer::draft')).toContain('of Ana alone')
      page.say({ type: 'logout' })
      await vi.waitFor(() => expect(sessionStorage.getItem('foyer::draft')).toBeNull())
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('is kept when the chat is taken off the page, and what was sent is not', async () => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, 'half')
    undo()
    const second = openPage()
    await vi.waitFor(() => expect(second.draft()).toBe('half'))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(sessionStorage.getItem('foyer::draft')).toContain('half')
    write(second.container, 'half a sentence')
    second.container
      .querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    await vi.waitFor(() => expect(second.draft()).toBe(''))
    undo()
    const third = openPage()
    await vi.waitFor(() => expect(third.draft()).toBe(''))
    expect(sessionStorage.getItem('foyer::draft')).toBeNull()
  })

  it('is stored as soon as the page is hidden, which may be the last that it hears', async () => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, 'half')
    expect(sessionStorage.getItem('foyer::draft')).toBeNull()
    document.dispatchEvent(new Event('visibilitychange'))
    expect(sessionStorage.getItem('foyer::draft')).toContain('half')
  })

  it('is kept in storage only until it is in the composer', async () => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, 'half')
    const second = nextPage()
    await vi.waitFor(() => expect(second.draft()).toBe('half'))
    expect(sessionStorage.getItem('foyer::draft')).toBeNull()
  })

  it.each([
    ['while a form stands before the chat', { form: [{ label: 'Name' }] }, 'input'],
    ['while it is in the composer', {}, 'textarea'],
  ])('is not the next visitor’s if its writer signs out unheard %s', async (_, start, field) => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, 'of Ana alone')
    leave()
    undo()
    localStorage.removeItem('foyer::session')
    const second = openPage(start)
    await vi.waitFor(() => expect(second.container.querySelector(field)).toBeTruthy())
    localStorage.setItem('foyer::signed-out', 'later')
    const third = nextPage()
    await vi.waitFor(() => expect(third.draft()).toBe(''))
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('of Ana alone')
  })

  it('is not the next visitor’s after its writer withdrew consent in another tab', async () => {
    const first = openPage()
    await vi.waitFor(() => expect(first.draft()).toBe(''))
    write(first.container, 'of Ana alone')
    leave()
    undo()
    const tab = { ...sessionStorage }
    sessionStorage.clear()
    const other = openPage({ consent: 'given' })
    await vi.waitFor(() => expect(other.draft()).toBe(''))
    localStorage.setItem('foyer::sound', 'on')
    other.say({ type: 'looks', looks: { consent: 'refused' } })
    await vi.waitFor(() => expect(Object.keys(localStorage)).toEqual(['foyer::signed-out']))
    undo()
    for (const [key, value] of Object.entries(tab)) sessionStorage.setItem(key, value)
    const next = openPage({ consent: 'given' })
    await vi.waitFor(() => expect(next.draft()).toBe(''))
    leave()
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('of Ana alone')
  })
})
