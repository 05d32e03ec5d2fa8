// Lists who takes part: where their page is, and what they cannot do, with the reason.

export type Measure = 'launcher' | 'panel' | 'press' | 'stream' | 'messages' | 'append' | 'mounts'

/** Expressions over what a contestant's panel shows, where it stands in a frame. */
export type Framed = Readonly<Record<'composer' | 'newest' | 'scroller', string>> & {
  /** Of the page: the frame itself. */
  readonly frame: string
}

export type Entrant = {
  name: string
  /** Of its page below `contestants/`. */
  file: string
  /** Whose version the table names; undefined: the repository's own. */
  package: string | undefined
  /** Whether the service can speak to it unasked; the others ask over HTTP. */
  listens: boolean
  framed?: Framed
  /** Of the page that is mounted again and again, where that is another one. */
  mounts?: string
  cannot: Partial<Record<Measure, string>>
}

const noLauncher = { launcher: 'it has no launcher', press: 'it has no launcher' }

export const FOYER: Entrant = {
  name: 'Foyer',
  file: 'foyer',
  package: undefined,
  listens: true,
  framed: {
    frame: "document.querySelector('foyer-host')?.shadowRoot?.querySelector('iframe')",
    composer: "document.querySelector('textarea')",
    newest: "document.querySelector('.entries > .group:last-child')?.lastElementChild",
    scroller: "document.querySelector('.scroll')",
  },
  mounts: 'foyer-mounts',
  cannot: {},
}

export const FLOOR: Entrant = {
  name: 'floor',
  file: 'floor',
  package: 'preact',
  listens: true,
  cannot: {},
}

const noWidget = (...measures: Measure[]) =>
  Object.fromEntries(measures.map((measure) => [measure, 'it is no widget']))

/** Nothing but a frame of another site with a field: what every framed widget waits for at a press. */
export const EMPTY_FRAME: Entrant = {
  name: 'an empty frame',
  file: 'empty-frame',
  package: undefined,
  listens: false,
  framed: {
    frame: "document.querySelector('iframe')",
    composer: "document.querySelector('textarea')",
    newest: 'null',
    scroller: 'null',
  },
  cannot: noWidget('launcher', 'panel', 'stream', 'messages', 'append', 'mounts'),
}

export const ENTRANTS: readonly Entrant[] = [
  FOYER,
  FLOOR,
  { name: 'deep-chat', file: 'deep-chat', package: 'deep-chat', listens: false, cannot: noLauncher },
  { name: 'n8n', file: 'n8n', package: '@n8n/chat', listens: false, cannot: {} },
  {
    name: 'carbon',
    file: 'carbon',
    package: '@carbon/ai-chat',
    listens: true,
    cannot: { press: 'its launcher is none that a script could find' },
  },
  { name: 'flowise', file: 'flowise', package: 'flowise-embed', listens: false, cannot: {} },
  {
    name: 'botpress',
    file: 'botpress',
    package: '@botpress/webchat',
    listens: true,
    cannot: { stream: 'its service sends whole messages' },
  },
  { name: 'assistant-ui', file: 'assistant-ui', package: '@assistant-ui/react', listens: true, cannot: {} },
  {
    name: 'streamdown',
    file: 'streamdown',
    package: 'streamdown',
    listens: true,
    cannot: noWidget('launcher', 'panel', 'press', 'messages', 'append', 'mounts'),
  },
  EMPTY_FRAME,
]
