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
import { type Env, projectFor, type Refusal, refuse, routed } from '../http/route.ts'
import {
  type ConversationRow,
  type Filter,
  type Project,
  type Records,
  type Registry,
  TooManyToCompare,
  type TurnRow,
} from '../store-index.ts'
import type { Cursors } from './cursor.ts'
import type { Embeddings } from './embeddings.ts'

export const conversationsRefusal: Refusal = ({ code, text }, correlation) => ({
  success: false,
  error: text,
  error_id: correlation,
  error_code: code,
  error_message: text,
  data: null,
})

/** Characters of one page: it ends earlier where much was said. */
const LARGEST_PAGE = 8 * 1024 * 1024
/** Conversations whose turns are read together. */
const AT_ONCE = 100

const UNREADABLE = 'GET_CONVERSATIONS_FILTER_PARSE_ERROR'

/** The names of channel families, and what their conversations are stored as. */
const FAMILIES: ReadonlyMap<string, string> = new Map([
  ['voice', 'VOICE-SIP'],
  ['chat', 'WEBCHAT'],
  ['sms', 'SMS'],
  ['rcs', 'RCS'],
])

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
    if (query.sample) {
      const drawn = await records.sample(filter, limit)
      return c.json(pageOf(await filled(drawn, project), query, {}))
    }

    if (query.query_type) {
      // What a search finds tells what was said.
      if (!project.transcripts)
        refuse(
          403,
          'USER_ACCESS_FORBIDDEN',
          'This project gives no access to transcripts: query_type cannot be used',
        )
      const asOf = new Date(place && 'asOf' in place ? place.asOf : now())
      const offset = place && 'offset' in place ? place.offset : query.offset
      const found = await search(filter, query, { limit: limit + 1, offset, asOf })
      const shown = await filled(found.slice(0, limit), project)
      const next = offset + shown.length
      const more = found.length > shown.length
      return c.json(
        pageOf(shown, query, {
          ...(more && place === undefined && { next_offset: next }),
          cursor: more ? cursors.seal({ asOf: asOf.getTime(), offset: next }, about) : null,
        }),
      )
    }

    const after = place && 'at' in place ? { startedAt: new Date(place.at), id: place.id } : undefined
    // A cursor wins over an offset.
    const offset = after ? 0 : query.offset
    const rows = await records.page(filter, { limit: limit + 1, after, offset })
    const shown = await filled(rows.slice(0, limit), project)
    const last = shown.at(-1)?.row
    const more = rows.length > shown.length && last
    return c.json(
      pageOf(shown, query, {
        ...(more && place === undefined && { next_offset: offset + shown.length }),
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

  /** With their turns: as many of them as one answer should hold, and one at least. */
  async function filled(rows: readonly ConversationRow[], project: Project): Promise<Filled[]> {
    if (!project.transcripts) return rows.map((row) => ({ row, turns: [] }))
    const result: Filled[] = []
    let size = 0
    for (let from = 0; from < rows.length && size < LARGEST_PAGE; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE)
      const turns = await records.turns(some.map((row) => row.id))
      for (const row of some) {
        const own = turns.filter((turn) => turn.conversation_id === row.id)
        size += own.reduce((sum, turn) => sum + turn.user_input.length + turn.agent_response.length, 0)
        if (size >= LARGEST_PAGE && result.length > 0) return result
        result.push({ row, turns: own })
      }
    }
    return result
  }

  function pageOf(
    shown: readonly Filled[],
    { include_latency }: ConversationsQuery,
    rest: Pick<ConversationPage, 'next_offset' | 'cursor'>,
  ): ConversationPage {
    const at = now()
    return {
      conversations: shown.map(({ row, turns }) => conversationOf(row, turns, include_latency, at)),
      ...rest,
    }
  }
}

type Filled = { row: ConversationRow; turns: readonly TurnRow[] }

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
      [...new Set(query.channel.map((name) => FAMILIES.get(name.toLowerCase()) ?? name))].sort(),
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
  ...(row.agent_response_at && { agent_response_datetime: row.agent_response_at.toISOString() }),
  latency: seconds(row.latency),
  translated_user_input: row.translated_user_input,
  english_agent_response: row.english_agent_response,
  intents: row.intents,
  entities: row.entities,
  is_ood: row.is_ood,
  is_silence: row.is_silence,
})
