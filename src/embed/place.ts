// Makes the panel's place on the page: its ground, and on it a frame of the BFF's own origin, whose token and transcript the page cannot
// reach, or (`isolation: none`) the panel itself. What can be done out of sight is done first, with the press or before it, and the chat begins
// with the first message to the panel.
//
//   place                         frame
//     load /foyer/frame  ────────▶
//                        ◀──────── hello
//     connect, with the port ────▶
//     show, keys, …      ────────▶
//                        ◀──────── ready, over the port: the ground goes

import type { Attention } from './attention.ts'
import { CHANNEL_VERSION } from './channel.ts'
import { createGround, type Ground } from './ground.ts'
import type { OpenPanel, PanelHost, PanelSide } from './host.ts'
import { importAgain } from './import-again.ts'
import type { createInline, FromPage, Inline } from './inline.ts'
import { createLink, type Link } from './link.ts'
import { askBff, createMemory } from './memory.ts'
import { createModal } from './modal.ts'
import { pageWords } from './page-words.ts'
import css from './place.css?inline'
import { themeOf } from './theme.ts'

/** Loads the panel for the page itself. */
type LoadInline = () => Promise<{ createInline: typeof createInline }>

/** What stands in the place. */
type Filling = {
  /** Does what can be done before anybody wants the panel. */
  prepare(): void
  /** Starts the panel. Uses the prepared frame on the first call. */
  start(): void
  /** The panel may be entered by Tab from now on. */
  ready?(): void
  /** Undefined: the panel takes the focus when it learns that it is shown. */
  focus?(): void
  name?(title: string): void
  dispose(): void
}

/** A place on the page, and the data for what stands in it. */
type Place = {
  host: PanelHost
  box: HTMLElement
  link: Link
  ground: Ground
  origin: string
  start(): object
}

/** `loadInline`: by default the BFF's own file, so that an app which uses the frame does not carry it. */
export function placePanel(
  origin: string,
  isolation: string | undefined,
  page: FromPage = {},
  loadInline: LoadInline = () =>
    import(
      /* @vite-ignore */
      /* webpackIgnore: true */
      /* turbopackIgnore: true */
      `${origin}/foyer/assets/inline.js`
    ),
): OpenPanel {
  return (host, teaser) => {
    if (teaser === undefined)
      host.attach(createSide(host, origin, page, isolation === 'none' ? loadInline : undefined))
    else
      loadAttention().then(
        ({ showTeaser }) => showTeaser(host, teaser, origin),
        () => {},
      )
  }
}

const loadAttention = () => importAgain(() => import('./attention.ts'))

/** Whether the console says already that nobody can move the panel any more. */
let warned = false

function createSide(
  host: PanelHost,
  origin: string,
  page: FromPage,
  loadInline: LoadInline | undefined,
): PanelSide {
  const { element, launcher, state, phone } = host
  const { layout = 'float', prepare } = host.options()
  const floats = layout === 'float'
  const root = element.shadowRoot as ShadowRoot
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  // A dialog only for the sheet on phones; what is inside has its own role and name.
  const box = document.createElement('dialog')
  box.role = 'none'
  box.part = 'panel'
  launcher.before(box)
  // While the chat is open, the launcher shows a cross.
  const icon = launcher.querySelector('path') as Element
  const chevron = icon.cloneNode() as Element
  chevron.setAttribute('d', 'm5 7.75 5 5 5-5')
  icon.after(chevron)

  /** The text of the newest message, if the page may know it. */
  let newest: string | undefined
  let told = ''
  let ready = false
  let attention: Promise<Attention | undefined> | undefined
  const wide = createMemory(host, `${host.key}:wide`, () => askBff(origin))

  const link = createLink(host, {
    ready() {
      ready = true
      filling.ready?.()
      ground.over()
    },
    newest(text) {
      newest = text
    },
    expand(expanded) {
      wide.keep(expanded ? 'yes' : undefined)
      host.draw()
    },
  })
  const mayCover = () => layout === 'fullscreen' || (floats && phone.matches)
  const isModal = () => state.open && mayCover()
  /** On a phone a focused field would raise the keyboard over the conversation. */
  const focusGoal = () => (phone.matches ? 'panel' : true)
  const isWide = () => wide.read() === 'yes'
  const looks = () => {
    const options = host.options()
    return {
      ...options,
      locale: host.locale(),
      theme: themeOf(options.theme),
      phone: phone.matches || navigator.maxTouchPoints > 0,
      closable: floats,
      modal: isModal(),
      expanded: floats && !phone.matches ? isWide() : undefined,
    }
  }
  const start = () => ({ ...looks(), tools: page.tools, answers: true })
  const ground = createGround(host, box, origin, {
    start: () => filling.start(),
    press: (key) => link.say({ type: 'key', key }),
    enter: () => {
      filling.focus?.()
      link.say({ type: 'show', shown: true, focus: focusGoal() })
    },
  })
  const modal = createModal(box, () => floats && host.close(), setModal)
  const place = { host, box, link, ground, origin, start }
  const filling = loadInline ? inlinePanel(place, page, loadInline) : framedPanel(place)
  function setModal(): void {
    modal.set(isModal())
  }
  function attend(count: number): void {
    if (count)
      attention ??= loadAttention().then(
        ({ createAttention }) => createAttention(host),
        () => undefined,
      )
    attention?.then((each) => each?.unread(count, newest))
  }
  const scheme = matchMedia('(prefers-color-scheme:dark)')
  scheme.onchange = host.draw
  // What replaces the page's content takes the panel with it, which then has no size, also where no launcher is drawn.
  const sizes = new ResizeObserver(host.draw)
  sizes.observe(box)
  if (prepare === 'idle') whenIdle(() => box.isConnected && filling.prepare())
  else filling.prepare()
  return {
    say(message) {
      ground.want()
      const focus = message.type === 'show' && message.focus
      // Until the panel is there the ground has the focus, which the visitor may have taken elsewhere by then: the panel gets it from there.
      if (focus) message.focus = ready && focusGoal()
      link.say(message)
      if (!focus) return
      if (!state.open) launcher.focus()
      else if (ready) filling.focus?.()
      else ground.focus()
    },
    draw() {
      const now = looks()
      const words = pageWords(now.locale)
      element.dataset.foyerState += ` ${now.theme}`
      box.inert = !state.open
      box.classList.toggle('wide', now.expanded === true)
      setModal()
      ground.draw()
      attend(state.unread)
      filling.name?.(words.title)
      if (state.open) launcher.ariaLabel = words.close
      if (now.movable && !warned) {
        warned = true
        console.warn('Foyer: movable has no effect any more. Visitors can make the panel wider in its menu.')
      }
      const saying = JSON.stringify(now)
      if (told && told !== saying) link.say({ type: 'looks', looks: now })
      told = saying
    },
    remove() {
      scheme.onchange = null
      sizes.disconnect()
      ground.dispose()
      filling.dispose()
      link.close()
      modal.dispose()
      attention?.then((each) => each?.dispose())
      box.remove()
      chevron.remove()
    },
  }
}

function framedPanel({ host, box, link, ground, origin, start }: Place): Filling {
  const frame = document.createElement('iframe')
  /** The frame holds a panel that was prepared and not started. Undefined: nothing was prepared yet. */
  let prepared: boolean | undefined
  let loaded: boolean | undefined
  let greeted: boolean | undefined
  frame.allow = 'clipboard-write'
  frame.tabIndex = -1
  // Only WebKit, until a person moves the focus into the frame; elsewhere the keys are in the frame.
  frame.onkeydown = ({ key, ctrlKey, metaKey }) => ctrlKey || metaKey || link.say({ type: 'key', key })
  if (origin !== location.origin)
    frame.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
    )
  function load(isPrepared: boolean): void {
    // Our own page says hello, shortly before its load or behind it.
    if (!prepared || (loaded && !greeted))
      frame.src = `${origin}/foyer/frame?locale=${host.locale()}&theme=${themeOf(host.options().theme)}&isolated=${window.crossOriginIsolated}`
    if (!frame.isConnected) box.append(frame)
    prepared = isPrepared
  }
  frame.onload = () => {
    loaded = true
  }
  /** Gives the port to the frame's own script, and to nothing else that its address may show. */
  function onMessage({ source, origin: from, data }: MessageEvent): void {
    if (source !== frame.contentWindow || from !== origin || data?.foyer !== 'hello') return
    greeted = true
    const message = { foyer: 'connect', version: CHANNEL_VERSION, start: start() }
    ;(source as Window).postMessage(message, origin, [link.connect()])
  }
  addEventListener('message', onMessage)
  /**
   * Firefox moves the focus by way of another process, which loses it where the frame is only just giving it up: then it is
   * still where it was before, on the launcher or on the ground. Without a launcher on the page this does nothing.
   */
  function enter(tries = 5): void {
    frame.focus()
    if (tries)
      setTimeout(() => {
        const isLost = ground.hasFocus() || host.element.shadowRoot?.activeElement === host.launcher
        if (host.state.open && isLost) enter(tries - 1)
      }, 200)
  }
  return {
    prepare: () => prepared ?? load(true),
    start: () => load(false),
    ready: () => frame.removeAttribute('tabindex'),
    focus: () => enter(),
    name: (title) => {
      frame.title = title
    },
    dispose: () => removeEventListener('message', onMessage),
  }
}

function inlinePanel(
  { host, box, link, ground, origin, start }: Place,
  page: FromPage,
  loadInline: LoadInline,
): Filling {
  let gone = false
  let panel: Inline | undefined
  const load = () => importAgain(loadInline)
  return {
    prepare: () => void load().catch(() => {}),
    start() {
      load().then(
        ({ createInline }) => {
          if (gone) return
          const { connect } = link
          panel ??= createInline({ box, origin, connect, fail: ground.fail, tell: host.tell, start, page })
          panel.open()
        },
        () => gone || ground.fail('code'),
      )
    },
    dispose() {
      gone = true
      panel?.close()
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
