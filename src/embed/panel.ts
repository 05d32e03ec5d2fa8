// Opens the panel: creates the chat, draws it, and connects both to the page by a port. Works alike in a frame and in the
// page itself.

import { createChat, shareTabs } from '../chat/index.ts'
import { PLATFORMS } from '../protocol/index.ts'
import { mountPanel, type PanelSettings } from '../ui/index.ts'
import { type Looks, readMessage, type Start, type ToPage, type ToPanel, text } from './channel.ts'
import type { Config, Exposure } from './config.ts'
import { EVENTS, exposedDetail } from './exposure.ts'
import { browserStore } from './storage.ts'

export type PanelPlace = {
  root: Document | ShadowRoot
  container: HTMLElement | ShadowRoot
  port: MessagePort
  start: unknown
  /** The BFF's origin. */
  origin: string
  /** True if the panel is alone in a frame of that origin. */
  framed?: boolean
  /** The BFF's configuration. Until it is loaded, nothing is exposed. */
  config: Promise<Config>
}

/** Opens the panel. Returns the undo. */
export function openPanel(place: PanelPlace): () => void {
  const { root, container, port, start, origin, framed = false, config } = place
  const given = (typeof start === 'object' && start !== null ? start : {}) as Start
  const connector = /^[\w-]+$/.test(text(given.connector) ?? '') ? given.connector : undefined
  const prefix = `foyer:${connector ?? ''}:`
  const say = (message: ToPage) => port.postMessage(message)
  let exposed: Exposure = 'none'
  const early: (() => void)[] = []
  void config.then(({ expose, imageOrigins }) => {
    exposed = expose
    panel.update({ imageOrigins })
    if (exposed === 'wire') for (const each of early.splice(0)) each()
    else early.length = 0
    tools = given.tools === true && exposed === 'wire'
  })
  let tools: boolean | undefined = given.tools === true ? undefined : false

  const chat = createChat({
    tokenUrl: `${origin}/foyer/${connector === undefined ? '' : `${connector}/`}access-token`,
    platform: PLATFORMS.find((platform) => platform === given.platform) ?? 'web',
    streaming: given.streaming !== false,
    sessionStore: browserStore('localStorage', prefix),
    outboxStore: browserStore('sessionStorage', prefix),
    keepSealed: framed,
    tabs: shareTabs(),
    chunkJoin: config.then(({ chunkJoin }) => chunkJoin),
    ...(tools !== false && {
      onWire: (note) => {
        const tell = () => say({ type: 'fact', name: 'wire', detail: { ...note } })
        if (tools) tell()
        else if (tools === undefined && early.length < 500) early.push(tell)
      },
    }),
  })
  const panel = mountPanel({
    root,
    container,
    chat,
    onClose: () => say({ type: 'close' }),
    ...settings(given),
  })

  let opened = false
  const onMessage = ({ data }: MessageEvent) => {
    const message = readMessage<ToPanel>(data)
    switch (message?.type) {
      case 'show':
        chat.setShown(message.shown === true)
        // The first contact: when the chat is opened, or was open on the page before.
        if (!opened) {
          opened = true
          chat.open()
        }
        if (message.shown === true && message.focus === true) panel.focusComposer()
        if (message.shown === true && message.focus === 'panel') panel.focus()
        return
      case 'looks':
        return panel.update(settings(message.looks))
      case 'send':
        if (text(message.text)?.trim()) chat.send(message.text)
        return
      case 'draft':
        return panel.setDraft(text(message.text) ?? '')
      case 'restart':
        return chat.restart()
      case 'end':
        return chat.end()
      case 'logout':
        return void chat.logout()
      case 'tool':
        if (!tools) return
        if (message.name === 'cut') chat.reconnect()
        if (message.name === 'offline' || message.name === 'online') chat.setOnline(message.name === 'online')
        return
    }
  }
  port.addEventListener('message', onMessage)
  port.start()

  const undo: (() => void)[] = []
  for (const name of EVENTS)
    undo.push(
      chat.on(name, (detail) => say({ type: 'fact', name, detail: exposedDetail(name, detail, exposed) })),
    )
  undo.push(
    chat.status.subscribe((status) => {
      if (status !== 'idle') say({ type: 'live', live: status !== 'ended' && status !== 'unavailable' })
    }),
    ...lifecycle(chat),
    ...(framed ? keysFromNowhere() : []),
  )
  say({ type: 'ready' })

  /**
   * Keys that no control has the focus for: what is typed goes to the composer, and Escape closes. In a frame of
   * another site WebKit lets no script move the focus before the visitor has pressed a key there.
   */
  function keysFromNowhere(): (() => void)[] {
    return [
      on(document, 'keydown', (event) => {
        const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent
        const at = document.activeElement
        if ((at && at !== document.body) || ctrlKey || metaKey || altKey || isComposing) return
        if (key === 'Escape' && given.closable !== false) say({ type: 'close' })
        else if (key.length === 1 || key === 'Process') panel.focusComposer()
      }),
    ]
  }

  return () => {
    for (const each of undo) each()
    port.removeEventListener('message', onMessage)
    port.close()
    chat.dispose()
    panel.dispose()
  }
}

function settings(given: unknown): PanelSettings {
  const looks = (typeof given === 'object' && given !== null ? given : {}) as Looks
  return {
    locale: text(looks.locale),
    theme: looks.theme === 'dark' ? 'dark' : 'light',
    accent: text(looks.accent),
    showHeader: looks.showHeader !== false,
    phone: looks.phone === true,
    closable: looks.closable !== false,
    modal: looks.modal === true,
  }
}

/** Forwards visibility, network status and page changes to the chat. */
function lifecycle(chat: ReturnType<typeof createChat>): (() => void)[] {
  const seen = () => chat.setVisible(document.visibilityState === 'visible')
  seen()
  return [
    on(document, 'visibilitychange', seen),
    on(document, 'freeze', () => chat.suspend()),
    on(document, 'resume', () => chat.wake()),
    on(window, 'pagehide', () => chat.suspend()),
    on(window, 'focus', () => chat.wake()),
    on(window, 'pageshow', () => chat.wake()),
    on(window, 'online', () => chat.setOnline(true)),
    on(window, 'offline', () => chat.setOnline(false)),
  ]
}

function on(target: EventTarget, type: string, fn: (event: Event) => void): () => void {
  target.addEventListener(type, fn)
  return () => target.removeEventListener(type, fn)
}
