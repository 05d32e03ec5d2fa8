// Holds the page's end of the channel to a panel. Messages wait until the panel is there.

import type { ToPage, ToPanel } from './channel.ts'
import type { PanelHost } from './host.ts'
import { attempt } from './options.ts'

/** Every field that any of the panel's messages has. */
type Said = { type: ToPage['type']; live: boolean; id: number; name: string; detail: unknown }

export type Link = {
  say(message: ToPanel): void
  /** Connects to a panel, in place of the one before. `ready` is called when the panel answers. */
  connect(ready: () => void): MessagePort
  close(): void
}

/**
 * In the storage of the tab, `host.key` says that the next page carries the conversation on. `onNewest` gets the text of
 * each message for the visitor; undefined where the page may not know it.
 */
export function createLink(host: PanelHost, onNewest: (text: string | undefined) => void): Link {
  const { key, state, draw, tell } = host
  const waiting: ToPanel[] = []
  let port: MessagePort | undefined
  /** The panel was told whether it is shown. */
  let shown = false

  let live = attempt((): string | boolean => sessionStorage[key])
  /** Tells the next page whether a conversation goes on, and whether it is shown. */
  function keep(): void {
    attempt(() => sessionStorage[live ? 'setItem' : 'removeItem'](key, state.open ? 'open' : 'closed'))
  }

  function say(message: ToPanel): void {
    if (message.type === 'show') shown = true
    if (message.type === 'logout') live = false
    if (shown || !live) keep()
    // What cannot be sent, such as a function in place of a text, is no message.
    if (port) attempt(() => (port as MessagePort).postMessage(message))
    else waiting.push(message)
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
      onNewest(typeof detail.text === 'string' ? detail.text : undefined)
    tell(name, detail)
  }
  return {
    say,
    connect(ready) {
      const channel = new MessageChannel()
      // Tell a reloaded panel its state again.
      if (port && shown) waiting.push({ type: 'show', shown: state.open })
      port?.close()
      port = channel.port1
      port.onmessage = ({ data }) => {
        // The panel's message is not trusted: unknown types are ignored.
        const { type, live: lives, id, name, detail } = Object(data) as Partial<Said>
        if (type === 'ready') ready()
        if (type === 'close') host.close()
        if (type === 'live') {
          live = lives === true
          keep()
        }
        if (type === 'ask' && name)
          say({ type: 'answer', id: id as number, allowed: tell(name, Object(detail)) })
        if (type === 'fact' && typeof name === 'string') hear(name, detail)
      }
      for (const message of waiting.splice(0)) say(message)
      return channel.port2
    },
    close: () => port?.close(),
  }
}
