// Shows one state by the page's address: `?state=…&theme=dark&locale=de&size=phone`; without one, the list of all. Tests change the
// state in place through `window.gallery`.

import { readDetails } from '../../src/embed/frame/prechat/details.ts'
import { readOptions } from '../../src/embed/options.ts'
import { createAttention } from '../../src/embed/page/attention/attention.ts'
import { showTeaser } from '../../src/embed/page/attention/teaser.ts'
import { createHost } from '../../src/embed/page/host/host.ts'
import type { PanelHost } from '../../src/embed/page/host/panel-host.ts'
import { placePanel } from '../../src/embed/page/panel/container.ts'
import { loadExtras, mountPanel } from '../../src/ui/index.ts'
import { frozenChat, MORNING } from './chat.ts'
import { STATES, type State } from './states.ts'

/** All parts are here from the start, so that no state has to be waited for. */
import.meta.glob('../../src/ui/**/*.{ts,tsx}', { eager: true })

type Shown = {
  state: string
  theme?: 'light' | 'dark' | undefined
  locale?: string | undefined
  size?: 'panel' | 'phone' | 'wide' | undefined
  accent?: string | undefined
}

const body = document.body
/** Time stands still, so that a countdown does too; on a Saturday night the office is closed. */
const saturday = MORNING + 4 * 86_400_000 + 12 * 3_600_000
let undo: (() => void) | undefined

async function show({ state, theme = 'light', locale = 'en', size = 'panel', accent }: Shown): Promise<void> {
  const asked = Object.hasOwn(STATES, state) ? STATES[state] : undefined
  if (!asked) throw new Error(`The gallery has no state ${state}`)
  undo?.()
  delete document.documentElement.dataset.ready
  Date.now = () => (asked.options?.hours ? saturday : MORNING)
  const stage = document.createElement('div')
  stage.id = 'stage'
  stage.className = asked.page ? 'page' : size
  body.className = theme
  body.replaceChildren(stage)
  document.documentElement.lang = locale
  undo = asked.page
    ? await showOnPage(asked.page, theme, locale)
    : await showPanel(asked, stage, { theme, locale, accent, phone: size === 'phone' })
  await settle()
  for (const [selector, text] of asked.steps ?? []) {
    const control = await found(`#stage ${selector}`)
    if (text === undefined) control.click()
    else write(control as HTMLTextAreaElement, text)
    await settle()
  }
  document.documentElement.dataset.ready = state
}

async function showPanel(
  state: State,
  stage: HTMLElement,
  looks: { theme: 'light' | 'dark'; locale: string; accent: string | undefined; phone: boolean },
): Promise<() => void> {
  const given = readOptions(state.options ?? {})
  const { site, words, prechat } = readDetails(given as Readonly<Record<string, unknown>>)
  const showHeader = given.showHeader !== false
  if (state.prechat) {
    const { openPrechat } = await loadExtras(new AbortController().signal)
    const nothing = () => {}
    return openPrechat({
      root: document,
      container: stage,
      looks: { ...looks, showHeader },
      settings: prechat,
      step: state.prechat,
      onNext: nothing,
      onClose: nothing,
    }).dispose
  }
  return mountPanel({
    root: document,
    container: stage,
    chat: frozenChat(state.chat ?? {}),
    onClose: () => {},
    ...looks,
    showHeader,
    words,
    site,
  }).dispose
}

async function showOnPage(what: NonNullable<State['page']>, theme: 'light' | 'dark', locale: string) {
  let host: PanelHost | undefined
  if (what === 'trouble') return showTrouble(theme, locale)
  const main = body.appendChild(document.createElement('main'))
  main.appendChild(document.createElement('h1')).textContent = 'Larkspur Cycles'
  main.appendChild(document.createElement('p')).textContent =
    'Bicycles for the city, the tour and the gravel road.'
  const handle = createHost({ theme, locale }, 'foyer:gallery', (given) => {
    host = given
  })
  await handle.ready
  // Without a panel it stays closed: only its host is wanted here.
  handle.showTeaser('gallery')
  if (!host) throw new Error('The launcher has no host')
  const attention = createAttention(host)
  if (what === 'unread') attention.unread(3)
  if (what === 'preview') attention.unread(1, 'Your order left our workshop this morning.')
  if (what === 'teaser')
    showTeaser(host, 'Can I help you find the right bicycle?', 'https://gallery.example.com')
  return () => handle.destroy()
}

/** A panel whose BFF has no address that could be asked. */
async function showTrouble(theme: 'light' | 'dark', locale: string): Promise<() => void> {
  const handle = createHost(
    { theme, locale, isolation: 'none' },
    'foyer:gallery',
    placePanel('http://[', 'none'),
  )
  await handle.ready
  handle.open()
  await eventually(() =>
    document.querySelector('foyer-host')?.shadowRoot?.querySelector('dialog.failed > div'),
  )
  return () => {
    handle.close()
    handle.destroy()
  }
}

function write(field: HTMLTextAreaElement, text: string): void {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const found = (selector: string) => eventually(() => document.querySelector<HTMLElement>(selector))

/** A machine that is busy draws late. */
async function eventually<T>(look: () => T | null | undefined): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const seen = look()
    if (seen) return seen
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`There never was what ${look} looks for`)
}

/** Resolves once nothing on the page has changed for a while, two frames among it, and its pictures are there. */
async function settle(): Promise<void> {
  let changes = 0
  const observer = new MutationObserver(() => changes++)
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  for (let before = -1; before !== changes; ) {
    before = changes
    await new Promise((resolve) => setTimeout(resolve, 120))
    // Parts that are drawn late wait for a frame, and a busy machine gives frames late.
    for (let frames = 0; frames < 2; frames++)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
  observer.disconnect()
  // Finish every animation that has an end. Those that repeat for ever go on.
  const roots = [
    document,
    ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []),
  ]
  for (const animation of roots.flatMap((root) => root.getAnimations()))
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
  await Promise.all([...document.images].map((each) => each.decode().catch(() => {})))
}

function list(): void {
  const main = body.appendChild(document.createElement('main'))
  const title = main.appendChild(document.createElement('h1'))
  title.textContent = 'Every state of the chat'
  for (const group of new Set(Object.values(STATES).map((state) => state.group))) {
    main.appendChild(document.createElement('h2')).textContent = group
    const names = main.appendChild(document.createElement('ul'))
    for (const [name] of Object.entries(STATES).filter(([, state]) => state.group === group)) {
      const item = names.appendChild(document.createElement('li'))
      for (const theme of ['light', 'dark']) {
        const link = item.appendChild(document.createElement('a'))
        link.href = `?state=${name}&theme=${theme}`
        link.textContent = theme === 'light' ? name : 'dark'
        item.append(' ')
      }
    }
  }
}

const wanted = Object.fromEntries(new URLSearchParams(location.search)) as Partial<Shown>
Object.assign(window, { gallery: { show, states: Object.keys(STATES) } })
if (wanted.state) await show(wanted as Shown)
else list()
