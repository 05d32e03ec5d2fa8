// A chat and its picture, as the panel's side runs them once nothing stands before it.

import { createChat, type KeyValue, shareTabs } from '../chat/index.ts'
import { PLATFORMS } from '../protocol/index.ts'
import { mountPanel, type PanelHandle, type PanelSettings } from '../ui/index.ts'
import { type Start, type ToPage, type ToPanel, text } from './channel.ts'
import type { Config, Exposure } from './config.ts'
import { EVENTS, exposedDetail } from './exposure.ts'
import { listen } from './listen.ts'

export type TalkOptions = {
  root: Document | ShadowRoot
  container: HTMLElement | ShadowRoot
  /** The BFF's origin. */
  origin: string
  framed?: boolean
  config: Promise<Config>
  given: Start
  connector: string | undefined
  sessions: KeyValue
  outbox: KeyValue
  say(message: ToPage): void
  /** Asks the page, where it may hear messages; false: the page cancelled. */
  ask(name: string, detail: object): Promise<boolean>
}

export type Talk = {
  /** Whether a conversation of an earlier page is carried on. */
  carriesOn(): boolean
  /** Draws the panel. */
  draw(settings: PanelSettings): void
  update(settings: PanelSettings): void
  send(text: string): void
  take(message: ToPanel): void
  /** Ends the conversation and forgets it. Resolves once the BFF has answered, or cannot be reached. */
  logout(): Promise<void>
  dispose(): void
}

export function createTalk(options: TalkOptions): Talk {
  const { root, container, origin, framed = false, config, given, connector, say, ask } = options
  let exposed: Exposure = 'none'
  let settled = false
  let images: readonly string[] = []
  let panel: PanelHandle | undefined
  const early: (() => void)[] = []
  let tools: boolean | undefined = given.tools === true ? undefined : false
  void config.then(({ expose, imageOrigins }) => {
    exposed = expose
    settled = true
    images = imageOrigins
    panel?.update({ imageOrigins })
    if (exposed === 'wire') for (const each of early.splice(0)) each()
    else early.length = 0
    tools = given.tools === true && exposed === 'wire'
  })

  const chat = createChat({
    tokenUrl: `${origin}/foyer/${connector === undefined ? '' : `${connector}/`}access-token`,
    // An older loader says `ios-web` where a newer one says `ios`.
    platform:
      PLATFORMS.find((each) => each === given.platform || each === `${text(given.platform)}-web`) ?? 'web',
    streaming: given.streaming !== false,
    sessionStore: options.sessions,
    outboxStore: options.outbox,
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

  /** What the page was not asked about yet, in order. */
  let asking = Promise.resolve()
  /** Sends, where the page may hear messages only after it was asked. */
  function send(words: string): string | undefined {
    if (chat.refusal(words) || (settled && exposed === 'none')) return chat.send(words)
    asking = asking.then(async () => {
      await config
      if (
        exposed === 'none' ||
        (await ask('before-send', { text: words.trim(), length: words.trim().length }))
      )
        chat.send(words)
      // What the page does not let through is the visitor's to change.
      else panel?.setDraft(words)
    })
    return 'asked'
  }

  let unread = 0
  const stopSound = chat.on('unread', ({ count }) => {
    if (count > unread && sound().on)
      import('./sound.ts').then(
        ({ playSound }) => playSound(),
        () => {},
      )
    unread = count
  })
  /** What the visitor chose in the menu counts more than what the page wants. */
  function sound() {
    const chosen = options.sessions.get('sound')
    return {
      on: chosen === undefined ? /sound/.test(text(given.notify) ?? '') : chosen === 'on',
      turn(on: boolean) {
        options.sessions.set('sound', on ? 'on' : 'off')
        panel?.update({ sound: sound() })
      },
    }
  }

  let opened = false
  function take(message: ToPanel): void {
    switch (message.type) {
      case 'show':
        chat.setShown(message.shown === true)
        // The chat is contacted when it is opened, or when it was open on the page before.
        if (!opened) {
          opened = true
          chat.open()
        }
        if (message.shown === true && message.focus === true) panel?.focusComposer()
        if (message.shown === true && message.focus === 'panel') panel?.focus()
        return
      case 'send':
        if (text(message.text)?.trim()) send(message.text)
        return
      case 'draft':
        return panel?.setDraft(text(message.text) ?? '')
      case 'key':
        return panel?.press(text(message.key) ?? '')
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

  /**
   * Keys that no control has the focus for: what is typed goes to the composer, and Escape closes. In a frame of
   * another site WebKit lets no script move the focus before the visitor has pressed a key there.
   */
  function keysFromNowhere(): (() => void)[] {
    return [
      listen(document, 'keydown', (event) => {
        const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent
        const at = document.activeElement
        if ((at && at !== document.body) || ctrlKey || metaKey || altKey || isComposing) return
        if (key === 'Escape' && given.closable !== false) say({ type: 'close' })
        else if (key.length === 1 || key === 'Process') panel?.focusComposer()
      }),
    ]
  }

  return {
    carriesOn: () => chat.sessionId.peek() !== undefined,
    draw(settings) {
      panel = mountPanel({
        root,
        container,
        chat: { ...chat, send },
        store: options.sessions,
        onClose: () => say({ type: 'close' }),
        ...settings,
        imageOrigins: images,
        sound: sound(),
      })
    },
    update: (settings) => panel?.update(settings),
    send: (words) => void send(words),
    take,
    logout: () => chat.logout(),
    dispose() {
      for (const each of undo) each()
      stopSound()
      chat.dispose()
      panel?.dispose()
    },
  }
}

/** What the browser says of itself that the connection should know. */
function lifecycle(chat: ReturnType<typeof createChat>): (() => void)[] {
  const seen = () => chat.setVisible(document.visibilityState === 'visible')
  seen()
  return [
    listen(document, 'visibilitychange', seen),
    listen(document, 'freeze', () => chat.suspend()),
    listen(document, 'resume', () => chat.wake()),
    listen(window, 'pagehide', () => chat.suspend()),
    listen(window, 'focus', () => chat.wake()),
    listen(window, 'pageshow', () => chat.wake()),
    listen(window, 'online', () => chat.setOnline(true)),
    listen(window, 'offline', () => chat.setOnline(false)),
  ]
}
