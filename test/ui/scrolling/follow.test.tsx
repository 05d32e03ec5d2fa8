// The transcript follows what is drawn, until its reader scrolls up.

import { fireEvent, waitFor, within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPanel, message, stubResizeObserver } from '../world.ts'

/** A box that scrolls as a browser's does: what is drawn is told afterwards, and a shorter content moves it up. */
function scrolls(element: HTMLElement) {
  let [top, height] = [0, 1_000]
  /** Where messages begin, from the top of the content; the others begin at its end. */
  const begins = new Map<Element, number>()
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return new DOMRect(0, this === element ? 0 : (begins.get(this) ?? height) - top)
  })
  const clientHeight = 500
  const clamp = (value: number) => Math.max(0, Math.min(value, height - clientHeight))
  Object.defineProperties(element, {
    scrollTop: {
      get: () => top,
      set(value: number) {
        top = clamp(value)
      },
    },
    scrollHeight: { get: () => height },
    clientHeight: { get: () => clientHeight },
  })
  return {
    /** The content has this height now; what was laid out is not told yet. */
    draws(to: number) {
      height = to
      top = clamp(top)
    },
    /** What a browser does before it paints: tells the scroll, if there was one, then the size. */
    paints({ hand, on = element, key }: { hand?: string; on?: Element; key?: string } = {}) {
      if (hand) on.dispatchEvent(Object.assign(new Event(hand, { bubbles: true }), { key }))
      element.dispatchEvent(new Event('scroll'))
      for (const told of observers) told()
    },
    moves(by: number) {
      top = clamp(top + by)
    },
    /** The newest message begins there. */
    newestBegins(at: number) {
      begins.set(Array.from(element.querySelectorAll('article')).at(-1) as Element, at)
    },
    top: () => top,
    fromEnd: () => height - clientHeight - top,
  }
}

let observers: Set<() => void>
let world: ReturnType<typeof createPanel>
let box: ReturnType<typeof scrolls>
beforeEach(async () => {
  observers = stubResizeObserver()
  world = createPanel()
  world.chat.transcript.value = [message('visitor', 'Hi').entry, message('agent', 'Hello').entry]
  await waitFor(() => expect(world.container.querySelectorAll('article')).toHaveLength(2))
  box = scrolls(world.container.querySelector('.scroll') as HTMLElement)
  box.paints()
})
afterEach(() => {
  world.remove()
  vi.unstubAllGlobals()
})

it('the log stays at the end of what grows', () => {
  for (const height of [1_100, 1_500, 3_000]) {
    box.draws(height)
    box.paints()
    expect(box.fromEnd()).toBe(0)
  }
})

it('the log stays at what the search has found, though that is laid out only there', async () => {
  // What is skipped has another height once it is seen.
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(() => {
    box.moves(-400)
    box.draws(1_300)
  })
  const screen = within(world.container)
  await fireEvent.click(await waitFor(() => screen.getByRole('button', { name: 'More' })))
  await fireEvent.click(await waitFor(() => screen.getByRole('menuitem', { name: 'Search this chat' })))
  await fireEvent.input(await waitFor(() => screen.getByRole('searchbox')), { target: { value: 'hello' } })
  await waitFor(() => expect(box.fromEnd()).toBe(700))
  box.paints()
  expect(box.fromEnd()).toBe(700)
})

it('the log lets the browser hold the place only of a reader who is further up', () => {
  const { style } = world.container.querySelector('.scroll') as HTMLElement
  expect(style.overflowAnchor).toBe('none')
  box.draws(3_000)
  box.paints()
  expect(style.overflowAnchor).toBe('none')
  box.moves(-1_000)
  box.paints({ hand: 'wheel' })
  expect(style.overflowAnchor).toBe('')
  box.moves(1_000)
  box.paints({ hand: 'wheel' })
  expect(style.overflowAnchor).toBe('none')
})

it('the log stays at the end of what became shorter, and longer again before the scroll was told', () => {
  // The dots go, and a line comes.
  box.draws(952)
  box.draws(1_022)
  box.paints()
  expect(box.fromEnd()).toBe(0)
  // Chips go, and a shorter answer comes.
  box.draws(822)
  box.draws(942)
  box.paints()
  expect(box.fromEnd()).toBe(0)
})

it('the log stays where the reader scrolled to, by hand also while it grows', () => {
  box.moves(-200)
  box.paints()
  box.draws(2_000)
  box.paints()
  expect(box.fromEnd()).toBe(1_200)
})

it.each(['wheel', 'touchmove', 'pointerdown', 'keydown'])(
  'the log leaves the end with a %s while it grows',
  (hand) => {
    box.moves(-200)
    box.draws(1_022)
    box.paints({ hand })
    box.draws(2_000)
    box.paints()
    expect(box.fromEnd()).toBeGreaterThan(1_000)
  },
)

/** Chips go, and a shorter answer comes, in one step. */
function swaps() {
  box.draws(822)
  box.draws(942)
}
it.each([
  ['pointerdown', undefined],
  ['keydown', 'Enter'],
  ['keydown', ' '],
])('the log stays at the end when a control in it is used by %s %j', (hand, key) => {
  const chip = world.container.querySelector('.log')?.appendChild(document.createElement('button'))
  const label = chip?.appendChild(document.createElement('span'))
  swaps()
  box.paints({ hand, key, on: label })
  expect(box.fromEnd()).toBe(0)
  chip?.remove()
})

it('the log stays at the end after a message of one’s own, whatever was touched before', async () => {
  box.paints({ hand: 'wheel' })
  world.chat.outbox.value = [{ id: 'own', text: 'Mine', at: 0, state: 'sent' }]
  await waitFor(() => expect(world.container.querySelector('.visitor')).not.toBeNull())
  swaps()
  box.paints()
  expect(box.fromEnd()).toBe(0)
})

it('the log leaves the end with the space bar on the log itself', () => {
  box.moves(-200)
  box.draws(1_022)
  box.paints({ hand: 'keydown', key: ' ' })
  expect(box.fromEnd()).toBeGreaterThan(100)
})

it('the log follows again once the reader is back at the end', () => {
  box.moves(-200)
  box.paints()
  box.moves(190)
  box.paints()
  box.draws(2_000)
  box.paints()
  expect(box.fromEnd()).toBe(0)
})

/** The agent says something, which makes the content this high. */
async function says(text: string, height: number): Promise<void> {
  box.draws(height)
  world.chat.transcript.value = [...world.chat.transcript.value, message('agent', text).entry]
  await waitFor(() => expect(world.container.querySelector('.log')?.textContent).toContain(text))
}

it('the log follows a message in the task that draws it, so that its scroll is told in the same frame', async () => {
  await says('Second', 1_100)
  expect(box.fromEnd()).toBe(0)
})

it('the log lets a scroll that is not told yet be told first, and stays there if it was the reader’s', async () => {
  box.moves(-200)
  await says('Second', 1_100)
  expect(box.fromEnd()).toBe(300)
  box.paints({ hand: 'wheel' })
  expect(box.fromEnd()).toBe(300)
})

it('the log leaves a reader who is further up alone when a message comes', async () => {
  box.moves(-200)
  box.paints()
  await says('Second', 1_100)
  expect(box.fromEnd()).toBe(300)
})

describe('“New messages”', () => {
  const pill = () => within(world.container).queryByRole('button', { name: 'New messages' })
  const appears = () => waitFor(() => expect(pill()).not.toBeNull())
  /** What is drawn by then has had its chance. */
  const settles = () => new Promise((resolve) => setTimeout(resolve, 50))
  const goUp = () => {
    box.moves(-200)
    box.paints()
  }
  async function answer() {
    const { entry, content } = message('agent', 'One', { complete: false })
    world.chat.transcript.value = [...world.chat.transcript.value, entry]
    await waitFor(() => expect(world.container.querySelectorAll('article')).toHaveLength(3))
    return (text: string, complete = false) => {
      content.value = { ...content.value, pieces: [text], complete }
      return waitFor(() => expect(world.container.querySelector('.log')?.textContent).toContain(text))
    }
  }

  it('comes to a reader who is further up when an answer grows, and leads to its end', async () => {
    const grow = await answer()
    goUp()
    expect(pill()).toBeNull()
    await grow('One and two')
    await appears()
    await fireEvent.click(pill() as HTMLElement)
    await waitFor(() => expect(pill()).toBeNull())
    expect(box.fromEnd()).toBe(0)
  })

  it('gives the focus to the composer when it is used: it is gone by then', async () => {
    const grow = await answer()
    goUp()
    await grow('One and two')
    await appears()
    pill()?.focus()
    await fireEvent.click(pill() as HTMLElement)
    await waitFor(() => expect(pill()).toBeNull())
    expect((world.container.getRootNode() as Document | ShadowRoot).activeElement?.localName).toBe('textarea')
  })

  it('comes again when the answer grows further, and when it ends', async () => {
    const grow = await answer()
    for (const [text, complete] of [
      ['One and two', false],
      ['One, two and three', true],
    ] as const) {
      goUp()
      await grow(text, complete)
      await appears()
      box.moves(200)
      box.paints()
      await waitFor(() => expect(pill()).toBeNull())
    }
  })

  it('comes with a new message', async () => {
    goUp()
    await says('Second', 1_100)
    await appears()
  })

  it('does not come to a reader at the end', async () => {
    const grow = await answer()
    await grow('One and two')
    await says('Second', 1_100)
    await settles()
    expect(pill()).toBeNull()
  })
})

describe('a long answer', () => {
  const toEnd = () => within(world.container).queryByRole('button', { name: 'To the end' })
  /** A visitor asks, 100 px above the end; the answer comes below it. */
  async function asks(at = 1_000) {
    world.chat.transcript.value = [...world.chat.transcript.value, message('visitor', 'Why?').entry]
    await waitFor(() => expect(world.container.querySelector('.visitor')).not.toBeNull())
    box.newestBegins(at)
    box.draws(at + 100)
    box.paints()
    await says('Because', at + 200)
    box.paints()
  }

  it('grows below the question, which stays at the top', async () => {
    await asks()
    expect(box.fromEnd()).toBe(0)
    expect(toEnd()).toBeNull()
    for (const height of [1_300, 1_800, 3_000]) {
      box.draws(height)
      box.paints()
      expect(box.top()).toBe(Math.min(height - 500, 992))
    }
  })

  it('has a way to its end, from where it is followed', async () => {
    await asks()
    box.draws(1_900)
    box.paints()
    await waitFor(() => expect(toEnd()).not.toBeNull())
    await fireEvent.click(toEnd() as HTMLElement)
    expect(box.fromEnd()).toBe(0)
    box.paints()
    await waitFor(() => expect(toEnd()).toBeNull())
    box.draws(2_400)
    box.paints()
    expect(box.fromEnd()).toBe(0)
  })

  it('is followed by a reader who goes to its end by hand', async () => {
    await asks()
    box.draws(1_900)
    box.paints()
    box.moves(408)
    box.paints({ hand: 'wheel' })
    box.draws(2_400)
    box.paints()
    expect(box.fromEnd()).toBe(0)
  })

  it('is held below its question again, though the one before was followed to its end', async () => {
    await asks()
    box.draws(1_900)
    box.paints()
    box.moves(408)
    box.paints({ hand: 'wheel' })
    await asks(1_900)
    box.draws(4_000)
    box.paints()
    expect(box.top()).toBe(1_892)
  })

  it('stays where it is read when the agent says more', async () => {
    await asks()
    box.draws(1_900)
    box.paints()
    await says('And besides', 2_000)
    box.newestBegins(1_900)
    box.paints()
    expect(box.top()).toBe(992)
    expect(toEnd()).not.toBeNull()
  })

  it('is left by the visitor’s next message', async () => {
    await asks()
    box.draws(1_900)
    box.paints()
    world.chat.transcript.value = [...world.chat.transcript.value, message('visitor', 'And now?').entry]
    await waitFor(() => expect(world.container.querySelectorAll('.visitor')).toHaveLength(2))
    expect(box.fromEnd()).toBe(0)
  })

  it('begins at the top where nobody asked', async () => {
    await says('News', 1_000)
    box.newestBegins(900)
    box.draws(3_000)
    box.paints()
    expect(box.top()).toBe(892)
  })
})
