// Runs a chat and draws it, once the steps before it are passed.

import { type BeginningAct, createChat, shareTabs } from '../../../chat/index.ts'
import { PLATFORMS } from '../../../protocol/index.ts'
import { mountPanel, type PanelHandle, type PanelSettings, type SiteSettings } from '../../../ui/index.ts'
import { type Looks, type Start, type ToPage, type ToPanel, text } from '../../channel.ts'
import type { Config, Exposure } from './config.ts'
import { EVENTS, exposedDetail } from './exposure.ts'
import { listen } from './listen.ts'
import { playSound } from './sound.ts'
import { connectorOf, prefixOf } from './start.ts'
import { browserStore } from './storage.ts'
import { createStoredText } from './stored-text.ts'

export type PanelEnvironment = {
  root: Document | ShadowRoot
  container: HTMLElement | ShadowRoot
  port: MessagePort
  start: unknown
  /** The BFF's origin. */
  origin: string
  /** True if the panel is alone in a frame of that origin. */
  framed?: boolean
  /** What the page learns about messages, as the frame's own server says. */
  expose: Exposure
  /** The rest of the BFF's configuration. */
  config: Promise<Config>
  /** The BFF itself requires consent. */
  consentRequired?: boolean
  /** Parts that the page draws, and its word on what is received; only where its scripts reach everything anyway. */
  page?: Pick<SiteSettings, 'render' | 'accepts'>
}

export type ChatController = {
  /** Whether a conversation of an earlier page is carried on; one of another day is asked for only after the steps. */
  carriesOn(): boolean
  /** Draws the panel. Resolves once its words are there. */
  draw(settings: PanelSettings): Promise<void>
  update(settings: PanelSettings, looks: Looks): void
  /** What cannot be sent waits in the composer. */
  send(text: string): void
  take(message: ToPanel): void
  /** Puts texts that are not sent after all behind what is being written. */
  giveBack(texts: readonly string[]): void
  /** Ends the conversation and forgets it. Resolves once the BFF has answered, or cannot be reached. */
  logout(): Promise<void>
  /** Takes the panel away; the chat goes on, and the next drawing has what was being written. */
  undraw(): void
  /** Begins a new chat. */
  restart(): void
  /** Sends a failed message again. */
  retry(id: string): void
  /** Whether there is a chat that the visitor can go back to. */
  hasBegun(): boolean
  dispose(): void
}

/** For a page that does not say that it answers. */
const PAGE_ANSWERS_MS = 2_000

export function createChatController(
  environment: Omit<PanelEnvironment, 'port'>,
  given: Start,
  post: (message: ToPage) => void,
  mayBegin: (act: BeginningAct) => boolean,
): ChatController {
  const { root, container, origin, framed = false, config, expose } = environment
  const connector = connectorOf(given)
  const sessions = browserStore('localStorage', prefixOf(given))
  const tab = browserStore('sessionStorage', prefixOf(given))
  let locale = text(given.locale)
  let images: readonly string[] = []
  let panel: PanelHandle | undefined
  const tools = given.tools === true && expose === 'wire'
  void config.then(({ imageOrigins }) => {
    images = imageOrigins
    panel?.update({ imageOrigins })
  })

  /** What is being written while no panel is drawn, and over a reload. */
  const kept = createStoredText(tab, 'draft', sessions)
  const keepDraft = () => panel && kept.set(panel.draft())

  const questions = new Map<number, (allowed: boolean) => void>()
  let asked = 0
  /** Asks the page. False: it cancelled. Only a page with an older loader may not answer: it allows everything. */
  const ask = (name: string, detail: Record<string, unknown>) =>
    new Promise<boolean>((resolve) => {
      questions.set(++asked, resolve)
      post({ type: 'ask', id: asked, name, detail })
      if (given.answers !== true) setTimeout(resolve, PAGE_ANSWERS_MS, true)
    })
  /** A message that the page cancelled returns to the composer. */
  async function beforeSend({ id, text }: { id: string; text: string }): Promise<boolean> {
    const allowed = await ask('before-send', { text, length: text.length })
    // It is gone where the visitor discarded it, or signed out.
    if (!allowed && chat.outbox.peek().some((item) => item.id === id)) giveBack([text])
    return allowed
  }
  const chat = createChat({
    tokenUrl: `${origin}/foyer/${connector === undefined ? '' : `${connector}/`}access-token`,
    // `ios` and `android` are the names of native SDKs, and a page is none. An older loader says `ios-web` where a newer one says `ios`.
    platform: PLATFORMS.find((each) => each === `${text(given.platform)?.replace('-web', '')}-web`) ?? 'web',
    streaming: given.streaming !== false,
    // The visitor's choice in the menu wins over the page's.
    language: () => sessions.get('language') ?? locale,
    sessionStore: sessions,
    outboxStore: tab,
    keepSealed: framed,
    tabs: shareTabs(),
    mayBegin,
    onSignedOut() {
      kept.forget()
      panel?.setDraft('')
    },
    // Only a page that may see messages is asked.
    ...(expose !== 'none' && { beforeSend }),
    chunkJoin: config.then(({ chunkJoin }) => chunkJoin),
    ...(tools && { onWire: (note) => post({ type: 'fact', name: 'wire', detail: { ...note } }) }),
  })

  function send(words: string): void {
    if (chat.send(words) === undefined) giveBack([words])
  }

  let notify = text(given.notify) ?? ''
  let unread = 0
  const stopSound = chat.on('unread', ({ count }) => {
    if (count > unread && sound().on) void playSound()
    unread = count
  })
  /** The visitor's choice in the menu wins over the page's. */
  function sound() {
    const chosen = sessions.get('sound')
    return {
      on: chosen === undefined ? /sound/.test(notify) : chosen === 'on',
      turn(on: boolean) {
        sessions.set('sound', on ? 'on' : 'off')
        panel?.update({ sound: sound() })
      },
    }
  }

  function giveBack(texts: readonly string[]): void {
    const whole = [panel?.draft() ?? kept.get(), ...texts].filter(Boolean).join('\n')
    panel?.setDraft(whole)
    kept.set(whole)
  }

  /** Firefox may move the focus into the frame only after the composer took it, and leaves it on the page of the frame then. */
  function focusComposer(tries = 5): void {
    panel?.focusComposer()
    if (tries)
      setTimeout(() => {
        if (document.hasFocus()) enter(tries - 1)
      }, 200)
  }
  function enter(tries?: number): void {
    if (framed && document.activeElement === document.body) focusComposer(tries)
  }
  /** The composer is to have the focus; on a busy machine the frame itself has it later than any of the tries. */
  let entering = false

  let opened = false
  function take(message: ToPanel): void {
    switch (message.type) {
      case 'show':
        chat.setShown(message.shown === true)
        // The chat is contacted when it is opened, or when it was open on the page before.
        if (!opened) {
          opened = true
          kept.take()
          chat.open()
        }
        entering = message.shown === true && message.focus === true
        if (entering) focusComposer()
        if (message.shown === true && message.focus === 'panel') panel?.focus()
        return
      case 'answer':
        questions.get(Number(message.id))?.(message.allowed !== false)
        questions.delete(Number(message.id))
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

  function undraw(): void {
    keepDraft()
    panel?.dispose()
    panel = undefined
  }

  const undo: (() => void)[] = []
  for (const name of EVENTS)
    undo.push(
      chat.on(name, (detail) => post({ type: 'fact', name, detail: exposedDetail(name, detail, expose) })),
    )
  undo.push(
    chat.status.subscribe((status) => {
      if (status !== 'idle') post({ type: 'live', live: status !== 'ended' && status !== 'unavailable' })
    }),
    ...lifecycle(chat, keepDraft),
    listen(window, 'focus', () => {
      if (entering) enter()
      entering = false
    }),
    ...(framed ? keysFromNowhere() : []),
  )

  /**
   * Handles keys while no control has the focus: typed text goes to the composer, and Escape closes the panel. In a frame of
   * another site WebKit does not let scripts move the focus before the visitor has pressed a key there.
   */
  function keysFromNowhere(): (() => void)[] {
    return [
      listen(document, 'keydown', (event) => {
        const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent
        const at = document.activeElement
        if ((at && at !== document.body) || ctrlKey || metaKey || altKey || isComposing) return
        if (key === 'Escape' && given.closable !== false) post({ type: 'close' })
        else if (key.length === 1 || key === 'Process') panel?.focusComposer()
      }),
    ]
  }

  return {
    carriesOn: chat.carriesOn,
    draw(settings) {
      panel = mountPanel({
        root,
        container,
        chat,
        store: sessions,
        onClose: () => post({ type: 'close' }),
        onExpand: (expanded) => post({ type: 'expand', expanded }),
        ...settings,
        imageOrigins: images,
        sound: sound(),
      })
      // Removed from storage once the chat is opened, so that a draft that was sent is not restored after a crash.
      panel.setDraft(opened ? kept.take() : kept.get())
      return panel.worded()
    },
    restart: chat.restart,
    retry: chat.retry,
    hasBegun: () => chat.status.peek() !== 'idle',
    update(settings, looks) {
      notify = text(looks.notify) ?? ''
      locale = text(looks.locale) ?? locale
      panel?.update({ ...settings, sound: sound() })
    },
    send,
    take,
    giveBack,
    logout: () => chat.logout(),
    undraw,
    dispose() {
      for (const each of undo) each()
      stopSound()
      chat.dispose()
      undraw()
    },
  }
}

/** Forwards visibility, network status and page changes to the chat. */
function lifecycle(chat: ReturnType<typeof createChat>, keepDraft: () => void): (() => void)[] {
  const seen = () => {
    chat.setVisible(document.visibilityState === 'visible')
    keepDraft()
  }
  seen()
  return [
    listen(document, 'visibilitychange', seen),
    listen(document, 'freeze', () => chat.suspend()),
    listen(document, 'resume', () => chat.wake()),
    listen(window, 'pagehide', () => chat.suspend()),
    listen(window, 'pagehide', keepDraft),
    listen(window, 'focus', () => chat.wake()),
    listen(window, 'pageshow', () => chat.wake()),
    listen(window, 'online', () => chat.setOnline(true)),
    listen(window, 'offline', () => chat.setOnline(false)),
  ]
}
