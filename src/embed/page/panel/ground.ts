// Draws the ground of a panel that is not on the screen yet: one bar with the name that the site gives, and a button that closes it. After
// 8 s without an answer one sentence and a retry stand under the bar; a panel that answers late is shown all the same.

import type { Reason } from '../../unframed.ts'
import { drawIcon } from '../host/icon.ts'
import type { PanelHost } from '../host/panel-host.ts'
import { directionOf, pageWords } from '../host/words.ts'
import css from './ground.css?inline'

const PATIENCE_MS = 8_000

export type Ground = {
  /** Somebody wants the panel: once, it is started, and so is the time it may take. */
  want(): void
  /** The panel is there. */
  over(): void
  /** It is known that there will be none. */
  fail(reason: Reason): void
  /** Draws the current words and options. */
  draw(): void
  focus(): void
  hasFocus(): boolean
  dispose(): void
}

/** What stands on the ground. */
export type Panel = {
  /** Starts it, again at each retry. */
  start(): unknown
  /** Takes the focus from the ground. */
  enter(): void
}

/** `origin`: of the BFF, for the advice to developers. */
export function createGround(host: PanelHost, box: HTMLElement, origin: string, panel: Panel): Ground {
  const closable = (host.options().layout ?? 'float') === 'float'
  const element = document.createElement('div')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  // The container is the dialog.
  element.role = 'group'
  element.tabIndex = -1
  const bar = document.createElement('header')
  const name = document.createElement('bdi')
  const close = document.createElement('button')
  close.type = 'button'
  close.append(drawIcon('m5 7.75 5 5 5-5'))
  close.onclick = host.close
  bar.append(name, ...(closable ? [close] : []))
  root.append(bar)
  box.prepend(element)

  let wanted = false
  let ready = false
  let warned = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let trouble: HTMLElement | undefined

  const hasFocus = () => (element.getRootNode() as ShadowRoot).activeElement === element

  element.onkeydown = (event) => {
    if (event.key !== 'Escape' || !closable) return
    host.close()
    // It is for the chat: no short cut of the page, nor of the browser.
    event.preventDefault()
    event.stopPropagation()
  }

  function begin(): void {
    stop()
    timer = setTimeout(() => fail('silent'), PATIENCE_MS)
    panel.start()
  }
  /** Neither waits nor says that there is no panel. */
  function stop(): void {
    clearTimeout(timer)
    removeEventListener('online', begin)
    trouble?.remove()
    box.classList.remove('failed')
  }
  function over(): void {
    if (ready) return
    stop()
    ready = true
    box.classList.add('ready')
    if (!hasFocus()) return element.remove()
    // Until the panel has the focus, Escape still comes here.
    element.onblur = () => element.remove()
    panel.enter()
  }
  function fail(reason: Reason): void {
    stop()
    if (!warned) {
      warned = true
      const message = cure(reason, origin, host.options().isolation === 'none')
      console.warn(`Foyer: ${message}`)
      host.tell('error', { code: 'unreachable', message })
    }
    box.classList.add('failed')
    const words = pageWords(host.locale())
    trouble = document.createElement('div')
    const text = document.createElement('p')
    text.role = 'alert'
    text.textContent = reason === 'not-here' ? words.notHere : words.unreachable
    trouble.append(text)
    root.append(trouble)
    if (reason === 'not-here') return
    const retry = document.createElement('button')
    retry.type = 'button'
    retry.textContent = words.retry
    retry.onclick = () => {
      // The button goes.
      element.focus()
      begin()
    }
    trouble.append(retry)
    if (hasFocus() && !root.activeElement) retry.focus()
    addEventListener('online', begin)
  }
  return {
    want() {
      if (wanted) return
      wanted = true
      if (!ready) begin()
    },
    over,
    fail,
    draw() {
      const { agentName, showHeader } = host.options()
      const words = pageWords(host.locale())
      element.dir = directionOf(host.locale())
      element.className = host.phone.matches || navigator.maxTouchPoints > 0 ? 'phone' : ''
      name.textContent = showHeader === false ? '' : (agentName ?? '')
      close.ariaLabel = words.close
    },
    focus: () => element.focus(),
    hasFocus,
    dispose() {
      stop()
      // Chromium reports the loss of the focus while it removes the element, which can only be removed once.
      element.onblur = null
      element.remove()
    },
  }
}

function cure(reason: Reason, origin: string, inline: boolean): string {
  const page = location.origin
  if (reason === 'not-here')
    return `the BFF at ${origin} gives no tokens to scripts of ${page}. Add ${page} to its FOYER_UNFRAMED_ORIGINS, or leave data-isolation at "frame".`
  if (reason === 'code')
    return `the code of the chat could not be loaded. Check that ${origin} can be reached and that the Content-Security-Policy of this page allows it in script-src.`
  // Such a page shows a frame only with these headers, which the BFF sends.
  const headers = window.crossOriginIsolated
    ? ' This page is cross-origin isolated: check too that no proxy removes Cross-Origin-Embedder-Policy and Cross-Origin-Resource-Policy from the answer.'
    : ''
  return inline
    ? `the chat did not start. Check that ${origin} can be reached and that the Content-Security-Policy of this page allows it in connect-src.`
    : `${origin}/foyer/frame did not answer. Check that it can be reached, that the Content-Security-Policy of this page allows ${origin} in frame-src, and that FOYER_ORIGINS of the BFF names ${page}.${headers}`
}
