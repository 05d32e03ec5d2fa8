// Lists every metric that the server measures, and defines how the rooms report to it.

import { BFF_PATHS, ROUTES } from './routes.ts'

type Metric = {
  help: string
  /**
   * The values of each label: all of them, or OPEN. Counters and timers have a series for each combination from the start, so that
   * Prometheus sees the first event as an increase. Values are bounded: never an id, an address or a text of somebody outside.
   */
  labels?: Readonly<Record<string, readonly string[]>>
} & (
  | { kind: 'counter' | 'gauge' }
  /** `buckets`: the upper ends of the classes that are counted, in seconds. */
  | { kind: 'timer'; buckets: readonly number[] }
)

const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const TURNS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]
const WAITS = [5, 15, 30, 60, 120, 300, 600, 1_800]

/** The values of a label whose combinations nobody knows in advance. */
const OPEN: readonly string[] = []

const LIMITED_ROUTES: readonly string[] = [
  ...ROUTES.flatMap(({ path, responses }) => (429 in responses ? [path] : [])),
  ...BFF_PATHS.filter((path) => path.endsWith('/access-token')),
]

const ALL = '; the same number in all processes of one database'

/** Names as Prometheus knows them. Timers count seconds. */
export const METRICS = {
  foyer_build_info: {
    kind: 'gauge',
    help: 'Always 1: which version this process is',
    labels: { version: OPEN },
  },
  foyer_ready: {
    kind: 'gauge',
    help: '1 while visitors may be sent to this process, as /ready says; else 0',
  },
  foyer_sockets: { kind: 'gauge', help: 'Open sockets of this process' },
  foyer_handshakes_total: {
    kind: 'counter',
    help: 'Handshakes of sockets, by outcome: accepted, given up by the client, left to another process (stopping), or the status of the refusal',
    labels: { outcome: ['accepted', 'given up', 'stopping', '400', '401', '404', '429', '500'] },
  },
  foyer_sessions: { kind: 'gauge', help: `Sessions that have not ended${ALL}` },
  foyer_messages_total: {
    kind: 'counter',
    help: 'Messages stored by this process: in from users, out to them',
    labels: { direction: ['in', 'out'], family: ['chat', 'messaging', 'voice'] },
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
    labels: { outcome: ['answered', 'stopped', 'over', 'lost', 'failed'] },
  },
  foyer_llm_tokens_total: {
    kind: 'counter',
    help: 'Tokens of the language model as its endpoint reports them',
    labels: { direction: ['in', 'out'] },
  },
  foyer_llm_failures_total: {
    kind: 'counter',
    help: 'Requests to the language model, each try, and runs of an agent by its address that failed, by cause',
    labels: {
      cause: [
        'timeout',
        'refused',
        'limited',
        'server',
        'network',
        'malformed',
        'cut',
        'request',
        'length',
        'excess',
      ],
    },
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
  foyer_deliveries_total: {
    kind: 'counter',
    help: 'Attempts to hand a text message to the carrier: accepted, refused, perhaps taken (unknown), to be tried again, or given up',
    labels: { outcome: ['accepted', 'refused', 'unknown', 'retried', 'given up'] },
  },
  foyer_receipts_total: {
    kind: 'counter',
    help: 'Receipts of the carrier that said something new of a text message: delivered to the phone, or failed',
    labels: { status: ['delivered', 'failed'] },
  },
  foyer_calls_waiting: { kind: 'gauge', help: `Outbound calls that have not begun${ALL}` },
  foyer_http_seconds: {
    kind: 'timer',
    buckets: ANSWERS,
    help: 'HTTP requests until their answer is sent, by route and status',
    labels: { method: OPEN, route: OPEN, status: OPEN },
  },
  foyer_limited_total: {
    kind: 'counter',
    help: 'What limits refused: requests by route, sockets, frames, questions to the language model',
    labels: {
      limit: [...['sockets', 'frames', 'tokens of a visitor', 'tokens of a connector'], ...LIMITED_ROUTES],
    },
  },
  foyer_bus_news_total: {
    kind: 'counter',
    help: 'News between processes, by direction: sent or received',
    labels: { direction: ['sent', 'received'] },
  },
  foyer_bus_gaps_total: {
    kind: 'counter',
    help: 'Gaps in the news between processes, by direction: told to the others, or noticed by this one',
    labels: { direction: ['told', 'noticed'] },
  },
  foyer_redis_connected: {
    kind: 'gauge',
    help: '1 while Redis answers this process, else 0; left out without REDIS_URL',
  },
  foyer_database_connections: {
    kind: 'gauge',
    help: 'Connections to the database: all, idle ones, and requests that wait for one',
    labels: { state: ['all', 'idle', 'waiting'] },
  },
} as const satisfies Readonly<Record<string, Metric>>

type Of<K extends 'counter' | 'timer' | 'gauge'> = {
  [N in keyof typeof METRICS]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[keyof typeof METRICS]

/** A value for each label of the metric. */
type Labels<N extends keyof typeof METRICS> = (typeof METRICS)[N] extends {
  labels: infer L extends Readonly<Record<string, readonly string[]>>
}
  ? [labels: { readonly [K in keyof L]: L[K][number] }]
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
