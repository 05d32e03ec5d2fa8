// Decides which session is entered.
//
//   own        named by the browser   token of own   own is unsettled   used      enters
//   ─────────  ─────────────────────  ─────────────  ─────────────────  ────────  ──────────
//   –          –                      –              –                  –         a new one
//   –          another                –              –                  –         that one
//   own        – or own               –              –                  –         own
//   own        another                gone           –                  –         that one
//   own        another                here           –                  no        own
//   own        another                here           yes                yes       own first
//   own        another                here           no                 yes       that one
//
// "Named": the session in which the tabs of this browser go on, unless this tab has left it. "Unsettled": messages of own are not
// confirmed, or events are missing. "Used": the visitor acts in this page, or came back to it.

import type { State } from '../state/state.ts'

/** The session in which the other tabs go on, where that is another one than this tab's. */
export const otherNamed = ({ named, past, sessionId }: Pick<State, 'named' | 'past' | 'sessionId'>) =>
  named && named.session !== sessionId && !past.has(named.session) ? named.session : undefined

/** What the choice depends on. `holds`: the token of the own session is here, without which only the other one can be entered. */
export type Known = {
  readonly own: string | undefined
  readonly other: string | undefined
  readonly holds: boolean
  readonly unsettled: boolean
  readonly used: boolean
}

/** Undefined: a new session. */
export function chooseSession({ own, other, holds, unsettled, used }: Known): string | undefined {
  if (own === undefined || other === undefined || own === other) return own ?? other
  if (!holds) return other
  return used && !unsettled ? other : own
}
