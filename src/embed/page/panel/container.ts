// Makes the container of the panel on the page: its ground, and on it a frame of the BFF's own origin, whose token and transcript the page cannot
// reach, or (`isolation: none`) the panel itself. What can be done out of sight is done first, with the press or before it, and the chat begins
// with the first message to the panel.
//
//   page                          frame
//     load /foyer/frame  ────────▶
//                        ◀──────── hello
//     connect, with the port ────▶
//     show, keys, …      ────────▶
//                        ◀──────── ready, over the port: the ground goes

import type { FromPage, LoadInline } from '../../unframed.ts'
import type { Attention } from '../attention/attention.ts'
import { askBff, createMemory } from '../host/memory.ts'
import type { OpenPanel, PanelHost, PanelSide } from '../host/panel-host.ts'
import { themeOf } from '../host/theme.ts'
import { pageWords } from '../host/words.ts'
import css from './container.css?inline'
import { framedPanel } from './framed-panel.ts'
import { createGround } from './ground.ts'
import { importAgain } from './import-again.ts'
import { createModal } from './modal.ts'
import { createPageChannel } from './page-channel.ts'
import { unframedPanel } from './unframed-panel.ts'

/** Loads files that few pages need. */
export type Loads = {
  inline: LoadInline
  attention: () => Promise<Pick<typeof import('../attention/attention.ts'), 'createAttention' | 'showTeaser'>>
}

/** The BFF's own files, so that neither the script nor an app carries them. */
const filesAt = (origin: string): Loads => {
  const load = (name: string) =>
    import(
      /* @vite-ignore */
      /* webpackIgnore: true */
      /* turbopackIgnore: true */
      `${origin}/foyer/assets/${name}.js`
    )
  return { inline: () => load('inline'), attention: () => load('attention') }
}

/** `loads`: how an app loads what its own bundle has; the rest comes from the BFF. */
export function placePanel(
  origin: string,
  isolation: string | undefined,
  page: FromPage = {},
  loads: Partial<Loads> = {},
): OpenPanel {
  const { inline, attention } = { ...filesAt(origin), ...loads }
  const loadAttention = () => importAgain(attention)
  return (host, teaser) => {
    if (teaser === undefined)
      host.attach(createSide(host, origin, page, loadAttention, isolation === 'none' ? inline : undefined))
    else
      loadAttention().then(
        ({ showTeaser }) => showTeaser(host, teaser, origin),
        () => {},
      )
  }
}

/** Whether the console says already that nobody can move the panel any more. */
let warned = false

function createSide(
  host: PanelHost,
  origin: string,
  page: FromPage,
  loadAttention: Loads['attention'],
  loadInline: LoadInline | undefined,
): PanelSide {
  const { element, launcher, state, phone } = host
  const { layout = 'float', prepare } = host.options()
  const floats = layout === 'float'
  const root = element.shadowRoot as ShadowRoot
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  const box = document.createElement('dialog')
  box.part = 'panel'
  launcher.before(box)
  // While the chat is open, the launcher shows a cross.
  const icon = launcher.querySelector('path') as Element
  const chevron = icon.cloneNode() as Element
  chevron.setAttribute('d', 'm5 7.75 5 5 5-5')
  icon.after(chevron)

  /** The newest message, if the page may know it. */
  let newest: readonly [text?: string | undefined, name?: string | undefined] = []
  let told = ''
  let ready = false
  let attention: Promise<Attention | undefined> | undefined
  const kept = createMemory(host, `${host.key}:wide`, () => askBff(origin, host.options().connector))

  const channel = createPageChannel(host, {
    ready() {
      ready = true
      content.ready?.()
      ground.over()
    },
    newest(...said) {
      newest = said
    },
    expand(expanded) {
      kept.keep(expanded ? 'yes' : undefined)
      host.draw()
    },
  })
  const mayCover = () => layout === 'fullscreen' || (floats && phone.matches)
  const isModal = () => state.open && mayCover()
  /** On a phone a focused field would raise the keyboard over the conversation. */
  const focusGoal = () => (phone.matches ? 'panel' : true)
  const isExpanded = () => kept.read() === 'yes'
  const looks = () => {
    const options = host.options()
    return {
      ...options,
      locale: host.locale(),
      theme: themeOf(options.theme),
      phone: phone.matches || navigator.maxTouchPoints > 0,
      closable: floats,
      modal: isModal(),
      expanded: floats && !phone.matches ? isExpanded() : undefined,
    }
  }
  const start = () => ({ ...looks(), tools: page.tools, answers: true })
  const ground = createGround(host, box, origin, {
    start: () => content.start(),
    enter: () => {
      content.focus?.()
      channel.post({ type: 'show', shown: true, focus: focusGoal() })
    },
  })
  const modal = createModal(box, () => floats && host.close(), setModal)
  const container = { host, box, channel, ground, origin, start }
  const content = loadInline ? unframedPanel(container, page, loadInline) : framedPanel(container)
  function setModal(): void {
    modal.set(isModal())
  }
  function attend(count: number): void {
    if (count)
      attention ??= loadAttention().then(
        ({ createAttention }) => createAttention(host),
        // The next message asks for it again.
        () => {
          attention = undefined
          return undefined
        },
      )
    attention?.then((each) => each?.unread(count, ...newest))
  }
  const scheme = matchMedia('(prefers-color-scheme:dark)')
  scheme.onchange = host.draw
  // What replaces the page's content takes the panel with it, which then has no size, also where no launcher is drawn.
  const sizes = new ResizeObserver(host.draw)
  sizes.observe(box)
  if (prepare === 'idle') whenIdle(() => box.isConnected && content.prepare())
  else content.prepare()
  return {
    say(message) {
      ground.want()
      const focus = message.type === 'show' && message.focus
      // Until the panel is there the ground has the focus, which the visitor may have taken elsewhere by then: the panel gets it from there.
      if (focus) message.focus = ready && focusGoal()
      channel.post(message)
      if (!focus) return
      if (!state.open) launcher.focus()
      else if (ready) content.focus?.()
      else ground.focus()
    },
    draw() {
      const now = looks()
      const words = pageWords(now.locale)
      element.dataset.foyerState += ` ${now.theme}`
      box.inert = !state.open
      box.classList.toggle('expanded', now.expanded === true)
      setModal()
      ground.draw()
      attend(state.unread)
      box.ariaLabel = now.agentName ?? words.title
      content.name?.(words.title)
      if (now.movable && !warned) {
        warned = true
        console.warn('Foyer: movable has no effect any more. Visitors can make the panel wider in its menu.')
      }
      const saying = JSON.stringify(now)
      if (told && told !== saying) channel.post({ type: 'looks', looks: now })
      told = saying
    },
    remove() {
      scheme.onchange = null
      sizes.disconnect()
      ground.dispose()
      content.dispose()
      channel.close()
      modal.dispose()
      attention?.then((each) => each?.dispose())
      box.remove()
      chevron.remove()
    },
  }
}

/** Once the page has loaded and has nothing to do. */
function whenIdle(act: () => void): void {
  // Safari has no idle callbacks.
  const wait = () => (window.requestIdleCallback ?? setTimeout)(() => act())
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
