// Keeps the question that a user has to decide: a session has at most one, and stores one decision about it.

import type { Custom, Decision } from '../../protocol/index.ts'
import type { LockedSession } from './locked-session.ts'
import type { OpenConfirm } from './state/session.ts'

/** A decision as its turn gets it. `id`: the agent's own name of the question. */
export type Decided = { id: string; decision: Decision }

/**
 * Opens a question whose message is stored. A question that was open is cancelled before. Where the agent has the conversation no more,
 * nobody would act on the decision: it is cancelled at once.
 */
export function openConfirm(locked: LockedSession, question: OpenConfirm): void {
  locked.change({ confirm: locked.redact.deep(question) })
  if (locked.session.mode !== 'agent') cancelConfirm(locked)
}

/** Cancels the open question, if there is one. */
export function cancelConfirm(locked: LockedSession): void {
  if (locked.session.confirm) storeDecision(locked, locked.session.confirm, 'cancel')
}

/** What a user's words decide: the words of a choice are that choice, any others cancel. Undefined: no question is open. */
export function decideByWords(locked: LockedSession, text: string): Decided | undefined {
  const { confirm: question } = locked.session
  if (!question) return undefined
  const said = foldedWords(locked.redact.text(text))
  const isConfirmed = said === foldedWords(question.confirm) && said !== foldedWords(question.cancel)
  return storeDecision(locked, question, isConfirmed ? 'confirm' : 'cancel')
}

/** Whether the words are those of a choice of this question. */
export const isChoiceOf = ({ confirm, cancel }: OpenConfirm, text: string): boolean =>
  [confirm, cancel].map(foldedWords).includes(foldedWords(text))

/** Stores the decision about the open question, which closes it. */
export function storeDecision(
  locked: LockedSession,
  { id, name }: OpenConfirm,
  decision: Decision,
  custom?: Custom,
): Decided {
  locked.append({
    type: 'EVENT_TYPE_USER_DECISION',
    payload: { confirm_id: id, decision },
    custom,
    messageId: id,
  })
  locked.change({ confirm: undefined })
  return { id: name, decision }
}

const foldedWords = (text: string): string => text.normalize().trim().toLowerCase()
