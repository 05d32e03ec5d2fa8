// Connects a call to its session: stores what the user says as inputs, and gathers the agent's answers to be spoken.

import { plainText } from '../conversations/index.ts'
import {
  eventsOf,
  type Hub,
  isActive,
  type LockedSession,
  type Sessions,
  storeJoin,
  storeUserMessage,
} from '../sessions/index.ts'
import type { Turns } from '../turns/index.ts'
import type { CallLeg, SpokenAnswer } from './carrier.ts'

export type LineOptions = { sessions: Sessions; turns: Turns; hub: Hub }

export function createLine({ sessions, turns, hub }: LineOptions, sessionId: string): CallLeg {
  /** Stores an input, and gathers the answers until no turn of the session runs. */
  async function answerTo(input: (locked: LockedSession) => Promise<void>): Promise<SpokenAnswer> {
    const spokenTexts: string[] = []
    let hangUp = false
    const unsubscribe = hub.subscribe(sessionId, (told) => {
      for (const { type, payload } of eventsOf(told)) {
        if (type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
          spokenTexts.push(plainText(String(payload.text ?? '')))
        if (type === 'EVENT_TYPE_SESSION_END') hangUp = true
      }
    })
    try {
      await sessions.commit(sessionId, 'store what a caller said', async (locked) => {
        if (isActive(locked.session)) await input(locked)
        // Another process has ended it: nobody would tell this one.
        else hangUp = true
      })
      await turns.settled(sessionId)
    } finally {
      unsubscribe()
    }
    return { text: spokenTexts.filter((text) => text !== '').join('\n'), hangUp }
  }
  return {
    answered: () => answerTo((locked) => storeJoin(locked)),
    heard: ({ speech = '', dtmf }) =>
      answerTo((locked) =>
        storeUserMessage(locked, {
          text: speech || (dtmf ?? ''),
          spoken: speech,
          dtmf,
          silence: speech === '' && !dtmf,
        }),
      ),
  }
}
