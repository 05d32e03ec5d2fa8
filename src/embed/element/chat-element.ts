// Defines `<foyer-chat>`: a chat that is on the page as long as the element is, with its attributes and properties as options.

import { amend } from '../amend.ts'
import { type MountOptions, mountFor } from '../mount.ts'
import type { Handle } from '../page/host/host.ts'

/** The options of the element: those of `mount`, without what the element itself replaces, or only the script tag has. */
export type ElementOptions = Omit<MountOptions, 'target' | 'compat'>

/** Every option, which the compiler holds against the type. */
const OPTIONS = {
  origin: true,
  connector: true,
  isolation: true,
  layout: true,
  platform: true,
  streaming: true,
  position: true,
  tools: true,
  render: true,
  autoOpen: true,
  prepare: true,
  teaser: true,
  teaserWhen: true,
  consent: true,
  theme: true,
  accent: true,
  locale: true,
  showHeader: true,
  launcher: true,
  offsetX: true,
  offsetY: true,
  movable: true,
  notify: true,
  agentName: true,
  avatar: true,
  greeting: true,
  disclaimer: true,
  disclaimerPlace: true,
  disclaimerOnce: true,
  privacyUrl: true,
  termsUrl: true,
  words: true,
  register: true,
  without: true,
  tokens: true,
  rating: true,
  enterSends: true,
  form: true,
  hours: true,
  timeZone: true,
  outsideHours: true,
  contact: true,
  starters: true,
} satisfies Record<keyof Required<ElementOptions>, true>
type Name = keyof typeof OPTIONS
type Given = { [N in Name]?: unknown }

const NAMES = Object.keys(OPTIONS) as Name[]
/** No text can be one of these. */
const isAttribute = (name: Name): boolean => name !== 'render' && name !== 'tools'
/** As the script tag's attributes without `data-`: of `agentName` it is `agent-name`. */
const attributeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Defines the element, unless it is defined, or there are none, as on a server. */
export function defineElement(): void {
  if (!globalThis.customElements || customElements.get('foyer-chat')) return
  customElements.define(
    'foyer-chat',
    class FoyerChat extends HTMLElement {
      static observedAttributes = NAMES.filter(isAttribute).map(attributeOf)
      /** The options that were set as properties. They win over the attributes. */
      #properties: Given = {}
      #chat: Handle | undefined
      /** What the chat was told. */
      #told: Given = {}

      static {
        for (const name of NAMES)
          Object.defineProperty(FoyerChat.prototype, name, {
            get() {
              return this.#properties[name]
            },
            set(value) {
              this.#properties[name] = value
              this.#settleSoon()
            },
          })
      }

      constructor() {
        super()
        // Set before the element was defined, they would hide the properties of the class.
        for (const name of NAMES)
          if (Object.hasOwn(this, name)) {
            this.#properties[name] = Reflect.get(this, name)
            Reflect.deleteProperty(this, name)
          }
      }

      get chat(): Handle | undefined {
        if (this.isConnected) this.#settle()
        return this.#chat
      }
      connectedCallback(): void {
        this.#settleSoon()
      }
      disconnectedCallback(): void {
        this.#settleSoon()
      }
      attributeChangedCallback(): void {
        this.#settleSoon()
      }
      /** With it, `moveBefore` neither disconnects nor connects. */
      connectedMoveCallback(): void {}

      /** Once the page's script has done all that it does in one go: an element that it moves is back by then. */
      #settleSoon(): void {
        queueMicrotask(() => this.#settle())
      }

      #settle(): void {
        const told = this.#told
        if (!this.isConnected) {
          this.#chat?.destroy()
          this.#chat = undefined
          return
        }
        const given = this.#given()
        this.#told = given
        if (this.#chat && amend(this.#chat, told as MountOptions, given as MountOptions)) return
        this.#chat?.destroy()
        for (const name of NAMES.map(attributeOf))
          if (this.hasAttribute(`data-${name}`))
            console.warn(`Foyer: <foyer-chat> takes ${name}, without data-`)
        this.#chat = mountFor(this, given as MountOptions)
      }

      #given(): Given {
        const given: Given = {}
        for (const name of NAMES) {
          const attribute = isAttribute(name) ? this.getAttribute(attributeOf(name)) : null
          const value = this.#properties[name] ?? attribute
          if (value !== null && value !== '') given[name] = value
        }
        return given
      }
    },
  )
}
