// The server as a program of your own starts it.

import type { Log } from '../../api/index.ts'
import type { Agent, AgentFor, BusLink, Carrier, Runtime } from '../../runtime/index.ts'

export type ServerOptions = {
  /** The settings, by the names in docs/settings.md. Default: the environment of the process. */
  env?: Readonly<Record<string, string | undefined>>
  /** The folder of Markdown files that the guide, or the language model, answers from. Default: Foyer's own docs. */
  documents?: string
  /** Answers visitors, in place of the agent that FOYER_AGENT names: an agent, or a function that returns the one of a project and connector. */
  agent?: Agent | AgentFor
  /** Sends texts and places calls, in place of the carrier that FOYER_CARRIER names. Default: none; in the demo, simulated phones. */
  carrier?: Carrier
  /** Carries news between the processes of one PostgreSQL, in place of NOTIFY or the Redis of REDIS_URL. */
  bus?: BusLink
  /** Default: lines on standard error, in the format of FOYER_LOG. */
  log?: Log
}

export interface Server {
  /** The origin under which browsers reach the server: FOYER_PUBLIC_ORIGIN, or the address on this machine. */
  readonly origin: string
  /** The service, for a desk of your own. Undefined: it is elsewhere. */
  readonly runtime: Runtime | undefined
  /**
   * Resolves once the server has stopped. It gives its work to other processes first, for at most `drainMs` milliseconds (default: 0), and is not
   * ready meanwhile, but answers all the same.
   */
  close(drainMs?: number): Promise<void>
}
