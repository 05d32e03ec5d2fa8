// The server as a program of your own starts it.

import type { Log } from '../../api/index.ts'
import type { Agent, AgentFor, BusLink, Carrier, Runtime } from '../../runtime/index.ts'

/** The options of `startServer`. */
export type ServerOptions = {
  /** The settings by their names, such as `PORT`. Default: the environment of the process. */
  env?: Readonly<Record<string, string | undefined>>
  /** The folder of Markdown files that the guide, or the language model, answers from. Default: Foyer's own docs. */
  documents?: string
  /** Answers visitors: an agent, or a function that returns the one of a project and connector. Default: the agent that FOYER_AGENT names. */
  agent?: Agent | AgentFor
  /** Sends texts and places calls. Default: the carrier that FOYER_CARRIER names; in the demo, simulated phones. */
  carrier?: Carrier
  /** Carries news between the processes of one PostgreSQL, in place of the default. Default: the Redis of REDIS_URL, else NOTIFY. */
  bus?: BusLink
  /** Takes each line of the log. Default: lines on standard error, in the format of FOYER_LOG. */
  log?: Log
}

/** A running server. */
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
