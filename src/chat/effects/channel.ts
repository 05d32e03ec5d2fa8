// Reads and writes the messages between the tabs of one browser. Nothing in them is secret: all scripts of the origin hear them.

import type { DividerEntry, ShareTabs } from '../state/model.ts'

type Messages =
  /** The tab has entered a session, and left another one for this reason. */
  | {
      type: 'session'
      session: string
      why: DividerEntry['reason'] | undefined
      left: string | undefined
    }
  /** The visitor types there, or asked to keep the chat, so many ms ago: the service echoes neither. */
  | { type: 'active'; session: string; rested: number }
  /** The visitor has read all up to a sequence. */
  | { type: 'read'; session: string; sequence: number }
  /** The visitor signed out, so many ms ago. */
  | { type: 'signed out'; mark: string; ago: number | undefined }
  /** Asks who is connected; without a session: to any. */
  | { type: 'live?'; session: string | undefined }
  | { type: 'live'; session: string }

export type Message<T extends Messages['type'] = Messages['type']> = Extract<Messages, { type: T }>
export type Received<T extends Messages['type'] = Messages['type']> = Message<T> & { from: string }

export interface TabChannel {
  post(message: Message): void
  close(): void
}

const LONGEST_NAME = 200

type Check = (value: unknown) => boolean
const isName: Check = (value) => typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME
const isCount: Check = (value) => typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

/** What each message must have. A message of another version, or of another script, is none. */
const FORMS: {
  readonly [T in Message['type']]: Readonly<Record<Exclude<keyof Received<T>, 'type' | 'from'>, Check>>
} = {
  session: {
    session: isName,
    why: maybe(oneOf('expired', 'ended', 'restarted', 'lost')),
    left: maybe(isName),
  },
  active: { session: isName, rested: isCount },
  read: { session: isName, sequence: isCount },
  'signed out': { mark: isName, ago: maybe(isCount) },
  'live?': { session: maybe(isName) },
  live: { session: isName },
}

function readMessage(data: unknown): Received | undefined {
  const message = Object(data) as Record<string, unknown>
  const { type, from } = message
  if (typeof type !== 'string' || !Object.hasOwn(FORMS, type) || !isName(from)) return undefined
  const form = Object.entries(FORMS[type as Message['type']])
  return form.every(([field, check]) => check(message[field])) ? (message as Received) : undefined
}

/** Undefined where the browser denies the channel, as it may where it denies storage. */
export function openChannel(
  share: ShareTabs,
  name: string,
  id: string,
  receive: (message: Received) => void,
): TabChannel | undefined {
  try {
    const channel = share.channel(name)
    let open = true
    channel.addEventListener('message', ({ data }) => {
      const message = open ? readMessage(data) : undefined
      if (message && message.from !== id) receive(message)
    })
    return {
      post: (message) => channel.postMessage({ ...message, from: id }),
      close() {
        open = false
        channel.close()
      },
    }
  } catch {
    return undefined
  }
}
