// Enters a session: chooses it, gets its token, and makes a new one where none is left. Only one tab of the browser does so at a time.

import { MAX_SOCKETS_PER_SESSION } from '../../protocol/index.ts'
import type { Access } from '../access/access.ts'
import { AccessError } from '../access/request.ts'
import { isWaiting } from '../outbox/items.ts'
import { chooseSession, otherNamed } from '../session/choice.ts'
import { questionOf, REFUSALS_UNTIL_ASKED, REFUSED_LONG } from '../session/table.ts'
import type { PublicEvent } from '../state/events.ts'
import type { Session, SessionEvent } from '../state/session.ts'
import type { Effect, Loop } from './loop.ts'
import type { Storing } from './store.ts'
import type { Tabs } from './tabs.ts'

type Entering = Extract<Session, { name: 'entering' }>
type Outer = {
  loop: Loop
  access: Access
  storing: Storing
  tabs: Tabs
  tell(event: PublicEvent): void
  note(text: string): void
}

export function enterEffect({ loop, access, storing, tabs, tell, note }: Outer): Effect {
  let entering: { run: number; abort: AbortController } | undefined
  const step = (event: SessionEvent) => loop.dispatch({ type: 'session', event })

  /** The session to enter. The store may name one that no tab has announced. `isLost`: the own one may be lost. */
  function choose({ sessionId: own, follows }: Entering, isLost: boolean): string | undefined {
    const state = loop.state.peek()
    const named = storing.named() ?? state.named
    const { gap, missingChunk } = state.conversation.log
    const other = otherNamed({ ...state, named })
    if (isLost && other !== undefined) return other
    return chooseSession({
      own,
      other,
      holds: own !== undefined && access.holds(own),
      unsettled:
        (gap ?? missingChunk) !== undefined ||
        state.outbox.some((item) => item.state === 'sent' && item.session === own),
      used: follows,
    })
  }

  /** Nobody has seen this page, and nothing waits in it: it needs no socket where another tab has one. */
  const isUnseen = () => {
    const { tabs, visible, outbox } = loop.state.peek()
    return tabs.shared && !tabs.seen && !visible && !outbox.some(isWaiting)
  }

  async function enter(session: Entering, signal: AbortSignal): Promise<void> {
    const { run, sessionId: own } = session
    const isDenied = session.refusals >= REFUSALS_UNTIL_ASKED && !session.endReason
    // Before a session that is refused counts as lost, the other tabs are asked: it goes on where one of them is live in it.
    const live = own !== undefined && isDenied ? (await tabs.whoIsLive(own)).length : 0
    if (signal.aborted) return
    if (live >= MAX_SOCKETS_PER_SESSION || (live > 0 && session.refusedFor >= REFUSED_LONG))
      return step({ type: 'taken', run })
    const question = live > 0 ? undefined : questionOf(session, own !== undefined && storing.hasStatus(own))
    if (question === 'status' && own !== undefined && access.holds(own)) {
      const state = await access.statusOf(own, signal)
      if (signal.aborted) return
      note(`the service says of the session: ${state ?? 'nothing that proves anything'}`)
      step({ type: 'told', run, state })
      if (signal.aborted) return
    }
    const isLost = question === 'another'
    const attempt = async (): Promise<void> => {
      if (signal.aborted) return
      // Somebody may come to look at the page while the other tabs answer.
      if (isUnseen() && (await tabs.whoIsLive(undefined)).length > 0 && isUnseen())
        return step({ type: 'suspend' })
      if (signal.aborted) return
      if (choose(session, isLost) === undefined && !storing.works()) {
        const [first] = await tabs.whoIsLive(undefined)
        if (first !== undefined) loop.dispatch({ type: 'named', session: first })
        if (signal.aborted) return
      }
      const before = storing.named()?.session
      const target = choose(session, isLost)
      const others = {
        // A visitor who uses a page without a token gets a new session, and the other tabs follow: nothing else brings such a page back.
        isElsewhere: async (lost: string) => !session.follows && (await tabs.whoIsLive(lost)).length > 0,
        // This page was frozen for so long that another one made a session meanwhile.
        isLate: () => ![undefined, before].includes(storing.named()?.session),
      }
      let entered = await access.enter(target, isLost, signal, others)
      // The browser no longer has the token of the other tabs' session, so the BFF led back to the own one.
      if (isLost && target !== own && typeof entered === 'object' && entered.sessionId === own)
        entered = await access.enter(own, isLost, signal, others)

      // A tab without a channel learns of other tabs only from the store.
      storing.readAgain()
      if (signal.aborted) return
      if (entered === 'elsewhere') return step({ type: 'taken', run })
      if (entered === 'late') return attempt()
      const { sessionId, resumed, fresh } = entered
      step({ type: 'entered', run, sessionId, fresh })
      tell({ type: 'session', detail: { session_id: sessionId, resumed } })
      await entered.named
    }
    const chosen = choose(session, isLost)
    // A connection that was lost comes back without asking anybody.
    const comesBack = chosen !== undefined && !isLost && !isUnseen() && access.holds(chosen)
    await (comesBack ? attempt() : tabs.alone(attempt, signal))
  }

  function failed(run: number, error: unknown): void {
    const known = error instanceof AccessError ? error : new AccessError('unexpected answer')
    note(`no access: ${known.message}`)
    step(known.refused ? { type: 'refused', run } : { type: 'failed', run, retryAfter: known.retryAfter })
    if (known.refused) tell({ type: 'error', detail: { code: 'refused', message: known.message } })
  }

  return (_, { session }) => {
    if (entering && !(session.name === 'entering' && session.run === entering.run)) {
      entering.abort.abort()
      entering = undefined
    }
    if (session.name !== 'entering' || entering) return
    const abort = new AbortController()
    entering = { run: session.run, abort }
    enter(session, abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted) failed(session.run, error)
    })
  }
}
