// Lists every metric that the server measures, and defines how the rooms report to it.

type Metric = {
  help: string
  /** Each label has a bounded number of values: never an id, an address or a text of somebody outside. */
  labels?: readonly string[]
} & (
  | { kind: 'counter' | 'gauge' }
  /** `buckets`: the upper ends of the classes that are counted, in seconds. */
  | { kind: 'timer'; buckets: readonly number[] }
)

const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const TURNS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]
const WAITS = [5, 15, 30, 60, 120, 300, 600, 1_800]

const ALL = '; the same number in all processes of one database'

/** Names as Prometheus knows them. Timers count seconds. */
export const METRICS = {
  foyer_build_info: { kind: 'gauge', help: 'Always 1: which version this process is', labels: ['version'] },
  foyer_ready: {
    kind: 'gauge',
    help: '1 while visitors may be sent to this process, as /ready says; else 0',
  },
  foyer_sockets: { kind: 'gauge', help: 'Open sockets of this process' },
  foyer_handshakes_total: {
    kind: 'counter',
    help: 'Handshakes of sockets, by outcome: accepted, given up by the client, left to another process (stopping), or the status of the refusal',
    labels: ['outcome'],
  },
  foyer_sessions: { kind: 'gauge', help: `Sessions that have not ended${ALL}` },
  foyer_messages_total: {
    kind: 'counter',
    help: 'Messages stored by this process: in from users, out to them',
    labels: ['direction', 'family'],
  },
  foyer_turns: { kind: 'gauge', help: 'Turns that run in this process' },
  foyer_turn_first_word_seconds: {
    kind: 'timer',
    buckets: TURNS,
    help: 'From the start of a turn until the agent’s first text',
  },
  foyer_turn_seconds: {
    kind: 'timer',
    buckets: TURNS,
    help: 'Turns, by how they ended',
    labels: ['outcome'],
  },
  foyer_llm_tokens_total: {
    kind: 'counter',
    help: 'Tokens of the language model as its endpoint reports them',
    labels: ['direction'],
  },
  foyer_clock_ahead_seconds: {
    kind: 'gauge',
    help: 'By how much the clock of this machine is ahead of the database’s, by which all goes',
  },
  foyer_processes: {
    kind: 'gauge',
    help: `Processes that share the database, as their heartbeats tell${ALL}`,
  },
  foyer_queue_waiting: {
    kind: 'gauge',
    help: `Conversations that wait in the handoff queue${ALL}`,
  },
  foyer_queue_wait_seconds: {
    kind: 'timer',
    buckets: WAITS,
    help: 'Waits in the handoff queue until a live agent took the conversation',
  },
  foyer_deliveries_waiting: {
    kind: 'gauge',
    help: `Outbound text messages that the carrier has not taken${ALL}`,
  },
  foyer_calls_waiting: { kind: 'gauge', help: `Outbound calls that have not begun${ALL}` },
  foyer_http_seconds: {
    kind: 'timer',
    buckets: ANSWERS,
    help: 'HTTP requests until their answer is sent, by route and status',
    labels: ['method', 'route', 'status'],
  },
  foyer_limited_total: {
    kind: 'counter',
    help: 'What limits refused: requests by route, sockets, frames, questions to the language model',
    labels: ['limit'],
  },
  foyer_bus_news_total: {
    kind: 'counter',
    help: 'News between processes, by direction: sent or received',
    labels: ['direction'],
  },
  foyer_bus_gaps_total: {
    kind: 'counter',
    help: 'Gaps in the news between processes, by direction: told to the others, or noticed by this one',
    labels: ['direction'],
  },
  foyer_database_connections: {
    kind: 'gauge',
    help: 'Connections to the database: all, idle ones, and requests that wait for one',
    labels: ['state'],
  },
} as const satisfies Readonly<Record<string, Metric>>

type Of<K extends 'counter' | 'timer' | 'gauge'> = {
  [N in keyof typeof METRICS]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[keyof typeof METRICS]

/** A value for each label of the metric. */
type Labels<N extends keyof typeof METRICS> = (typeof METRICS)[N] extends {
  labels: readonly (infer L extends string)[]
}
  ? [labels: Readonly<Record<L, string>>]
  : []

/** Takes measurements. Nothing that it does fails or waits. */
export interface Meter {
  count<N extends Of<'counter'>>(name: N, by: number, ...labels: Labels<N>): void
  time<N extends Of<'timer'>>(name: N, seconds: number, ...labels: Labels<N>): void
  /** `read` is called for each reading. A number that cannot be read now is left out. */
  gauge<N extends Of<'gauge'>>(name: N, read: () => number | Promise<number>, ...labels: Labels<N>): void
}

/** Measures nothing. */
export const noMeter: Meter = { count() {}, time() {}, gauge() {} }
