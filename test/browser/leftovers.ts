// Counts what a page still holds on to: elements of the chat, timers, and listeners of window and document.

import type { Page } from 'playwright-core'

/** Counts from before the page's first script on. */
export const countLeftovers = (page: Page): Promise<unknown> => page.addInitScript(countAll)

export const leftoversOf = (page: Page) =>
  page.evaluate(() => {
    const { timers, listeners } = window as unknown as {
      timers: Set<unknown>
      listeners: Map<string, number>
    }
    const elements = document.querySelectorAll('foyer-host, iframe').length
    return { elements, timers: timers.size, ...Object.fromEntries(listeners) }
  })

function countAll(): void {
  const timers = new Set<unknown>()
  const listeners = new Map<string, number>()
  Object.assign(window, { timers, listeners })
  const [later, never] = [setTimeout, clearTimeout]
  const set = (act: () => void, ms: number) => {
    const id = later(() => {
      timers.delete(id)
      act()
    }, ms)
    timers.add(id)
    return id
  }
  const clear = (id: number) => {
    timers.delete(id)
    never(id)
  }
  const [every, stop] = [setInterval, clearInterval]
  const repeat = (act: () => void, ms: number) => {
    const id = every(act, ms)
    timers.add(id)
    return id
  }
  const end = (id: number) => {
    timers.delete(id)
    stop(id)
  }
  Object.assign(window, { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: end })
  for (const target of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = target
    const known = new Set<string>()
    const ids = new Map<unknown, number>()
    const keyOf = (type: string, listener: unknown, options: unknown) => {
      if (!ids.has(listener)) ids.set(listener, ids.size)
      return `${type} ${ids.get(listener)} ${options === true || Object(options).capture === true}`
    }
    const tell = () => listeners.set(target === window ? 'window' : 'document', known.size)
    Object.assign(target, {
      addEventListener(...given: [string, () => void, unknown]) {
        known.add(keyOf(...given))
        tell()
        add.apply(target, given as never)
      },
      removeEventListener(...given: [string, () => void, unknown]) {
        known.delete(keyOf(...given))
        tell()
        remove.apply(target, given as never)
      },
    })
  }
}
