// Writes the log of a conversation in progress, in the same transaction as its events.

import type { Transaction } from '../../database/index.ts'
import type { Redaction } from '../../redact.ts'
import type { Channel } from './opening-store.ts'
import { csatMetrics, feedbackMetrics, type Metrics } from './rating-metrics.ts'

/** How an agent understood the turn that it answers. */
export type Understanding = {
  intents?: readonly string[]
  entities?: readonly Record<string, string | string[]>[]
  outOfDomain?: boolean
  translatedInput?: string
  englishResponse?: string
}

/** `inputSequence`: the sequence of the input's event. */
export type NewTurn = { inputSequence: number; input: string; dtmf?: string; silence?: boolean; at: Date }

/** The text that told the user of a phone that a machine answers; `language`: of the text, `*` where one text is for every language. */
export type ShownDisclosure = { text: string; language: string; channel: Channel }

/** The agent answers the turn of an input; a live agent answers the last turn. */
export type Speaker = { agent: true; inputSequence: number } | { agent: false }

/**
 * Writes one conversation within one transaction, with the next query or the commit. Every text is redacted before it
 * is stored.
 */
export interface ConversationWriter {
  beginTurn(turn: NewTurn): void
  /** Adds a response to the turn it answers. A response that answers no turn gets one without input. */
  respond(text: string, at: Date, by: Speaker): void
  understand(understanding: Understanding, inputSequence: number): void
  /** Stores a metric. Several values under the same name form an array. */
  metric(name: string, value: string): void
  /** Records what told the user that a machine answers, and when, as metrics. */
  disclosed(disclosure: ShownDisclosure, at: Date): void
  /** The user's rating of the conversation, under `csat_score` and `csat_comment`; the latest one counts. */
  csat(score: number, comment: string | undefined): Promise<void>
  /**
   * The user's rating of one answer: lists the answer's id under `feedback_up` or `feedback_down`, by its latest rating, and comments under
   * `feedback_comment`.
   */
  feedback(messageId: string, rating: 'up' | 'down', comment: string | undefined): Promise<void>
  /** Merges `state` into the dialogue state. */
  state(state: Readonly<Record<string, unknown>>): void
  handoff(reason: string, destination: string): void
  agentLeft(at: Date): void
  language(code: string): void
  channel(channel: Channel): void
  end(at: Date): void
}

export function createConversationWriter(tx: Transaction, id: string, redact: Redaction): ConversationWriter {
  const write = (sql: string, ...params: unknown[]) => tx.send(sql, [id, ...params], { prepared: true })
  const update = (set: string, ...params: unknown[]) =>
    write(`UPDATE foyer.conversation SET ${set} WHERE id = $1`, ...params)
  /** Changes metrics by name; removes a name without values. */
  async function changeMetrics(change: (metrics: Metrics) => Metrics) {
    const [row] = await tx.query<{ metrics: Metrics }>(
      'SELECT metrics FROM foyer.conversation WHERE id = $1',
      [id],
    )
    const metrics = { ...row?.metrics, ...change(row?.metrics ?? {}) }
    update('metrics = $2::jsonb', JSON.stringify(metrics))
  }
  return {
    beginTurn(given) {
      const { inputSequence, input, dtmf = '', silence = false, at } = redact.deep(given)
      write(
        `WITH c AS (UPDATE foyer.conversation SET num_turns = num_turns + 1, num_silences = num_silences + $5::integer,
             unindexed = true, unembedded = true WHERE id = $1 RETURNING num_turns)
         INSERT INTO foyer.turn (conversation_id, position, user_input, user_input_dtmf, user_input_at, is_silence, cause)
         SELECT $1, num_turns, $2, $3, $4, $5 = 1, $6 FROM c`,
        ...[input, dtmf, at.toISOString(), silence ? 1 : 0, inputSequence],
      )
    },
    respond(given, at, by) {
      const text = redact.text(given)
      write(
        `WITH answered AS (
           SELECT position, $5 AND agent_response_at IS NULL AS first,
             greatest(0, extract(epoch FROM $4::timestamptz - user_input_at))::double precision AS latency
           FROM foyer.turn WHERE conversation_id = $1 AND (NOT $5 OR cause = $2) ORDER BY position DESC LIMIT 1),
         written AS (
           UPDATE foyer.turn AS t SET
             agent_response = CASE WHEN t.agent_response = '' THEN $3 ELSE t.agent_response || E'\\n\\n' || $3 END,
             agent_response_at = coalesce(t.agent_response_at, $4),
             latency = CASE WHEN a.first THEN a.latency ELSE t.latency END
           FROM answered AS a WHERE t.conversation_id = $1 AND t.position = a.position),
         counted AS (
           UPDATE foyer.conversation AS c SET unindexed = true, unembedded = true,
             num_turns = c.num_turns + (a.position IS NULL)::integer,
             latency_sum = c.latency_sum + CASE WHEN a.first THEN a.latency ELSE 0 END,
             latency_count = c.latency_count + coalesce(a.first, $5)::integer
           FROM (SELECT 1) AS one LEFT JOIN answered AS a ON true WHERE c.id = $1
           RETURNING c.num_turns, a.position AS answered)
         INSERT INTO foyer.turn (conversation_id, position, cause, user_input_at, agent_response, agent_response_at)
         SELECT $1, num_turns, $2, $4, $3, $4 FROM counted WHERE answered IS NULL`,
        ...[by.agent ? by.inputSequence : 0, text, at.toISOString(), by.agent],
      )
    },
    understand(given, inputSequence) {
      const { intents, entities, outOfDomain, translatedInput, englishResponse } = redact.deep(given)
      write(
        `WITH last AS (SELECT position, is_ood FROM foyer.turn WHERE conversation_id = $1 AND cause = $7),
         counted AS (UPDATE foyer.conversation SET num_ood = num_ood + 1
           WHERE id = $1 AND $4 AND EXISTS (SELECT 1 FROM last WHERE NOT is_ood))
         UPDATE foyer.turn SET intents = intents || $2::jsonb, entities = entities || $3::jsonb,
           is_ood = turn.is_ood OR $4, translated_user_input = coalesce($5, translated_user_input),
           english_agent_response = coalesce($6, english_agent_response)
         FROM last WHERE turn.conversation_id = $1 AND turn.position = last.position`,
        JSON.stringify(intents ?? []),
        JSON.stringify(entities ?? []),
        ...[outOfDomain ?? false, translatedInput ?? null, englishResponse ?? null, inputSequence],
      )
    },
    metric: (name, value) =>
      update(
        `metrics = metrics || jsonb_build_object($2::text, CASE
           WHEN NOT metrics ? $2 THEN to_jsonb($3::text)
           WHEN jsonb_typeof(metrics -> $2) = 'array' THEN (metrics -> $2) || to_jsonb($3::text)
           ELSE jsonb_build_array(metrics -> $2, $3::text) END)`,
        redact.text(name),
        redact.text(value),
      ),
    disclosed({ text, language, channel }, at) {
      const metrics = {
        disclosed_at: at.toISOString(),
        disclosed_text: redact.text(text),
        disclosed_language: language,
        disclosed_channel: channel,
      }
      update('metrics = metrics || $2::jsonb', JSON.stringify(metrics))
    },
    csat: (score, comment) => changeMetrics(() => csatMetrics(score, comment && redact.text(comment))),
    feedback: (messageId, rating, comment) =>
      changeMetrics((metrics) =>
        feedbackMetrics(metrics, messageId, rating, comment && redact.text(comment)),
      ),
    state: (state) => update('state = state || $2::jsonb', JSON.stringify(redact.deep(state))),
    handoff: (reason, destination) =>
      update(
        'handoff = true, handoff_reason = $2, handoff_destination = $3',
        redact.text(reason),
        redact.text(destination),
      ),
    agentLeft: (at) => update('agent_left_at = coalesce(agent_left_at, $2)', at.toISOString()),
    // The index job then indexes the words again, with the dictionary of the new language.
    language: (code) => update('language = $2, unindexed = num_turns > 0', code),
    channel: (channel) => update('channel = $2', channel),
    // The clocks of two processes may differ: keep the end from preceding the beginning.
    end: (at) => update('ended_at = coalesce(ended_at, greatest($2, started_at))', at.toISOString()),
  }
}
