// Turns the filters of conversation lists into SQL, and names the columns that lists read.

export type ConversationRow = {
  id: string
  account_id: string
  project_id: string
  variant_id: string
  variant_name: string
  environment: string
  channel: string
  from_number: string
  to_number: string
  language: string
  started_at: Date
  ended_at: Date | null
  num_turns: number
  num_silences: number
  num_ood: number
  latency_sum: number
  latency_count: number
  handoff: boolean
  handoff_reason: string
  handoff_destination: string
  /** When a live agent took over. */
  agent_left_at: Date | null
  metrics: Record<string, string | string[]>
  state: Record<string, unknown>
}

export type Filter = {
  projectId: string
  environment: string
  from?: Date | undefined
  to?: Date | undefined
  channels?: readonly string[] | undefined
  variantId?: string | undefined
  variantName?: string | undefined
  inProgress?: boolean | undefined
  /** The language, or the beginning of its tag: `fr` includes `fr-FR`. Only concurrency filters by it. */
  language?: string | undefined
  phoneNumber?: string | undefined
}

export type ListPlace = { startedAt: Date; id: string }
/**
 * A page of a search: after `offset` matches, or after the place where the page before it ended. It excludes conversations that
 * started after `asOf`, so that pages do not drift.
 */
export type SearchPage<Place> = { limit: number; offset: number; asOf: Date; after?: Place | undefined }
/** A match, and its place among all matches. */
export type Found<Place> = ConversationRow & { place: Place }

/** The columns of a ConversationRow. */
export const SUMMARY = `id, account_id, project_id, variant_id, variant_name, environment, channel, from_number, to_number,
  language, started_at, ended_at, num_turns, num_silences, num_ood, latency_sum, latency_count, handoff,
  handoff_reason, handoff_destination, agent_left_at, metrics, state`

/** Conditions on `c`, a conversation, and their parameters. */
export function conditions(filter: Filter): { where: string[]; params: unknown[] } {
  const where = ['c.project_id = $1', 'c.environment = $2']
  const params: unknown[] = [filter.projectId, filter.environment]
  const addCondition = (condition: (n: number) => string, value: unknown) => {
    params.push(value)
    where.push(condition(params.length))
  }
  if (filter.from) addCondition((n) => `c.started_at >= $${n}`, filter.from.toISOString())
  if (filter.to) addCondition((n) => `c.started_at <= $${n}`, filter.to.toISOString())
  const [only, ...more] = filter.channels ?? []
  if (only !== undefined && more.length === 0) addCondition((n) => `c.channel = $${n}`, only)
  else if (only !== undefined)
    addCondition(
      (n) => `c.channel IN (SELECT jsonb_array_elements_text($${n}::jsonb))`,
      JSON.stringify(filter.channels),
    )
  if (filter.variantId !== undefined) addCondition((n) => `c.variant_id = $${n}`, filter.variantId)
  if (filter.variantName !== undefined) addCondition((n) => `c.variant_name = $${n}`, filter.variantName)
  if (filter.language !== undefined)
    addCondition((n) => `starts_with(lower(c.language) || '-', lower($${n}::text) || '-')`, filter.language)
  if (filter.phoneNumber !== undefined)
    addCondition((n) => `(c.from_number = $${n} OR c.to_number = $${n})`, filter.phoneNumber)
  if (filter.inProgress !== undefined) where.push(`c.ended_at IS ${filter.inProgress ? '' : 'NOT '}NULL`)
  return { where, params }
}

/** Condition on `c`: it has ended, or has had no message since the time in this parameter. */
export const quietOrEnded = (since: string): string => `(c.ended_at IS NOT NULL OR ${since} >= (
  SELECT coalesce(max(greatest(t.user_input_at, t.agent_response_at)), '-infinity')
  FROM foyer.turn AS t WHERE t.conversation_id = c.id))`
