import { ReactElement } from 'react'

type FeedbackRating = 'up' | 'down'

type Decision = 'confirm' | 'cancel'

type ChatStatus =
  | 'idle'
  | 'connecting'
  | 'live'
  | 'reconnecting'
  | 'offline'
  | 'expired'
  | 'ended'
  | 'unavailable'

type Role = 'visitor' | 'agent' | 'live'

type OutboxItem = {
  readonly id: string
  readonly text: string
  readonly at: number
  readonly state: 'held' | 'queued' | 'sent' | 'failed' | 'unconfirmed'
}

type Handoff =
  | {
      readonly state: 'none'
    }
  | {
      readonly state: 'pending'
      readonly queueName?: string | undefined
      readonly position?: number | undefined
      readonly waitSeconds?: number | undefined
      readonly message?: string | undefined
    }
  | {
      readonly state: 'live'
    }
  | {
      readonly state: 'failed'
      readonly reason?: string | undefined
    }
  | {
      readonly state: 'client'
      readonly reason?: string | undefined
      readonly queueName?: string | undefined
      readonly route?: string | undefined
    }

type ChatEvents = {
  session: {
    session_id: string
    resumed: boolean
  }
  connection: {
    status: ChatStatus
  }

  message: {
    message_id: string
    role: Role
    length: number
    text: string
    name?: string
  }
  delivery: {
    message_id: string
    state: OutboxItem['state'] | 'delivered'
  }
  unread: {
    count: number
  }
  handoff: Handoff
  suggestion: {
    text: string
  }
  language: {
    language_code: string
  }
  csat: {
    score: number
    comment?: string | undefined
  }
  feedback: {
    message_id: string
    rating: FeedbackRating
    comment?: string | undefined
  }
  decision: {
    message_id: string
    decision: Decision
  }
  end: {
    reason: string
  }

  error: {
    code: string
    message: string
  }
}

type WireNote = {
  readonly direction: 'in' | 'out' | 'note'
  readonly at: number
  readonly text: string
}
declare const en: {
  language: string
  direction: 'ltr' | 'rtl'
  chat: string
  conversation: string
  message: string
  placeholder: string
  send: string
  stop: string
  closeChat: string
  menu: string
  assistant: string
  person: string
  statusConnecting: string
  statusReady: string
  statusThinking: string
  statusTyping: string
  statusOffline: string
  statusEnded: string
  statusLive: string
  disclosure: string
  smallPrint: string
  loading: string
  you: string
  said: (name: string) => string
  notSent: string
  retry: string
  statusQueue: (place: string, wait: string | undefined) => string
  held: string
  waiting: string
  tooLong: (more: string) => string
  outboxFull: string
  notDelivered: string
  maybeSent: string
  discard: string
  offline: string
  reconnecting: string
  stillConnecting: string
  busy: string
  idleWarning: (time: string) => string
  keepChatting: string
  unavailable: string
  refused: string
  tryAgain: string
  endedByAgent: string
  deleted: string
  endedIdle: string
  newMessages: string
  newChat: string
  endChat: string
  endChatSure: string
  deleteChat: string
  deleteChatSure: string
  searchChat: string
  closeSearch: string
  found: (place: string, all: string) => string
  nothingFound: string
  downloadText: string
  downloadPage: string
  print: string
  languages: string
  sound: string
  announcements: string
  announceAll: string
  announceBrief: string
  announceNone: string
  back: string
  previous: string
  next: string
  askAgain: string
  taskDone: string
  taskOpen: string
  copyAnswer: string
  goodAnswer: string
  badAnswer: string
  attachments: string
  openLink: string
  waitingForPerson: string
  queueLeft: string
  queueMessage: string
  stopped: string
  confirmed: string
  cancelled: string
  leaveQueue: string
  rateChat: string
  rateStars: (shown: string, form: Intl.LDMLPluralRule) => string
  rateGood: string
  rateBad: string
  rateComment: string
  rateSend: string
  rateThanks: string
  notNow: string
  dividerExpired: string
  dividerEnded: string
  dividerRestarted: string
  dividerLost: string
  handoffFailed: string
  handoffClient: string
  liveJoined: (name: string) => string
  liveLeft: (name: string) => string
  copy: string
  copied: string
  showImage: (title: string) => string
  image: string
  suggestions: string
  moreSuggestions: (shown: string, form: Intl.LDMLPluralRule) => string
  code: string
  codeLines: (shown: string, form: Intl.LDMLPluralRule) => string
  expand: string
  shrink: string
  consentTitle: string
  consentText: string
  consentAgree: string
  consentDecline: string
  withdraw: string
  privacyPolicy: string
  terms: string
  formTitle: string
  formStart: string
  optional: string
  choose: string
  missing: string
  badEmail: string
  badPhone: string
  yes: string
  no: string
  closedTitle: string
  closedText: string
  closedNoMessage: string
  closedForNow: string
  awayText: string
  connected: string
  statusAutomatic: string
  disclosureAutomatic: string
  agentFailed: string
  showAll: string
  showLess: string
  toEnd: string
  cancel: string
  charactersLeft: (shown: string) => string
  homeTitle: string
  homeWrite: string
}
type Words = typeof en
type PlainWord = Exclude<
  { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words],
  'language' | 'direction'
>

type OwnWords = { readonly [K in PlainWord]?: string | undefined }

type Register = 'formal' | 'informal'

type FormField = {
  readonly label: string
  readonly type?: 'text' | 'email' | 'tel' | 'select' | 'textarea' | 'checkbox'
  readonly required?: boolean
  readonly options?: readonly string[]
  readonly maxLength?: number
  readonly autocomplete?: string
}

type Feature =
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

type DrawnMessage = {
  readonly role: 'visitor' | 'agent' | 'live'
  readonly text: string
  readonly complete: boolean
  readonly agentName: string | undefined
}

type Renderers = {
  readonly header?: (() => Node | undefined) | undefined
  readonly home?: (() => Node | undefined) | undefined
  readonly message?: ((message: DrawnMessage) => Node | undefined) | undefined
}

type Details = {
  agentName?: string
  avatar?: string
  greeting?: string

  disclaimer?: string | Readonly<Record<string, string>>
  disclaimerPlace?: 'above' | 'below'
  disclaimerOnce?: boolean
  privacyUrl?: string
  termsUrl?: string
  words?: OwnWords | string
  register?: Register
  without?: Feature | (string & {})

  tokens?: Readonly<Record<string, string>> | string
  rating?: 'stars' | 'thumbs'
  enterSends?: boolean
  consent?: 'required' | 'given' | 'refused'
  form?: readonly FormField[] | string
  hours?: string
  timeZone?: string
  outsideHours?: 'notice' | 'closed'
  contact?: string | Readonly<Record<string, string>>
  starters?: readonly string[] | string
}

type Options = {
  origin?: string
  connector?: string
  isolation?: 'frame' | 'none'
  layout?: 'float' | 'embedded' | 'fullscreen'
  target?: string
  platform?: 'web' | 'ios' | 'android'
  streaming?: boolean
  autoOpen?: boolean
  launcher?: 'auto' | 'hidden'
  compat?: 'webchat'
  prepare?: 'idle'
  showHeader?: boolean
  position?: 'right' | 'left'
  theme?: 'auto' | 'light' | 'dark'
  accent?: string
  locale?: string
  teaser?: string
  teaserWhen?: string
  notify?: string
  offsetX?: string
  offsetY?: string
  movable?: boolean
} & Details

declare const FAULTS: readonly ['slow', 'lost', 'doubled']
type Fault = (typeof FAULTS)[number]
type Tool = 'cut' | 'offline' | 'online' | 'whole' | Fault
type FieldOf<T> = T extends unknown ? keyof T & string : never
type ValueOf<T, F> = T extends unknown ? (F extends keyof T ? T[F] : never) : never

type Heard<T> = { readonly [F in FieldOf<T>]?: ValueOf<T, F> }

type Stamp = {
  readonly id: string
  readonly time: number
  readonly version: number
}

type PageEvents = { readonly [E in keyof ChatEvents]: Heard<ChatEvents[E]> & Stamp } & {
  readonly ready: Stamp
  readonly open: Stamp
  readonly close: Stamp

  readonly 'before-open': Stamp
  readonly consent: {
    readonly given?: boolean
  } & Stamp

  readonly 'before-send': {
    readonly text?: string
    readonly length?: number
  } & Stamp

  readonly 'before-receive': {
    readonly message_id?: string
    readonly role?: Role
    readonly text?: string
    readonly length?: number
    readonly complete?: boolean
  } & Stamp
  readonly destroy: Stamp
  readonly wire: Heard<WireNote> & Stamp
}

type PageEventType = keyof PageEvents

type Listener<T extends PageEventType = PageEventType> = (detail: PageEvents[T]) => void

type State = {
  open: boolean
  status: string
  sessionId?: string | undefined
  unread: number
  version: number
}

type Changeable = Exclude<
  keyof Options,
  | 'origin'
  | 'connector'
  | 'isolation'
  | 'layout'
  | 'target'
  | 'platform'
  | 'streaming'
  | 'autoOpen'
  | 'compat'
  | 'prepare'
  | 'position'
  | 'teaser'
  | 'teaserWhen'
  | 'consent'
>

type Handle = {
  readonly ready: Promise<void>
  open(): void
  close(): void
  toggle(): void
  show(): void
  hide(): void
  send(text: string): void
  setDraft(text: string): void
  setLocale(locale: string): void

  update(options: { [Name in Changeable]?: Options[Name] | '' | null | undefined }): void
  restart(): void
  end(): void
  logout(): void

  consent(given: boolean): void
  showTeaser(text: string): void
  animateLauncher(): void
  destroy(): void
  getState(): State
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
  tool(name: Tool): void
}

type MountOptions = Options & {
  tools?: boolean
  render?: Renderers
}

type Capital<T extends string> = T extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${Capital<Tail>}`
  : Capitalize<T>

type Callbacks = { readonly [T in PageEventType as `on${Capital<T>}`]?: Listener<T> | undefined }

type ShowProps = { readonly [Name in keyof MountOptions]?: MountOptions[Name] | undefined } & Callbacks

declare const CALLS: readonly [
  'open',
  'close',
  'toggle',
  'show',
  'hide',
  'send',
  'setDraft',
  'restart',
  'end',
  'logout',
  'consent',
  'showTeaser',
  'animateLauncher',
]
type Calls = Pick<Handle, (typeof CALLS)[number]>

type Foyer = Readonly<Calls> & {
  readonly state: Readonly<ReturnType<Handle['getState']>>
}

type FoyerChatProps = ShowProps & {
  readonly className?: string | undefined
}

declare function FoyerChat({ className, ...props }: FoyerChatProps): ReactElement | null

declare const useFoyer: () => Foyer
export { type Foyer, FoyerChat, type FoyerChatProps, useFoyer }
