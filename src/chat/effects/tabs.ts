// Keeps the tabs of one browser in step (law L10). Each has its own socket on the one session, and hears from the service what the others
// did. What the service does not tell goes over a channel.

import { isConnected } from '../session/timers.ts'
import type { Clock, ShareTabs } from '../state/model.ts'
import type { State } from '../state/state.ts'
import { openChannel, type Received, type TabChannel } from './channel.ts'
import { createLocks, type PageLocks } from './locks.ts'
import type { Effect, Loop } from './loop.ts'

/** Time for a connected tab to answer. */
const ANSWER = 300
/** The visitor's typing is announced at most once in this time. */
const ACTIVE_EVERY = 1_000

export interface Tabs {
  readonly changed: Effect
  readonly alone: PageLocks['alone']
  /** The sessions, or this one, to which other tabs answer within 300 ms that they are connected. */
  whoIsLive(session: string | undefined): Promise<readonly string[]>
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
  const { dispatch } = loop
  const locks = createLocks(share?.locks, { name, clock, dispatch })
  let isHere = false
  let channel: TabChannel | undefined
  /** The last sign-out that this tab heard of. */
  let lastSignOut: { mark: string; at: number } | undefined
  const questions = new Set<{ add(tab: string, session: string): void; end(): void }>()
  const open = () => share && openChannel(share, name, id, receive)

  /** For a tab that was suspended during the sign-out and asks now: the store may not have the mark. */
  function repeatSignOut(): void {
    if (lastSignOut)
      channel?.post({
        type: 'signed out',
        mark: lastSignOut.mark,
        ago: Math.max(0, clock.now() - lastSignOut.at),
      })
  }

  function sayActive({ sessionId, typed }: State): void {
    if (sessionId !== undefined && Number.isFinite(typed.keyAt))
      channel?.post({ type: 'active', session: sessionId, rested: clock.now() - typed.keyAt })
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
        if (state.sessionId === undefined || !isConnected(state)) return
        if (message.session !== undefined && message.session !== state.sessionId) return
        channel?.post({ type: 'live', session: state.sessionId })
        // A tab that was frozen missed it.
        return sayActive(state)
      case 'live':
        for (const question of questions) question.add(message.from, message.session)
    }
  }

  function leave(): void {
    isHere = false
    channel?.close()
    channel = undefined
    for (const { end } of [...questions]) end()
    locks.release()
  }

  function whoIsLive(session: string | undefined): Promise<readonly string[]> {
    if (!channel) return Promise.resolve([])
    return new Promise((resolve) => {
      // A tab may answer to the question of another one too.
      const live = new Map<string, string>()
      const question = {
        add(tab: string, its: string) {
          if (session === undefined || its === session) live.set(tab, its)
        },
        end() {
          stop()
          questions.delete(question)
          resolve([...live.values()])
        },
      }
      const stop = clock.after(ANSWER, question.end)
      questions.add(question)
      channel?.post({ type: 'live?', session })
    })
  }

  /** Announces to the other tabs what the service does not tell them. */
  function tell(before: State, after: State): void {
    const { sessionId, tabs, shown, visible, typed } = after
    const { log } = after.conversation
    if (sessionId === undefined) return
    if (sessionId !== before.sessionId && sessionId !== before.named?.session) {
      const divider = after.transcript.at(-1)
      const why = divider?.kind === 'divider' ? divider.reason : undefined
      channel?.post({ type: 'session', session: sessionId, why, left: [...after.past].at(-1) })
    }
    const hasLooked = shown && visible && !(before.shown && before.visible)
    if (log.cursor > 0 && (tabs.told.at !== before.tabs.told.at || hasLooked))
      channel?.post({ type: 'read', session: sessionId, sequence: log.cursor })
    const second = (at: number) => Math.floor(at / ACTIVE_EVERY)
    if (typed.keyAt > before.typed.keyAt && second(typed.keyAt) !== second(before.typed.keyAt))
      sayActive(after)
  }

  return {
    alone: locks.alone,
    whoIsLive,
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
      tell(before, after)
    },
  }
}
