// Every list that the API and the runtime ask for, by the store's own functions.

import { createCalls } from '../../src/runtime/calls/store.ts'
import { peaks } from '../../src/runtime/conversations/concurrency.ts'
import { offlineEmbeddings } from '../../src/runtime/conversations/offline-embeddings.ts'
import { createRecords } from '../../src/runtime/conversations/store.ts'
import { MOST_COMPARED } from '../../src/runtime/conversations/vector-store.ts'
import { createHandoffs } from '../../src/runtime/handoff/store.ts'
import { createTexts } from '../../src/runtime/messaging/store.ts'
import { createClean } from '../../src/runtime/redact.ts'
import { createSessions } from '../../src/runtime/sessions/store.ts'
import { type Database, type Filter, TooManyToCompare } from '../../src/runtime/store-index.ts'
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
  const records = createRecords(database)
  const { model, size } = offlineEmbeddings
  await records.useModel(model, size)
  const limit = page + 1
  const live: Filter = { projectId: PROJECT, environment: 'live' }
  const last = (days: number): Filter => ({ ...live, from: new Date(now.getTime() - days * DAY_MS), to: now })
  const offset = (far - 1) * page
  const [before] = await records.page(live, { limit: 1, offset: offset - 1 })
  if (!before) throw new Error(`There is no page ${far}`)
  const after = { startedAt: before.started_at, id: before.id }
  const first = await records.page(live, { limit: page })
  const ids = first.map(({ id }) => id)
  const [number] = (await records.page({ ...live, channels: ['VOICE-SIP'] }, { limit: 1 })).map(
    ({ from_number }) => from_number,
  )
  const [vector = []] = await offlineEmbeddings.embed(['my bicycle has a broken chain'])

  const list = (name: string, more: Partial<Filter>): List => ({
    name,
    run: () => records.page({ ...live, ...more }, { limit }),
  })
  const search = (name: string, text: string, days: number, side?: 'user' | 'agent'): List => ({
    name: `search ${name}`,
    run: () => records.search(last(days), { text, side }, { limit, offset: 0, asOf: now }),
  })
  const nearest = (name: string, days: number): List => ({
    name: `semantic search, ${name}`,
    run: () => records.nearest(last(days), { model, vector }, { limit, offset: 0, asOf: now }),
  })
  // Fewer are compared one by one, more need an index of vectors.
  const many = (await records.page(live, { limit: 1, offset: MOST_COMPARED })).length > 0
  const indexed = many && records.hasVectorIndex()
  const week = Math.floor((now.getTime() - 7 * DAY_MS) / FIVE_MINUTES) * FIVE_MINUTES
  const concurrency = (name: string, more: Partial<Filter>): List => ({
    name: `concurrency of a week${name}`,
    async run() {
      const to = week + 7 * DAY_MS
      const spans = await records.spans({ ...live, ...more }, new Date(week), new Date(to))
      return peaks(spans, week, to)
    },
  })

  return [
    { name: 'first page', run: () => records.page(live, { limit }) },
    { name: `page ${far} by cursor`, run: () => records.page(live, { limit, after }) },
    { name: `page ${far} by offset`, run: () => records.page(live, { limit, offset }) },
    { name: 'the turns of a page', run: () => records.turns(ids) },
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
    search('for the absence of a word, a week', '-parcel', 7),
    nearest('a day', 1),
    nearest('a week', 7),
    ...(many && !indexed ? [] : [nearest('a month', 30)]),
    ...(indexed ? [nearest('a year', 365)] : []),
    { name: 'sample, a month', run: () => records.sample(last(30), page) },
    { name: 'sample, a year', run: () => records.sample(last(365), page) },
    concurrency('', {}),
    concurrency(', one variant', { variantId: 'VAR-4' }),
    concurrency(', one language', { language: 'de-DE' }),
    concurrency(', one number', { phoneNumber: number ?? '' }),
  ]
}

/** What the runtime asks again and again while nothing happens. */
export function sweepLists(database: Database, now: Date): List[] {
  const sessions = createSessions(database, () => '', createClean({ cards: false }))
  const records = createRecords(database)
  const handoffs = createHandoffs(database)
  const calls = createCalls(database)
  const texts = createTexts(database)
  const longAgo = new Date(now.getTime() - 400 * DAY_MS)
  return [
    { name: 'idle chats', run: () => sessions.idleSince(longAgo, 'unwarned', 'chat') },
    { name: 'idle text conversations', run: () => sessions.idleSince(longAgo, 'all', 'text') },
    { name: 'sessions of processes that are gone', run: () => sessions.orphans() },
    { name: 'sessions that wait for an answer', run: () => sessions.unanswered() },
    { name: 'what has no vector yet', run: () => records.unembedded(now, 32) },
    { name: 'conversations past their retention', run: () => records.eraseEndedBefore(longAgo) },
    { name: 'the queue of the desk', run: () => handoffs.open() },
    { name: 'how long the last ones waited', run: () => handoffs.waits() },
    { name: 'a handoff by its shared id', run: () => handoffs.find(PROJECT, { sharedId: 'shared-1' }) },
    { name: 'calls that wait too long', run: () => calls.queuedBefore(now) },
    { name: 'calls of processes that are gone', run: () => calls.abandoned() },
    {
      name: 'the open conversation of two numbers',
      run: () => texts.openSession('+15550000000', '+15005550006'),
    },
    { name: 'what is known of a number', run: () => records.eraseNumber('+10000000000') },
  ]
}

/** True where semantic search over everything is refused, as it has to be without pgvector. */
export async function refusesSemantic(database: Database, now: Date): Promise<boolean> {
  const records = createRecords(database)
  const { model, size } = offlineEmbeddings
  await records.useModel(model, size)
  const [vector = []] = await offlineEmbeddings.embed(['anything'])
  try {
    await records.nearest(
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
