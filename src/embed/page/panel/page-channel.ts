// Holds the page's end of the channel to a panel. What is said before the panel is there waits in the channel itself.

import type { ToPage, ToPanel } from '../../channel.ts'
import { attempt } from '../../options.ts'
import type { PanelHost } from '../host/panel-host.ts'

/** Every field that any of the panel's messages has. */
type Said = {
  type: ToPage['type']
  live: boolean
  id: number
  name: string
  detail: unknown
  expanded: boolean
}

/** What the panel says to its container. */
export type FromPanel = {
  ready(): void
  /** The text of each message for the visitor, and who wrote it: empty of a person without a name. Undefined where the page may not know it. */
  newest(text: string | undefined, name: string | undefined): void
  expand(expanded: boolean): void
}

export type PageChannel = {
  post(message: ToPanel): void
  /** The end for a panel. A second one, as after a reload, gets a new channel and learns again whether it is shown. */
  connect(): MessagePort
  /** Opens a new channel for the next panel, and says there all that no panel was ready for. A panel that has the end of the former one is given up. */
  renew(): void
  close(): void
}

/** In the storage of the tab, `host.key` says that the next page carries the conversation on. */
export function createPageChannel(host: PanelHost, from: FromPanel): PageChannel {
  const { key, state, draw, tell } = host
  let channel = open()
  let connected = false
  /** What the page has said, as long as no panel was ready: a panel that is given up loses what stands in its channel. Undefined: a panel was ready. */
  let unheard: ToPanel[] | undefined = []
  /** The panel was told whether it is shown. */
  let shown = false

  let live = attempt((): string | boolean => sessionStorage[key])
  /** Tells the next page whether a conversation goes on, and whether it is shown. */
  function keep(): void {
    attempt(() => sessionStorage[live ? 'setItem' : 'removeItem'](key, state.open ? 'open' : 'closed'))
  }

  function open(): MessageChannel {
    const made = new MessageChannel()
    made.port1.onmessage = ({ data }) => {
      // The panel's message is not trusted: unknown types are ignored.
      const { type, live: lives, id, name, detail, expanded } = Object(data) as Partial<Said>
      if (type === 'ready') {
        unheard = undefined
        from.ready()
      }
      if (type === 'close') host.close()
      if (type === 'expand') from.expand(expanded === true)
      if (type === 'live') {
        live = lives === true
        keep()
      }
      if (type === 'ask' && name)
        made.port1.postMessage({
          type: 'answer',
          id: id as number,
          ...(name === 'page' ? { allowed: true, page: pageNow() } : { allowed: tell(name, Object(detail)) }),
        } satisfies ToPanel)
      if (type === 'fact' && typeof name === 'string') hear(name, detail)
    }
    return made
  }
  function post(message: ToPanel): void {
    if (message.type === 'show') shown = true
    if (message.type === 'logout') live = false
    if (shown || !live) keep()
    // What cannot be sent, such as a function in place of a text, is no message.
    attempt(() => {
      channel.port1.postMessage(message)
      unheard?.push(message)
    })
  }
  function renew(): void {
    channel.port1.close()
    channel = open()
    connected = false
    for (const message of unheard ?? []) channel.port1.postMessage(message)
    if (!unheard && shown) post({ type: 'show', shown: state.open })
  }
  function hear(name: string, told: unknown): void {
    const detail = Object(told)
    if (name === 'connection') state.status = `${detail.status}`
    if (name === 'session') state.sessionId = `${detail.session_id}`
    // The visitor's choice in the panel wins over the page's earlier one.
    if (name === 'consent') host.options().consent = detail.given ? 'given' : 'refused'
    if (name === 'unread') {
      state.unread = +detail.count || 0
      draw()
    }
    if (name === 'message' && detail.role !== 'visitor')
      // A person without a name is not the site's assistant.
      from.newest(wordsOf(detail.text), wordsOf(detail.name) ?? (detail.role === 'live' ? '' : undefined))
    tell(name, detail)
  }
  return {
    post,
    connect() {
      if (connected) renew()
      connected = true
      return channel.port2
    },
    renew,
    close: () => channel.port1.close(),
  }
}

/** Characters of a title, which a page can make as long as it likes. */
const LONGEST_TITLE = 2_000

/** The page of this moment. Query and fragment stay here: they may name a person, or let one in. */
const pageNow = () => ({
  url: location.origin + location.pathname,
  // Asked of the document's own getter: `<img name="title">` hides the property, not the getter.
  title: (Reflect.get(Document.prototype, 'title', document) as string).slice(0, LONGEST_TITLE),
})

const wordsOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
