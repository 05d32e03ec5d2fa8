// Makes the panel's place on the page, and in it a frame of the BFF's own origin, whose token and transcript the page cannot
// reach, or (`isolation: none`) the panel itself. Loaded on intent.
//
//   place                         frame
//     load /foyer/frame  ────────▶
//                        ◀──────── hello
//     connect, with the port ────▶
//                        ◀──────── ready, over the port

import type { Renderers } from '../ui/index.ts'
import type { Attention } from './attention.ts'
import { CHANNEL_VERSION, type Start } from './channel.ts'
import type { OpenPanel, PanelHost, PanelSide } from './host.ts'
import type { Inline } from './inline.ts'
import { createLink, type Link } from './link.ts'
import type { Modal } from './modal.ts'
import css from './place.css?inline'
import { themeOf } from './theme.ts'
import { createWait } from './wait.ts'

/** A place on the page, with the data for its content. */
export type Place = {
  host: PanelHost
  box: HTMLElement
  link: Link
  origin: string
  start(): Start
  page: FromPage
}

/** The further arguments of `mount`. */
export type FromPage = {
  /** The page requests the wire log. */
  tools?: boolean | undefined
  /** The parts that the page draws itself; only without a frame. */
  render?: Renderers | undefined
}

/** The content of the place. */
export type Filling = { focus(): void; name(title: string): void; dispose(): void }

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
  const icon = launcher.querySelector('path')
  const chevron = icon?.cloneNode() as Element
  chevron.setAttribute('d', 'm5 7.75 5 5 5-5')
  icon?.after(chevron)

  let attention: Promise<Attention | undefined> | undefined
  let modal: Modal | undefined
  let spoken: string | undefined
  let closeWord = ''
  let told = ''
  let strip: Promise<(() => void) | undefined> | undefined
  let gone = false

  function attend(count: number, text?: string): void {
    if (count)
      attention ??= import('./attention.ts').then(
        ({ createAttention }) => createAttention(host),
        (() => {}) as () => undefined,
      )
    attention?.then((each) => each?.unread(count, text))
  }
  const link = createLink(host, attend)
  const isModal = () =>
    !gone && state.open && (layout === 'fullscreen' || (layout === 'float' && phone.matches))
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
  const filling = (inline ? inlinePanel : framedPanel)({ host, box, link, origin, start, page })
  function setModal(): void {
    if (modal) modal.set(isModal())
    else if (isModal())
      import('./modal.ts').then(
        ({ createModal }) => {
          modal ??= createModal(box, root, () => layout === 'float' && host.close(), setModal)
          modal.set(isModal())
        },
        () => {},
      )
  }
  function speak(locale: string): void {
    spoken = locale
    closeWord = 'Close chat'
    filling.name('Chat')
    if (!/^en\b/i.test(locale))
      import('./place-words.ts').then(
        ({ placeWords }) => {
          if (gone || spoken !== locale) return
          const [close, title] = placeWords(locale)
          closeWord = close
          filling.name(title)
          host.draw()
        },
        () => {},
      )
  }
  return {
    say: link.say,
    draw() {
      const now = looks()
      element.dataset.foyerState += ` ${now.theme}`
      box.inert = !state.open
      setModal()
      if (now.movable)
        strip ??= import('./movable.ts').then(
          ({ createMovable }) => createMovable(host, box, origin),
          () => (strip = undefined),
        )
      else {
        strip?.then((remove) => remove?.())
        strip = undefined
      }
      if (spoken !== now.locale) speak(now.locale)
      if (state.open) launcher.ariaLabel = closeWord
      const saying = JSON.stringify(now)
      if (told && told !== saying) link.say({ type: 'looks', looks: now })
      told = saying
      attend(state.unread)
    },
    turned(focus) {
      const { open } = state
      link.say({ type: 'show', shown: open, focus: focus && (phone.matches ? 'panel' : true) })
      if (focus) (open ? filling : launcher).focus()
    },
    remove() {
      gone = true
      filling.dispose()
      link.close()
      modal?.dispose()
      attention?.then((each) => each?.dispose())
      box.remove()
      chevron.remove()
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
    },
  }
}

function framedPanel({ host, box, link, origin, start }: Place): Filling {
  const frame = document.createElement('iframe')
  let wanted = false
  frame.allow = 'clipboard-write'
  // Only WebKit, until a person moves the focus into the frame; elsewhere the keys are in the frame.
  frame.onkeydown = ({ key, ctrlKey, metaKey }) => ctrlKey || metaKey || link.say({ type: 'key', key })
  if (origin !== location.origin)
    frame.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
    )
  const wait = createWait(host, box, origin, () => {
    frame.src = `${origin}/foyer/frame`
    if (!frame.isConnected) box.append(frame)
  })
  /** Gives the port to the frame's own script, and to nothing else that its address may show. */
  function onMessage({ source, origin: from, data }: MessageEvent): void {
    if (!source || source !== frame.contentWindow || from !== origin || data?.foyer !== 'hello') return
    const port = link.connect(wait.over)
    const message = { foyer: 'connect', version: CHANNEL_VERSION, start: start() }
    frame.contentWindow?.postMessage(message, origin, [port])
    if (wanted && host.state.open) frame.focus()
    wanted = false
  }
  addEventListener('message', onMessage)
  wait.begin()
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
    focus() {
      wanted = true
      enter()
    },
    name: (title) => {
      frame.title = title
    },
    dispose() {
      removeEventListener('message', onMessage)
      wait.dispose()
    },
  }
}

function inlinePanel(place: Place): Filling {
  let gone = false
  let panel: Inline | undefined
  const wait = createWait(place.host, place.box, place.origin, () =>
    import('./inline.ts').then(
      ({ createInline }) => {
        if (gone) return
        panel ??= createInline(place, wait)
        panel.open()
      },
      () => gone || wait.fail('code'),
    ),
  )
  wait.begin()
  return {
    // The panel takes the focus when it learns that it is shown.
    focus() {},
    name() {},
    dispose() {
      gone = true
      wait.dispose()
      panel?.close()
    },
  }
}
