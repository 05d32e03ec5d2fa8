// Keeps the tabs of one browser in step (law L10). Each has its own socket on the one session, and hears from the service what the others
// did. What the service does not tell goes over a channel.

import { isConnected } from '../session/timers.ts'
import type { Began, Live } from '../state/events.ts'
import type { Clock, ShareTabs } from '../state/model.ts'
import type { State } from '../state/state.ts'
import { type Message, openChannel, type Received, type TabChannel } from './channel.ts'
import { createLocks, type PageLocks } from './locks.ts'
import type { Effect, Loop } from './loop.ts'

/** Time for a connected tab to answer. */
const ANSWER = 300
/** The visitor's typing is announced at most once in this time. */
const ACTIVE_EVERY = 1_000

export interface Tabs {
  readonly changed: Effect
  readonly alone: PageLocks['alone']
  /** The other tabs that answer within 300 ms that they are connected to the session. */
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

/** What a connected tab says of itself. */
function liveMessage(state: State, now: number, began: Began): Message<'live'> | undefined {
  const { session, sessionId, log, tabs, activeAt, slept } = state
  if (sessionId === undefined || !isConnected(state)) return undefined
  const since = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, now - at))
  const isReady = session.name === 'live'
  // A tab that has just joined a running session does not know when it was last active.
  const seenAt = isReady && activeAt > session.since ? activeAt - slept : undefined
  const [hiddenFor, rested] = [since(tabs.hiddenAt), since(seenAt)]
  return { type: 'live', session: sessionId, sequence: log.cursor, hiddenFor, rested, began, isReady }
}

export function createTabs(share: ShareTabs | undefined, { loop, name, uuid, clock }: Outer): Tabs {
  const id = uuid()
  const { dispatch } = loop
  const locks = createLocks(share?.locks, { name, clock, dispatch })
  let isHere = false
  let channel: TabChannel | undefined
  /** The last sign-out that this tab heard of. */
  let lastSignOut: { mark: string; at: number } | undefined
  const questions = new Set<{ add(live: Live): void; end(): void }>()
  const open = () => share && openChannel(share, name, id, receive)

  function sayLive(state: State, began: Began = 'no'): void {
    const message = liveMessage(state, clock.now(), began)
    if (message) channel?.post(message)
  }

  /** For a tab that was suspended during the sign-out and asks now: the store may not have the mark. */
  function repeatSignOut(): void {
    if (lastSignOut)
      channel?.post({
        type: 'signed out',
        mark: lastSignOut.mark,
        ago: Math.max(0, clock.now() - lastSignOut.at),
      })
  }

  function receive(message: Received): void {
    const state = loop.state.peek()
    switch (message.type) {
      case 'session':
        return dispatch({ type: 'named', session: message.session, why: message.why, from: message.left })
      case 'active':
        return message.session === state.sessionId
          ? dispatch({ type: 'active', idleFor: message.rested })
          : undefined
      case 'read':
        return dispatch({ type: 'read', session: message.session, sequence: message.sequence })
      case 'signed out':
        return dispatch({ type: 'signed-out', mark: message.mark, ago: message.ago })
      case 'live?':
        repeatSignOut()
        return message.session === undefined || message.session === state.sessionId
          ? sayLive(state)
          : undefined
      case 'live': {
        const { from, session, sequence, hiddenFor, rested, began, isReady } = message
        const hiddenAt = hiddenFor === undefined ? undefined : clock.now() - hiddenFor
        const peer = { from, session, sequence, hiddenAt, idleFor: rested, isReady }
        for (const question of questions) question.add(peer)
        // A tab that has just connected does not know of this one yet.
        if (began !== 'no' && session === state.sessionId) sayLive(state)
        return dispatch({ type: 'live', live: peer, began })
      }
      case 'give':
        return message.to === id ? dispatch({ type: 'give' }) : undefined
    }
  }

  function leave(): void {
    isHere = false
    channel?.close()
    channel = undefined
    for (const { end } of [...questions]) end()
    locks.release()
  }

  function whoIsLive(session: string | undefined): Promise<readonly Live[]> {
    if (!channel) return Promise.resolve([])
    return new Promise((resolve) => {
      const live: Live[] = []
      const question = {
        add(each: Live) {
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
      channel?.post({ type: 'live?', session })
    })
  }

  /** Announces to the other tabs what the service does not tell them. */
  function tell(before: State, after: State): void {
    const { session, sessionId, tabs, shown, visible, log, typed } = after
    if (sessionId === undefined) return
    if (sessionId !== before.sessionId && sessionId !== before.named?.session) {
      const divider = after.transcript.at(-1)
      const why = divider?.kind === 'divider' ? divider.reason : undefined
      channel?.post({ type: 'session', session: sessionId, why, left: [...after.past].at(-1) })
    }
    if (session.name === 'replaying' && before.session.name !== 'replaying')
      sayLive(after, session.insists === 'replaced' ? 'insists' : 'yes')
    const isGrown = tabs.announced !== before.tabs.announced && tabs.announced.sequence > 0
    if (shown && visible) {
      const isShown = log.cursor > 0 && !(before.shown && before.visible)
      if (isGrown || isShown) channel?.post({ type: 'read', session: sessionId, sequence: log.cursor })
    } else if (isGrown) sayLive(after)
    const second = (at: number) => Math.floor(at / ACTIVE_EVERY)
    if (typed.keyAt > before.typed.keyAt && second(typed.keyAt) !== second(before.typed.keyAt))
      channel?.post({ type: 'active', session: sessionId, rested: clock.now() - typed.keyAt })
  }

  return {
    alone: locks.alone,
    whoIsLive,
    askForSocket(live) {
      const since = ({ hiddenAt = Number.POSITIVE_INFINITY }: Live) => hiddenAt
      const [longest] = [...live].sort((one, other) => since(one) - since(other))
      if (longest) channel?.post({ type: 'give', to: longest.from })
    },
    signOut(mark) {
      const used = channel ?? open()
      used?.post({ type: 'signed out', mark, ago: undefined })
      if (used !== channel) used?.close()
    },
    changed(before, after) {
      const [mark] = [...after.signOuts].slice(-1)
      if (mark !== undefined && after.signOuts !== before.signOuts)
        lastSignOut = { mark, at: after.visitorSince }
      if (after.session.name === 'disposed' || after.tabs.away) return isHere ? leave() : undefined
      if (after.session.name === 'idle') return
      if (!isHere) {
        isHere = true
        channel = open()
        if (before.tabs.away) channel?.post({ type: 'live?', session: after.sessionId })
      }
      locks.claim(after.outbox)
      if (after.tabs.asking && !before.tabs.asking)
        void whoIsLive(after.sessionId).then((live) => dispatch({ type: 'answered', live, id }))
      tell(before, after)
    },
  }
}
