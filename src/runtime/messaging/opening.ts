// Opens conversations by SMS and RCS for the API: with a message, or with the agent's greeting.

import type { Connector } from '../accounts/index.ts'
import { type Database, retryOnConflict } from '../database/index.ts'
import {
  messagePayload,
  type Sessions,
  storeJoin,
  storeOutgoingMessage,
  textMessage,
} from '../sessions/index.ts'
import { findOngoingConversation } from './store.ts'

/** Most attempts to open a conversation: other processes may open one between the same two numbers at the same time. */
const MOST_TRIES = 50

export type Opening = {
  connector: Connector
  userNumber: string
  agentNumber: string
  /** The RCS sender; RCS only. */
  rcsSender: string | undefined
  /** Undefined: the agent greets. */
  message: string | undefined
}

/** Opens a conversation. An ongoing one between the two numbers ends. */
export const startConversation = (database: Database, sessions: Sessions, opening: Opening): Promise<void> =>
  // Another process may open a conversation between the two steps: the next attempt ends that one too.
  retryOpening(async () => {
    const ongoing = await findOngoingConversation(database, opening.userNumber, opening.agentNumber)
    if (ongoing) await sessions.end(ongoing.id)
    await beginConversation(sessions, opening)
  })

async function beginConversation(
  sessions: Sessions,
  { connector, userNumber, agentNumber, rcsSender, message }: Opening,
): Promise<void> {
  const numbers = { userNumber, agentNumber, rcsSender: rcsSender ?? '' }
  const channel = rcsSender === undefined ? ('SMS' as const) : ('RCS' as const)
  await sessions.openByPhone(
    { owner: connector, connectorId: connector.id, channel, ...numbers },
    async (locked) => {
      if (message === undefined) return storeJoin(locked)
      locked.change({ joined: true })
      const openingMessage = { ...textMessage(locked.uuid(), message), verbatim: true }
      await storeOutgoingMessage(
        locked,
        openingMessage,
        {
          type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
          payload: messagePayload(openingMessage),
          messageId: openingMessage.id,
        },
        { agent: false },
      )
    },
  )
}

/** Runs again where another process has just opened a conversation between the same numbers. */
export const retryOpening = <T>(run: () => Promise<T>): Promise<T> => retryOnConflict(run, MOST_TRIES)
