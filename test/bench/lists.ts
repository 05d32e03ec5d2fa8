// Every list that the API and the runtime ask for, by the store's own functions.

import { abandonedCalls, callsQueuedBefore } from '../../src/runtime/calls/store.ts'
import { createCommandEvents } from '../../src/runtime/commands.ts'
import type { Filter } from '../../src/runtime/conversations/filter-store.ts'
import { peaks } from '../../src/runtime/conversations/list/concurrency.ts'
import {
  conversationSpans,
  listConversations,
  sampleConversations,
  turnsOf,
} from '../../src/runtime/conversations/list/list-store.ts'
import { eraseConversations } from '../../src/runtime/conversations/log/erase-store.ts'
import {
  indexTranscripts,
  makeUndatedIndex,
  unindexedOf,
} from '../../src/runtime/conversations/search/index-store.ts'
import { searchTranscripts } from '../../src/runtime/conversations/search/search-store.ts'
import { MOST_COMPARED, TooManyToCompare } from '../../src/runtime/conversations/semantic/nearest-store.ts'
import { offlineEmbeddings } from '../../src/runtime/conversations/semantic/offline-embeddings.ts'
import { createVectorStore } from '../../src/runtime/conversations/semantic/vector-store.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { linesOf } from '../../src/runtime/handoff/line-store.ts'
import {
  findHandoff,
  meanWait,
  queuedHandoffs,
  queuedSockets,
  waitingHandoffs,
  waitingSince,
} from '../../src/runtime/handoff/store.ts'
import { findOngoingConversation } from '../../src/runtime/messaging/store.ts'
import { removeEvents } from '../../src/runtime/sessions/state/event-removal-store.ts'
import { chatsGone, idleSessions } from '../../src/runtime/sessions/state/session-store.ts'
import { lostTurns, unansweredSessions } from '../../src/runtime/turns/store.ts'
import { DAY_MS, PROJECT } from './seed.ts'

export type List = { name: string; run: () => Promise<unknown> }
export type ListOptions = {
  now: Date
  /** Conversations on a page; one more is asked for, as the API does to learn whether there are more. */
  page: number
  /** The number of the page far down the list. */
  far: number
}

const FIVE_MINUTES = 300_000

/** The API's lists, with the vectors that the embedder would have made in place. */
export async function apiLists(database: Database, { now, page, far }: ListOptions): Promise<List[]> {
  const vectors = createVectorStore(database)
  const { model, size } = offlineEmbeddings
  await vectors.makeIndex(size)
  await makeUndatedIndex(database)
  const limit = page + 1
  const live: Filter = { projectId: PROJECT, environment: 'live' }
  const last = (days: number): Filter => ({ ...live, from: new Date(now.getTime() - days * DAY_MS), to: now })
  const offset = (far - 1) * page
  const [before] = await listConversations(database, live, { limit: 1, offset: offset - 1 })
  if (!before) throw new Error(`There is no page ${far}`)
  const after = { startedAt: before.started_at, id: before.id }
  const first = await listConversations(database, live, { limit: page })
  const ids = first.map(({ id }) => id)
  const [number] = (
    await listConversations(database, { ...live, channels: ['VOICE-SIP'] }, { limit: 1 })
  ).map(({ from_number }) => from_number)
  const [vector = []] = await offlineEmbeddings.embed(['my bicycle has a broken chain'])

  const list = (name: string, more: Partial<Filter>): List => ({
    name,
    run: () => listConversations(database, { ...live, ...more }, { limit }),
  })
  const search = (name: string, text: string, days: number, side?: 'user' | 'agent'): List => ({
    name: `search ${name}`,
    run: () => searchTranscripts(database, last(days), { text, side }, { limit, offset: 0, asOf: now }),
  })
  /** The page after the first one. */
  async function nextOfSearch(text: string, days: number): Promise<List[]> {
    const query = { text }
    const page = { offset: 0, asOf: now }
    const found = await searchTranscripts(database, last(days), query, { ...page, limit: limit - 1 })
    const after = found.at(-1)?.place
    const run = () => searchTranscripts(database, last(days), query, { ...page, limit, after })
    return after ? [{ name: 'search for one word, a year, page 2 by cursor', run }] : []
  }
  async function nextOfNearest(days: number): Promise<List[]> {
    const query = { model, vector }
    const page = { offset: 0, asOf: now }
    const found = await vectors.nearest(database, last(days), query, { ...page, limit: limit - 1 })
    const after = found.at(-1)?.place
    const run = () => vectors.nearest(database, last(days), query, { ...page, limit, after })
    return after ? [{ name: 'semantic search, a week, page 2 by cursor', run }] : []
  }
  const nearest = (name: string, days: number): List => ({
    name: `semantic search, ${name}`,
    run: () => vectors.nearest(database, last(days), { model, vector }, { limit, offset: 0, asOf: now }),
  })
  // Fewer are compared one by one, more need an index of vectors.
  const many = (await listConversations(database, live, { limit: 1, offset: MOST_COMPARED })).length > 0
  const indexes = await database.query(
    "SELECT 1 FROM pg_indexes WHERE schemaname = 'foyer' AND starts_with(indexname, 'embedding_nearest_')",
  )
  const indexed = many && indexes.length > 0
  const week = Math.floor((now.getTime() - 7 * DAY_MS) / FIVE_MINUTES) * FIVE_MINUTES
  const concurrency = (name: string, more: Partial<Filter>): List => ({
    name: `concurrency of a week${name}`,
    async run() {
      const to = week + 7 * DAY_MS
      const spans = await conversationSpans(database, { ...live, ...more }, new Date(week), new Date(to))
      return peaks(spans, week, to)
    },
  })

  return [
    { name: 'first page', run: () => listConversations(database, live, { limit }) },
    { name: `page ${far} by cursor`, run: () => listConversations(database, live, { limit, after }) },
    { name: `page ${far} by offset`, run: () => listConversations(database, live, { limit, offset }) },
    { name: 'the turns of a page', run: () => turnsOf(database, ids) },
    list('start_time and end_time (a week)', last(7)),
    list('client_env=sandbox', { environment: 'sandbox' }),
    list('another project', { projectId: 'PROJECT-othr0003' }),
    list('channel=voice', { channels: ['VOICE-SIP'] }),
    list('channel=rcs', { channels: ['RCS'] }),
    list('channel=sms, channel=rcs', { channels: ['RCS', 'SMS'] }),
    list('channel=fax, channel=post (none)', { channels: ['FAX', 'POST'] }),
    list('variant_id', { variantId: 'VAR-4' }),
    list('variant_name', { variantName: 'Variant 4' }),
    list('in_progress=true', { inProgress: true }),
    list('in_progress=false', { inProgress: false }),
    list('channel, variant_id, in_progress, a month', {
      ...last(30),
      channels: ['WEBCHAT'],
      variantId: 'VAR-2',
      inProgress: false,
    }),
    search('for a customer number, a year', 'KD7', 365),
    search('for three words, a month', 'refund warranty claim', 30),
    search('for a phrase, a month', '"refund warranty"', 30),
    search('for one word the user said, a month', 'refund', 30, 'user'),
    search('for two words and not a third, a month', 'bicycle helmet -parcel', 30),
    search('for one word, a month', 'refund', 30),
    search('for one word, a year', 'refund', 365),
    ...(await nextOfSearch('refund', 365)),
    search('for the absence of a word, a week', '-parcel', 7),
    nearest('a day', 1),
    nearest('a week', 7),
    ...(await nextOfNearest(7)),
    ...(many && !indexed ? [] : [nearest('a month', 30)]),
    ...(indexed ? [nearest('a year', 365)] : []),
    { name: 'sample, a month', run: () => sampleConversations(database, last(30), page) },
    { name: 'sample, a year', run: () => sampleConversations(database, last(365), page) },
    concurrency('', {}),
    concurrency(', one variant', { variantId: 'VAR-4' }),
    concurrency(', one language', { language: 'de-DE' }),
    concurrency(', one number', { phoneNumber: number ?? '' }),
  ]
}

/** What the runtime asks again and again while nothing happens. */
export function sweepLists(database: Database, now: Date): List[] {
  const { conversationsErasing } = createCommandEvents()
  const vectors = createVectorStore(database)
  const longAgo = new Date(now.getTime() - 400 * DAY_MS)
  const erase = (which: Parameters<typeof eraseConversations>[2]) =>
    eraseConversations(database, conversationsErasing, which)
  return [
    {
      name: 'idle chats',
      run: () => idleSessions(database, { family: 'chat', before: longAgo, unwarned: true }),
    },
    {
      name: 'idle text conversations',
      run: () => idleSessions(database, { family: 'messaging', before: longAgo }),
    },
    { name: 'turns of processes that are gone', run: () => lostTurns(database, 'bench', []) },
    { name: 'sessions that wait for an answer', run: () => unansweredSessions(database) },
    { name: 'what has no vector yet', run: () => vectors.claimTexts('bench', { quietSince: now, now }, 32) },
    {
      name: 'what is not indexed yet',
      run: () => indexTranscripts(database, { quietSince: now, limit: 20 }),
    },
    { name: 'what a search would have to index', run: () => unindexedOf(database, PROJECT, 10_000) },
    { name: 'conversations past their retention', run: () => erase({ endedBefore: longAgo, limit: 100 }) },
    { name: 'events of sessions that ended long ago', run: () => removeEvents(database, longAgo, 100) },
    { name: 'chats whose user has left', run: () => chatsGone(database, now, longAgo) },
    { name: 'who in the handoff queue is there', run: () => queuedSockets(database, 'one', [PROJECT]) },
    { name: 'places in the handoff queue', run: () => waitingHandoffs(database, PROJECT) },
    { name: 'the lines of a conversation', run: () => linesOf(database, PROJECT, 'nobody') },
    { name: 'the handoff queue', run: () => queuedHandoffs(database, 'one', PROJECT) },
    { name: 'who waits in the handoff queue for too long', run: () => waitingSince(database, longAgo) },
    { name: 'how long the last ones waited', run: () => meanWait(database, PROJECT) },
    {
      name: 'a handoff by its shared id',
      run: () => findHandoff(database, PROJECT, { sharedId: 'shared-1' }),
    },
    { name: 'calls that wait too long', run: () => callsQueuedBefore(database, now) },
    { name: 'calls of processes that are gone', run: () => abandonedCalls(database, 'bench', []) },
    {
      name: 'the open conversation of two numbers',
      run: () => findOngoingConversation(database, '+15550000000', '+15005550006'),
    },
    { name: 'what is known of a number', run: () => erase({ number: '+10000000000' }) },
  ]
}

/** True where semantic search over everything is refused, as it has to be without pgvector. */
export async function refusesSemantic(database: Database, now: Date): Promise<boolean> {
  const vectors = createVectorStore(database)
  const { model, size } = offlineEmbeddings
  await vectors.makeIndex(size)
  const [vector = []] = await offlineEmbeddings.embed(['anything'])
  try {
    await vectors.nearest(
      database,
      { projectId: PROJECT, environment: 'live' },
      { model, vector },
      { limit: 1, offset: 0, asOf: now },
    )
    return false
  } catch (error) {
    if (error instanceof TooManyToCompare) return true
    throw error
  }
}
