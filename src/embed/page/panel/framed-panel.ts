// Puts the frame into the container, and gives the port to the frame's own script.

import { CHANNEL_VERSION } from '../../channel.ts'
import { bffAddress, lacksConsent } from '../../options.ts'
import type { Container, Content } from './content.ts'

export function framedPanel({ host, box, channel, ground, origin, start }: Container): Content {
  const frame = document.createElement('iframe')
  /** The frame holds a panel that was prepared and not started. Undefined: nothing was prepared yet. */
  let prepared: boolean | undefined
  let loaded: boolean | undefined
  let greeted: boolean | undefined
  frame.allow = 'clipboard-write'
  frame.tabIndex = -1
  // Only WebKit, until a person moves the focus into the frame; elsewhere the keys are in the frame.
  frame.onkeydown = ({ key, ctrlKey, metaKey }) => ctrlKey || metaKey || channel.post({ type: 'key', key })
  if (origin !== location.origin)
    frame.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals',
    )
  function load(isPrepared: boolean): void {
    // Our own page says hello, shortly before its load or behind it.
    if (!prepared || (loaded && !greeted)) {
      channel.renew()
      frame.src = `${bffAddress(origin, host.options().connector, 'frame')}?${new URLSearchParams(asked())}`
    }
    if (!frame.isConnected) box.append(frame)
    prepared = isPrepared
  }
  /** What the frame's page draws before its script runs. */
  function asked(): Record<string, string> {
    const { locale, theme, phone, closable, agentName, showHeader, enterSends, ...more } = start()
    const { form, starters, outsideHours } = more
    const isFirst = !(lacksConsent(more) || form || starters || outsideHours === 'closed')
    return {
      ...{ locale, theme, isolated: `${window.crossOriginIsolated}`, phone: `${phone}` },
      first: isFirst ? 'field' : 'none',
      ...(agentName && { name: agentName.slice(0, 80) }),
      ...(showHeader === false && { header: 'none' }),
      ...(!closable && { close: 'none' }),
      ...(enterSends === false && { enter: 'line' }),
    }
  }
  frame.onload = () => {
    loaded = true
  }
  /** Gives the port to the frame's own script, and to nothing else that its address may show. */
  function onMessage({ source, origin: from, data }: MessageEvent): void {
    if (source !== frame.contentWindow || from !== origin || data?.foyer !== 'hello') return
    greeted = true
    const message = { foyer: 'connect', version: CHANNEL_VERSION, start: start() }
    ;(source as Window).postMessage(message, origin, [channel.connect()])
  }
  addEventListener('message', onMessage)
  /**
   * Firefox moves the focus by way of another process, which loses it where the frame is only just giving it up: then it is
   * still where it was before, on the launcher or on the ground. Without a launcher on the page this does nothing.
   */
  function enter(tries = 5): void {
    frame.focus()
    if (tries)
      setTimeout(() => {
        const isLost = ground.hasFocus() || host.element.shadowRoot?.activeElement === host.launcher
        if (host.state.open && isLost) enter(tries - 1)
      }, 200)
  }
  return {
    prepare: () => prepared ?? load(true),
    start: () => load(false),
    ready: () => frame.removeAttribute('tabindex'),
    focus: () => enter(),
    name: (title) => {
      frame.title = title
    },
    dispose: () => removeEventListener('message', onMessage),
  }
}
