// Part 1: conversations, listed, searched and sampled.

import type { Hono } from 'hono'
import {
  type Conversation,
  type ConversationPage,
  ConversationsQuery,
  conversationsConflict,
  conversationsRoute,
  readDateTime,
  readQuery,
  type Turn,
} from '../../api/index.ts'
import type { Cursors } from '../cursor.ts'
import type { Embeddings } from '../embeddings/embeddings.ts'
import {
  type ConversationRow,
  type Filter,
  type Project,
  type Records,
  type Registry,
  TooManyToCompare,
  type TurnRow,
} from '../store/index.ts'
import { type Env, projectFor, type Refusal, refuse, routed } from './door.ts'

export const conversationsRefusal: Refusal = ({ code, text }, correlation) => ({
  success: false,
  error: text,
  error_id: correlation,
  error_code: code,
  error_message: text,
  data: null,
})

const UNREADABLE = 'GET_CONVERSATIONS_FILTER_PARSE_ERROR'

/** The names of channel families, and what their conversations are stored as. */
const FAMILIES: Readonly<Record<string, string>> = {
  voice: 'VOICE-SIP',
  chat: 'WEBCHAT',
  sms: 'SMS',
  rcs: 'RCS',
}

export type ConversationsDoorOptions = {
  registry: Registry
  records: Records
  embeddings: Embeddings
  cursors: Cursors
  region: string
  now: () => number
}

export function conversationsDoor(app: Hono<Env>, options: ConversationsDoorOptions): void {
  const { records, embeddings, cursors, now } = options

  app.get(routed(conversationsRoute), async (c) => {
    const project = await projectFor(c, options, ['conversations'])
    const read = readQuery(ConversationsQuery, new URL(c.req.url).searchParams)
    if ('error' in read) refuse(400, UNREADABLE, read.error)
    const query = read.values
    const conflict = conversationsConflict(query)
    if (conflict) refuse(400, 'SCHEMA_VALIDATION_FAILED', conflict)
    const filter = filterOf(project, query)
    // A cursor is good for the query that it came from.
    const about = JSON.stringify([
      filter,
      query.query_type ?? query.sample ?? '',
      query.query ?? '',
      query.turn_type ?? '',
    ])
    const place = query.cursor === undefined ? undefined : cursors.open(query.cursor, about)
    if (query.cursor !== undefined && !place)
      refuse(
        400,
        UNREADABLE,
        'cursor: it is malformed, or belongs to another query; leave it out to begin anew',
      )

    const { limit } = query
    if (query.sample) return c.json(await pageOf(await records.sample(filter, limit), project, query, {}))

    if (query.query_type) {
      const asOf = new Date(place && 'asOf' in place ? place.asOf : now())
      const offset = place && 'offset' in place ? place.offset : query.offset
      const rows = await search(filter, query, { limit: limit + 1, offset, asOf })
      const more = rows.length > limit
      return c.json(
        await pageOf(rows.slice(0, limit), project, query, {
          ...(more && place === undefined && { next_offset: offset + limit }),
          cursor: more ? cursors.seal({ asOf: asOf.getTime(), offset: offset + limit }, about) : null,
        }),
      )
    }

    const after = place && 'at' in place ? { startedAt: new Date(place.at), id: place.id } : undefined
    const rows = await records.page(filter, { limit: limit + 1, after, offset: query.offset })
    const last = rows[limit - 1]
    const more = rows.length > limit && last
    return c.json(
      await pageOf(rows.slice(0, limit), project, query, {
        ...(more && place === undefined && { next_offset: query.offset + limit }),
        cursor: more ? cursors.seal({ at: last.started_at.getTime(), id: last.id }, about) : null,
      }),
    )
  })

  async function search(
    filter: Filter,
    query: ConversationsQuery,
    page: { limit: number; offset: number; asOf: Date },
  ): Promise<ConversationRow[]> {
    const text = query.query ?? ''
    if (query.query_type === 'transcript')
      return records.search(filter, { text, side: query.turn_type }, page)
    const [vector] = await embeddings.embed([text])
    try {
      return await records.nearest(filter, { model: embeddings.model, vector: vector ?? [] }, page)
    } catch (error) {
      if (!(error instanceof TooManyToCompare)) throw error
      refuse(
        400,
        'SEMANTIC_RANGE_TOO_LARGE',
        'More than 20,000 conversations are in range, and the database has no pgvector to search them: narrow start_time and end_time, or install pgvector',
      )
    }
  }

  async function pageOf(
    rows: readonly ConversationRow[],
    project: Project,
    { include_latency }: ConversationsQuery,
    rest: Pick<ConversationPage, 'next_offset' | 'cursor'>,
  ): Promise<ConversationPage> {
    const turns = project.transcripts ? await records.turns(rows.map((row) => row.id)) : []
    const byConversation = new Map<string, TurnRow[]>()
    for (const turn of turns) {
      const known = byConversation.get(turn.conversation_id)
      if (known) known.push(turn)
      else byConversation.set(turn.conversation_id, [turn])
    }
    const at = now()
    return {
      conversations: rows.map((row) =>
        conversationOf(row, byConversation.get(row.id) ?? [], include_latency, at),
      ),
      ...rest,
    }
  }
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
      query.channel && [...new Set(query.channel.map((name) => FAMILIES[name.toLowerCase()] ?? name))].sort(),
    variantId: query.variant_id,
    variantName: query.variant_name,
    inProgress: query.in_progress,
  }
}

const secondsBetween = (from: Date, to: number): number =>
  Math.max(0, Math.round((to - from.getTime()) / 1000))

function conversationOf(
  row: ConversationRow,
  turns: readonly TurnRow[],
  withLatency: boolean,
  now: number,
): Conversation {
  const end = row.ended_at?.getTime() ?? now
  return {
    id: row.id,
    account_id: row.account_id,
    project_id: row.project_id,
    variant_id: row.variant_id,
    variant_name: row.variant_name,
    environment: row.environment,
    started_at: row.started_at.toISOString(),
    channel: row.channel,
    from_number: row.from_number,
    to_number: row.to_number,
    in_progress: row.ended_at === null,
    num_turns: row.num_turns,
    total_duration: secondsBetween(row.started_at, end),
    polyai_duration: secondsBetween(row.started_at, Math.min(end, row.agent_left_at?.getTime() ?? end)),
    handoff: row.handoff,
    handoff_reason: row.handoff_reason,
    handoff_destination: row.handoff_destination,
    num_silences: row.num_silences,
    num_ood: row.num_ood,
    metrics: row.metrics as Conversation['metrics'],
    state: row.state,
    turns: turns.map(turnOf),
    ...(withLatency && { latency: row.latency_count > 0 ? seconds(row.latency_sum / row.latency_count) : 0 }),
  }
}

const seconds = (value: number): number => Math.round(value * 1000) / 1000

const turnOf = (row: TurnRow): Turn => ({
  user_input: row.user_input,
  user_input_dtmf: row.user_input_dtmf,
  user_input_datetime: row.user_input_at.toISOString(),
  agent_response: row.agent_response,
  agent_response_datetime: row.agent_response_at?.toISOString() ?? '',
  latency: seconds(row.latency),
  translated_user_input: row.translated_user_input,
  english_agent_response: row.english_agent_response,
  intents: row.intents,
  entities: row.entities,
  is_ood: row.is_ood,
  is_silence: row.is_silence,
})
