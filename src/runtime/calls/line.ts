// Connects a call to its session: stores what the user says as inputs, and reads the agent's answers, to be spoken.

import type { Clock } from '../clock.ts'
import { plainText } from '../conversations/index.ts'
import { whileUnreachable } from '../database/index.ts'
import {
  isActive,
  type LockedSession,
  type Sessions,
  storeJoin,
  storeUserMessage,
} from '../sessions/index.ts'
import type { Turns } from '../turns/index.ts'
import type { CallLeg, SpokenAnswer } from './carrier.ts'

export type LineOptions = { sessions: Sessions; turns: Turns; clock: Clock }

/** Works on any process: what is said goes through the store, whichever process answers it. */
export function createLine({ sessions, turns, clock }: LineOptions, sessionId: string): CallLeg {
  /** Stores an input, and reads the answers once no turn of the session runs. */
  async function answerTo(input: (locked: LockedSession) => Promise<void>): Promise<SpokenAnswer> {
    const before = await sessions.commit(sessionId, 'store what a caller said', async (locked) => {
      if (!isActive(locked.session)) return undefined
      const last = locked.session.nextSequence - 1
      await input(locked)
      return last
    })
    if (before === undefined) return { text: '', hangUp: true }
    await turns.settled(sessionId)
    return answerAfter(before)
  }

  /** What was said, and whether the session has ended, after the event with this sequence. */
  async function answerAfter(sequence: number): Promise<SpokenAnswer> {
    const spokenTexts: string[] = []
    let hangUp = false
    for (let after = sequence, more = true; more; ) {
      const from = after
      const page = await whileUnreachable(clock, () => sessions.replay(sessionId, from))
      for (const { type, payload } of page.events) {
        if (type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
          spokenTexts.push(plainText(String(payload.text ?? '')))
        if (type === 'EVENT_TYPE_SESSION_END') hangUp = true
      }
      after = page.events.at(-1)?.sequence ?? after
      more = page.more
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
