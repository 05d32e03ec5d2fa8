// What stands first is what the panel draws first, and the panel takes it over as it is.

import { waitFor } from '@testing-library/preact'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { enCore, makeShell } from '../../src/ui/index.ts'
import { ar } from '../../src/ui/locales/ar.ts'
import { createPanel } from './world.ts'

beforeAll(() => {
  Object.assign(globalThis.CSSStyleSheet.prototype, { replaceSync() {} })
})

type Looks = Parameters<ReturnType<typeof makeShell>['show']>[1]
const PLAIN: Looks = {
  locale: 'en',
  theme: 'light',
  phone: false,
  showHeader: true,
  closable: true,
  modal: false,
}
const worlds: { remove(): void }[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove()
})

/** A panel that has just begun, drawn over the shell, or by itself. */
function panel(looks: Looks, shell?: ReturnType<typeof makeShell>) {
  const world = createPanel(looks, undefined, { shell })
  worlds.push(world)
  return world
}
function standing(looks: Looks) {
  const shell = makeShell(document)
  shell.show(document.body, looks)
  return shell
}
/** Attributes have no order; how it scrolls is set once it is there. */
function told(node: Node): unknown {
  if (!(node instanceof Element)) return node.textContent
  const attributes = Array.from(node.attributes, ({ name, value }) => `${name}=${value}`).filter(
    (each) => !each.startsWith('style='),
  )
  return [node.localName, attributes.toSorted(), Array.from(node.childNodes, told)]
}

it.each<Partial<Looks>>([
  {},
  { theme: 'dark' },
  { phone: true, modal: true },
  { showHeader: false },
  { closable: false },
  { locale: 'en-US' },
])('with %o it is what the panel draws by itself', (looks) => {
  const all = { ...PLAIN, ...looks }
  const alone = panel(all).container.firstElementChild as Element
  expect(told(standing(all).element)).toEqual(told(alone))
})

it('with words, a name and a habit of the site’s own it is what the panel draws by itself', async () => {
  const words = { ...enCore, ...ar }
  const own = { placeholder: 'اسأل عن دراجتك' }
  const all = { ...PLAIN, locale: 'ar' }
  const settings = { ...all, words: own, enterSends: false, site: { agentName: 'Fern' } }
  const world = createPanel(settings, undefined, {})
  worlds.push(world)
  const alone = world.container.firstElementChild as Element
  await waitFor(() => expect(alone.textContent).toContain(ar.statusReady))
  await waitFor(() => expect(alone.innerHTML).toContain(own.placeholder))
  const shell = makeShell(document, { words, own, agentName: 'Fern', enterSends: false })
  shell.show(document.body, all)
  // The rest of the panel has come with its words.
  const composer = (element: Element) => told(element.querySelector('.composer') as Element)
  expect(composer(shell.element)).toEqual(composer(alone))
  for (const part of ['.who', '.small-print', '.disclosure-first'])
    expect(told(shell.element.querySelector(part) as Element)).toEqual(
      told(alone.querySelector(part) as Element),
    )
  expect([shell.element.lang, shell.element.dir]).toEqual(['ar', 'rtl'])
})

it('keeps field, focus, caret and words when the panel takes it over', () => {
  const shell = standing(PLAIN)
  const before = [...shell.element.querySelectorAll('*')]
  shell.field.value = 'What I wrote'
  shell.field.focus()
  shell.field.setSelectionRange(5, 6)
  const moved: Node[] = []
  const observer = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) moved.push(...addedNodes, ...removedNodes)
  })
  observer.observe(shell.element, { childList: true, subtree: true })
  panel(PLAIN, shell)
  for (const { addedNodes, removedNodes } of observer.takeRecords())
    moved.push(...addedNodes, ...removedNodes)
  observer.disconnect()
  expect(moved).toEqual([])
  expect([...shell.element.querySelectorAll('*')]).toEqual(before)
  expect(document.activeElement).toBe(shell.field)
  expect(shell.field.value).toBe('What I wrote')
  expect([shell.field.selectionStart, shell.field.selectionEnd]).toEqual([5, 6])
})

it('becomes what the panel is to be, where that is something else', () => {
  const shell = standing(PLAIN)
  const other = { ...PLAIN, theme: 'dark', phone: true, showHeader: false, modal: true } as const
  panel(other, shell)
  expect(told(shell.element)).toEqual(told(panel(other).container.firstElementChild as Element))
})

it('shows the menu that was asked for before there was one', async () => {
  const shell = standing(PLAIN)
  shell.pressed = true
  panel(PLAIN, shell)
  await waitFor(() =>
    expect(shell.menu.ariaExpanded ?? shell.menu.getAttribute('aria-expanded')).toBe('true'),
  )
})
