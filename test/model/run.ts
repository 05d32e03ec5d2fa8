// Runs one schedule: a world of a service, a network and a browser; its commands; then all heals, and the oracle looks.

import type { Decision } from '../../src/protocol/index.ts'
import { type Browser, createBrowser, type Engine, isRefused, type Tab } from './browser.ts'
import { type Command, OPENS_A_TAB, OPS } from './commands.ts'
import { createExcuses } from './excuses.ts'
import {
  createNetwork,
  type HostFault,
  type HttpFault,
  type Network,
  type PageSocket,
  type StatusFault,
} from './network.ts'
import { createOnlookers } from './onlookers.ts'
import {
  type Breach,
  judge,
  judgeDecisions,
  type Kind,
  SETTLED,
  segmentsOf,
  stormOf,
  truthOf,
} from './oracle.ts'
import {
  createService,
  type Hostility,
  type Mishap,
  MOST_SOCKETS,
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
/** `excused`: how much of what was judged, and how often an excuse kept the oracle from judging. */
export type Outcome = { breaches: Breach[]; ran: number; excused?: Readonly<Record<string, number>> }

const MOST_TABS = 4
/** One more than a session takes sockets. */
const ELEVEN = MOST_SOCKETS + 1
const MINUTE = 60_000
/** How a handoff stands after each of its events. */
const HANDOFFS: Readonly<Record<string, string>> = {
  EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF: 'pending',
  EVENT_TYPE_LIVE_AGENT_JOINED: 'live',
  EVENT_TYPE_LIVE_AGENT_LEFT: 'none',
  EVENT_TYPE_HANDOFF_FAILED: 'failed',
}
/** After this long a session has expired by the clock of a page, and has been asked for once more. */
const RESTED = 640_000
/** For so long a session that is over can be asked how it ended. */
const ASKED = 600_000
/** A session that the service does not tell about is asked for over a minute, which its waits make longer. */
const UNTOLD = 75_000
/** Within this a page that nobody looks at is back once all is well again. */
const BACK = 75_000

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
    return await runIn(createWorld(engine, schedule, time, service, trace, service.load), schedule, trace)
  } finally {
    await service.close()
  }
}

async function runIn(world: World, schedule: Schedule, trace?: (line: string) => void): Promise<Outcome> {
  const uninstall = world.time.install()
  let ran = 0
  try {
    await world.begin()
    for (const command of schedule.commands) {
      if (trace) trace(`${world.time.now()} ${command.op} ${command.tab} ${command.n} (+${command.after})`)
      if (await world.run(command)) ran++
      await world.pass(command.after)
      world.look()
      if (trace) for (const line of world.show()) trace(line)
    }
    await world.heal()
    if (trace) for (const line of world.show()) trace(line)
    await world.leave()
    return { breaches: world.breaches(), ran, excused: world.figures() }
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
  { seed, profile, commands }: Schedule,
  time: Time,
  service: Service,
  trace?: (line: string) => void,
  load?: () => Promise<void>,
) {
  const random = chance(seed)
  const network: Network = createNetwork(time, service, chance(seed + 2))
  // Insecure pages have no Web Locks, and no promise for several of them.
  const webLocks = seed % 8 !== 0 || commands.some(({ op }) => OPENS_A_TAB.has(op))
  const browser: Browser = createBrowser(time, network, engine, random, webLocks, trace, (tab) => {
    excuses.signedOut(tab)
    told.delete(tab)
    shown.delete(tab)
    // Whoever writes in it now is another person.
    lines.set(tab, ++persons)
  })
  const excuses = createExcuses(time, service, network)
  const { left, thrown, waiting } = excuses
  const onlookers = createOnlookers(time, service, network, browser.tabs)
  const { rests, isCarried, isAside, isCrowdedOut, looksOn, waits } = onlookers
  const every: Tab[] = []
  const acts: number[] = []
  let texts = 0

  const act = async (tab: Tab, fn: () => void) => {
    acts.push(time.now())
    if (tab.frozen) return
    await time.act(tab, fn)
  }
  const currentOf = (tab: Tab): Session | undefined => service.sessions.get(tab.chat.sessionId.value ?? '')

  const openSocketOf = (tab: Tab): PageSocket | undefined =>
    [...tab.sockets].find((each) => each.readyState === 1 && each.session === currentOf(tab))

  const leave = (tab: Tab) => {
    const session = currentOf(tab)
    if (session && !tab.frozen) left.add(session)
  }

  /** Who writes in which page: the same person in one that was reloaded. */
  const lines = new Map<Tab, number>()
  let persons = 0
  async function start(store: Map<string, string>, opened: boolean, line = ++persons): Promise<Tab> {
    const tab = browser.newTab(store)
    every.push(tab)
    lines.set(tab, line)
    excuses.opened(tab, browser.isDenied())
    tab.chat.outbox.subscribe(() => {
      excuses.boxed(tab)
      for (const id of waiting(tab)) written(tab).add(id)
    })
    tab.chat.sessionId.subscribe(() => {
      watchTurnedAway(tab)
      const session = currentOf(tab)
      if (session) excuses.entered(tab, session)
    })
    tab.chat.status.subscribe((status) => {
      sameSince.set(tab, time.now())
      onlookers.became(tab)
      if (status === 'expired') watchExpiry(tab)
      const rested = status === 'expired' && profile.idleSeconds === undefined ? currentOf(tab) : undefined
      if (rested) thrown.add(rested)
      if (status === 'live') seen.add(`${tab.name} ${tab.chat.sessionId.value}`)
    })
    tab.chat.transcript.subscribe(() => watchLosses(tab))
    if (opened) await world.open(tab)
    return tab
  }

  /** Sessions that the visitor ended, and by which page; and what may have kept the page from saying so. */
  const ended = new Map<Session, { tab: Tab; at: number }>()
  const cutOff = () => ended.clear()
  let patience = (profile.batchDelay > 5_000 ? 45_000 : 0) + (profile.hasStatus ? 0 : UNTOLD)
  const breaches: Breach[] = []
  const say = (kind: Kind, what: string) => breaches.push({ kind, what })
  const trouble = (tabs: readonly Tab[]) => {
    for (const tab of tabs) tab.troubledAt = time.now()
  }
  /** The session of each page. */
  const sessionOf = new Map<Tab, Session>()
  /** A page that was turned away stays with its session while other pages are live in it. */
  function watchTurnedAway(tab: Tab): void {
    const [now, was] = [currentOf(tab), sessionOf.get(tab)]
    if (!now || now === was) return
    sessionOf.set(tab, now)
    // The other pages follow this one, as late as it may be.
    if (was && excuses.mayLeave(was) !== undefined) return void thrown.add(was)
    const away = network.turnedAway.get(tab)
    if (!was || away?.session !== was || was.state !== 'active') return
    if (away.at < time.now() - MINUTE) return
    say('thrown', `${tab.name} went to ${now.id}, since ${was.id} takes no more sockets`)
    thrown.add(was)
  }
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
      const number = lines.map(({ text }) => /^A\d+:/.exec(text)?.[0]).find((found) => found !== undefined)
      const session = [...service.sessions.values()].find(
        (each) =>
          number !== undefined && truthOf(each, service.senders).some(({ text }) => text.startsWith(number)),
      )
      if (!session || session.forgotten) continue
      if (end === 'lost' && session.state === 'active') {
        if (excuses.mayLeave(session) === undefined)
          say('thrown', `${tab.name} threw ${session.id} away, which goes on`)
        thrown.add(session)
      }
      // A page that was never connected to it knows nothing of it, of several the one that knows may not be the one that asks, and
      // without heartbeats, or with a wall clock that was set, none knows since when it slept.
      const isKnown = seen.has(`${tab.name} ${session.id}`) && browser.tabs.length === 1
      const knows = isKnown && profile.heartbeatSeconds > 0 && !time.isWallSet()
      if (end === 'lost' && session.state === 'expired' && !session.disowned && knows)
        say('dishonest', `${tab.name} calls ${session.id} lost, which expired`)
      if (end === 'restarted' && !left.has(session))
        say('dishonest', `${tab.name} says that the visitor left ${session.id}`)
      // Ten minutes after a session is over nobody can ask how it ended.
      const isAsked = !session.unasked && time.now() - session.overAt < ASKED
      if (end === 'expired' && session.state === 'ended' && isAsked && knows)
        say('dishonest', `${tab.name} calls ${session.id} expired, which ended`)
      if (end === 'ended' && session.state === 'active' && !left.has(session))
        say('dishonest', `${tab.name} calls ${session.id} ended, which is ${session.state}`)
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
    if (session?.state !== 'active' || profile.idleSeconds === undefined) return
    const since = session.activeAt <= partedAt ? session.eventAt : session.activeAt
    const rest = since + profile.idleSeconds * 1_000 - time.now()
    if (rest > 15_000 && excuses.mayLeave(session) === undefined)
      say('thrown', `${tab.name} calls ${session.id} expired, which has ${rest} ms left`)
  }

  /** What each page was told to send since somebody last signed out there, and what it showed when it was last looked at. */
  const told = new Map<Tab, Set<string>>()
  const shown = new Map<Tab, ReadonlyMap<string, string>>()
  const written = (tab: Tab) => told.get(tab) ?? told.set(tab, new Set()).get(tab) ?? new Set()
  /** What was on the screen stays there, until the person signs out. */
  function look(tab: Tab): void {
    const now = new Map(
      tab.chat.transcript.value.flatMap((each) =>
        each.kind === 'message' ? [[each.key, each.content.value.pieces.join('')] as const] : [],
      ),
    )
    for (const [key, text] of shown.get(tab) ?? [])
      if (!now.has(key)) say('vanished', `${tab.name} no longer shows "${text}"`)
    shown.set(tab, now)
  }

  /** Since when each page is in its state. */
  const sameSince = new Map<Tab, number>()
  const lineOf = (tab: Tab) => lines.get(tab) ?? -1
  const released = () => every.flatMap((tab) => tab.released)

  /** What a page says and has while nothing is under way. */
  function judgeRest(): void {
    for (const tab of browser.tabs) {
      const { name, chat } = tab
      if (isAside(tab)) continue
      if (chat.typing.value)
        say('signs', `${name} says that ${chat.typing.value.role} types, and nobody does`)
      const open = [...tab.sockets].filter(({ readyState }) => readyState < 2)
      if (open.length > 1 && profile.batchDelay < 5_000)
        say('left', `${name} has ${open.length} sockets open`)
      if (chat.status.value === 'live' && open.length > 0 && !tab.shown && chat.unread.value === 0)
        if (browser.tabs.every((each) => !each.shown))
          say('signs', `${name} counts nothing as unread, and nobody has looked`)
      const session = currentOf(tab)
      if (chat.status.value !== 'live' || !session || left.has(session)) continue
      const last = session.events.findLast(({ type }) => type in HANDOFFS)
      const truth = HANDOFFS[last?.type ?? ''] ?? 'none'
      if (chat.handoff.value.state !== truth)
        say('signs', `${name} shows the handoff as ${chat.handoff.value.state}, which is ${truth}`)
      if (chat.agent.value.live !== (truth === 'live')) say('signs', `${name} names the wrong agent`)
    }
    for (const tab of browser.tabs)
      for (const id of written(tab)) {
        const each = excuses.sent.get(id)
        if (!each || each.excused !== undefined || isRefused(each.text)) continue
        // The page that it was copied from sent it, and may be gone by now.
        if (each.copied && service.received.has(`${currentOf(tab)?.id} ${id}`)) continue
        const isShown = ({ chat }: Tab) =>
          chat.outbox.value.some((item) => item.id === id) ||
          chat.transcript.value.some(
            (entry) =>
              entry.key === id ||
              (entry.kind === 'message' && entry.content.value.pieces.join('').trim() === each.text.trim()),
          )
        if (!isShown(tab) && !(each.copied && browser.tabs.some(isShown)))
          say('vanished', `${tab.name} no longer shows "${each.text}"`)
      }
  }

  /** What the visitor ended is over for the service too. */
  function judgeEnds(): void {
    for (const [session, { tab, at }] of ended) {
      // Whoever signs out throws away what was still to be told, as soon as the page hears of it.
      if (tab.signedOutAt >= at || !tab.alive || session.state !== 'active' || session.forgotten) continue
      // Whose token the browser has lost, or has replaced since, cannot be told.
      if (network.keeps(session.token)) say('stuck', `${session.id} was ended, and nobody told the service`)
    }
  }

  /** Each page that lets go of its socket while it is hidden relies on another one. */
  function judgeHidden(): void {
    for (const tab of browser.tabs)
      if (rests(tab) && tab.chat.status.value !== 'unavailable' && !isCarried(tab))
        say('stuck', `${tab.name} is hidden and has no socket, and no other page is live`)
  }

  /** The visitor looks at every page again: opening one that is over only shows it, and where the chat gave up typing helps. */
  async function comeBack(): Promise<void> {
    const before = browser.tabs.map((tab) => ({ tab, status: tab.chat.status.value }))
    const queued = browser.tabs.some((tab) => tab.chat.outbox.value.some(({ state }) => state === 'queued'))
    const aside = browser.tabs.filter(isAside)
    const given = browser.tabs.filter(waits)
    const from = time.now()
    // Whoever is shown may join a session that another page has made before.
    const isNew = (session: Session | undefined) => session === undefined || session.madeAt >= from
    for (const { tab, status } of before) {
      tab.visible = true
      if (status === 'idle' && !aside.includes(tab)) continue
      await act(tab, () => {
        tab.chat.setVisible(true)
        // To look at a page that gave up is to ask it to try again, and so may make a session.
        if (status === 'unavailable') return
        tab.chat.wake()
        tab.chat.open()
      })
    }
    await time.pass(2_000)
    for (const { tab, status } of before)
      if (status === 'expired' && tab.chat.status.value !== 'expired' && !queued && isNew(currentOf(tab)))
        say('storm', `${tab.name} made a session though nobody typed`)
    for (const tab of given)
      await act(tab, () => (tab.chat.status.value === 'unavailable' ? tab.chat.typed() : tab.chat.wake()))
    // Whoever was shown may only now connect.
    await time.pass(BACK + (given.length + aside.length > 0 ? patience : Math.min(patience, MINUTE)))
  }

  /** The visitor types in every page that was opened: whatever it had left to others it does itself now. */
  async function typeEverywhere(): Promise<void> {
    // What the last page begins, the first one joins when it is used again.
    for (let round = 0; round < 2; round++) {
      for (const tab of browser.tabs)
        if (tab.chat.status.value !== 'idle') await act(tab, () => tab.chat.typed())
      // What a service once asked to wait for is over by now.
      await time.pass(BACK + Math.min(patience, MINUTE))
    }
  }

  /** All is well, and has been for a while. */
  async function quiet(): Promise<void> {
    network.heal()
    service.calm()
    browser.heal()
    await time.pass(BACK + patience)
  }
  /** A page that can be relied on: it runs, and is live over whatever it has. */
  const isSound = (tab: Tab): boolean =>
    !tab.frozen && tab.chat.status.value === 'live' && ![...tab.sockets].some(({ dead }) => dead)

  const world = {
    time,
    service,
    excuses,
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
        if (!session || session.activeAt > since || session.handoff || tab.frozen || rests(tab)) continue
        // An end of a handoff that was lost shows with the next event.
        if (['pending', 'live'].includes(tab.chat.handoff.value.state)) continue
        if (tab.chat.status.value === 'live' && (sameSince.get(tab) ?? since) < since)
          say('stuck', `${tab.name} is live in ${session.id}, where nobody did anything`)
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
        tab.shown = true
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
        excuses.wrote(lineOf(tab), id, text)
      })
    },
    /** The visitor decides the open question; `together`: and the other way in another page, before either has heard of it. */
    async decide(tab: Tab, decision: Decision, together: boolean) {
      const open = tab.chat.question.value
      if (!open || tab.frozen) return false
      await act(tab, () => tab.chat.decide(open.key, decision))
      const other = browser.tabs.find((each) => each !== tab && each.chat.question.value?.key === open.key)
      if (!together || !other) return
      await act(other, () => other.chat.decide(open.key, decision === 'confirm' ? 'cancel' : 'confirm'))
    },
    /** All faults end, and each page shows what is stored of the questions. */
    async judgeDecided() {
      await quiet()
      await load?.()
      const untold = network.untold()
      for (const tab of browser.tabs) {
        const session = currentOf(tab)
        if (session && tab.chat.status.value === 'live' && !isAside(tab))
          judgeDecisions(tab, session, untold.get(session), say)
      }
    },
    async retry(tab: Tab, n: number) {
      const items = tab.chat.outbox.value.filter(({ state }) => state === 'failed' || state === 'unconfirmed')
      const item = items[n % Math.max(1, items.length)]
      if (!item || tab.frozen) return false
      const before = waiting(tab)
      await act(tab, () => tab.chat.retry(item.id))
      const fresh = [...waiting(tab)].find((id) => !before.has(id))
      excuses.again(lineOf(tab), item.id, fresh ?? item.id)
    },
    async discard(tab: Tab, n: number) {
      const items = tab.chat.outbox.value
      const item = items[n % Math.max(1, items.length)]
      if (!item || tab.frozen) return false
      excuses.discarded(item.id)
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
      if (session && !tab.frozen && profile.batchDelay < 5_000 && isShared && network.keeps(session.token))
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
      excuses.signsOut(browser.tabs)
      // Whoever signs out throws the token away by which a page could still tell what it ended.
      cutOff()
      await act(tab, () => void tab.chat.logout().catch(() => {}))
    },

    /** More pages than a session takes sockets. `isJudged`: all is well meanwhile. `stay`: they are not closed after it. */
    async openEleven(isJudged: boolean, stay: boolean) {
      if (browser.tabs.length >= ELEVEN) return false
      if (isJudged) await quiet()
      const [first] = browser.tabs
      const isWell = isJudged && first !== undefined && isSound(first)
      while (browser.tabs.length < ELEVEN) {
        await start(new Map(), true)
        await time.pass(200)
      }
      // A page that was refused tries again after half a minute.
      await time.pass(45_000 + Math.min(patience, MINUTE))
      const session = first && currentOf(first)
      for (const tab of isWell && first && isSound(first) && session?.state === 'active' ? browser.tabs : [])
        if (
          !tab.frozen &&
          tab.visible &&
          tab.opened &&
          !SETTLED.has(tab.chat.status.value) &&
          !isCrowdedOut(tab)
        )
          say('stuck', `${tab.name} is ${tab.chat.status.value}, one of ${ELEVEN} pages`)
      while (!stay && browser.tabs.length > MOST_TABS) await world.close(browser.tabs.at(-1) as Tab, false)
    },
    /** Nobody looks at any page, for a quarter of an hour where the visitor waits for a person, and else for eight minutes. */
    async hideAll(tab: Tab, isJudged: boolean, waitsInLine: boolean, comesBack: boolean) {
      if (isJudged) await quiet()
      const session = currentOf(tab)
      if (tab.frozen || session?.state !== 'active' || !session.joined) return false
      if (waitsInLine && !session.handoff) {
        session.handoff = true
        service.cancel(session)
        service.publish(session, 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF')
      }
      for (const each of [...browser.tabs]) await world.see(each, false)
      await time.pass(5_000)
      const waiting = () => ['pending', 'live'].includes(tab.chat.handoff.value.state)
      const isWell = isJudged && tab.alive && isSound(tab) && (!waitsInLine || waiting())
      let alone = 0
      for (let past = 0; past < (waitsInLine ? 15 : 8) * MINUTE; past += 10_000) {
        await time.pass(10_000)
        const isNear = !waitsInLine && time.now() - session.activeAt > 530_000
        if (!isWell || isNear || session.state !== 'active' || excuses.mayLeave(session)) alone = 0
        else if (session.connections.size > 0) alone = 0
        else if (++alone === 3)
          say('stuck', `all pages are hidden, and none has a socket of ${session.id}, which goes on`)
      }
      if (isWell && waitsInLine && session.state !== 'active' && session.handoff)
        say('thrown', `${session.id} is ${session.state}, where the visitor waited for a person`)
      if (session.handoff) service.say(session, { live: true })
      for (const each of comesBack ? [...browser.tabs] : []) await world.see(each, true)
    },
    /** A page that holds a lock stands still or crashes. `making`: so many ms after a page began to make a session. */
    async stopHolder(
      tab: Tab,
      how: { isJudged: boolean; isKilled: boolean; making: number | undefined; place: number },
    ) {
      if (how.isJudged) await quiet()
      if (how.making !== undefined && !tab.frozen) {
        await world.restart(tab)
        await time.pass(how.making)
      }
      const holders = browser.lockHolders()
      const holder = holders[how.place % Math.max(1, holders.length)]
      if (!holder || holder.frozen || !browser.tabs.includes(holder)) return false
      const other = browser.tabs.find((each) => each !== holder && each.visible && !each.frozen)
      const isWell = how.isJudged && profile.batchDelay < 5_000 && other !== undefined && isSound(other)
      if (how.isKilled) await world.close(holder, true)
      else await world.freeze(holder, 20_000, false)
      if (!other) return
      await act(other, () => other.chat.typed())
      if (how.isJudged && how.making !== undefined) {
        // What it has heard of is over, and it needs a session too.
        await time.pass(200)
        await world.send(other, 'ok')
      }
      await time.pass(18_000)
      const status = other.chat.status.value
      if (isWell && ['connecting', 'reconnecting', 'unavailable'].includes(status))
        say('stuck', `${other.name} is ${status}, while ${holder.name}, which held a lock, is gone`)
    },
    /** The first pages of a new profile open at almost the same time. */
    async openTogether(isJudged: boolean, count: number, within: number) {
      if (isJudged) await quiet()
      for (const tab of [...browser.tabs]) await world.close(tab, false)
      await time.pass(1_000)
      browser.forget()
      network.loseCookie()
      const before = service.sessions.size
      const tabs: Tab[] = []
      for (let opened = 0; opened < count; opened++) {
        if (opened > 0) await time.pass(Math.floor(within / (count - 1)))
        tabs.push(await start(new Map(), true))
      }
      await time.pass(15_000)
      if (!isJudged) return
      const made = service.sessions.size - before
      if (webLocks && made > 1)
        say('storm', `${count} pages that opened within ${within} ms made ${made} sessions`)
      const ids = new Set(tabs.filter(isSound).map(({ chat }) => chat.sessionId.value))
      if (webLocks && ids.size > 1)
        say('split', `${count} pages that opened at once are in ${[...ids].join(', ')}`)
    },
    /** The visitor types in one page for ten minutes, and another one is only open. */
    async typeElsewhere(tab: Tab, isJudged: boolean) {
      if (tab.frozen) return false
      if (isJudged) await quiet()
      let other = browser.tabs.find((each) => each !== tab && !each.frozen && each.opened)
      if (!other && browser.tabs.length >= MOST_TABS) return false
      if (!other) {
        other = await start(new Map(), true)
        await time.pass(10_000)
      }
      const session = currentOf(tab)
      const both = [tab, other]
      let isWell = isJudged && both.every((each) => isSound(each) && currentOf(each) === session)
      for (let times = 0; times < 30; times++) {
        await act(tab, () => tab.chat.typed())
        await time.pass(20_000)
        const over = both.find((each) => each.chat.status.value === 'expired')
        if (!isWell || !over || session?.state !== 'active' || excuses.mayLeave(session) !== undefined)
          continue
        say('thrown', `${over.name} calls ${session.id} expired, while ${tab.name} types`)
        isWell = false
      }
    },

    async newTab(opened: boolean) {
      if (browser.tabs.length >= MOST_TABS) return false
      await start(new Map(), opened)
    },
    async duplicate(tab: Tab) {
      if (browser.tabs.length >= MOST_TABS) return false
      excuses.copied(tab, await start(new Map(tab.store), tab.opened))
    },
    /** `anew`: meanwhile the visitor starts anew in another page. */
    async reload(tab: Tab, crash: boolean, anew = false) {
      excuses.reloaded(tab)
      part()
      await browser.close(tab, crash)
      if (anew) {
        const other = browser.tabs[0] ?? (await start(new Map(), true))
        await time.pass(300)
        await world.restart(other)
        await time.pass(300)
      }
      await start(tab.store, tab.opened, lineOf(tab))
    },
    async close(tab: Tab, crash: boolean) {
      excuses.closed(tab, browser.tabs)
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
    /** The browser tells a page before it freezes it. One that is blocked stands still without a word, and nothing wakes it. */
    async freeze(tab: Tab, ms: number, isTold = true) {
      if (tab.frozen) return false
      excuses.stands(tab)
      part()
      if (isTold) await act(tab, () => tab.chat.suspend())
      tab.frozen = true
      trouble([tab])
      time.after(ms, () => {
        tab.frozen = false
        trouble([tab])
        if (isTold) time.deliver(tab, 0, () => tab.chat.wake())
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
      await time.sleep(ms, counts)
      excuses.slept(ms)
      trouble(browser.tabs)
      if (sockets === 'reset') for (const socket of open) socket.cut(1006, 'lost')
      for (const tab of browser.tabs) time.deliver(tab, 50, () => tab.chat.wake())
    },
    failStorage(kind: 'full' | 'denied', ms: number) {
      excuses.storageFails(ms, browser.tabs, kind === 'denied')
      browser.failStorage(kind, ms)
    },

    /** A path goes silent: a page that is looked at finds out within 20 s. */
    halve(socket: PageSocket, direction: 'up' | 'down' | 'both', late: number | undefined) {
      socket.halve(direction, late)
      const at = time.now()
      if (profile.heartbeatSeconds === 0 || profile.batchDelay > 5_000 || direction === 'up') return
      time.after(22_000, () => {
        const tab = every.find((each) => each === (socket.page as Tab))
        // A page that was frozen with the socket of a farewell looks at nothing.
        if (tab?.alive && !tab.frozen && tab.visible && tab.troubledAt < at && socket.readyState === 1)
          say('stuck', `${tab.name} trusts a dead socket after 22 s`)
      })
    },
    mishap(mishap: Mishap) {
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
        service.cancel(session)
        service.publish(session, 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF')
        if (n % 3)
          service.publish(session, 'EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: 'sarah', name: 'Sarah' } })
      })
    },
    over: (session: Session) => service.over(session, 'REASON_NATURAL_END'),
    forget(tab: Tab) {
      const session = currentOf(tab)
      if (!session) return false
      service.forget(session)
    },
    turnHostile(kind: Hostility, ms: number) {
      excuses.disagree(ms, browser.tabs)
      service.turnHostile(kind, ms)
    },
    failHost: (kind: HostFault, ms: number) => {
      cutOff()
      // The host proves that it is up, and is down again before the old session is tried once more.
      for (const { page, what, at } of network.requests) {
        const session = what === 'session' && at > time.now() - 1_000 && currentOf(page as Tab)
        if (session && !network.canBeAsked(session)) service.mistreat(session)
      }
      network.failHost(kind, ms)
      if (kind === 'down' || kind === 'hang') for (const socket of network.open()) socket.halve('both')
      else for (const socket of network.open()) socket.cut(1006, 'lost')
    },
    failBff(kind: HttpFault, ms: number, after: string) {
      if (kind === 429) patience = Math.max(patience, after === '999999999' ? 330_000 : 90_000)
      network.failBff(kind, ms, after)
    },
    failStatus: (kind: StatusFault, ms: number) => network.failStatus(kind, ms),
    failCreate(kind: HttpFault, ms: number, made: boolean) {
      if (kind === 429) patience = 330_000
      network.failCreate(kind, ms, made)
    },
    loseCookie() {
      network.loseCookie()
    },

    /** What the pages show is held against what they showed before. */
    look() {
      for (const tab of browser.tabs) look(tab)
    },

    /**
     * All is well from here on. The visitor does nothing: what waits goes by itself, and what is missing comes by itself, but for what
     * nothing shows to be missing. Then the agent speaks, and nothing is missing at all. At last the visitor comes back.
     */
    async heal() {
      network.heal()
      service.calm()
      browser.heal()
      if (browser.tabs.length === 0) await start(new Map(), true)
      // Nor does a page know that it tells which was never live in its session.
      if (browser.tabs.some(({ name, chat }) => !seen.has(`${name} ${chat.sessionId.value}`)))
        patience = Math.max(patience, UNTOLD)
      for (const tab of browser.tabs) {
        const { frozen } = tab
        tab.frozen = false
        await time.act(tab, () => {
          tab.chat.setOnline(true)
          if (frozen) tab.chat.wake()
        })
      }
      await time.pass(BACK + patience)
      await load?.()
      breaches.push(...judge(service, browser, excuses, { untold: network.untold(), waits, isAside }))
      judgeHidden()
      // What was lost on a live socket shows with the next event.
      const speak = () => {
        for (const session of service.sessions.values())
          if (session.connections.size > 0 && session.joined) service.say(session, { whole: true })
      }
      speak()
      // After three holes in a minute the next one waits for so long.
      await time.pass(70_000)
      // Where one socket alone is told, the others ask. Nothing is missing now: what happens next moves nobody to ask again.
      const open = browser.tabs.map((tab) => ({ tab, socket: openSocketOf(tab) }))
      speak()
      await time.pass(6_000)
      for (const { tab, socket } of open)
        if (socket && socket !== openSocketOf(tab) && profile.batchDelay < 5_000)
          say('storm', `${tab.name} replaced a socket that missed nothing`)
      world.look()
      judgeRest()
      await load?.()
      breaches.push(...judge(service, browser, excuses, { waits, isAside }))
      await comeBack()
      await load?.()
      breaches.push(...judge(service, browser, excuses, { isAside: looksOn }))
      await typeEverywhere()
      await load?.()
      breaches.push(...judge(service, browser, excuses, { isAside: isCrowdedOut, isUsed: true }))
      judgeEnds()
    },
    /** What the oracle did not judge, of how much. */
    figures() {
      const messages = [...excuses.sent.values()]
      const sessions = [...service.sessions.values()]
      const count = <T>(list: readonly T[], which: (each: T) => boolean) => list.filter(which).length
      return {
        messages: messages.length,
        'excused from lost': count(messages, ({ excused }) => excused !== undefined),
        'more than one copy allowed': count(messages, ({ copies }) => copies > 1),
        'order at the service not looked at': count(
          messages,
          ({ id, moved, copies }) => moved || copies > 1 || service.late.has(id),
        ),
        sessions: sessions.length,
        'left by the visitor': left.size,
        'order on the screen not looked at': excuses.unordered.size,
        'disowned, need not be shown': count(sessions, (each) => each.disowned === true && !left.has(each)),
        'may be thrown away at the end': count(
          sessions,
          (each) => each.state === 'active' && !left.has(each) && excuses.mayLeave(each) !== undefined,
        ),
        'still go on': count(sessions, ({ state }) => state === 'active'),
      }
    },
    breaches: (): Breach[] => [
      // What is looked at several times is told once.
      ...breaches.filter(
        ({ kind, what }, index) =>
          breaches.findIndex((each) => each.kind === kind && each.what === what) === index,
      ),
      ...stormOf(every, acts),
    ],
    /** All pages close: nothing of them is left. */
    async leave() {
      for (const tab of [...browser.tabs]) {
        await time.act(tab, () => tab.chat.dispose())
        await time.pass(1_000)
        const open = [...tab.sockets].filter(({ readyState }) => readyState < 2)
        if (open.length > 0) say('left', `${tab.name} is closed, and has ${open.length} sockets open`)
        if (time.pending(tab) > 0) say('left', `${tab.name} is closed, and has ${time.pending(tab)} timers`)
        await browser.close(tab, true)
      }
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
