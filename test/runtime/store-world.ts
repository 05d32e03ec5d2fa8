// The embedded database with every noun's tables, and conversations to put into it.

import { type Connector, saveConnector } from '../../src/runtime/accounts/connector-store.ts'
import { saveProject } from '../../src/runtime/accounts/project-store.ts'
import { createCommandEvents } from '../../src/runtime/commands.ts'
import { eraseConversations } from '../../src/runtime/conversations/log/erase-store.ts'
import {
  insertConversation,
  type NewConversation,
} from '../../src/runtime/conversations/log/opening-store.ts'
import { indexTranscripts } from '../../src/runtime/conversations/search/index-store.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { recordBeat } from '../../src/runtime/jobs/process-store.ts'
import { createRedaction } from '../../src/runtime/redact.ts'
import type { LockedSession } from '../../src/runtime/sessions/index.ts'
import type { NewEvent } from '../../src/runtime/sessions/state/session.ts'
import { insertSession, lockSession } from '../../src/runtime/sessions/state/session-store.ts'
import { createSessionEvents, createUnitOfWork } from '../../src/runtime/sessions/unit-of-work.ts'
import { migratedPglite } from '../contract/template.ts'

const START = 1_800_000_000_000
export const at = (seconds: number): Date => new Date(START + seconds * 1000)

export const CONNECTOR: Connector = {
  id: 'CON-1',
  host: 'shop.example.com',
  allow_subdomains: false,
  account_id: 'ws-1',
  project_id: 'PROJECT-1',
  environment: 'live',
  outbound_calling: true,
}
export const PROJECT = {
  id: 'PROJECT-1',
  slug: 'shop',
  account_id: 'ws-1',
  account_slug: 'larkspur',
  transcripts: true,
  settings: {},
}

export const redact = createRedaction({ cards: true })

export type Beginning = Partial<NewConversation> & { now?: Date; connectorId?: string }

/** A conversation by SMS between two numbers. */
export const text = (
  fromNumber: string,
  toNumber: string,
  channel: NewConversation['channel'] = 'SMS',
): Beginning => ({ channel, fromNumber, toNumber })

export const said = (words: string, more: Partial<NewEvent> = {}): NewEvent => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text: words },
  ...more,
})

/** A turn with what was said on both sides. */
export const turn = (input: string, response?: string) => async (locked: LockedSession) => {
  const { sequence: inputSequence } = locked.append(said(input))
  await locked.log.beginTurn({ inputSequence, input, at: at(0) })
  if (response !== undefined) await locked.log.respond(response, at(2), { agent: true, inputSequence })
}

export async function createStoreWorld() {
  const database = await migratedPglite()
  await saveProject(database, PROJECT)
  await saveConnector(database, CONNECTOR, 'connector-token')
  await recordBeat(database, 'alive', 'build', at(0))
  const { conversationsErasing } = createCommandEvents()
  const made = new Set<string>()
  let counter = 0
  let uuids = 0
  const uuid = () => `id-${++uuids}`

  async function run<T>(
    tx: Parameters<Parameters<Database['transaction']>[0]>[0],
    id: string,
    change: (locked: LockedSession) => Promise<T> | T,
    now: Date,
  ): Promise<T | undefined> {
    const session = await lockSession(tx, id)
    if (!session) return undefined
    const events = createSessionEvents()
    const unit = createUnitOfWork({ tx, session, events, redact, now, uuid })
    const result = await change(unit.locked)
    unit.save()
    return result
  }

  return {
    database,
    /** Runs one transaction on a session, at a time. */
    locked: <T>(id: string, change: (locked: LockedSession) => Promise<T> | T, now = at(0)) =>
      database.transaction((tx) => run(tx, id, change, now)),

    /** Begins a conversation with its session. */
    async begin(
      { now = at(0), connectorId = 'CON-1', ...more }: Beginning = {},
      first: (locked: LockedSession) => Promise<unknown> | unknown = () => {},
    ): Promise<string> {
      const id = more.id ?? `session-${String(++counter).padStart(4, '0')}`
      made.add(id)
      const conversation: NewConversation = {
        ...{ accountId: 'ws-1', projectId: 'PROJECT-1', environment: 'live', channel: 'WEBCHAT' as const },
        ...more,
        id,
      }
      const family =
        conversation.channel === 'WEBCHAT'
          ? ('chat' as const)
          : conversation.channel === 'VOICE-SIP'
            ? ('voice' as const)
            : ('messaging' as const)
      await database.transaction(async (tx) => {
        await insertConversation(tx, conversation, now)
        const session = { id, connectorId, tokenId: 'token', platform: 'web' as const, streaming: true }
        await insertSession(tx, { ...session, family })
        await run(tx, id, first, now)
      })
      return id
    },

    erase: (which: Parameters<typeof eraseConversations>[2]) =>
      eraseConversations(database, conversationsErasing, which),
    index: () => indexTranscripts(database, { quietSince: at(1_000_000), limit: 1_000 }),

    /** Erases every conversation that was begun. */
    async clear() {
      for (const id of made) await eraseConversations(database, conversationsErasing, { id })
      made.clear()
    },
    close: () => database.close(),
  }
}
