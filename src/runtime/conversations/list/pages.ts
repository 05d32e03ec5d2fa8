// Makes the pages of conversations that the API returns: of the list, of a search, or of a sample.

import type { Conversation, ConversationPage, ConversationsQuery } from '../../../api/index.ts'
import type { Project } from '../../accounts/index.ts'
import type { Reading } from '../../database/index.ts'
import { HttpError } from '../../http/index.ts'
import type { ConversationRow, Filter, Found, SearchPage } from '../filter-store.ts'
import type { Indexer } from '../search/indexer.ts'
import { wordsOfQuery } from '../search/language.ts'
import { MOST_QUERY_WORDS, searchTranscripts, type TranscriptPlace } from '../search/search-store.ts'
import type { Embeddings } from '../semantic/embeddings.ts'
import { type NearestPlace, TooManyToCompare } from '../semantic/nearest-store.ts'
import type { VectorStore } from '../semantic/vector-store.ts'
import { conversationOf } from './conversation-view.ts'
import type { CursorPlace, Cursors } from './cursor.ts'
import { listConversations, sampleConversations, turnsOf } from './list-store.ts'

/** Characters of one page's JSON, each up to three bytes of UTF-8: a page with larger conversations ends earlier. */
const LARGEST_PAGE = 8 * 1024 * 1024
/** Conversations whose turns are read together. */
const AT_ONCE = 100

export type ConversationPagesOptions = {
  /** Reads for one request. */
  db: Reading
  vectors: VectorStore
  indexer: Indexer
  embeddings: Embeddings
  cursors: Cursors
  now: () => number
}

/** One request for conversations, read and checked. */
export type ConversationsRequest = {
  project: Project
  query: ConversationsQuery
  filter: Filter
  /** The query that a cursor belongs to: a cursor is valid only for the same query. */
  about: string
  place: CursorPlace | undefined
}

export interface ConversationPages {
  /** A page of the list, newest first. */
  list(request: ConversationsRequest): Promise<ConversationPage>
  /** A page of a search, best match first. `whole`: false if words that were said before the first page may not be found yet. */
  search(request: ConversationsRequest): Promise<{ page: ConversationPage; whole: boolean }>
  /** Conversations drawn at random. */
  sample(request: ConversationsRequest): Promise<ConversationPage>
}

export function createConversationPages(options: ConversationPagesOptions): ConversationPages {
  const { db, vectors, indexer, embeddings, cursors, now } = options

  async function list({
    project,
    query,
    filter,
    about,
    place,
  }: ConversationsRequest): Promise<ConversationPage> {
    const after = place && 'at' in place ? { startedAt: new Date(place.at), id: place.id } : undefined
    const { limit } = query
    // A cursor takes precedence over an offset.
    const offset = after ? 0 : query.offset
    const rows = await listConversations(db, filter, { limit: limit + 1, after, offset })
    const conversations = await fittingOnPage(rows.slice(0, limit), project, query)
    const lastRow = rows[conversations.length - 1]
    const more = rows.length > conversations.length && lastRow
    return {
      conversations,
      ...(more && place === undefined && { next_offset: offset + conversations.length }),
      cursor: more ? cursors.sign({ at: lastRow.started_at.getTime(), id: lastRow.id }, about) : null,
    }
  }

  async function search({
    project,
    query,
    filter,
    about,
    place,
  }: ConversationsRequest): Promise<{ page: ConversationPage; whole: boolean }> {
    // A match would reveal what was said.
    if (!project.transcripts)
      throw new HttpError(
        403,
        'USER_ACCESS_FORBIDDEN',
        'This project gives no access to transcripts: query_type cannot be used',
      )
    const asOf = place && 'asOf' in place ? place.asOf : now()
    const { limit } = query
    const { found, whole } = await matching(filter, query, place, {
      limit: limit + 1,
      offset: place ? 0 : query.offset,
      asOf: new Date(asOf),
    })
    const conversations = await fittingOnPage(found.slice(0, limit), project, query)
    const lastFound = found[conversations.length - 1]
    const more = found.length > conversations.length && lastFound
    return {
      page: {
        conversations,
        ...(more && place === undefined && { next_offset: query.offset + conversations.length }),
        cursor: more ? cursors.sign({ asOf, ...lastFound.place }, about) : null,
      },
      whole,
    }
  }

  async function sample({ project, query, filter }: ConversationsRequest): Promise<ConversationPage> {
    const drawn = await sampleConversations(db, filter, query.limit)
    return { conversations: await fittingOnPage(drawn, project, query) }
  }

  async function matching(
    filter: Filter,
    query: ConversationsQuery,
    place: CursorPlace | undefined,
    page: SearchPage<never>,
  ): Promise<{ found: Found<TranscriptPlace | NearestPlace>[]; whole: boolean }> {
    const text = query.query ?? ''
    if (query.query_type === 'transcript') {
      const words = wordsOfQuery(text)
      if (words > MOST_QUERY_WORDS)
        throw new HttpError(
          400,
          'QUERY_TOO_LONG',
          `query has ${words} words; a search for transcripts takes at most ${MOST_QUERY_WORDS}`,
        )
      // A later page does not need what was said after the first.
      const whole = place !== undefined || (await indexer.catchUp(filter.projectId))
      const after = place && 'rank' in place ? place : undefined
      const found = await searchTranscripts(db, filter, { text, side: query.turn_type }, { ...page, after })
      return { found, whole }
    }
    const [vector = []] = await embeddings.embed([text])
    const after = place && 'distance' in place ? place : undefined
    try {
      const found = await vectors.nearest(db, filter, { model: embeddings.model, vector }, { ...page, after })
      return { found, whole: true }
    } catch (error) {
      if (!(error instanceof TooManyToCompare)) throw error
      throw new HttpError(
        400,
        'SEMANTIC_RANGE_TOO_LARGE',
        'More than 20,000 conversations are in range, and the database has no pgvector to search them: narrow start_time and end_time, or install pgvector',
      )
    }
  }

  /** The first conversations, with their turns: as many as one page holds, at least one. */
  async function fittingOnPage(
    rows: readonly ConversationRow[],
    { transcripts }: Project,
    { include_latency }: ConversationsQuery,
  ): Promise<Conversation[]> {
    const at = now()
    const conversations: Conversation[] = []
    let size = 0
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE)
      const ids = some.map(({ id }) => id)
      const turns = transcripts ? await turnsOf(db, ids) : []
      for (const row of some) {
        const ownTurns = turns.filter((turn) => turn.conversation_id === row.id)
        const conversation = conversationOf(row, ownTurns, include_latency, at)
        size += JSON.stringify(conversation).length
        if (size > LARGEST_PAGE && conversations.length > 0) return conversations
        conversations.push(conversation)
      }
    }
    return conversations
  }

  return { list, search, sample }
}
