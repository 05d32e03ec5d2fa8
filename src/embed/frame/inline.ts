// Opens the panel in the page itself (`isolation: none`). The page imports this file by its address on intent, so it may be newer or older
// than the container; messages to the panel wait in the channel meanwhile.

import { readMessage, type ToPanel } from '../channel.ts'
import type { Inline, UnframedContainer } from '../unframed.ts'
import { type Config, readConfig } from './chat/config.ts'
import { connectorOf } from './chat/start.ts'
import { openPanel } from './panel.ts'

/** The parts that a page's styles can reach by `::part`. */
const PARTS = 'header, message, visitor, agent, live, composer, send, notice, home'

export function createInline(around: UnframedContainer): Inline {
  let undo = () => {}
  /** Counts the tries: what an earlier one still waits for is of no use. */
  let round = 0
  function close(): void {
    round++
    undo()
    undo = () => {}
  }
  return {
    open() {
      close()
      const now = round
      void readConfig(around.origin, connectorOf(around.start())).then((config) => {
        if (now !== round) return
        // One that cannot be read may ask for consent.
        if (!config.read || config.unframed === false) around.fail(config.read ? 'not-here' : 'silent')
        else undo = openIn(around, config)
      })
    },
    close,
  }
}

/** Returns the undo. */
function openIn({ box, connect, tell, origin, start, page }: UnframedContainer, config: Config): () => void {
  const container = document.createElement('section')
  // A root of its own: the styles of launcher and container do not reach into the panel.
  const root = container.attachShadow({ mode: 'open' })
  container.setAttribute('exportparts', PARTS)
  const port = connect()
  box.append(container)
  const panel = openPanel(
    {
      root,
      container: root,
      start: start(),
      origin,
      automatic: config.automatic,
      off: config.enabled === false,
      consentRequired: config.consent,
      pageOrigin: config.page ? location.origin : undefined,
      page: {
        render: page.render,
        accepts: (key, { role, text, complete }) =>
          tell('before-receive', { message_id: key, role, text, complete, length: text.length }),
      },
      // Scripts of the page can read everything anyway.
      expose: 'wire',
      config,
    },
    (message) => port.postMessage(message),
  )
  // The port keeps what was said before.
  port.onmessage = ({ data }) => {
    const message = readMessage<ToPanel>(data)
    if (message) panel.take(message)
  }
  return () => {
    port.close()
    panel.dispose()
    container.remove()
  }
}
