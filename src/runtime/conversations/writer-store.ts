// The record of a conversation, written while it goes on, within the transactions of its session.

import type { Queries } from '../database/database.ts'
import { beginning, byteLength, dictionaryOf, folded, spaced } from './language.ts'

export type Channel = 'WEBCHAT' | 'VOICE-SIP' | 'SMS' | 'RCS'

/** What is known of a conversation when it begins. */
export type NewConversation = {
  id: string
  accountId: string
  projectId: string
  environment: string
  channel: Channel
  variant?: { id: string; name: string } | undefined
  fromNumber?: string
  toNumber?: string
  language?: string
}

/** What an agent found out about the turn it answers. */
export type Understanding = {
  intents?: readonly string[]
  entities?: readonly Record<string, string | string[]>[]
  outOfDomain?: boolean
  translatedInput?: string
  englishResponse?: string
}

/** `cause`: the sequence of the event that brought the input. */
export type NewTurn = { cause: number; input: string; dtmf?: string; silence?: boolean; at: Date }

/** The agent, answering the turn of a cause; or a person, who answers the last. */
export type Speaker = { agent: true; cause: number } | { agent: false }

/** Writes the record of one conversation, within the transaction that stores the events it tells of. */
export interface Recorder {
  beginTurn(turn: NewTurn): Promise<void>
  /** Adds words to the turn they answer; words that answer nothing get a turn without input. */
  respond(text: string, at: Date, by: Speaker): Promise<void>
  understand(understanding: Understanding, cause: number): Promise<void>
  /** A second value under one name makes an array. */
  metric(name: string, value: string): Promise<void>
  state(state: Readonly<Record<string, unknown>>): Promise<void>
  handoff(reason: string, destination: string): Promise<void>
  agentLeft(at: Date): Promise<void>
  language(code: string): Promise<void>
  channel(channel: Channel): Promise<void>
  end(at: Date): Promise<void>
}

// What is said is never refused because it cannot be indexed. A tsvector holds 1 MiB of words and their places
// (not counting 4 bytes for each word), and says no to more. N bytes of text give at most 16 N of it:
//
//   words    N x 2 (`well-known` is indexed whole and in parts) x 1.5 (signs that grow in lower case)     3 N
//   places   fewer than N words, each with 2 bytes for its place, 2 for how many there are, 1 to align    5 N
//   both once by the language's dictionary and once as they are written                                    x 2
//
// So one step from under 512 KiB stays under 512 + 16 x 24 = 896 KiB. What does not fit is not found by its words.
const LARGEST_INDEX = 512 * 1024
const LARGEST_STEP = 24 * 1024
/** Keeps one statement small. */
const MOST_AT_ONCE = 100

type Said = { text: string; side: 'A' | 'B' }
type Words = { side: 'A' | 'B'; spoken: string; folded: string; bytes: number }

function wordsOf({ text, side }: Said): Words {
  const spoken = beginning(spaced(text), LARGEST_STEP)
  const plain = beginning(folded(spoken), LARGEST_STEP)
  return { side, spoken, folded: plain, bytes: Math.max(byteLength(spoken), byteLength(plain)) }
}

/** In order, as many together as one step takes. */
function steps(all: readonly Words[]): Words[][] {
  const found: Words[][] = []
  let room = 0
  for (const words of all) {
    const last = found.at(-1)
    room -= words.bytes
    if (last && room >= 0 && last.length < MOST_AT_ONCE) last.push(words)
    else {
      found.push([words])
      room = LARGEST_STEP - words.bytes
    }
  }
  return found
}

export async function insertConversation(
  tx: Queries,
  conversation: NewConversation,
  now: Date,
): Promise<void> {
  const language = conversation.language ?? ''
  await tx.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, variant_id, variant_name,
       from_number, to_number, language, started_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      conversation.id,
      conversation.accountId,
      conversation.projectId,
      conversation.environment,
      conversation.channel,
      conversation.variant?.id ?? '',
      conversation.variant?.name ?? '',
      conversation.fromNumber ?? '',
      conversation.toNumber ?? '',
      language,
      now.toISOString(),
    ],
  )
  await tx.query(`INSERT INTO foyer.transcript (conversation_id, config, words) VALUES ($1, $2, '')`, [
    conversation.id,
    dictionaryOf(language),
  ])
}

export function createRecorder(tx: Queries, id: string): Recorder {
  async function index(said: readonly Said[]): Promise<void> {
    const telling = said.filter(({ text }) => text.trim() !== '')
    for (const step of steps(telling.map(wordsOf))) {
      const vectors = step.map(
        ({ side }, n) =>
          `setweight(to_tsvector(config::regconfig, $${2 * n + 2}), '${side}')
           || setweight(to_tsvector('simple', $${2 * n + 3}), '${side}')`,
      )
      // A column alone has the size that it has on disk, compressed.
      const added = await tx.query(
        `UPDATE foyer.transcript SET words = words || ${vectors.join(' || ')}
         WHERE conversation_id = $1 AND pg_column_size(words || ''::tsvector) < ${LARGEST_INDEX} RETURNING 1`,
        [id, ...step.flatMap((words) => [words.spoken, words.folded])],
      )
      if (added.length === 0) return
    }
  }
  const recorder: Recorder = {
    async beginTurn({ cause, input, dtmf = '', silence = false, at }) {
      await tx.query(
        `WITH c AS (UPDATE foyer.conversation SET num_turns = num_turns + 1, num_silences = num_silences + $5::integer
           WHERE id = $1 RETURNING num_turns)
         INSERT INTO foyer.turn (conversation_id, position, user_input, user_input_dtmf, user_input_at, is_silence, cause)
         SELECT $1, num_turns, $2, $3, $4, $5 = 1, $6 FROM c`,
        [id, input, dtmf, at.toISOString(), silence ? 1 : 0, cause],
      )
      await index([{ text: input, side: 'A' }])
    },
    async respond(text, at, by) {
      const [turn] = await tx.query<{
        position: number
        agent_response_at: Date | null
        user_input_at: Date
      }>(
        `SELECT position, agent_response_at, user_input_at FROM foyer.turn
         WHERE conversation_id = $1 ${by.agent ? 'AND cause = $2' : 'AND $2 = 0'} ORDER BY position DESC LIMIT 1`,
        [id, by.agent ? by.cause : 0],
      )
      if (!turn) {
        await recorder.beginTurn({ cause: by.agent ? by.cause : 0, input: '', at })
        return recorder.respond(text, at, by)
      }
      const first = by.agent && turn.agent_response_at === null
      const latency = Math.max(0, (at.getTime() - new Date(turn.user_input_at).getTime()) / 1000)
      await tx.query(
        `UPDATE foyer.turn SET
           agent_response = CASE WHEN agent_response = '' THEN $3 ELSE agent_response || E'\\n\\n' || $3 END,
           agent_response_at = coalesce(agent_response_at, $4), latency = CASE WHEN $5 THEN $6 ELSE latency END
         WHERE conversation_id = $1 AND position = $2`,
        [id, turn.position, text, at.toISOString(), first, latency],
      )
      // The turn is not what it was when the vector was made.
      await tx.query(
        `UPDATE foyer.conversation SET embedded_turns = least(embedded_turns, $2::integer - 1),
           latency_sum = latency_sum + $3, latency_count = latency_count + $4::integer
         WHERE id = $1 AND ($4::integer = 1 OR embedded_turns >= $2::integer)`,
        [id, turn.position, first ? latency : 0, first ? 1 : 0],
      )
      await index([{ text, side: 'B' }])
    },
    async understand({ intents, entities, outOfDomain, translatedInput, englishResponse }, cause) {
      await tx.query(
        `WITH last AS (SELECT position, is_ood FROM foyer.turn WHERE conversation_id = $1 AND cause = $7),
         counted AS (UPDATE foyer.conversation SET num_ood = num_ood + 1
           WHERE id = $1 AND $4 AND EXISTS (SELECT 1 FROM last WHERE NOT is_ood))
         UPDATE foyer.turn SET intents = intents || $2::jsonb, entities = entities || $3::jsonb,
           is_ood = turn.is_ood OR $4, translated_user_input = coalesce($5, translated_user_input),
           english_agent_response = coalesce($6, english_agent_response)
         FROM last WHERE turn.conversation_id = $1 AND turn.position = last.position`,
        [
          id,
          JSON.stringify(intents ?? []),
          JSON.stringify(entities ?? []),
          outOfDomain ?? false,
          translatedInput ?? null,
          englishResponse ?? null,
          cause,
        ],
      )
    },
    async metric(name, value) {
      await tx.query(
        `UPDATE foyer.conversation SET metrics = metrics || jsonb_build_object($2::text, CASE
           WHEN NOT metrics ? $2 THEN to_jsonb($3::text)
           WHEN jsonb_typeof(metrics -> $2) = 'array' THEN (metrics -> $2) || to_jsonb($3::text)
           ELSE jsonb_build_array(metrics -> $2, $3::text) END) WHERE id = $1`,
        [id, name, value],
      )
    },
    async state(state) {
      await tx.query('UPDATE foyer.conversation SET state = state || $2::jsonb WHERE id = $1', [
        id,
        JSON.stringify(state),
      ])
    },
    async handoff(reason, destination) {
      await tx.query(
        `UPDATE foyer.conversation SET handoff = true, handoff_reason = $2, handoff_destination = $3 WHERE id = $1`,
        [id, reason, destination],
      )
    },
    async agentLeft(at) {
      await tx.query(
        'UPDATE foyer.conversation SET agent_left_at = coalesce(agent_left_at, $2) WHERE id = $1',
        [id, at.toISOString()],
      )
    },
    async language(code) {
      await tx.query('UPDATE foyer.conversation SET language = $2 WHERE id = $1', [id, code])
      const changed = await tx.query(
        `UPDATE foyer.transcript SET config = $2, words = '' WHERE conversation_id = $1 AND config <> $2 RETURNING 1`,
        [id, dictionaryOf(code)],
      )
      if (changed.length === 0) return
      const turns = await tx.query<{ user_input: string; agent_response: string }>(
        'SELECT user_input, agent_response FROM foyer.turn WHERE conversation_id = $1 ORDER BY position',
        [id],
      )
      await index(
        turns.flatMap(({ user_input, agent_response }): Said[] => [
          { text: user_input, side: 'A' },
          { text: agent_response, side: 'B' },
        ]),
      )
    },
    async channel(channel) {
      await tx.query('UPDATE foyer.conversation SET channel = $2 WHERE id = $1', [id, channel])
    },
    async end(at) {
      // Of two clocks the later one began it, perhaps: it never ends before.
      await tx.query(
        'UPDATE foyer.conversation SET ended_at = coalesce(ended_at, greatest($2, started_at)) WHERE id = $1',
        [id, at.toISOString()],
      )
    },
  }
  return recorder
}
