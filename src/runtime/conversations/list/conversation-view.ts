// Converts stored conversations and turns into the API's answers.

import type { Conversation, Turn } from '../../../api/index.ts'
import type { ConversationRow } from '../filter-store.ts'
import type { TurnRow } from './list-store.ts'

const secondsBetween = (from: Date, to: number): number =>
  Math.max(0, Math.round((to - from.getTime()) / 1000))

export function conversationOf(
  row: ConversationRow,
  turns: readonly TurnRow[],
  withLatency: boolean,
  now: number,
): Conversation {
  const endedMs = row.ended_at?.getTime() ?? now
  // A live agent's note is for the agent alone.
  const { handback: _, ...state } = row.state
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
    total_duration: secondsBetween(row.started_at, endedMs),
    polyai_duration: secondsBetween(
      row.started_at,
      Math.min(endedMs, row.agent_left_at?.getTime() ?? endedMs),
    ),
    handoff: row.handoff,
    handoff_reason: row.handoff_reason,
    handoff_destination: row.handoff_destination,
    num_silences: row.num_silences,
    num_ood: row.num_ood,
    metrics: row.metrics as Conversation['metrics'],
    state,
    turns: turns.map(turnOf),
    ...(withLatency && {
      latency: row.latency_count > 0 ? roundedSeconds(row.latency_sum / row.latency_count) : 0,
    }),
  }
}

const roundedSeconds = (value: number): number => Math.round(value * 1000) / 1000

const turnOf = (row: TurnRow): Turn => ({
  user_input: row.user_input,
  user_input_dtmf: row.user_input_dtmf,
  user_input_datetime: row.user_input_at.toISOString(),
  agent_response: row.agent_response,
  ...(row.agent_response_at && { agent_response_datetime: row.agent_response_at.toISOString() }),
  latency: roundedSeconds(row.latency),
  translated_user_input: row.translated_user_input,
  english_agent_response: row.english_agent_response,
  intents: row.intents,
  entities: row.entities,
  is_ood: row.is_ood,
  is_silence: row.is_silence,
})
