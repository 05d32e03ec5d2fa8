// Defines the settings of the steps before a chat.

import type { OwnWords, Register } from '../locales/en.ts'

/** A question of the form before a chat. */
export type FormField = {
  readonly label: string
  /** Default `text`. */
  readonly type?: 'text' | 'email' | 'tel' | 'select' | 'textarea' | 'checkbox'
  /** A checkbox that is required has to be ticked. */
  readonly required?: boolean
  /** The choices of a `select`: up to 20. */
  readonly options?: readonly string[]
  /** In characters, at most 2,000. Default 500. */
  readonly maxLength?: number
  /** The field's `autocomplete` value in HTML, such as `name`. */
  readonly autocomplete?: string
}

/** A link, named by one of the words of a language. */
export type PolicyLink = { readonly name: 'privacyPolicy' | 'terms'; readonly url: string }

export type PrechatSettings = {
  readonly agentName: string | undefined
  readonly greeting: string | undefined
  readonly links: readonly PolicyLink[]
  readonly words: OwnWords | undefined
  readonly register: Register | undefined
  readonly form: readonly FormField[]
  readonly hours: string | undefined
  readonly timeZone: string | undefined
  /** Outside of the hours no new chat begins. */
  readonly closes: boolean
  /** Where a message can be left while nobody reads one here: as a disclaimer's text. */
  readonly contact: string | undefined
  readonly starters: readonly string[]
}

/** How a step looks: as the panel behind it. */
export type PrechatLooks = {
  readonly locale?: string | undefined
  readonly theme?: 'light' | 'dark' | undefined
  readonly accent?: string | undefined
  readonly phone?: boolean | undefined
  readonly closable?: boolean | undefined
  readonly modal?: boolean | undefined
  readonly showHeader?: boolean | undefined
  /** An agent without a model answers. */
  readonly automatic?: boolean | undefined
}

export type PrechatStep = 'consent' | 'closed' | 'home' | 'form'

export type PrechatOptions = {
  root: Document | ShadowRoot
  /** The step fills it. */
  container: HTMLElement | ShadowRoot
  looks: PrechatLooks
  settings: PrechatSettings
  step: PrechatStep
  /** What an earlier page had of the form, as `filled` says it; empty: nothing. */
  filled?: string | undefined
  /** A node of the page for the home screen, if its scripts may place one. */
  home?: (() => Node | undefined) | undefined
  /** The visitor passes the step, with a message for the chat if the step makes one. */
  onNext(message?: string): void
  onClose(): void
}

export type PrechatHandle = {
  /** Resolves once the words of the asked language are drawn. */
  worded(): Promise<void>
  update(looks: PrechatLooks): void
  /** Shows another step. */
  show(step: PrechatStep): void
  focus(): void
  /** Whether the keyboard focus is in it, or nowhere after a press of one of its buttons. */
  hasFocus(): boolean
  /** What stands in the fields of the form; empty: nothing. Undefined while the form is not shown. */
  filled(): string | undefined
  dispose(): void
}
