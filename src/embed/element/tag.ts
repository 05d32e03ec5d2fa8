// Defines the types of `<foyer-chat>` for TypeScript's document and for the templates of frameworks.
// biome-ignore-all lint/suspicious/noTsIgnore: whether there is an error depends on what the app has installed

import type { Handle } from '../page/host/host.ts'
import type { PageEvents, PageEventType } from '../page-events.ts'
import type { ElementOptions } from './chat-element.ts'

/** `<foyer-chat>`. Its options are properties; null or undefined takes one back to the attribute of its name. */
export interface FoyerChatElement extends HTMLElement, ElementOptions {
  /** The chat's handle, as long as the element is on the page. */
  readonly chat: Handle | undefined
}

/** Of `agentName` it is `agent-name`. */
type AttributeOf<N extends string> = N extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `-${Lowercase<Head>}`}${AttributeOf<Tail>}`
  : N
type AttributeName = Exclude<keyof ElementOptions, 'render' | 'tools'>

/** The options as properties and as attributes, and the listeners, as templates write them. */
type InTemplates = ElementOptions & {
  [N in AttributeName as AttributeOf<N>]?: ElementOptions[N] | string
} & {
  [T in PageEventType as `onfoyer-${T}`]?: (event: CustomEvent<PageEvents[T]>) => void
}
type PageEventMap = { [T in PageEventType as `foyer-${T}`]: CustomEvent<PageEvents[T]> }

declare global {
  interface HTMLElementTagNameMap {
    'foyer-chat': FoyerChatElement
  }
  interface GlobalEventHandlersEventMap extends PageEventMap {}
}

/** What any tag may have, where the framework's own type cannot be named. */
type AnyTag = { class?: string; id?: string; style?: string | object; key?: unknown; ref?: unknown }

// Each only where the framework is installed: without it, TypeScript does not know the module, or its names.
/** @ts-ignore */
type ReactTag<T> = import('react').DetailedHTMLProps<import('react').HTMLAttributes<T>, T>
/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'foyer-chat': ReactTag<FoyerChatElement> & InTemplates
    }
  }
}
/** @ts-ignore */
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'foyer-chat': AnyTag & InTemplates
    }
  }
}
/** @ts-ignore */
declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'foyer-chat': AnyTag & InTemplates
    }
  }
}
/** @ts-ignore */
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'foyer-chat': AnyTag & InTemplates
  }
}
/** @ts-ignore */
declare module 'vue' {
  interface GlobalComponents {
    'foyer-chat': new () => { $props: AnyTag & InTemplates }
  }
}
