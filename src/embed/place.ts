// Makes the panel's place on the page, and in it a frame of the BFF's own origin, whose token and transcript the page cannot
// reach, or (`isolation: none`) the panel itself. What can be done out of sight is done first, with the press or before it, and the chat begins
// with the first message to the panel.
//
//   place                         frame
//     load /foyer/frame  ────────▶
//                        ◀──────── hello
//     connect, with the port ────▶
//                        ◀──────── ready, over the port
//     show, … ───────────────────▶

import type { Around } from './around.ts'
import { CHANNEL_VERSION } from './channel.ts'
import type { OpenPanel, PanelHost, PanelSide } from './host.ts'
import type { FromPage, Inline, Place } from './inline.ts'
import { createLink } from './link.ts'
import css from './place.css?inline'
import { themeOf } from './theme.ts'
import { createWait } from './wait.ts'

/** The content of the place. */
export type Filling = {
  /** Does what can be done before anybody wants the panel. */
  prepare(): void
  /** Starts the panel. Uses the prepared frame on the first call. */
  start(): void
  /** Undefined: the panel takes the focus when it learns that it is shown. */
  focus?(): void
  name?(title: string): void
  dispose(): void
}

export function placePanel(origin: string, isolation: string | undefined, page: FromPage = {}): OpenPanel {
  return (host, teaser) => {
    if (teaser === undefined) host.attach(createSide(host, origin, isolation === 'none', page))
    else
      import('./teaser.ts').then(
        ({ showTeaser }) => showTeaser(host, teaser, origin),
        () => {},
      )
  }
}

function createSide(host: PanelHost, origin: string, inline: boolean, page: FromPage): PanelSide {
  const { element, launcher, state, phone } = host
  const { layout = 'float' } = host.options()
  const root = element.shadowRoot as ShadowRoot
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  // A dialog only for the sheet on phones; the panel inside has its own role and name.
  const box = document.createElement('dialog')
  box.role = 'none'
  box.part = 'panel'
  launcher.before(box)
  // While the chat is open, the launcher shows a cross.
  const icon = launcher.querySelector('path') as Element
  const chevron = icon.cloneNode() as Element
  chevron.setAttribute('d', 'm5 7.75 5 5 5-5')
  icon.after(chevron)

  let around: Around | undefined
  /** The text of the newest message, if the page may know it. */
  let newest: string | undefined
  let told = ''

  const link = createLink(host, (text) => {
    newest = text
  })
  const mayCover = () => layout === 'fullscreen' || (layout === 'float' && phone.matches)
  const isModal = () => state.open && mayCover()
  const looks = () => {
    const options = host.options()
    return {
      ...options,
      locale: host.locale(),
      theme: themeOf(options.theme),
      phone: phone.matches || navigator.maxTouchPoints > 0,
      closable: layout === 'float',
      modal: isModal(),
    }
  }
  const start = () => ({ ...looks(), tools: page.tools, answers: true })
  const wait = createWait(host, box, origin, () => filling.start())
  const filling = (inline ? inlinePanel : framedPanel)({ host, box, link, wait, origin, start, page })
  function loadAround(): void {
    import('./around.ts').then(
      ({ createAround }) => {
        if (around || !box.isConnected) return
        around = createAround(host, box, origin, isModal, filling.prepare)
        host.draw()
      },
      () => {},
    )
  }
  const scheme = matchMedia('(prefers-color-scheme:dark)')
  scheme.onchange = host.draw
  const isIdle = host.options().prepare === 'idle'
  if (!isIdle) filling.prepare()
  return {
    say(message) {
      wait.want()
      const focus = message.type === 'show' && message.focus
      if (focus && phone.matches) message.focus = 'panel'
      link.say(message)
      if (focus) (state.open ? filling : launcher).focus?.()
    },
    draw() {
      const now = looks()
      element.dataset.foyerState += ` ${now.theme}`
      box.inert = !state.open
      if (mayCover() || now.movable || state.unread || isIdle || !/^en\b/i.test(now.locale)) loadAround()
      const [close, title] = around?.draw(now, newest) ?? ['Close chat', 'Chat']
      filling.name?.(title)
      if (state.open) launcher.ariaLabel = close
      const saying = JSON.stringify(now)
      if (told && told !== saying) link.say({ type: 'looks', looks: now })
      told = saying
    },
    remove() {
      scheme.onchange = null
      wait.dispose()
      filling.dispose()
      link.close()
      around?.dispose()
      box.remove()
      chevron.remove()
    },
  }
}

function framedPanel({ host, box, link, wait, origin, start }: Place): Filling {
  const frame = document.createElement('iframe')
  let wanted = false
  /** The frame holds a panel that was prepared and not started. Undefined: nothing was prepared yet. */
  let prepared: boolean | undefined
  let loaded: boolean | undefined
  let greeted: boolean | undefined
  frame.allow = 'clipboard-write'
  // Only WebKit, until a person moves the focus into the frame; elsewhere the keys are in the frame.
  frame.onkeydown = ({ key, ctrlKey, metaKey }) => ctrlKey || metaKey || link.say({ type: 'key', key })
  if (origin !== location.origin)
    frame.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
    )
  function load(isPrepared: boolean): void {
    // Our own page says hello, shortly before its load or behind it.
    // By the names of the options the BFF knows which files this panel begins with.
    if (!prepared || (loaded && !greeted))
      frame.src = `${origin}/foyer/frame?locale=${host.locale()}&isolated=${window.crossOriginIsolated}&options=${Object.keys(host.options())}`
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
    ;(source as Window).postMessage(message, origin, [link.connect(wait.over)])
    if (wanted && host.state.open) frame.focus()
    wanted = false
  }
  addEventListener('message', onMessage)
  /**
   * Firefox moves the focus by way of another process, which loses it where the frame is only just giving it up: then it is
   * still on the launcher. Without a launcher on the page this does nothing.
   */
  function enter(tries = 5): void {
    frame.focus()
    if (tries)
      setTimeout(() => {
        if (host.state.open && host.element.shadowRoot?.activeElement === host.launcher) enter(tries - 1)
      }, 200)
  }
  return {
    prepare: () => prepared ?? load(true),
    start: () => load(false),
    focus() {
      wanted = true
      enter()
    },
    name: (title) => {
      frame.title = title
    },
    dispose: () => removeEventListener('message', onMessage),
  }
}

function inlinePanel(place: Place): Filling {
  let gone = false
  let panel: Inline | undefined
  const load = () => import('./inline.ts')
  return {
    prepare: () => void load().catch(() => {}),
    start() {
      load().then(
        ({ createInline }) => {
          if (gone) return
          panel ??= createInline(place)
          panel.open()
        },
        () => gone || place.wait.fail('code'),
      )
    },
    dispose() {
      gone = true
      panel?.close()
    },
  }
}
