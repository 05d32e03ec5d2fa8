// Answers those who watch the process: /live while it answers at all, /ready while visitors may be sent to it.
//
//   starting ─▶ serving ─▶ draining        /live: 200 in each state        /ready: 200 only while serving, and while the database answers

export type Probes = {
  /** Undefined if the path is not that of a probe. */
  answer(path: string): Promise<Response | undefined>
  /** Whether visitors may be sent to this process. */
  isReady(): Promise<boolean>
  /** From now on the server is not ready: whoever watches it sends it no more visitors. */
  drain(): void
}

const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** The probes of a server that has started. Until then the listener answers. */
export function createProbes({ healthy }: { healthy(): Promise<boolean> }): Probes {
  let draining = false
  return {
    async answer(path) {
      if (path === '/live') return Response.json({ status: 'live' }, { headers: NO_STORE })
      if (path === '/ready') {
        if (draining) return unavailable('The server is stopping')
        if (!(await healthy())) return unavailable('The database does not answer')
        return Response.json({ status: 'ready' }, { headers: NO_STORE })
      }
      // What the BFF answers itself, where there is no database behind it.
      if (path === '/foyer/health' && !(await healthy())) return unavailable('The database does not answer')
      return undefined
    },
    isReady: async () => !draining && (await healthy()),
    drain() {
      draining = true
    },
  }
}

/** `error`: the cause. */
const unavailable = (error: string): Response =>
  Response.json({ error }, { status: 503, headers: { ...NO_STORE, 'Retry-After': '1' } })
