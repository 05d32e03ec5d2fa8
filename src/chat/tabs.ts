// Shares one conversation among the tabs of a browser. One tab, the owner, holds a lock and the socket, and serves the
// others in place of the service (host.ts). Each tab runs its own engine on the forwarded frames and keeps its own outbox
// until the echo, so a tab that takes over continues where it is.
//
//   none ── first contact ──▶ seeking ── lock ──▶ owner ── hidden for 5 s, another is visible ──▶ follower
//                                │                  ▲
//                                ├── an owner answers ──▶ follower ── lock (the owner is gone) ──┘
//                                └── nobody answers within 1 s ──▶ alone (a socket of its own) ── lock ──▶ owner

import { parseFrame } from '../protocol/index.ts'
import { AccessError } from './access/access.ts'
import { type Channel, type From, type Message, readMessage } from './channel.ts'
import { createHost } from './host.ts'
import { leaseLocks } from './lease.ts'
import { isSent } from './outbox/items.ts'
import type { Event } from './reduce.ts'
import type { First, Heard, ShareOptions } from './share.ts'
import type { SocketListener } from './socket/socket.ts'
import type { State } from './state/state.ts'
import type { Admitted, Seat, Tabs, Transport } from './transport.ts'

const PATIENCE = 1_000
const HIDDEN = 5_000
const HEARD_BY = 100

type Role = 'none' | 'seeking' | 'owner' | 'follower' | 'alone'
type Call = { post(): void; done(answer: Admitted | AccessError): void }
type Remote = { session: string; listener: SocketListener; open: boolean }

/** Without `logout`, which share.ts handles, since a tab may sign out before it loads this file. */
export type SharedTabs = Omit<Tabs, 'logout'> & {
  /** Goes on as the owner that this tab has been since it found the lock free. */
  takeOver(first: First): void
}

/** `seat`: the engine of this tab. `heard`: what it has heard before this code was here. */
export function createTabs(seat: Seat, options: ShareOptions, heard: readonly Heard[]): SharedTabs {
  const openChannel = options.channel ?? ((name: string) => new BroadcastChannel(name))
  const wanted = options.locks ?? globalThis.navigator?.locks ?? 'lease'
  const locks = wanted === 'lease' ? leaseLocks(seat.store, seat.clock, seat.id) : wanted
  const { id, name, direct, clock, state, current, dispatch } = seat
  let channel: Channel | undefined
  /** `to`: undefined: every tab, or the one that the message names. */
  const post = (message: Message, to?: string) => channel?.postMessage({ to, ...message, from: id })
  /** The part of the state in which a frame was read that is handed over now. */
  let earlier: Heard['state'] | undefined
  const host = createHost({ ...seat, state: () => (earlier ? { ...state(), ...earlier } : state()), post })
  for (const { text, state } of heard) {
    earlier = state
    host.heard(text, parseFrame(text))
  }
  earlier = undefined

  let role: Role = 'none'
  let owner: string | undefined
  let lock: { give(): void } | undefined
  /** Whether the other tabs are visible, by their ids. */
  const others = new Map<string, boolean>()
  const calls = new Map<number, Call>()
  const remotes = new Map<number, Remote>()
  /** Sessions that another tab is to end and ratings that it is to send, and who waits for it. */
  const debts = new Map<string, () => void>()
  /** Messages that belong to this tab, as it told another: the ids of both. */
  const claimed = new Set<string>()
  const seekers: (() => void)[] = []
  let count = 0
  let stopPatience = () => {}
  let stopHidden = () => {}
  let stopQueue = () => {}
  let hiddenSince: number | undefined
  let yielding = false
  /** True while a message on its way may have gone over another socket than the owner's: of this tab, or of the page before. */
  let doubts = true
  /** The other tabs were asked who is still there, since this one is hidden. */
  let asked = false
  let visible = true
  let last: State | undefined

  const moved: Event = { type: 'session', event: { type: 'moved' } }

  function join(): void {
    if (role !== 'none') return
    role = 'seeking'
    try {
      listen(openChannel(name))
    } catch {
      // A browser that denies storage may deny the channel too.
      return become('alone')
    }
    introduce()
    queue()
    patience()
  }
  /** Asks who is there, and whose the messages are that wait here: this tab may be a copy of another. */
  function introduce(to?: string): void {
    post({ type: 'who', to, visible, outbox: state().outbox.map((item) => item.id) })
  }
  function listen(opened: Channel): void {
    opened.addEventListener('message', ({ data }) => {
      if (channel === opened) hear(data)
    })
    channel = opened
  }
  function hear(data: unknown): void {
    const message = readMessage(data)
    if (message && message.from !== id && (message.to ?? id) === id) take(message)
  }

  function takeOver({ channel: opened, give, said }: First): void {
    role = 'seeking'
    visible = state().visible
    lock = { give }
    listen(opened)
    become('owner')
    for (const data of said) hear(data)
  }

  /** Requests the lock; later requests of other tabs queue behind it. */
  function queue(): void {
    lock?.give()
    const abort = new AbortController()
    let release = () => {}
    let given = false
    const mine = {
      give() {
        given = true
        abort.abort()
        release()
      },
    }
    lock = mine
    const lost = () => {
      // A lease can be lost to another tab, which announces itself as the owner.
      if (given || lock !== mine || role !== 'owner') return
      lock = undefined
      become('alone')
      queue()
    }
    locks
      .request(name, { signal: abort.signal }, () =>
        given
          ? Promise.resolve()
          : new Promise<void>((resolve) => {
              release = resolve
              become('owner')
            }),
      )
      .then(lost, lost)
  }

  /** Looks for the owner, which answers at once in any state. If nobody answers, this tab opens its own socket. */
  function patience(ms = PATIENCE): void {
    stopPatience()
    stopPatience = clock.after(ms, () => {
      // Of tabs that come at once and find nobody, one begins, and the others find its session.
      const isFirst = role !== 'seeking' || [...others.keys()].every((other) => id < other)
      if (isFirst || ms > PATIENCE) become('alone')
      else patience(2 * PATIENCE)
    })
  }

  /** Handles the loss of the owner: the lock selects another one, and this tab waits for it for a while. */
  function bereave(from: string): void {
    if (owner !== from) return
    owner = undefined
    if (role === 'follower') patience(2 * PATIENCE)
  }

  function become(next: Role): void {
    const before = role
    if (before === next || before === 'none') return
    role = next
    stopPatience()
    stopHidden()
    hiddenSince = undefined
    yielding = false
    asked = false
    if (before === 'owner') {
      host.stop()
      post({ type: 'here', owner: false, visible })
    }
    if (next === 'owner') {
      owner = id
      post({ type: 'here', owner: true, visible })
      watchHidden()
    }
    if (next === 'alone') {
      // If the owner was only late, this tab returns to it.
      owner = undefined
      introduce()
    }
    for (const go of seekers.splice(0)) go()
    // The transport changed; the state stays.
    const wasDirect = before === 'owner' || before === 'alone'
    doubts ||= wasDirect
    if (before !== 'seeking' && wasDirect !== (next === 'owner' || next === 'alone')) dispatch(moved)
  }

  function take(message: From): void {
    const { from } = message
    switch (message.type) {
      case 'who': {
        others.set(from, message.visible)
        const { outbox, messages } = state()
        // The messages confirmed here belong to this tab too.
        const ids = message.outbox.filter(
          (each) =>
            (messages.has(each) || outbox.some((item) => item.id === each)) && claimed.add(each + from),
        )
        if (ids.length > 0) post({ type: 'mine', to: from, ids })
        return message.to === undefined ? post({ type: 'here', owner: role === 'owner', visible }) : undefined
      }
      case 'here':
        others.set(from, message.visible)
        // The holder of the lock is the owner; a tab that lost its lease learns it here.
        if (!message.owner) bereave(from)
        else if (role !== 'owner' && owner !== from) follow(from)
        return watchHidden()
      case 'mine':
        // Two that begin at once claim what they both hold from each other: one of them keeps it.
        for (const each of message.ids)
          if (from < id || !claimed.has(each + from)) dispatch({ type: 'discard', id: each })
        return
      case 'gone':
        others.delete(from)
        bereave(from)
        return host.take(message)
      case 'yield':
        // Only the heir stays in the queue for the lock.
        return message.heir === id || role === 'owner' ? undefined : stepBack()
      case 'logout':
        return seat.logout(message.mark)
      case 'active':
        // A page of an earlier build does not say how long ago.
        return dispatch({ type: 'active', rested: message.rested || 0 })
      case 'read':
        return dispatch({ type: 'read' })
      case 'entered':
      case 'refused': {
        const call = calls.get(message.call)
        if (message.type === 'refused') return call?.done(new AccessError('refused', { refused: true }))
        const { session: sessionId, reason, history } = message
        return call?.done({ sessionId, resumed: true, fresh: false, proven: false, reason, history })
      }
      case 'wait':
        return stopPatience()
      case 'opened': {
        const remote = remotes.get(message.socket)
        if (!remote) return
        stopPatience()
        remote.open = true
        doubts = false
        dispatch({ type: 'active', rested: message.rested || 0 })
        return remote.listener.opened()
      }
      case 'named':
        return host.named(message.event, message.message)
      case 'told':
        debts.get(message.id)?.()
        debts.delete(message.id)
        return
      case 'over': {
        const { expired, reason, session } = message
        if (state().sessionId !== session) return
        return dispatch({
          type: 'session',
          event: { type: 'over', expired, reason, proven: false, final: true },
        })
      }
      case 'closed': {
        const remote = remotes.get(message.socket)
        remotes.delete(message.socket)
        return remote?.listener.closed(message.code)
      }
      case 'frame':
        for (const [socket, { session, listener, open }] of [...remotes])
          if (open && session === message.session && (message.socket ?? socket) === socket)
            listener.frame(message.text)
        return
      default:
        if (role === 'owner') host.take(message)
    }
  }

  /** Handles a new owner: repeats to it what was requested from the last one. */
  function follow(next: string): void {
    const wasFollower = role === 'follower'
    // A new owner's history holds what went over the socket of the last owner only after a replay.
    doubts ||= wasFollower
    owner = next
    stopPatience()
    post({ type: 'here', owner: false, visible })
    // It may not have heard what waits here. It does not say again that it is here: two owners would be followed in turns.
    introduce(next)
    become('follower')
    if (wasFollower) dispatch(moved)
    if (!lock) queue()
    for (const call of calls.values()) call.post()
  }

  /** Yields the lock, and requests it again once there is a new owner, or after a time without one. */
  function stepBack(): void {
    lock?.give()
    lock = undefined
    stopQueue()
    stopQueue = clock.after(2 * PATIENCE, () => {
      if (!lock && role !== 'none') queue()
    })
  }

  /** Yields the socket of a hidden owner to a visible tab, once no message is on its way. */
  function watchHidden(): void {
    if (yielding) return
    const isHidden = role === 'owner' && !visible
    hiddenSince = isHidden ? (hiddenSince ?? clock.now()) : undefined
    if (!isHidden) asked = false
    stopHidden()
    const heir = [...others].find(([, seen]) => seen)?.[0]
    if (hiddenSince === undefined || heir === undefined || !host.isFree() || state().outbox.some(isSent))
      return
    const left = hiddenSince + HIDDEN - clock.now()
    if (left > 0) stopHidden = clock.after(left, watchHidden)
    else if (!asked) {
      // A tab that crashed said no farewell: only one that answers can take over.
      asked = true
      others.clear()
      introduce()
    } else {
      yielding = true
      post({ type: 'yield', heir })
      // Tell the others before the lock is free.
      stopHidden = clock.after(HEARD_BY, () => {
        stepBack()
        become('follower')
        patience()
      })
    }
  }

  const transport: Transport = {
    async enter(given, signal) {
      join()
      let ask = given
      if (role === 'seeking') {
        await new Promise<void>((go) => seekers.push(go))
        // Another tab may have begun meanwhile.
        const begun = current()
        if (begun !== undefined && begun !== ask.left && !ask.over.includes(begun))
          ask = { ...ask, session: ask.session ?? begun }
      }
      if (signal.aborted) throw new AccessError('aborted')
      if (role !== 'follower') return direct.enter(ask, signal)
      const call = ++count
      return new Promise((resolve, reject) => {
        const done = (answer: Admitted | AccessError) => {
          calls.delete(call)
          if (answer instanceof AccessError) reject(answer)
          else resolve(answer)
        }
        const again = () => {
          post({ type: 'enter', call, ...ask }, owner)
          patience(2 * PATIENCE)
        }
        signal.addEventListener('abort', () => calls.delete(call))
        calls.set(call, { post: again, done })
        again()
      })
    },
    open(session, cursor, listener) {
      if (role !== 'follower') return direct.open(session, cursor, listener)
      const socket = ++count
      const remote = { session, listener, open: false }
      remotes.set(socket, remote)
      // Two tabs may both count as the owner for a moment: only one of them passes on what is said here.
      const to = owner
      post({ type: 'open', socket, session, cursor, asked: doubts && state().outbox.some(isSent) }, to)
      patience(2 * PATIENCE)
      return {
        send(text) {
          if (remote.open) post({ type: 'say', socket, text }, to)
          return remote.open
        },
        close() {
          if (remotes.delete(socket)) post({ type: 'close', socket }, to)
        },
      }
    },
  }

  return {
    transport,
    join,
    takeOver,
    follows: () => role === 'follower',
    heard: host.heard,
    wanted: host.wanted,
    changed(after: State): void {
      const { name: now } = after.session
      if (now === 'disposed') return leave()
      if (after.visible !== visible && role !== 'none') {
        visible = after.visible
        post({ type: 'here', owner: role === 'owner', visible })
      }
      visible = after.visible
      // The visitor signed out.
      if (after.sessionId === undefined && after.messages.size === 0) host.forget()
      if (after.outbox.length === 0) claimed.clear()
      if (role === 'none') return
      const { keyAt } = after.own
      if (keyAt > (last?.own.keyAt ?? 0)) post({ type: 'active', rested: clock.now() - keyAt })
      // The visitor reads the messages in this tab.
      if (after.shown && visible && (!last?.shown || after.transcript !== last.transcript))
        if (others.size > 0) post({ type: 'read' })
      last = after
      if (role !== 'owner') return
      host.changed()
      watchHidden()
    },
    leave,
    end(session, told) {
      if (role !== 'follower') return false
      debts.set(session, told)
      post({ type: 'end', session }, owner)
      return true
    },
    sayLate(session, messageId, text, told) {
      if (role !== 'follower') return false
      debts.set(messageId, told)
      post({ type: 'late', session, id: messageId, text }, owner)
      return true
    },
  }

  function leave(): void {
    if (role === 'none') return
    post({ type: 'gone' })
    role = 'none'
    stopPatience()
    stopHidden()
    stopQueue()
    owner = undefined
    lock?.give()
    lock = undefined
    host.stop()
    claimed.clear()
    others.clear()
    calls.clear()
    remotes.clear()
    channel?.close()
    channel = undefined
  }
}
