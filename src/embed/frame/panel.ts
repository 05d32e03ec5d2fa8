// Opens the panel, alike in a frame and in the page itself, and owns its end of the channel.

import { readMessage, type ToPage, type ToPanel } from '../channel.ts'
import type { PanelEnvironment } from './chat/chat-controller.ts'
import { type Config, readConfig } from './chat/config.ts'
import { connectorOf } from './chat/start.ts'
import { openFlow } from './prechat/flow.ts'

export type PanelOptions = Omit<PanelEnvironment, 'config'> & {
  /** Default: read from the origin. */
  config?: Promise<Config> | undefined
}

/** Opens the panel. Returns the undo. */
export function openPanel({ config, port, ...more }: PanelOptions): () => void {
  const environment = { ...more, config: config ?? readConfig(more.origin, connectorOf(Object(more.start))) }
  const post = (message: ToPage) => port.postMessage(message)
  const flow = openFlow(environment, Object(environment.start), post)
  const onMessage = ({ data }: { data: unknown }) => {
    const message = readMessage<ToPanel>(data)
    if (message) flow.take(message)
  }
  // The port keeps what was said before.
  port.addEventListener('message', onMessage)
  port.start()
  return () => {
    port.removeEventListener('message', onMessage)
    port.close()
    flow.dispose()
  }
}
