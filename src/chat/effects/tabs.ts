// Keeps the tabs of one browser from getting in each other's way (law L10). Each has its own socket on the one session, and the service
// keeps them in step. Web Locks make sure that one tab at a time enters a session, and that no two tabs send the same stored messages;
// a channel carries what the service does not tell. Nothing on the channel is secret: all scripts of the origin hear it.
//
//   session    the session that a tab has entered, and why it is another one
//   active     the visitor types there, or asked to keep the chat: the service echoes neither
//   read       the visitor has read all up to a sequence
//   signed out the visitor signed out there
//   live?      who is connected?        live  this tab is, up to a sequence
//   give       the tab `to` gives its socket to the sender, which was refused one

import { isConnected } from '../session/timers.ts'
import type { Began, Live } from '../state/events.ts'
import type { Channel, Clock, DividerEntry, Locks, ShareTabs } from '../state/model.ts'
import type { OutboxRecord, State } from '../state/state.ts'
import type { Effect, Loop } from './loop.ts'

/** A tab that enters keeps the others waiting for at most so long. */
const ENTER_PATIENCE = 15_000
/** So long a tab that is connected has to say so. */
const ANSWER = 300
/** After a reload the page before may hold its lock for a moment. */
const CLAIM_PATIENCE = 5_000
/** So many messages of one page have a lock. */
const MOST_LOCKS = 500
/** A key press is told once in this time. */
const ACTIVE_EVERY = 1_000
/** Longer names are no names of ours. */
const LONGEST_NAME = 200

type Message =
  | { type: 'session'; session: string; why: DividerEntry['reason'] | undefined; left: string | undefined }
  | { type: 'active'; session: string; rested: number }
  | { type: 'read'; session: string; sequence: number }
  | { type: 'signed out'; mark: string }
  | { type: 'live?'; session: string | undefined }
  | {
      type: 'live'
      session: string
      sequence: number
      hiddenFor: number | undefined
      rested: number | undefined
      began: Began
      isReady: boolean
    }
  | { type: 'give'; to: string }

type Of<T extends Message['type']> = Extract<Message, { type: T }> & { from: string }

export interface Tabs {
  readonly changed: Effect
  /** Runs `work` while no other tab does; without a lock, or after 15 s, all the same. */
  alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** The other tabs that are connected to the session, as they say within 300 ms. */
  whoIsLive(session: string | undefined): Promise<readonly Live[]>
  /** Asks the tab that has been hidden longest for its socket. */
  askForSocket(live: readonly Live[]): void
  /** Tells all tabs that the visitor signed out, also from a page that has no part in them. */
  signOut(mark: string): void
}

type Outer = {
  loop: Loop
  /** Identical in all tabs that share a conversation. */
  name: string
  uuid: () => string
  clock: Clock
}

export function createTabs(share: ShareTabs | undefined, { loop, name, uuid, clock }: Outer): Tabs {
  const id = uuid()
  const locks = share?.locks
  let channel: Channel | undefined
  /** Gives back, or stops waiting for, each lock. */
  const releases = new Set<() => void>()
  /** What gives the lock of each message back. */
  const held = new Map<string, () => void>()
  const questions = new Set<{ heard(live: Live): void; end(): void }>()
  /** How often this page has joined the other tabs or left them: odd while it is among them. */
  let visits = 0
  const { dispatch } = loop

  function openChannel(): Channel | undefined {
    try {
      return share?.channel(name)
    } catch {
      // A browser that denies storage may deny the channel too.
      return undefined
    }
  }
  const post = (message: Message) => channel?.postMessage({ ...message, from: id })

  const told = (state: State) => {
    const { session, sessionId, log, tabs, activeAt, slept } = state
    const hiddenFor = tabs.hiddenAt === undefined ? undefined : clock.now() - tabs.hiddenAt
    // Who comes into a session that goes on does not know since when nobody does anything.
    const isSeen = session.name === 'live' && activeAt > session.since
    const rested = isSeen ? Math.max(0, clock.now() - activeAt + slept) : undefined
    return sessionId === undefined
      ? undefined
      : { session: sessionId, sequence: log.cursor, hiddenFor, rested }
  }
  const sayLive = (state: State, began: Began = 'no') => {
    const live = told(state)
    if (live && isConnected(state))
      post({ type: 'live', ...live, began, isReady: state.session.name === 'live' })
  }

  function hear(data: unknown): void {
    const message = readMessage(data)
    if (!message || message.from === id) return
    switch (message.type) {
      case 'session':
        return dispatch({ type: 'named', session: message.session, why: message.why, from: message.left })
      case 'active':
        if (message.session === loop.state.peek().sessionId)
          dispatch({ type: 'active', rested: message.rested })
        return
      case 'read':
        return dispatch({ type: 'read', session: message.session, sequence: message.sequence })
      case 'signed out':
        return dispatch({ type: 'signed-out', mark: message.mark })
      case 'live?': {
        const state = loop.state.peek()
        return message.session === undefined || message.session === state.sessionId
          ? sayLive(state)
          : undefined
      }
      case 'live':
        return heard(message)
      case 'give':
        return message.to === id ? dispatch({ type: 'give' }) : undefined
    }
  }

  function heard({ from, session, sequence, hiddenFor, rested, isReady, began }: Of<'live'>): void {
    const hiddenAt = hiddenFor === undefined ? undefined : clock.now() - hiddenFor
    const live = { from, session, sequence, hiddenAt, rested, isReady }
    for (const question of questions) question.heard(live)
    dispatch({ type: 'live', live, began })
  }

  function join(): void {
    if (visits % 2 === 1 || !share) return
    visits++
    const opened = openChannel()
    channel = opened
    opened?.addEventListener('message', ({ data }) => {
      if (channel === opened) hear(data)
    })
  }
  function leave(): void {
    if (visits % 2 === 0) return
    visits++
    channel?.close()
    channel = undefined
    for (const { end } of [...questions]) end()
    for (const release of [...releases]) release()
    held.clear()
  }

  function whoIsLive(session: string | undefined): Promise<readonly Live[]> {
    if (!channel) return Promise.resolve([])
    return new Promise((resolve) => {
      const live: Live[] = []
      const question = {
        heard(each: Live) {
          if (session === undefined || each.session === session) live.push(each)
        },
        end() {
          stop()
          questions.delete(question)
          resolve(live)
        },
      }
      const stop = clock.after(ANSWER, question.end)
      questions.add(question)
      post({ type: 'live?', session })
    })
  }

  /**
   * Resolves to true once this tab has the lock, which it keeps until `releases`; to false if it is not free for `patience` ms, or not
   * wanted any more. `mine` is told how to give it back.
   */
  function lock(
    of: Locks,
    what: string,
    patience: number,
    mine: (release: () => void) => void,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const abort = new AbortController()
      const stop = clock.after(patience, () => release())
      let free = () => {}
      const release = () => {
        stop()
        releases.delete(release)
        abort.abort()
        free()
        resolve(false)
      }
      releases.add(release)
      mine(release)
      of.request(`${name}:${what}`, { signal: abort.signal }, () => {
        if (abort.signal.aborted) return undefined
        stop()
        resolve(true)
        return new Promise<void>((go) => {
          free = go
        })
      }).catch(() => {
        // Where the browser denies locks, there is nobody to wait for.
        stop()
        resolve(!abort.signal.aborted)
      })
    })
  }

  /**
   * Keeps a lock for each message of this page. A loaded one is this page's if its lock is free: otherwise this page is a copy of one
   * that lives.
   */
  async function claim({ id, unclaimed }: OutboxRecord): Promise<void> {
    const visit = visits
    const isMine = locks
      ? await lock(locks, `message:${id}`, CLAIM_PATIENCE, (release) => void held.set(id, release))
      : true
    if (visits === visit && unclaimed) dispatch({ type: isMine ? 'claimed' : 'copied', id })
  }
  /** A page that comes back much later may still wait for a message that was sent here. */
  function forgetLocks(outbox: State['outbox']): void {
    for (const [id, release] of held) {
      if (held.size <= MOST_LOCKS) return
      if (outbox.some((item) => item.id === id)) continue
      held.delete(id)
      release()
    }
  }

  return {
    async alone(work, signal) {
      if (!locks) return work()
      let release = () => {}
      const give = () => release()
      signal.addEventListener('abort', give)
      await lock(locks, 'enter', ENTER_PATIENCE, (mine) => {
        release = mine
      })
      const stop = clock.after(ENTER_PATIENCE, give)
      try {
        return await work()
      } finally {
        stop()
        give()
        signal.removeEventListener('abort', give)
      }
    },
    whoIsLive,
    askForSocket(live) {
      const hidden = ({ hiddenAt = Number.POSITIVE_INFINITY }: Live) => -hiddenAt
      const longest = live.reduce<Live | undefined>(
        (one, other) => (one && hidden(one) >= hidden(other) ? one : other),
        undefined,
      )
      if (longest) post({ type: 'give', to: longest.from })
    },
    signOut(mark) {
      const own = channel
      channel ??= openChannel()
      post({ type: 'signed out', mark })
      if (channel !== own) channel?.close()
      channel = own
    },
    changed(before, after) {
      const { name: now } = after.session
      if (now === 'disposed' || after.tabs.away) return leave()
      if (now === 'idle') return
      join()
      for (const item of after.outbox) if (!held.has(item.id) && (locks || item.unclaimed)) void claim(item)
      forgetLocks(after.outbox)
      if (after.tabs.asking && !before.tabs.asking)
        void whoIsLive(after.sessionId).then((live) => dispatch({ type: 'answered', live, id }))
      if (after.sessionId !== undefined && after.sessionId !== before.sessionId) {
        const divider = after.transcript.at(-1)
        const why = divider?.kind === 'divider' ? divider.reason : undefined
        if (before.named?.session !== after.sessionId)
          post({ type: 'session', session: after.sessionId, why, left: [...after.past].at(-1) })
      }
      if (now === 'replaying' && before.session.name !== 'replaying')
        sayLive(after, hasInsisted(after) ? 'insists' : 'yes')
      const reads = after.shown && after.visible
      if (after.tabs.told !== before.tabs.told && after.tabs.told.sequence > 0 && !reads) sayLive(after)
      const isNews = after.tabs.told !== before.tabs.told || !before.shown || !before.visible
      const has = told(after)
      if (reads && isNews && has && has.sequence > 0)
        post({ type: 'read', session: has.session, sequence: has.sequence })
      const { keyAt } = after.own
      if (
        has &&
        keyAt > before.own.keyAt &&
        Math.floor(keyAt / ACTIVE_EVERY) !== Math.floor(before.own.keyAt / ACTIVE_EVERY)
      )
        post({ type: 'active', session: has.session, rested: clock.now() - keyAt })
    },
  }
}

/** The visitor uses this page though another one had replaced its socket. */
const hasInsisted = ({ session }: State): boolean => 'insists' in session && session.insists === 'replaced'

/** Undefined if it is not a message of this version. */
function readMessage(data: unknown): (Message & { from: string }) | undefined {
  const { type, from, session, to, mark, why, sequence, rested, hiddenFor, began, isReady, left } = Object(
    data,
  ) as Record<string, unknown>
  const isName = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
  if (!isName(from)) return undefined
  switch (type) {
    case 'session':
      return isName(session)
        ? {
            type,
            from,
            session,
            why: WHYS.find((each) => each === why),
            left: isName(left) ? left : undefined,
          }
        : undefined
    case 'active':
      return isName(session) && isCount(rested) ? { type, from, session, rested } : undefined
    case 'read':
      return isName(session) && isCount(sequence) ? { type, from, session, sequence } : undefined
    case 'signed out':
      return isName(mark) ? { type, from, mark } : undefined
    case 'live?':
      return session === undefined || isName(session) ? { type, from, session } : undefined
    case 'live':
      return isName(session) &&
        isCount(sequence) &&
        (rested === undefined || isCount(rested)) &&
        (hiddenFor === undefined || isCount(hiddenFor))
        ? {
            type,
            from,
            session,
            sequence,
            hiddenFor,
            rested,
            began: BEGINNINGS.find((each) => each === began) ?? 'no',
            isReady: isReady === true,
          }
        : undefined
    case 'give':
      return isName(to) ? { type, from, to } : undefined
    default:
      return undefined
  }
}

const BEGINNINGS = ['no', 'yes', 'insists'] as const
const WHYS = ['expired', 'ended', 'restarted', 'lost'] as const
