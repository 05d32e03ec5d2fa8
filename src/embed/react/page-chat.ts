// Keeps the page's one chat as the newest props want it, and tells its state. No React: components call it in their effects.
//
//   show ──▶ mount, or pass on what changed ──▶ leave ──(nobody shows one by the end of the turn)──▶ destroy

import type { Renderers } from '../../ui/index.ts'
import { amend, isSame } from '../amend.ts'
import { CHANNEL_VERSION } from '../channel.ts'
import { type MountOptions, mount } from '../mount.ts'
import type { Handle } from '../page/host/host.ts'
import type { Listener, PageEventType } from '../page-events.ts'

/** Of `before-open` it is `BeforeOpen`. */
type Capital<T extends string> = T extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${Capital<Tail>}`
  : Capitalize<T>
/** Each gets the fields of its event. No callback needs a memo: the one of the newest props is called. */
type Callbacks = { readonly [T in PageEventType as `on${Capital<T>}`]?: Listener<T> | undefined }

/** What the chat is shown with. An undefined option counts as missing. */
export type ShowProps = { readonly [Name in keyof MountOptions]?: MountOptions[Name] | undefined } & Callbacks

/** The events that tell a change of the state. */
const STATE_EVENTS = ['open', 'close', 'connection', 'session', 'unread'] as const satisfies PageEventType[]

/** The calls of the handle that an app makes. The rest are the component's: its props, and that it goes. */
const CALLS = [
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
] as const
type Calls = Pick<Handle, (typeof CALLS)[number]>

/** The page's chat: calls of its handle, and its state. Up to a hundred calls from before it is on the page wait for it. */
export type Foyer = Readonly<Calls> & { readonly state: Readonly<ReturnType<Handle['getState']>> }

const MOST_WAITING = 100

/** `heard`: the props whose events it tells. */
let chat: { readonly handle: Handle; props: ShowProps; readonly heard: Set<string> } | undefined
/** The components on the page, with their props. The first one has the chat, and the next one once that has left. */
const shown = new Map<object, ShowProps>()
let warned = false
const waiting: ((handle: Handle) => void)[] = []
const listeners = new Set<() => void>()

function call(act: (handle: Handle) => void): void {
  if (chat) act(chat.handle)
  else if (waiting.length < MOST_WAITING) waiting.push(act)
}
const calls = Object.fromEntries(
  CALLS.map((name) => [
    name,
    (...given: never[]) => call((handle) => (handle[name] as (...given: never[]) => void)(...given)),
  ]),
) as Calls

/** Without a chat, and what a server draws. */
export const NO_CHAT: Foyer = {
  ...calls,
  state: { open: false, status: 'idle', unread: 0, version: CHANNEL_VERSION },
}
let foyer = NO_CHAT
/** The same object as long as the state is the same. */
export const currentFoyer = (): Foyer => foyer

/** Calls back once the state has changed. Returns the undo. */
export function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

function tellState(): void {
  const state = chat ? chat.handle.getState() : NO_CHAT.state
  if (isSame(state, foyer.state)) return
  foyer = { ...calls, state }
  for (const changed of listeners) changed()
}

/** Shows the chat with these props. `by`: the component. */
export function show(by: object, props: ShowProps): void {
  shown.set(by, props)
  if (shown.size > 1 && !warned) {
    warned = true
    console.warn('Foyer: a page has one <FoyerChat>. A second waits until the first is gone.')
  }
  settle()
}

/**
 * Takes the chat off the page, unless it is shown again by the end of this turn: by the same component (StrictMode, fast refresh) or by
 * that of the next page.
 */
export function leave(by: object): void {
  shown.delete(by)
  queueMicrotask(settle)
}

/** Makes the chat what the first component wants. */
function settle(): void {
  const [props] = shown.values()
  if (props) change(props)
  else end()
}

function change(props: ShowProps): void {
  if (!chat || !amend(chat.handle, chat.props, props)) begin(props)
  else {
    chat.props = props
    hear()
  }
}

function begin(props: ShowProps): void {
  chat?.handle.destroy()
  // Callbacks are no options: no function is.
  const handle = mount({ ...props, ...(props.render && { render: newestOf(props.render) }) })
  chat = { handle, props, heard: new Set() }
  for (const type of STATE_EVENTS) handle.on(type, tellState)
  hear()
  tellState()
  for (const act of waiting.splice(0)) act(handle)
}

/** Passes the events on to the callbacks that the props have by now. */
function hear(): void {
  if (!chat) return
  const { handle, props, heard } = chat
  for (const name of Object.keys(props)) {
    if (!/^on[A-Z]/.test(name) || heard.has(name)) continue
    heard.add(name)
    const type = name.slice(2).replace(/[A-Z]/g, (letter, at) => `${at ? '-' : ''}${letter.toLowerCase()}`)
    handle.on(type as PageEventType, (detail) =>
      (chat?.props[name as keyof Callbacks] as Listener | undefined)?.(detail),
    )
  }
}

function end(): void {
  chat?.handle.destroy()
  chat = undefined
  tellState()
}

/** These parts, drawn by the functions of the newest props. */
const newestOf = ({ header, home, message }: Renderers): Renderers => ({
  header: header && (() => chat?.props.render?.header?.()),
  home: home && (() => chat?.props.render?.home?.()),
  message: message && ((drawn) => chat?.props.render?.message?.(drawn)),
})
