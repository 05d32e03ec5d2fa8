// Runs a chat and draws it, once the steps before it are passed.

import { type BeginningAct, type Chat, createChat, shareTabs } from '../../../chat/index.ts'
import { mountPanel, type PanelHandle, type PanelSettings, type SiteSettings } from '../../../ui/index.ts'
import { type Looks, type Start, type Tool, type ToPage, type ToPanel, text } from '../../channel.ts'
import type { Config, Exposure } from './config.ts'
import { EVENTS, exposedDetail } from './exposure.ts'
import { listen } from './listen.ts'
import { createPageQuestions } from './page-questions.ts'
import { createSound } from './sound.ts'
import { platformOf, prefixOf, tokenUrlOf } from './start.ts'
import { browserStore } from './storage.ts'
import { createStoredText } from './stored-text.ts'

export type PanelEnvironment = {
  root: Document | ShadowRoot
  container: HTMLElement | ShadowRoot
  start: unknown
  /** The BFF's origin. */
  origin: string
  /** True if the panel is alone in a frame of that origin. */
  framed?: boolean
  /** What the page learns about messages, as the frame's own server says. */
  expose: Exposure
  /** The rest of the BFF's configuration. */
  config: Pick<Config, 'imageOrigins' | 'chunkJoin'>
  /** The first screen, which the frame's page shows already. */
  first?: Parameters<typeof mountPanel>[0]['first']
  /** Default: the browser's. */
  fetch?: typeof fetch
  /** An agent without a model answers. */
  automatic?: boolean
  /** The chat was switched off when the panel was loaded. */
  off?: boolean
  /** The BFF itself requires consent. */
  consentRequired?: boolean
  /** The origin of the page, where the BFF lets the service know on which of its pages a chat begins. */
  pageOrigin?: string | undefined
  /** Parts that the page draws, and its word on what is received; only where its scripts reach everything anyway. */
  page?: Pick<SiteSettings, 'render' | 'accepts'>
}

export type ChatController = {
  /** Resolves once what the visitor does not need in order to write may be loaded: behind the connection, where the panel has only begun. */
  readonly settled: Promise<void>
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
  /** Ends the conversation. */
  end(): void
  dispose(): void
}

/** Markdown and the rest of the panel wait so long for the connection. */
const PATIENCE_MS = 4_000

export function createChatController(
  environment: PanelEnvironment,
  given: Start,
  post: (message: ToPage) => void,
  mayBegin: (act: BeginningAct) => boolean,
): ChatController {
  const { root, container, origin, framed = false, config, expose, first, pageOrigin } = environment
  const sessions = browserStore('localStorage', prefixOf(given))
  const tab = browserStore('sessionStorage', prefixOf(given))
  let locale = text(given.locale)
  let panel: PanelHandle | undefined
  const tools = given.tools === true && expose === 'wire'

  /** What is being written while no panel is drawn, and over a reload. */
  const kept = createStoredText(tab, 'draft', sessions)
  const keepDraft = () => panel && kept.set(panel.draft())

  const questions = createPageQuestions(post, given.answers === true)
  /** A message that the page cancelled returns to the composer. */
  async function beforeSend({ id, text }: { id: string; text: string }): Promise<boolean> {
    const allowed = await questions.ask('before-send', { text, length: text.length })
    // It is gone where the visitor discarded it, or signed out.
    if (!allowed && chat.outbox.peek().some((item) => item.id === id)) giveBack([text])
    return allowed
  }
  const chat = createChat({
    tokenUrl: tokenUrlOf(origin, given),
    platform: platformOf(given),
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
    ...(pageOrigin && { page: () => questions.page(pageOrigin) }),
    // Only a page that may see messages is asked.
    ...(expose !== 'none' && { beforeSend }),
    chunkJoin: config.chunkJoin,
    ...(environment.fetch && { fetch: environment.fetch }),
    ...(tools && { onWire: (note) => post({ type: 'fact', name: 'wire', detail: { ...note } }) }),
  })

  const settled = first ? connected(chat) : Promise.resolve()
  const send = (words: string) => void (chat.send(words) ?? giveBack([words]))

  const sound = createSound(sessions, text(given.notify) ?? '', () =>
    panel?.update({ sound: sound.choice() }),
  )
  function giveBack(texts: readonly string[]): void {
    const whole = [panel?.draft() ?? kept.get(), ...texts].filter(Boolean).join('\n')
    panel?.setDraft(whole)
    kept.set(whole)
  }

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
        if (message.shown === true && message.focus) panel?.focus(message.focus === 'panel')
        return
      case 'answer':
        return questions.answer(message)
      case 'send':
        if (text(message.text)?.trim()) send(message.text)
        return
      case 'draft':
        return panel?.setDraft(text(message.text) ?? '')
      case 'restart':
        return chat.restart()
      case 'end':
        return chat.end()
      case 'logout':
        return void chat.logout()
      case 'tool':
        return tools ? useTool(chat, message.name, framed) : undefined
    }
  }

  function undraw(): void {
    keepDraft()
    panel?.dispose()
    panel = undefined
  }

  const undo = [
    // Messages that an earlier page left unread are counted again, and are no news.
    chat.on('unread', ({ count }) => sound.unread(count, chat.status.peek() !== 'connecting')),
    ...tellPage(chat, post, expose),
    ...lifecycle(chat, keepDraft),
  ]

  return {
    settled,
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
        imageOrigins: config.imageOrigins,
        sound: sound.choice(),
        first,
        later: settled,
      })
      // Removed from storage once the chat is opened, so that a draft that was sent is not restored after a crash.
      const before = opened ? kept.take() : kept.get()
      if (before) panel.setDraft([before, panel.draft()].filter(Boolean).join('\n'))
      return panel.worded()
    },
    restart: chat.restart,
    end: chat.end,
    retry: chat.retry,
    update(settings, looks) {
      sound.setDefault(text(looks.notify) ?? '')
      locale = text(looks.locale) ?? locale
      panel?.update({ ...settings, sound: sound.choice() })
    },
    send,
    take,
    giveBack,
    logout: () => chat.logout(),
    undraw,
    dispose() {
      for (const each of undo) each()
      chat.dispose()
      undraw()
    },
  }
}

/** Resolves once the chat has a connection or none is to be had, or has been waited for. */
const connected = (chat: Chat): Promise<void> =>
  new Promise((resolve) => {
    const undo = chat.status.subscribe((status) => {
      if (status !== 'idle' && status !== 'connecting') resolve()
    })
    setTimeout(() => {
      undo()
      resolve()
    }, PATIENCE_MS)
  })

function useTool(chat: Chat, name: Tool, framed: boolean): void {
  if (name === 'cut') return chat.reconnect()
  if (name === 'offline' || name === 'online') return chat.setOnline(name === 'online')
  // Without a frame the sockets of the page would fail too. The socket that is open ends: only the next one can fail.
  if (framed)
    import('./socket-faults.ts').then(
      ({ setFault }) => {
        setFault(name)
        chat.reconnect()
      },
      () => {},
    )
}

/** Tells the page what it may hear of the chat. Returns the undo. */
const tellPage = (chat: Chat, post: (message: ToPage) => void, expose: Exposure): (() => void)[] => [
  ...EVENTS.map((name) =>
    chat.on(name, (detail) => post({ type: 'fact', name, detail: exposedDetail(name, detail, expose) })),
  ),
  chat.status.subscribe((status) => {
    if (status !== 'idle') post({ type: 'live', live: status !== 'ended' && status !== 'unavailable' })
  }),
]

/** Forwards visibility, network status and page changes to the chat. */
function lifecycle(chat: Chat, keepDraft: () => void): (() => void)[] {
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
