// Answers GET /v3/…/conversations: lists, searches and samples conversations.

import {
  ConversationsQuery,
  conversationsConflict,
  conversationsRoute,
  readDateTime,
  readQuery,
  searchIncompleteHeader,
} from '../../../api/index.ts'
import { authoriseProject, type Project } from '../../accounts/index.ts'
import type { Reads } from '../../database/index.ts'
import { HttpError, type NounRoutes, projectRequest, routed } from '../../http/index.ts'
import type { Filter } from '../filter-store.ts'
import { bounded } from './bounded.ts'
import type { Cursors } from './cursor.ts'
import { type ConversationPagesOptions, type ConversationsRequest, createConversationPages } from './pages.ts'

const UNREADABLE = 'GET_CONVERSATIONS_FILTER_PARSE_ERROR'

/** The channels by the names that the API accepts. */
const CHANNELS: ReadonlyMap<string, string> = new Map([
  ['voice', 'VOICE-SIP'],
  ['chat', 'WEBCHAT'],
  ['sms', 'SMS'],
  ['rcs', 'RCS'],
])

export type ConversationRoutesOptions = Omit<ConversationPagesOptions, 'db'> & {
  reads: Reads
  region: string
  headerPrefix: string
}

export function conversationRoutes(options: ConversationRoutesOptions): NounRoutes {
  const { reads, cursors, region, headerPrefix } = options

  return {
    endpoints: [
      {
        route: conversationsRoute,
        failure: 'Failed to get conversations',
      },
    ],
    install(app) {
      app.get(routed(conversationsRoute), (c) =>
        bounded(reads, async (db) => {
          const pages = createConversationPages({ ...options, db })
          const project = await authoriseProject(db, projectRequest(c), {
            region,
            permissions: ['conversations'],
          })
          const request = readRequest(project, new URL(c.req.url).searchParams, cursors)
          const { sample, query_type } = request.query
          if (!query_type) return c.json(await (sample ? pages.sample(request) : pages.list(request)))
          const { page, whole } = await pages.search(request)
          if (!whole) c.header(searchIncompleteHeader(headerPrefix), 'true')
          return c.json(page)
        }),
      )
    },
  }
}

function readRequest(project: Project, params: URLSearchParams, cursors: Cursors): ConversationsRequest {
  const parsedQuery = readQuery(ConversationsQuery, params)
  if ('error' in parsedQuery) throw new HttpError(400, UNREADABLE, parsedQuery.error)
  const query = parsedQuery.values
  const conflict = conversationsConflict(query)
  if (conflict) throw new HttpError(400, 'SCHEMA_VALIDATION_FAILED', conflict)
  const filter = filterOf(project, query)
  const about = JSON.stringify([
    filter,
    query.query_type ?? query.sample ?? '',
    query.query ?? '',
    query.turn_type ?? '',
  ])
  const cursorPlace = query.cursor === undefined ? undefined : cursors.verify(query.cursor, about)
  if (query.cursor !== undefined && !cursorPlace)
    throw new HttpError(
      400,
      UNREADABLE,
      'cursor is malformed or belongs to another query: omit it to start with the first page',
    )
  return { project, query, filter, about, place: cursorPlace }
}

function filterOf(project: Project, query: ConversationsQuery): Filter {
  const time = (text: string | undefined) =>
    text === undefined ? undefined : new Date(readDateTime(text) ?? 0)
  return {
    projectId: project.id,
    environment: query.client_env,
    from: time(query.start_time),
    to: time(query.end_time),
    channels:
      query.channel &&
      [...new Set(query.channel.map((name) => CHANNELS.get(name.toLowerCase()) ?? name))].sort(),
    variantId: query.variant_id,
    variantName: query.variant_name,
    inProgress: query.in_progress,
  }
}
