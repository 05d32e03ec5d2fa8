// Takes in messages from phones: each joins the open conversation between the two numbers, or opens one.

import { type Log, traced } from '../../api/index.ts'
import { findSender, projectOf, type Sender, sendersOf } from '../accounts/index.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/index.ts'
import {
  isActive,
  isChoiceOf,
  isMessageStored,
  type LockedSession,
  type Sessions,
  storeUserMessage,
} from '../sessions/index.ts'
import type { InboundMessage } from './carrier.ts'
import { checkInbound } from './check-inbound.ts'
import { type Keyword, keywordOf, mayBeChoice } from './keywords.ts'
import { retryOpening } from './opening.ts'
import { findOngoingConversation, isOptedOut, saveConsent } from './store.ts'

export type InboundOptions = {
  database: Database
  sessions: Sessions
  clock: Clock
  log: Log
}

/**
 * Takes in one message from a phone. If two messages open a conversation at once, the second joins that of the first. Rejects with a TypeError
 * if the message is none.
 */
export async function receiveMessage(options: InboundOptions, message: InboundMessage): Promise<void> {
  checkInbound(message)
  return traced('message', { 'foyer.family': 'messaging' }, () =>
    retryOpening(() => receive(options, message)),
  )
}

async function receive({ database, sessions, clock, log }: InboundOptions, message: InboundMessage) {
  const sender = await findSender(database, message.to)
  if (!sender)
    return log('an inbound message was dropped: the number it was sent to belongs to no project', 'warn')
  const { from: userNumber, to: agentNumber } = message
  const optedOut = await isOptedOut(database, userNumber, agentNumber)
  const ongoing = await findOngoingConversation(database, userNumber, agentNumber)
  const isChoice =
    !optedOut && mayBeChoice(message.text) && ongoing?.confirm && isChoiceOf(ongoing.confirm, message.text)
  const keyword = 'keyword' in message ? message.keyword : isChoice ? undefined : keywordOf(message.text)
  // The carrier itself replies to HELP.
  if (keyword === 'HELP') return
  if (optedOut && keyword !== 'START') return
  if (keyword === 'STOP' || (keyword === 'START' && optedOut)) {
    const consent = { userNumber, agentNumber, optedOut: keyword === 'STOP' }
    await saveConsent(database, consent, new Date(clock.now()))
  }
  const channel = ongoing?.channel ?? (message.channel === 'rcs' ? 'RCS' : 'SMS')
  // On plain SMS the agent does not see keywords.
  if (keyword && channel === 'SMS') return
  const inboundText = inboundTextOf(message, keyword)
  if (inboundText.text === '') return

  const joinedOpen =
    ongoing !== undefined &&
    (await sessions.commit(ongoing.id, 'store an inbound message', async (locked) => {
      if (!isActive(locked.session)) return false
      await storeInboundMessage(locked, message.id, inboundText)
      return true
    }))
  if (joinedOpen) return
  const owner = await ownerOf(database, sender)
  if (!owner) return
  const rcsSender = channel === 'RCS' ? await rcsSenderOf(database, sender) : ''
  const opening = { owner, connectorId: undefined, channel, userNumber, agentNumber, rcsSender }
  try {
    await sessions.openByPhone(opening, async (locked) => {
      if (!(await storeInboundMessage(locked, message.id, inboundText))) throw new StoredBefore()
    })
  } catch (error) {
    if (!(error instanceof StoredBefore)) throw error
  }
}

/** Rolls back the conversation that the carrier's second copy of a message would have opened. */
class StoredBefore extends Error {
  override name = 'StoredBefore'
}

/** Stores a message, unless it was stored before. */
async function storeInboundMessage(
  locked: LockedSession,
  id: string,
  { text, metadata }: InboundText,
): Promise<boolean> {
  const { tx, session, redact } = locked
  if (await isMessageStored(tx, session.conversation, redact.id(id))) return false
  if (metadata && session.family !== 'chat')
    locked.change({ attributes: { ...session.attributes, metadata } })
  await storeUserMessage(locked, { text, clientId: id })
  return true
}

async function ownerOf(database: Database, { project_id, environment }: Sender) {
  const project = await projectOf(database, project_id)
  return project && { account_id: project.account_id, project_id, environment }
}

async function rcsSenderOf(database: Database, { project_id, environment }: Sender): Promise<string> {
  const senders = await sendersOf(database, project_id, environment)
  return senders.find(({ kind }) => kind === 'rcs')?.address ?? ''
}

type InboundText = { text: string; metadata: Record<string, unknown> | undefined }

/** Returns the text with markers for its attachments, and the metadata of the attachments. */
function inboundTextOf(
  { text, media, location, button }: InboundMessage,
  keyword: Keyword | undefined,
): InboundText {
  // The agent gets the keyword itself, not the user's spelling of it.
  if (keyword) return { text: keyword, metadata: undefined }
  const tags = [media?.length && '<media/>', location && '<location/>', button && '<button/>'].filter(Boolean)
  if (tags.length === 0) return { text: text.trim(), metadata: undefined }
  const marker = `<metadata>${tags.join('')}</metadata>`
  return {
    text: [text.trim(), marker].filter((part) => part !== '').join('\n'),
    metadata: { ...(media?.length && { media }), ...(location && { location }), ...(button && { button }) },
  }
}
