// Shares a conversation among tabs. A tab that finds the lock free owns the conversation at once: the code that serves other
// tabs is loaded after that, as soon as one of them speaks. A tab that comes later loads it before its first contact.

import { AccessError } from './access/access.ts'
import type { Channel, Locks } from './channel.ts'
import type { State } from './state/state.ts'
import type { SharedTabs } from './tabs.ts'
import type { Seat, ShareTabs } from './transport.ts'

/** So long after the first contact the code is loaded, if no other tab has spoken. */
const LATER = 3_000
/** A failed request for the code is repeated after this time. */
const AGAIN = 1_000
/** A tab that comes later waits at most this long for the code, its own or that of the first. */
const PATIENCE = 8_000

export type ShareOptions = {
  /** Default: BroadcastChannel. */
  channel?: (name: string) => Channel
  /** Default: Web Locks where the browser has them, else a lease in the storage that all tabs share. */
  locks?: Locks | 'lease' | undefined
}

/** A frame of the service, with the part of the state in which it was read. It is parsed again if the code comes: events take more room than their text. */
export type Heard = { text: string; state: Pick<State, 'sessionId' | 'outbox'> }

/** What a tab gathers that owns the lock and has not loaded the rest. */
export type First = {
  channel: Channel
  /** Gives the lock back. */
  give(): void
  /** What other tabs said. */
  said: unknown[]
}

/**
 * For `createChat`: one conversation and one socket for all tabs of a browser. If its code cannot be loaded, the tab has
 * its own.
 */
export const shareTabs =
  (options: ShareOptions = {}, fetchCode = () => import('./tabs.ts')): ShareTabs =>
  (seat) => {
    let tabs: SharedTabs | undefined
    /** What was heard before the code is here, whoever had the lock: each event once. */
    let heard: Heard[] = []
    const ids = new Set<string>()
    function forget(): void {
      heard = []
      ids.clear()
    }
    let first: First | undefined
    let joining: Promise<void> | undefined
    let loading: Promise<void> | undefined
    /** How often the tab left the others. */
    let left = 0
    let stopLater = () => {}
    const openChannel = () => options.channel?.(seat.name) ?? new BroadcastChannel(seat.name)

    /** Loads the code, at the second attempt if need be. Never rejects. */
    const load = () =>
      (loading ??= fetchCode()
        .catch(() => new Promise<void>((go) => seat.clock.after(AGAIN, go)).then(fetchCode))
        .then(
          ({ createTabs }) => {
            tabs ??= createTabs(seat, options, heard)
            forget()
            stopLater()
            const own = first
            first = undefined
            if (own) tabs.takeOver(own)
          },
          // Another tab may own the conversation then.
          leave,
        )
        .finally(() => {
          loading = undefined
        }))
    /** Takes the lock if it is free, else loads the code that finds its owner. */
    async function join(): Promise<void> {
      const before = left
      const give = await freeLock(seat, options)
      // What arrived meanwhile asks for the lock itself.
      if (left !== before || tabs) return give?.()
      const channel = give && attempt(openChannel)
      if (!give || !channel) {
        give?.()
        return new Promise((go) => {
          const stop = seat.clock.after(PATIENCE, go)
          void load().then(() => {
            stop()
            go()
          })
        })
      }
      const own: First = { channel, give, said: [] }
      first = own
      channel.addEventListener('message', ({ data }) => first === own && hear(own, data))
      stopLater = seat.clock.after(LATER, load)
    }
    /** Keeps what another tab says for the code that answers it, and tells it to wait. */
    function hear({ channel, said }: First, data: unknown): void {
      const { type, from, to, mark } = Object(data)
      if ((to ?? seat.id) !== seat.id) return
      if (type === 'logout') return seat.logout(mark)
      // Without the code it cannot serve another tab, which then has to own the conversation.
      if (said.push(data) === 1) {
        stopLater()
        stopLater = seat.clock.after(PATIENCE, leave)
      }
      if (type === 'who')
        channel.postMessage({ type: 'here', owner: true, visible: seat.state().visible, from: seat.id })
      if (type === 'enter' || type === 'open') channel.postMessage({ type: 'wait', to: from, from: seat.id })
      load()
    }
    function leave(): void {
      stopLater()
      left++
      joining = undefined
      tabs?.leave()
      if (!first) return
      const { channel, give } = first
      first = undefined
      channel.postMessage({ type: 'gone', from: seat.id })
      channel.close()
      give()
    }

    async function joined(): Promise<void> {
      if (tabs || first) return
      joining ??= join()
      const mine = joining
      await mine
      if (joining === mine) joining = undefined
    }

    const transport = () => tabs?.transport ?? seat.direct
    return {
      transport: {
        async enter(ask, signal) {
          await joined()
          if (signal.aborted) throw new AccessError('aborted')
          return transport().enter(ask, signal)
        },
        open: (sessionId, cursor, listener) => transport().open(sessionId, cursor, listener),
      },
      follows: () => tabs?.follows() ?? false,
      heard(text, frame) {
        if (tabs) return tabs.heard(text, frame)
        const { sessionId, outbox } = seat.state()
        const known = ids.size
        for (const { id, sequence } of frame.events)
          if (id !== undefined && sequence !== undefined) ids.add(`${sessionId} ${id}`)
        if (ids.size > known) heard.push({ text, state: { sessionId, outbox } })
        return frame
      },
      changed(after) {
        if (after.session.name === 'disposed') return leave()
        // The visitor signed out.
        if (after.sessionId === undefined && after.messages.size === 0) forget()
        tabs?.changed(after)
      },
      wanted: (over) => tabs?.wanted(over),
      join() {
        const before = left
        void joined().then(() => {
          if (left === before) tabs?.join()
        })
      },
      leave,
      end: (sessionId, told) => tabs?.end(sessionId, told) ?? false,
      sayLate: (sessionId, id, text, told) => tabs?.sayLate(sessionId, id, text, told) ?? false,
      /** Also from a tab that has not entered, or is suspended: another one may show the conversation. */
      logout(mark) {
        attempt(() => {
          const channel = openChannel()
          channel.postMessage({ type: 'logout', mark, from: seat.id })
          channel.close()
        })
      },
    }
  }

/** Without a channel the other tabs read what they have to know in the storage once they are visible. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Takes the lock if it is free. Resolves with what gives it back; undefined: another tab has it, or there are no Web Locks. */
function freeLock({ name }: Seat, options: ShareOptions): Promise<(() => void) | undefined> {
  const locks = options.locks ?? globalThis.navigator?.locks
  return new Promise((resolve) => {
    if (!locks || locks === 'lease') return resolve(undefined)
    const none = () => resolve(undefined)
    locks
      .request(name, { ifAvailable: true }, (lock) =>
        lock ? new Promise<void>((give) => resolve(give)) : undefined,
      )
      .then(none, none)
  })
}
