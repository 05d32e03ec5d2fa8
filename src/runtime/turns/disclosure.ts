// Tells the user of a phone, in the agent's first message of a conversation, that a machine answers. In a chat the panel says so.

import { type DisclosureSetting, projectOf } from '../accounts/index.ts'
import { plainText } from '../conversations/index.ts'
import type { LockedSession, StoredEvent } from '../sessions/index.ts'
import type { Agent } from './agent.ts'
import { disclosureText } from './disclosure-text.ts'

/**
 * Returns the sentence that belongs before the agent's first message, and records it in the transaction that stores the message. Undefined:
 * none does. `says`: whether the agent says something; if not, and it says nothing more before the user speaks (`last`), only a caller,
 * who would hear nothing, is told.
 * `answers`: what the agent says of itself.
 */
export type Disclosure = (
  locked: LockedSession,
  input: StoredEvent,
  turn: Pick<Agent, 'answers'> & { says: boolean; last: boolean },
) => Promise<string | undefined>

/** `setting`: of projects without one of their own. */
export const createDisclosure =
  (setting: DisclosureSetting | undefined): Disclosure =>
  async (locked, input, { answers, says, last }) => {
    const { session, log, tx, now } = locked
    const { family, conversation } = session
    if (family === 'chat' || session.disclosed || !(says || last)) return undefined
    // The answer to STOP reaches nobody: the user has opted out.
    if (family === 'messaging' && (!says || input.payload.text === 'STOP')) return undefined
    const project = await projectOf(tx, conversation.projectId)
    const disclosure = disclosureText(
      conversation.language,
      { answers },
      project?.settings.disclosure ?? setting,
    )
    if (!disclosure) return undefined
    locked.change({ disclosed: true })
    log.disclosed({ ...disclosure, text: plainText(disclosure.text), channel: conversation.channel }, now)
    return disclosure.text
  }
