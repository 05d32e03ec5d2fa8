// Enters a session: chooses it, gets its token, and makes a new one where none is left. Only one tab of the browser does so at a time.

import { MAX_SOCKETS_PER_SESSION } from '../../protocol/index.ts'
import type { Access } from '../access/access.ts'
import { AccessError } from '../access/request.ts'
import { isWaiting } from '../outbox/items.ts'
import { chooseSession, otherNamed } from '../session/choice.ts'
import { isReplaced } from '../session/step.ts'
import { questionOf, REFUSALS_UNTIL_ASKED } from '../session/table.ts'
import type { PublicEvent } from '../state/events.ts'
import type { Clock } from '../state/model.ts'
import type { Refused, Session, SessionEvent } from '../state/session.ts'
import type { Effect, Loop } from './loop.ts'
import type { Storing } from './store.ts'
import type { Tabs } from './tabs.ts'

type Entering = Extract<Session, { name: 'entering' }>
type Outer = {
  loop: Loop
  access: Access
  storing: Storing
  tabs: Tabs
  clock: Clock
  tell(event: PublicEvent): void
  note(text: string): void
}

export function enterEffect({ loop, access, storing, tabs, clock, tell, note }: Outer): Effect {
  let entering: { run: number; abort: AbortController } | undefined
  const step = (event: SessionEvent) => loop.dispatch({ type: 'session', event })

  /** The session to enter. The store may name one that no tab has announced. `isLost`: the own one may be lost. */
  function choose({ sessionId: own, joins }: Entering, isLost: boolean): string | undefined {
    const state = loop.state.peek()
    const named = storing.named() ?? state.named
    const { gap, missingChunk } = state.log
    const other = otherNamed({ ...state, named })
    if (isLost && other !== undefined) return other
    return chooseSession({
      own,
      other,
      holds: own !== undefined && access.holds(own),
      unsettled:
        (gap ?? missingChunk) !== undefined ||
        state.outbox.some((item) => item.state === 'sent' && item.session === own),
      used: joins,
    })
  }

  /** True if messages wait in this page: then it needs a socket as if the visitor used it. */
  const hasWaiting = () => loop.state.peek().outbox.some(isWaiting)

  /**
   * Before a session that is refused counts as lost, the other tabs are asked: where one of them is connected to it, this one does
   * without a socket, or gets that one's.
   */
  async function ask(session: Entering, isRefused: boolean): Promise<'alone' | 'goes on' | Refused> {
    const { sessionId, insists, refusals } = session
    if (sessionId === undefined || !(isRefused || insists)) return 'alone'
    const live = await tabs.whoIsLive(sessionId)
    if (live.length === 0) return 'alone'
    const why = insists ?? (isReplaced(loop.state.peek(), clock.now()) ? 'replaced' : 'full')
    if (isRefused && (why === 'replaced' || !hasWaiting())) return why
    if (why === 'full' && (refusals > 0 || live.length >= MAX_SOCKETS_PER_SESSION)) tabs.askForSocket(live)
    return 'goes on'
  }

  async function enter(session: Entering, signal: AbortSignal): Promise<void> {
    const { run, insists } = session
    const isDenied = session.refusals >= REFUSALS_UNTIL_ASKED && !session.endReason
    const answer = await ask(session, isDenied || isReplaced(loop.state.peek(), clock.now()))
    if (signal.aborted) return
    if (answer === 'full' || answer === 'replaced') return step({ type: 'yield', cause: answer })
    const { sessionId: own } = session
    const hasStatus = own !== undefined && storing.hasStatus(own)
    const question = answer === 'alone' ? questionOf(session, hasStatus) : undefined
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
      if (choose(session, isLost) === undefined && !storing.works()) {
        const [first] = await tabs.whoIsLive(undefined)
        if (first) loop.dispatch({ type: 'named', session: first.session })
        if (signal.aborted) return
      }
      const before = storing.named()?.session
      const target = choose(session, isLost)
      const others = {
        isElsewhere: async (lost: string) => insists === undefined && (await tabs.whoIsLive(lost)).length > 0,
        // This page was frozen for so long that another one made a session meanwhile.
        isLate: () => ![undefined, before].includes(storing.named()?.session),
      }
      let entered = await access.enter(target, isLost, signal, others)
      // The browser no longer has the token of the other tabs' session, so the BFF led back to the own one.
      if (isLost && target !== own && typeof entered === 'object' && entered.sessionId === own)
        entered = await access.enter(own, isLost, signal, others)

      // A tab without a channel learns of other tabs only from the store.
      storing.look()
      if (signal.aborted) return
      if (entered === 'elsewhere') return step({ type: 'yield', cause: 'full' })
      if (entered === 'late') return attempt()
      const { sessionId, resumed, fresh } = entered
      step({ type: 'entered', run, sessionId, fresh })
      tell({ type: 'session', detail: { session_id: sessionId, resumed } })
      await entered.named
    }
    const chosen = choose(session, isLost)
    // A connection that was lost comes back without asking anybody.
    await (chosen !== undefined && !isLost && access.holds(chosen) ? attempt() : tabs.alone(attempt, signal))
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
