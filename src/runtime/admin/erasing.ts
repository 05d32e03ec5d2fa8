// Erases conversations for the operator: a single one, all those of a phone number, or all those past their retention.

import { findSender } from '../accounts/index.ts'
import { type ConversationsErasing, eraseConversations } from '../conversations/index.ts'
import type { Database } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'
import { CommandError } from './options.ts'

type Erasing = DomainEvent<ConversationsErasing>

/** Erases a conversation with everything that belongs to it. False if it does not exist. */
export const eraseConversation = async (database: Database, erasing: Erasing, id: string): Promise<boolean> =>
  (await eraseConversations(database, erasing, { id })) > 0

/** Erases all data of a phone number. Returns the number of erased conversations. */
export async function eraseNumber(database: Database, erasing: Erasing, number: string): Promise<number> {
  const sender = await findSender(database, number)
  if (sender)
    throw new CommandError(
      `${number} is a sender of ${sender.project_id}: the command would erase the conversations of all its users. Give the number of one user.`,
    )
  return eraseConversations(database, erasing, { number })
}

/** Erases all conversations that ended before the given time. Returns their number. */
export async function eraseEndedBefore(
  database: Database,
  erasing: Erasing,
  endedBefore: Date,
): Promise<number> {
  for (let all = 0; ; ) {
    const erased = await eraseConversations(database, erasing, { endedBefore })
    if (erased === 0) return all
    all += erased
  }
}
