// Defines what a site adds to the panel: a name, lines above the first message, switched-off features, parts that the page draws.

import type { Entry } from '../../chat/index.ts'
import type { Words } from '../locales/en.ts'
import type { PolicyLink } from './prechat-settings.ts'

/** The features that can be switched off. */
export type Feature =
  | 'suggestions'
  | 'feedback'
  | 'rating'
  | 'search'
  | 'download'
  | 'copy'
  | 'stop'
  | 'sound'
  | 'languages'
  | 'announcements'
  | 'restart'
  | 'end'
  | 'delete'

/** A message as the page's own script draws it. */
export type DrawnMessage = {
  readonly role: 'visitor' | 'agent' | 'live'
  /** The words so far. */
  readonly text: string
  readonly complete: boolean
  readonly agentName: string | undefined
}

/**
 * Parts of the panel that the page draws itself, only without a frame. Each makes a node, once; what makes none leaves the
 * panel's own.
 */
export type Renderers = {
  readonly header?: (() => Node | undefined) | undefined
  readonly home?: (() => Node | undefined) | undefined
  /** Called for each message once it is complete; a streaming answer is the panel's own until then, a question to confirm always. */
  readonly message?: ((message: DrawnMessage) => Node | undefined) | undefined
}

export type SiteDisclaimer = {
  /** For all languages; or JSON of texts by language tags, the first of which is for all languages that have none. */
  readonly text: string
  /** `above` or `below` the field; anything else: above the first message. */
  readonly place?: unknown
  /** True: it is gone once the visitor has written. */
  readonly once?: unknown
}

export type SiteSettings = {
  /** Whom the visitor talks to, and a picture, whatever the service calls its agent; people have their own. */
  readonly agentName?: string | undefined
  readonly avatar?: string | undefined
  readonly greeting?: string | undefined
  readonly disclaimer?: SiteDisclaimer | undefined
  readonly links?: readonly PolicyLink[] | undefined
  readonly hours?: string | undefined
  readonly timeZone?: string | undefined
  readonly without?: readonly Feature[] | undefined
  readonly render?: Renderers | undefined
  /** Asked of each message of the agent when it is first shown and when it is complete; false: it is not shown. */
  readonly accepts?: ((key: string, message: DrawnMessage) => boolean) | undefined
  /** True if the visitor can withdraw a consent. */
  readonly withdraw?: (() => void) | undefined
}

/** Whether the site switched a feature off. */
export const isOff = ({ without }: SiteSettings, feature: Feature): boolean =>
  without?.includes(feature) ?? false

/**
 * The name of an agent who speaks: the site's word first, so that the name on the first screen is the last one. A person has none of the
 * site's.
 */
export const speakerOf = (
  say: Words,
  { agentName }: SiteSettings,
  live: boolean,
  name: string | undefined,
): string => (live ? (name ?? say.person) : (agentName ?? name ?? say.assistant))

/** Whether a message greets: the agent's first in a conversation. Where the site has a greeting of its own, that takes its place. */
export const isGreeting = (entry: Entry, before: Entry | undefined): boolean =>
  entry.kind === 'message' && entry.role === 'agent' && (before === undefined || before.kind === 'divider')
