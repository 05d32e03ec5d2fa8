// Draws the launcher, in an element of its own at the end of the page or where the site wants the chat.

import { attempt, type Options } from '../../options.ts'
import { drawIcon } from './icon.ts'
import css from './launcher.css?inline'
import { pageWords } from './words.ts'

export type Launcher = {
  /** Its shadow root has one child, the layer, which holds the button and is in the top layer where the browser has one. */
  element: HTMLElement
  button: HTMLButtonElement
  phone: MediaQueryList
  /** False if it is not on the page, and cannot be. */
  draw(looks: Options, locale: string, open: boolean): boolean
  /** Sets the tokens of those options that are among the changes. */
  setTokens(looks: Options, changes: object): void
  /** Resolves once it is on the page, or the page has been read. */
  placed(): Promise<void>
  hide(hidden: boolean): void
  remove(): void
}

export type LauncherEvents = {
  /** Something has changed by which it is drawn. */
  draw(): void
  press(): void
}

/** The options that are tokens of the launcher: the name of the token, and a CSS property that takes its values. */
const TOKENS = [
  ['accent', 'accent', 'color'],
  ['offsetX', 'offset-x', 'top'],
  ['offsetY', 'offset-y', 'top'],
] as const

/** `own`: holds a chat that is embedded, in place of the target. */
export function createLauncher(options: Options, on: LauncherEvents, own?: HTMLElement): Launcher {
  const layout = options.layout ?? 'float'
  const floats = layout === 'float'
  const element = document.createElement('foyer-host')
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  const layer = document.createElement('div')
  const button = document.createElement('button')
  const phone = matchMedia('(max-width:480px),(max-height:480px) and (pointer:coarse)')

  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  // Content that the page puts into the host element replaces the icon.
  const slot = document.createElement('slot')
  slot.append(drawIcon('M4 5.5h12v8.5H9.5L6 17v-3H4z'))
  button.append(slot)
  button.part = 'launcher'
  layer.append(button)
  root.append(layer)
  button.onclick = on.press
  phone.onchange = on.draw
  // A launcher that was taken off the page has no size.
  new ResizeObserver(on.draw).observe(button)

  /**
   * Onto the page, and again where a router replaced what was on it; a chat that does not float goes with its place. The target of
   * one that is embedded may stand further down in the page.
   */
  function put(): boolean {
    if (element.isConnected) return true
    if (!floats && element.dataset.foyerState) return false
    const parent =
      (layout === 'embedded' && own) ||
      attempt(() => document.querySelector(layout === 'embedded' ? (options.target as string) : 'body')) ||
      (document.readyState !== 'loading' && document.body)
    if (parent) parent.append(element)
    return !!parent
  }

  /**
   * Into the top layer, above the page whatever its z-index is; not above a modal dialog of the page (or what it
   * shows in full screen), and not where the page chose a layer.
   */
  function rise(): void {
    if (!floats || document.querySelector(':modal')) return
    if (getComputedStyle(element).getPropertyValue('--foyer-z-index')) return
    // Throws where it is there already, and where the browser has none.
    attempt(() => {
      layer.popover = 'manual'
      layer.showPopover()
    })
  }
  return {
    element,
    button,
    phone,
    draw(looks, locale, open) {
      if (!put()) return false
      // An attribute of our own, since the page's styles could match a class.
      const states = [layout, options.position, open && 'open', phone.matches && 'phone']
      element.dataset.foyerState = states.filter((each) => each).join(' ')
      button.hidden = !floats || looks.launcher === 'hidden' || (open && phone.matches)
      const words = pageWords(locale)
      button.ariaLabel = open ? words.close : words.open
      button.ariaExpanded = `${open}`
      rise()
      return true
    },
    setTokens(looks, changes) {
      for (const [option, token, property] of TOKENS) {
        const value = looks[option] ?? ''
        // A value that cannot be one leaves the token.
        if (option in changes && (!value || CSS.supports(property, value)))
          element.style.setProperty(`--foyer-${token}`, value)
      }
    },
    placed: () =>
      new Promise<void>((arrived) => {
        if (element.isConnected) arrived()
        else document.addEventListener('DOMContentLoaded', () => arrived())
      }),
    hide(hidden) {
      layer.hidden = hidden
    },
    remove() {
      phone.onchange = null
      element.remove()
    },
  }
}
