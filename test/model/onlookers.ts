// Knows which pages may show no more than they had read, or wait for something, while another page goes on in their session.

import type { Tab } from './browser.ts'
import type { Network } from './network.ts'
import { MOST_SOCKETS, type Service, type Session } from './service.ts'
import type { Time } from './time.ts'

/** For so long a page may count on another one that was live. */
export const COUNTED_ON = 60_000
/** Whose session is over needs no socket. */
const OVER: ReadonlySet<string> = new Set(['expired', 'ended'])

/** `tabs`: those that are open. */
export function createOnlookers(time: Time, service: Service, network: Network, tabs: readonly Tab[]) {
  const lastLive = new Map<Tab, number>()
  /** Where each page is live, and which page last was in each session. */
  const liveIn = new Map<Tab, Session>()
  const liveUntil = new Map<Session, { tab: Tab; at: number }>()
  network.livesIn((page, session) => liveIn.get(page as Tab) === session)

  const sessionOf = (tab: Tab): Session | undefined => service.sessions.get(tab.chat.sessionId.value ?? '')
  /** A page that looks on while others have the sockets of the session, or to whom BFF or service say no. */
  const isGivenUp = (tab: Tab) => tab.chat.status.value === 'unavailable'
  const hasSocket = (tab: Tab) => [...tab.sockets].some(({ readyState }) => readyState < 2)

  /** A hidden page without a socket. */
  const rests = (tab: Tab): boolean =>
    !tab.visible &&
    !hasSocket(tab) &&
    // One that nobody has seen, and that was to connect while another one was.
    (sessionOf(tab) !== undefined || tab.chat.status.value === 'connecting') &&
    // A page that was never opened holds nothing.
    (tab.chat.status.value === 'idle'
      ? tab.chat.transcript.value.length > 0
      : !OVER.has(tab.chat.status.value))

  /** Whether another page is live in the session of this one, or was within the last minute. */
  function isCarried(tab: Tab): boolean {
    const session = sessionOf(tab)
    // A page that has not come so far waits for the session of another one.
    if (!session) return tabs.some((other) => other !== tab && other.chat.status.value === 'live')
    const last = liveUntil.get(session)
    return (
      (last !== undefined && last.tab !== tab && last.at > time.now() - COUNTED_ON) ||
      tabs.some((each) => each !== tab && liveIn.get(each) === session && !rests(each))
    )
  }
  const looksOn = (tab: Tab): boolean => isGivenUp(tab) && isCarried(tab)

  return {
    /** The status of a page has changed. */
    became(tab: Tab) {
      const lived = liveIn.get(tab)
      if (lived) liveUntil.set(lived, { tab, at: time.now() })
      liveIn.delete(tab)
      if (tab.chat.status.value !== 'live') return
      const session = sessionOf(tab)
      if (session) liveIn.set(tab, session)
      lastLive.set(tab, time.now())
    },
    rests,
    isCarried,
    looksOn,
    isAside: (tab: Tab): boolean => (rests(tab) || isGivenUp(tab)) && isCarried(tab),
    /** Once the visitor has used every page, one looks on only where its session has no socket for it. */
    isCrowdedOut: (tab: Tab): boolean =>
      looksOn(tab) && (sessionOf(tab)?.connections.size ?? 0) >= MOST_SOCKETS,
    /** A page may wait for the visitor only where it, or the one that speaks for it, was refused since it was last live. */
    waits(tab: Tab): boolean {
      // Where the service wants no heartbeats, only somebody who comes back finds a path that went silent.
      if (service.profile.heartbeatSeconds === 0 && [...network.sockets].some(({ dead }) => dead)) return true
      if (!isGivenUp(tab)) return false
      // The browser has lost the token, which another page still holds.
      const isLost = (session: Session | undefined) => session !== undefined && network.isDoomed(session)
      if (isCarried(tab) && (isLost(sessionOf(tab)) || tabs.some((other) => isLost(sessionOf(other)))))
        return true
      const refusals = [
        network.refusedAt(),
        ...[...service.sessions.values()].map((each) => each.mistreatedAt ?? Number.NEGATIVE_INFINITY),
      ]
      return Math.max(...refusals) >= (lastLive.get(tab) ?? -1)
    },
  }
}
