// Claims jobs and runs them. Turns, deliveries and calls share this runner.
//
//   claimDue ─▶ claim (one at a time) ─▶ run ─▶ claimDue again
//   start ─────────────────────────────▶ run        (claimed already, in a transaction of its noun)
//   drain ─────────────────────────────▶ no more claims, what runs may end
//   stop ──────────────────────────────▶ what still runs is aborted
//
// A job belongs to the process that claimed it until that process is gone or stops running it.

import { type LogFailure, untraced } from '../../api/index.ts'
import { atMost, type Clock } from '../clock.ts'

/** One kind of work, such as turns or deliveries. */
export interface Work<Job> {
  /** In log lines: `a delivery failed: …`. */
  readonly name: string
  /** The process claims no job while this many run. Jobs run by `start` count too. */
  readonly atOnce: number
  /** False: the end of a job never makes another one due. */
  readonly again?: boolean
  idOf(job: Job): string
  /** Claims the next job that is due. `held`: the jobs that run in this process; any other job that it owns was lost. */
  claim(held: readonly string[]): Promise<Job | undefined>
  /** Runs a job to its end. `signal` aborts when the runner stops. A rejection is logged. */
  run(job: Job, signal: AbortSignal): Promise<void>
}

export interface Runner<Job> {
  /** Claims and runs the jobs that are due. */
  claimDue(): void
  /** Runs a job that was claimed elsewhere. */
  start(job: Job): void
  /** Runs `task` while no claim is in progress, with the ids of the jobs that run here. */
  betweenClaims<T>(task: (held: readonly string[]) => Promise<T>): Promise<T>
  /** Resolves when this process runs no job with this id. */
  settled(id: string): Promise<void>
  /** This process gives its work to others: it claims nothing more. */
  readonly draining: boolean
  /** The running jobs are aborted. */
  readonly stopping: boolean
  /** Stops claiming. Resolves when all running jobs have ended. */
  drain(): Promise<void>
  /** Stops claiming and aborts the running jobs. Resolves when all have ended, at the latest after `ms`. */
  stop(ms: number): Promise<void>
}

export type RunnerOptions = { clock: Clock; logFailure: LogFailure }

export function createRunner<Job>(work: Work<Job>, { clock, logFailure }: RunnerOptions): Runner<Job> {
  const runningJobs = new Map<string, { abort: AbortController; done: Promise<void> }>()
  /** Claims run one after another, so that each knows the jobs of all earlier claims. */
  let claiming: Promise<void> = Promise.resolve()
  let draining = false
  let stopping = false

  const failed = (error: unknown) => logFailure(`${work.name} failed`, error)

  function start(job: Job): void {
    const id = work.idOf(job)
    const abort = new AbortController()
    if (stopping) abort.abort()
    const jobBefore = runningJobs.get(id)?.done ?? Promise.resolve()
    const done: Promise<void> = jobBefore
      .then(() => work.run(job, abort.signal))
      .finally(() => {
        if (runningJobs.get(id)?.done === done) runningJobs.delete(id)
      })
      // A failed job waits for the next sweep: the database may be unreachable.
      .then(() => (work.again === false ? undefined : claimDue()), failed)
    runningJobs.set(id, { abort, done })
  }

  async function claimAll(): Promise<void> {
    while (!draining && runningJobs.size < work.atOnce) {
      const job = await work.claim([...runningJobs.keys()])
      if (job === undefined) return
      start(job)
    }
  }

  function claimDue(): void {
    // What it claims has nothing to do with whoever asks: it belongs to no trace.
    if (!draining) claiming = claiming.then(() => untraced(claimAll)).catch(failed)
  }

  async function drain(): Promise<void> {
    draining = true
    await claiming
    while (runningJobs.size > 0) await Promise.all([...runningJobs.values()].map(({ done }) => done))
  }

  return {
    claimDue,
    start,
    betweenClaims(task) {
      const betweenResult = claiming.then(() => task([...runningJobs.keys()]))
      claiming = betweenResult.then(
        () => {},
        () => {},
      )
      return betweenResult
    },
    async settled(id) {
      for (let job = runningJobs.get(id); job; job = runningJobs.get(id)) await job.done
    },
    get draining() {
      return draining
    },
    get stopping() {
      return stopping
    },
    drain,
    async stop(ms) {
      stopping = true
      for (const { abort } of runningJobs.values()) abort.abort()
      await atMost(clock, ms, drain())
    },
  }
}
