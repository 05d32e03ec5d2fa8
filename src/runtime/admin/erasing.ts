// Erases conversations for the operator: a single one, all those of a phone number, or all those past their retention.

import { CommandError, findSender } from '../accounts/index.ts'
import { type ConversationsErasing, eraseConversations } from '../conversations/index.ts'
import type { Database } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'

/** Commands that erase. */
export interface Erasing {
  /** Erases a conversation with everything that belongs to it. False if it does not exist. */
  eraseConversation(id: string): Promise<boolean>
  /** Erases all data of a phone number. Returns the number of erased conversations. */
  eraseNumber(number: string): Promise<number>
  /** Erases up to `limit` conversations that ended before the given time, the oldest first. Returns their number. */
  eraseEndedBefore(endedBefore: Date, limit: number): Promise<number>
}

/** `erased` learns of the conversations that a command has erased. */
export function createErasing(
  database: Database,
  erasing: DomainEvent<ConversationsErasing>,
  erased: (ids: readonly string[]) => void,
): Erasing {
  async function erase(which: Parameters<typeof eraseConversations>[2]): Promise<number> {
    const ids = await eraseConversations(database, erasing, which)
    erased(ids)
    return ids.length
  }

  return {
    eraseConversation: async (id) => (await erase({ id })) > 0,

    async eraseNumber(number) {
      const sender = await findSender(database, number)
      if (sender)
        throw new CommandError(
          `${number} is a sender of ${sender.project_id}: the command would erase the conversations of all its users. Give the number of one user.`,
        )
      return erase({ number })
    },

    eraseEndedBefore: (endedBefore, limit) => erase({ endedBefore, limit }),
  }
}
