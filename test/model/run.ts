// Runs one schedule: a world of a service, a network and a browser; its commands; then all heals, and the oracle looks.

import { type Browser, createBrowser, type Engine, isRefused, type Tab } from './browser.ts'
import { type Command, OPS } from './commands.ts'
import { createNetwork, type HostFault, type HttpFault, type Network, type PageSocket } from './network.ts'
import { type Breach, judge, type Sent, segmentsOf, stormOf, truthOf } from './oracle.ts'
import {
  createService,
  type Hostility,
  type Mishap,
  type Profile,
  type Service,
  type Session,
} from './service.ts'
import { createTime, type Time } from './time.ts'

export type Schedule = {
  readonly seed: number
  readonly profile: Profile
  readonly commands: readonly Command[]
}
export type Outcome = { breaches: Breach[]; ran: number }

const MOST_TABS = 4
/** After this long a session has expired by the clock of a page, and has been asked for once more. */
const RESTED = 640_000
/** Within this one of the pages has the lease, and the others follow it. */
const LEASED = 3_000
/** Within this a page is back once all is well again, visible and looked at. */
const BACK = 18_000
/** Within this a copy has heard whose the messages are that it found. */
const ANSWERED = 10

export async function runSchedule(engine: Engine, schedule: Schedule, trace?: (line: string) => void) {
  const time = createTime()
  const service = createService(time, schedule.profile, chance(schedule.seed + 1))
  return runIn(createWorld(engine, schedule, time, service, trace), schedule, trace)
}

/** The same against the real runtime, which is closed behind it. `slowly`: see `createRuntimeService`. */
export async function runOnRuntime(
  engine: Engine,
  schedule: Schedule,
  trace?: (line: string) => void,
  slowly?: () => Promise<unknown>,
) {
  const { createRest, createRuntimeService } = await import('./runtime.ts')
  const rest = createRest()
  const time = createTime(rest.settle)
  const service = await createRuntimeService(time, rest, chance(schedule.seed + 1), slowly)
  try {
    return await runIn(createWorld(engine, schedule, time, service, trace), schedule, trace, service.load)
  } finally {
    await service.close()
  }
}

async function runIn(
  world: World,
  schedule: Schedule,
  trace?: (line: string) => void,
  load?: () => Promise<void>,
): Promise<Outcome> {
  const uninstall = world.time.install()
  let ran = 0
  try {
    await world.begin()
    for (const command of schedule.commands) {
      if (trace) trace(`${world.time.now()} ${command.op} ${command.tab} ${command.n} (+${command.after})`)
      if (await world.run(command)) ran++
      await world.pass(command.after)
      if (trace) for (const line of world.show()) trace(line)
    }
    await world.heal()
    if (trace) for (const line of world.show()) trace(line)
    await load?.()
    const breaches = world.judge()
    await world.leave()
    return { breaches, ran }
  } catch (error) {
    return {
      breaches: [
        { kind: 'threw' as const, what: error instanceof Error ? (error.stack ?? '') : String(error) },
      ],
      ran,
    }
  } finally {
    uninstall()
  }
}

/** Chance that repeats with its seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type World = ReturnType<typeof createWorld>

function createWorld(
  engine: Engine,
  { seed, profile }: Schedule,
  time: Time,
  service: Service,
  trace?: (line: string) => void,
) {
  const random = chance(seed)
  const network: Network = createNetwork(time, service, chance(seed + 2))
  // Some browsers have no Web Locks.
  const webLocks = seed % 8 !== 0
  const browser: Browser = createBrowser(time, network, engine, random, webLocks, trace)
  const sent: Sent[] = []
  const every: Tab[] = []
  const acts: number[] = []
  let texts = 0

  const act = async (tab: Tab, fn: () => void) => {
    acts.push(time.now())
    if (tab.frozen) return
    await time.act(tab, fn)
  }
  const excuse = (which: (each: Sent) => boolean, why: string) => {
    for (const each of sent) if (which(each)) each.excused ??= why
  }
  /** What the page has not confirmed yet. */
  const waiting = (tab: Tab) => new Set(tab.chat.outbox.value.map((item) => item.text))
  const currentOf = (tab: Tab): Session | undefined => service.sessions.get(tab.chat.sessionId.value ?? '')

  const openSocketOf = (tab: Tab): PageSocket | undefined =>
    [...tab.sockets].find((each) => each.readyState === 1 && each.session === currentOf(tab))

  const left = new Set<Session>()
  const everySession = () => new Set(service.sessions.values())
  const leave = (tab: Tab) => {
    const session = currentOf(tab)
    if (session && !tab.frozen) left.add(session)
  }

  async function start(store: Map<string, string>, opened: boolean): Promise<Tab> {
    const tab = browser.newTab(store)
    every.push(tab)
    tab.chat.status.subscribe((status) => {
      sameSince.set(tab, time.now())
      if (status === 'expired') watchExpiry(tab)
      if (status === 'live') seen.add(`${tab.name} ${tab.chat.sessionId.value}`)
    })
    tab.chat.transcript.subscribe(() => watchLosses(tab))
    if (opened) await world.open(tab)
    return tab
  }

  /** Sessions that the visitor ended, and by which page; and what may have kept the page from saying so. */
  const ended = new Map<Session, { tab: Tab; at: number }>()
  const cutOff = () => ended.clear()
  /** Messages may be stored late, by a service that knows them again. */
  let storedLate = false
  /**
   * Tabs need not agree on the order of sessions: they had no storage to agree by for a while, or the
   * service refused sessions that it knew again later.
   */
  let apart = false
  /** A page that could not read when the visitor last signed out signs out once it can, lest it show another person's chat. */
  let unmarked = false
  let signedOut = false
  let signedOutAt = Number.NEGATIVE_INFINITY
  let patience = profile.batchDelay > 5_000 ? 45_000 : BACK
  const breaches: Breach[] = []
  /** Sessions made before then may be lost for a reason. */
  let doomed = -1
  const doom = (ms = 0) => {
    doomed = Math.max(doomed, time.now() + ms)
  }
  const trouble = (tabs: readonly Tab[]) => {
    for (const tab of tabs) tab.troubledAt = time.now()
  }
  /** The pages that were frozen as they were copied, by their copies. */
  const originals = new Map<Tab, Tab>()
  /** A copy tells its original what it has sent. Where the two are never awake together nobody does. */
  const forgets = (copy: Tab) => {
    const original = originals.get(copy)
    if (!original?.frozen) return
    for (const each of sent) if (waiting(original).has(each.text)) each.tries++
  }
  /** A copy that sleeps before its original has answered does not know either what that one sends. */
  const copiedAt = new Map<Tab, number>()
  const isUntold = (copy: Tab) => time.now() - (copiedAt.get(copy) ?? -ANSWERED) < ANSWERED
  const losses = new Set<string>()
  /** The sessions that each page was live in. */
  const seen = new Set<string>()
  /** A conversation is thrown away only where the service cannot go on with it, and the visitor hears why. */
  function watchLosses(tab: Tab): void {
    const entries = tab.chat.transcript.value
    const dividers = entries.filter(({ kind }) => kind === 'divider')
    for (const [index, { key }] of dividers.entries()) {
      const once = `${tab.name} ${key}`
      if (losses.has(once)) continue
      losses.add(once)
      const { lines = [], end } = segmentsOf(entries)[index] ?? {}
      const text = lines.find((line) => line.role !== 'visitor')?.text ?? ''
      const session = [...service.sessions.values()].find(
        (each) => text !== '' && truthOf(each).some((truth) => truth.text.startsWith(text.slice(0, 4))),
      )
      if (end !== 'lost' || !session || session.forgotten) continue
      if (session.state === 'active' && session.madeAt > doomed && !left.has(session))
        breaches.push({ kind: 'lost', what: `${tab.name} threw ${session.id} away, which goes on` })
      // A page that was never connected to it knows nothing of it, of several the one that knows may not be the one that asks, and
      // without heartbeats, or with a wall clock that was set, none knows since when it slept.
      const isKnown = seen.has(`${tab.name} ${session.id}`) && browser.tabs.length === 1
      const knows = isKnown && profile.heartbeatSeconds > 0 && !time.isWallSet()
      if (session.state === 'expired' && !session.disowned && knows)
        breaches.push({ kind: 'dishonest', what: `${tab.name} calls ${session.id} lost, which expired` })
    }
  }

  /** When a page last was closed or stopped, which may have known of somebody who typed: no replay tells that. */
  let partedAt = -1
  const part = () => {
    partedAt = time.now()
  }
  /** A page counts a conversation as expired only once it is, or is about to be, where the service says how long it lives. */
  function watchExpiry(tab: Tab): void {
    const session = currentOf(tab)
    if (!session || profile.idleSeconds === undefined || apart || storedLate || session.activeAt <= partedAt)
      return
    const left = session.activeAt + profile.idleSeconds * 1_000 - time.now()
    if (session.state === 'active' && left > 15_000 && session.madeAt > doomed && !session.disowned)
      breaches.push({
        kind: 'lost',
        what: `${tab.name} calls ${session.id} expired, which has ${left} ms left`,
      })
  }

  /** Since when each page is in its state. */
  const sameSince = new Map<Tab, number>()
  const released = () => every.flatMap((tab) => tab.released)

  const world = {
    time,
    service,
    sent,
    network,
    browser,
    act,
    pass: (ms: number) => time.pass(ms),
    /** Nobody does anything. A page counts that by itself where the service does not. */
    async idle(ms: number) {
      await time.pass(ms)
      const since = time.now() - RESTED
      if (ms < RESTED || profile.idleSeconds !== undefined || released().some((at) => at > since)) return
      for (const tab of browser.tabs) {
        const session = currentOf(tab)
        if (!session || session.activeAt > since || session.handoff || tab.frozen) continue
        // An end of a handoff that was lost shows with the next event.
        if (['pending', 'live'].includes(tab.chat.handoff.value.state)) continue
        if (tab.chat.status.value === 'live' && (sameSince.get(tab) ?? since) < since)
          breaches.push({
            kind: 'stuck',
            what: `${tab.name} is live in ${session.id}, where nobody did anything`,
          })
      }
    },
    async begin() {
      await start(new Map(), true)
    },
    async run({ op, tab, n }: Command): Promise<boolean> {
      if (browser.tabs.length === 0) await start(new Map(), true)
      const page = browser.tabs[tab % browser.tabs.length]
      return page !== undefined && (await OPS[op]?.run(world, page, n)) !== false
    },

    async open(tab: Tab) {
      await act(tab, () => {
        tab.opened = true
        tab.chat.open()
        tab.chat.setShown(true)
      })
    },
    async send(tab: Tab, text = `V${++texts}`) {
      await act(tab, () => {
        tab.opened = true
        const id = tab.chat.send(text)
        // Refused before anything was lost: the text is still in the composer.
        if (id === undefined) return
        // What no store took is lost with its page, or comes back as it was before.
        const broken = browser.storageFails()
        // Another page may have signed out twice at once: this one hears of the first behind the second.
        const late = time.now() - signedOutAt < ANSWERED ? 'a sign-out was on its way' : undefined
        sent.push({
          id,
          text,
          tab,
          tries: broken ? 2 : 1,
          excused: broken ? 'its store was broken' : late,
        })
      })
    },
    async retry(tab: Tab, n: number) {
      const items = tab.chat.outbox.value.filter(({ state }) => state === 'failed' || state === 'unconfirmed')
      const item = items[n % Math.max(1, items.length)]
      if (!item || tab.frozen) return false
      const known = sent.find((each) => each.id === item.id) ?? sent.find((each) => each.text === item.text)
      // A page that was frozen as it was copied does not hear what its copy sends again, under another id.
      const original = originals.get(tab)
      if (known) known.tries += original && waiting(original).has(item.text) ? 2 : 1
      await act(tab, () => tab.chat.retry(item.id))
    },
    async discard(tab: Tab, n: number) {
      const items = tab.chat.outbox.value
      const item = items[n % Math.max(1, items.length)]
      if (!item || tab.frozen) return false
      excuse((each) => each.text === item.text, 'discarded')
      await act(tab, () => tab.chat.discard(item.id))
    },
    end(tab: Tab) {
      // Expired by the page's own clock, it is over for the visitor: a service that has no such rule ends it for silence.
      if (['idle', 'expired'].includes(tab.chat.status.value)) return false
      leave(tab)
      const session = currentOf(tab)
      // A service that takes longer for a replay than anybody waits is told by its own clock.
      // One that the other tabs have left for another is over already.
      const isShared = browser.tabs.every(({ chat }) =>
        [session?.id, undefined].includes(chat.sessionId.value),
      )
      if (session && !tab.frozen && profile.batchDelay < 5_000 && isShared && network.holds(session.token))
        ended.set(session, { tab, at: time.now() })
      return act(tab, () => tab.chat.end())
    },
    restart(tab: Tab) {
      leave(tab)
      return act(tab, () => tab.chat.restart())
    },
    async logout() {
      const tab = browser.tabs.find((each) => !each.frozen)
      if (!tab) return false
      excuse(() => true, 'logged out')
      // Whoever signs out throws the token away by which a page could still tell what it ended.
      cutOff()
      signedOut = true
      signedOutAt = time.now()
      doom()
      await act(tab, () => void tab.chat.logout().catch(() => {}))
    },

    async newTab(opened: boolean) {
      if (browser.tabs.length >= MOST_TABS) return false
      await start(new Map(), opened)
    },
    async duplicate(tab: Tab) {
      if (browser.tabs.length >= MOST_TABS) return false
      for (const each of sent) each.copied ||= waiting(tab).has(each.text)
      const copy = await start(new Map(tab.store), tab.opened)
      if (tab.frozen) originals.set(copy, tab)
      copiedAt.set(copy, time.now())
    },
    /** `anew`: meanwhile the visitor starts anew in another page. */
    async reload(tab: Tab, crash: boolean, anew = false) {
      if (browser.storageFails()) excuse((each) => waiting(tab).has(each.text), 'its store was broken')
      forgets(tab)
      part()
      await browser.close(tab, crash)
      if (anew) {
        const other = browser.tabs[0] ?? (await start(new Map(), true))
        await time.pass(300)
        await world.restart(other)
        await time.pass(300)
      }
      await start(tab.store, tab.opened)
    },
    async close(tab: Tab, crash: boolean) {
      forgets(tab)
      excuse((each) => waiting(tab).has(each.text), 'its page was closed')
      part()
      await browser.close(tab, crash)
    },
    async see(tab: Tab, visible: boolean) {
      // The page would not hear of it, and a browser wakes what it shows.
      if (tab.frozen) return false
      tab.visible = visible
      trouble([tab])
      await act(tab, () => tab.chat.setVisible(visible))
    },
    async freeze(tab: Tab, ms: number) {
      if (tab.frozen) return false
      forgets(tab)
      if (isUntold(tab)) for (const each of sent) if (waiting(tab).has(each.text)) each.tries++
      part()
      // The browser tells a page before it freezes it.
      await act(tab, () => tab.chat.suspend())
      tab.frozen = true
      trouble([tab])
      time.after(ms, () => {
        tab.frozen = false
        trouble([tab])
        time.deliver(tab, 0, () => tab.chat.wake())
      })
    },
    offline(ms: number) {
      cutOff()
      part()
      trouble(browser.tabs)
      network.setOffline(true)
      for (const tab of browser.tabs) time.deliver(tab, 0, () => tab.chat.setOnline(false))
      time.after(ms, () => {
        network.setOffline(false)
        trouble(browser.tabs)
        for (const tab of browser.tabs) time.deliver(tab, 0, () => tab.chat.setOnline(true))
      })
    },
    async sleep(ms: number, counts: boolean, sockets: 'kept' | 'reset' | 'zombie') {
      cutOff()
      part()
      const open = network.open()
      if (sockets !== 'kept') for (const socket of open) socket.halve('both')
      trouble(browser.tabs)
      // What a page was about to do it does as the machine wakes.
      const isDoomed = doomed > time.now()
      await time.sleep(ms, counts)
      if (isDoomed) doom(LEASED)
      trouble(browser.tabs)
      // The token is over, or about to be.
      if (time.now() > 80_000_000) doom(1e12)
      if (sockets === 'reset') for (const socket of open) socket.cut(1006, 'lost')
      for (const tab of browser.tabs) time.deliver(tab, 50, () => tab.chat.wake())
    },
    failStorage(kind: 'full' | 'denied', ms: number) {
      // What the store still holds of these may be older than what happened to them.
      for (const tab of browser.tabs)
        for (const each of sent)
          if (waiting(tab).has(each.text)) {
            each.excused ??= 'its store was broken'
            each.tries = Number.POSITIVE_INFINITY
          }
      // Pages that find no lease begin each for itself, until one has it, and the cookie keeps the token of one.
      doom(ms + (webLocks ? 0 : LEASED))
      apart = true
      unmarked ||= kind === 'denied'
      browser.failStorage(kind, ms)
    },

    /** A path goes silent: a page that is looked at finds out within 20 s. */
    halve(socket: PageSocket, direction: 'up' | 'down' | 'both', late: number | undefined) {
      socket.halve(direction, late)
      if (late !== undefined) storedLate = true
      const at = time.now()
      if (profile.heartbeatSeconds === 0 || profile.batchDelay > 5_000 || direction === 'up') return
      time.after(22_000, () => {
        const tab = every.find((each) => each === (socket.page as Tab))
        // A page that was frozen with the socket of a farewell looks at nothing.
        if (tab?.alive && !tab.frozen && tab.visible && tab.troubledAt < at && socket.readyState === 1)
          breaches.push({ kind: 'stuck', what: `${tab.name} trusts a dead socket after 22 s` })
      })
    },
    mishap(mishap: Mishap) {
      if (mishap.kind === 'late-store') storedLate = true
      service.mishaps.push(mishap)
    },
    toSession(tab: Tab, fn: (session: Session) => void) {
      const session = currentOf(tab)
      // A service that does not say when a session is over keeps it for a while after the client let go of it.
      if (session?.state !== 'active' || !session.joined || tab.chat.status.value === 'expired') return false
      fn(session)
    },
    toSocket(tab: Tab, fn: (socket: PageSocket) => void) {
      const sockets = network.open()
      const socket =
        sockets.find((each) => each.page === tab && !each.dead) ?? sockets.find((each) => !each.dead)
      if (!socket) return false
      fn(socket)
    },
    handoff(tab: Tab, n: number) {
      return world.toSession(tab, (session) => {
        if (session.handoff) {
          session.handoff = false
          service.publish(session, n % 2 ? 'EVENT_TYPE_LIVE_AGENT_LEFT' : 'EVENT_TYPE_HANDOFF_FAILED')
          return
        }
        session.handoff = true
        service.publish(session, 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF')
        if (n % 3)
          service.publish(session, 'EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: 'sarah', name: 'Sarah' } })
      })
    },
    over: (session: Session) => service.over(session, 'REASON_NATURAL_END'),
    forget(tab: Tab) {
      doom()
      const session = currentOf(tab)
      if (!session) return false
      service.forget(session)
    },
    turnHostile(kind: Hostility, ms: number) {
      doom(ms + 60_000)
      apart = true
      service.turnHostile(kind, ms)
    },
    failHost: (kind: HostFault, ms: number) => {
      cutOff()
      if (kind === 'refuse') {
        doom(ms + 60_000)
        // A host that is up and refuses them has disowned them.
        for (const session of service.sessions.values()) session.disowned = true
      }
      // The host proves that it is up, and is down again before the old session is tried once more.
      if (network.requests.some(({ what, at }) => what === 'session' && at > time.now() - 1_000)) doom()
      network.failHost(kind, ms)
      if (kind === 'down' || kind === 'hang') for (const socket of network.open()) socket.halve('both')
      else for (const socket of network.open()) socket.cut(1006, 'lost')
    },
    failBff(kind: HttpFault, ms: number, after: string) {
      if (kind === 429) patience = Math.max(patience, after === '999999999' ? 330_000 : 90_000)
      network.failBff(kind, ms, after)
    },
    failCreate(kind: HttpFault, ms: number, made: boolean) {
      if (kind === 429) patience = 330_000
      // A token that is refused is replaced, and its session with it.
      if (kind === 401) doom(ms + 60_000)
      network.failCreate(kind, ms, made)
    },
    loseCookie() {
      // Until a new token is asked for, every session is one that no reload comes back to.
      doom(1e12)
      // Nor can anybody else ask what became of them.
      for (const session of service.sessions.values()) session.disowned = true
      network.loseCookie()
    },

    /** All is well from here on: the pages are seen and looked at, and what still waits is asked for once. */
    async heal() {
      const rested: Tab[] = []
      network.heal()
      service.calm()
      browser.heal()
      if (browser.tabs.length === 0) await start(new Map(), true)
      for (const tab of browser.tabs) {
        tab.frozen = false
        await time.act(tab, () => {
          tab.chat.setOnline(true)
          tab.chat.setVisible(true)
          tab.chat.wake()
        })
      }
      await time.pass(BACK)
      // Refused for good: typing tries again, for all tabs of the browser. Over: opening only shows it.
      let typed = false
      for (const tab of browser.tabs) {
        const { value } = tab.chat.status
        if (value === 'unavailable') {
          typed = true
          await act(tab, () => tab.chat.typed())
        } else if (value !== 'idle') await act(tab, () => tab.chat.open())
        if (value === 'expired') rested.push(tab)
        // What was written before the session expired goes into the next one by itself, once the site allows it.
        typed ||= tab.chat.outbox.value.some(
          ({ state, text }) =>
            state === 'queued' || state === 'sent' || (state === 'held' && !isRefused(text)),
        )
      }
      await time.pass(Math.max(patience, BACK))
      // A page may have made as many sessions as it may only now: it gives up, and the visitor asks.
      const late = browser.tabs.filter(({ chat }) => chat.status.value === 'unavailable')
      for (const tab of late) await act(tab, () => tab.chat.typed())
      if (late.length > 0) await time.pass(BACK)
      for (const tab of rested)
        if (tab.chat.status.value !== 'expired' && !typed && late.length === 0)
          breaches.push({ kind: 'storm', what: `${tab.name} made a session though nobody typed` })
      // What was lost on a live socket shows with the next event.
      for (const session of service.sessions.values())
        if (session.connections.size > 0 && session.joined) service.say(session, { whole: true })
      // After three holes in a minute the next one waits for so long.
      await time.pass(70_000)
      // Nothing is missing now: what happens next moves nobody to ask again.
      const open = browser.tabs.map((tab) => ({ tab, socket: openSocketOf(tab) }))
      for (const session of service.sessions.values())
        if (session.connections.size > 0 && session.joined) service.say(session, { whole: true })
      await time.pass(6_000)
      for (const { tab, socket } of open)
        if (socket && socket !== openSocketOf(tab) && profile.batchDelay < 5_000)
          breaches.push({ kind: 'storm', what: `${tab.name} replaced a socket that missed nothing` })
    },
    judge: (): Breach[] => [
      ...breaches,
      ...judge(service, browser, sent, unmarked && signedOut ? everySession() : left, storedLate, apart),
      // Whoever signs out throws away what was still to be told, as soon as the page hears of it.
      ...[...ended]
        .filter(([, { tab, at }]) => tab.signedOutAt < at)
        .map(([session, { tab }]) => [session, tab] as const)
        .filter(([session, tab]) => session.state === 'active' && tab.alive && !session.forgotten)
        // Whose token the browser has lost, or has replaced since, cannot be told.
        .filter(([session]) => network.holds(session.token))
        .map(([session]) => ({
          kind: 'stuck' as const,
          what: `${session.id} was ended, and nobody told the service`,
        })),
      ...stormOf(every, acts),
    ],
    /** All pages close: nothing of them is left. */
    async leave() {
      for (const tab of [...browser.tabs]) await browser.close(tab, false)
    },
    /** What the pages show, for a trace. */
    show: () =>
      browser.tabs.map(
        (tab) =>
          `    ${tab.name} ${tab.chat.status.value} ${tab.chat.sessionId.value}: ${[
            ...tab.chat.transcript.value.map((entry) =>
              entry.kind === 'message'
                ? `${entry.role} ${entry.content.value.pieces.join('')}${entry.content.value.complete ? '' : '…'}`
                : entry.kind === 'divider'
                  ? `--- ${entry.reason}`
                  : `* ${entry.notice}`,
            ),
            ...tab.chat.outbox.value.map((item) => `[${item.state}] ${item.text}`),
          ].join(' | ')}`,
      ),
  }
  return world
}
