// What can happen in a schedule. Each command is plain data, so that fast-check can shrink it and a failing
// schedule can be kept as text.

import fc from 'fast-check'
import type { Tab } from './browser.ts'
import type { HostFault, HttpFault, Mangle, StatusFault } from './network.ts'
import type { World } from './run.ts'
import type { Hostility, Mishap, Profile } from './service.ts'

export type Command = {
  /** A name of OPS. */
  readonly op: string
  /** Which page: modulo those that are open. */
  readonly tab: number
  /** What the command makes of it: which kind, how long. */
  readonly n: number
  /** Milliseconds of the world that pass behind it. */
  readonly after: number
}

type Op = { weight: number; run(world: World, tab: Tab, n: number): unknown }

const pick = <T>(from: readonly T[], n: number): T => from[n % from.length] as T
const MINUTE = 60_000

/** Returning false: there was nothing to do it to, so it does not count as run. */
export const OPS: Readonly<Record<string, Op>> = {
  // the visitor
  send: { weight: 30, run: (world, tab, n) => world.send(tab, n % 5 === 0 ? 'ok' : undefined) },
  burst: {
    weight: 4,
    async run(world, tab, n) {
      for (let count = 0; count < 2 + (n % 4); count++) await world.send(tab)
    },
  },
  // Three of these are more than an outbox takes.
  bulk: {
    weight: 1,
    run: (world, tab) => world.send(tab, `bulk ${world.excuses.sent.size} ${'x'.repeat(100_000)}`),
  },
  type: { weight: 8, run: (world, tab) => world.act(tab, () => tab.chat.typed()) },
  keep: { weight: 2, run: (world, tab) => world.act(tab, () => tab.chat.keepAlive()) },
  open: { weight: 6, run: (world, tab) => world.open(tab) },
  decide: {
    weight: 8,
    async run(world, tab, n) {
      if (!tab.chat.question.value) world.toSession(tab, (session) => world.service.ask(session))
      await world.pass(1_000)
      if ((await world.decide(tab, n % 2 ? 'confirm' : 'cancel', (n >> 1) % 2 === 1)) === false) return false
      await world.pass(pick([0, 1, 6, 9, 17, 400], n >> 2))
      const then = (n >> 5) % 4
      if (then < 2) world.toSocket(tab, (socket) => socket.cut(1006, then === 0 ? 'taken' : 'lost'))
      if (then === 2) await world.reload(tab, (n >> 7) % 2 === 0)
      if ((n >> 8) % 4 > 0) await world.judgeDecided()
    },
  },
  end: { weight: 2, run: (world, tab) => world.end(tab) },
  restart: { weight: 3, run: (world, tab) => world.restart(tab) },
  retry: { weight: 8, run: (world, tab, n) => world.retry(tab, n) },
  discard: { weight: 2, run: (world, tab, n) => world.discard(tab, n) },
  logout: { weight: 1, run: (world) => world.logout() },
  // pages
  'new-tab': { weight: 4, run: (world, _, n) => world.newTab(n % 4 !== 0) },
  duplicate: { weight: 2, run: (world, tab) => world.duplicate(tab) },
  reload: { weight: 8, run: (world, tab, n) => world.reload(tab, n % 4 === 0) },
  close: { weight: 4, run: (world, tab, n) => world.close(tab, n % 3 === 0) },
  hide: { weight: 4, run: (world, tab) => world.see(tab, false) },
  see: { weight: 4, run: (world, tab) => world.see(tab, true) },
  focus: { weight: 4, run: (world, tab) => world.act(tab, () => tab.chat.wake()) },
  freeze: { weight: 3, run: (world, tab, n) => world.freeze(tab, pick([2_000, 20_000, 90_000, 400_000], n)) },
  'stand-still': {
    weight: 2,
    run: (world, tab, n) => world.freeze(tab, pick([500, 5_000, 30_000, 90_000], n), false),
  },
  online: { weight: 3, run: (world, _, n) => world.offline(pick([500, 5_000, 40_000], n)) },
  sleep: {
    weight: 5,
    run: (world, _, n) =>
      world.sleep(
        pick([30_000, 3 * MINUTE, 9.9 * MINUTE, 10.5 * MINUTE, 15 * MINUTE, 25 * MINUTE, 8 * 60 * MINUTE], n),
        (n >> 3) % 2 === 0,
        pick(['kept', 'reset', 'zombie'] as const, n >> 4),
      ),
  },
  idle: {
    weight: 3,
    run: (world, _, n) => world.idle(pick([MINUTE, 5 * MINUTE, 9.5 * MINUTE, 11 * MINUTE], n)),
  },
  clock: {
    weight: 1,
    run: (world, _, n) => world.time.stepWall(pick([-86_400_000, 86_400_000, 1_000, -1_000], n)),
  },
  storage: {
    weight: 2,
    run: (world, _, n) =>
      world.failStorage(pick(['full', 'denied'] as const, n), pick([1_000, 30_000], n >> 1)),
  },
  // What was sent a moment ago, and a page that comes back to the same session, to another, or without its cookie.
  'leave-sending': {
    weight: 4,
    async run(world, tab, n) {
      await world.send(tab, n % 3 === 0 ? 'ok' : undefined)
      await world.pass(n % 13)
      if ((n >> 2) % 2) world.toSocket(tab, (socket) => socket.cut(1006, 'lost'))
      if ((n >> 3) % 4 === 0) world.loseCookie()
      if ((n >> 3) % 4 === 1) world.forget(tab)
      await world.reload(tab, (n >> 5) % 4 === 0, (n >> 3) % 4 === 2)
    },
  },
  'end-sending': {
    weight: 2,
    async run(world, tab, n) {
      for (let count = 0; count < 3; count++) await world.send(tab)
      await world.pass(n % 13)
      world.toSession(tab, (session) => world.over(session))
    },
  },
  // the agent
  say: { weight: 10, run: (world, tab) => world.toSession(tab, (session) => world.service.say(session)) },
  ask: { weight: 5, run: (world, tab) => world.toSession(tab, (session) => world.service.ask(session)) },
  'say-two': {
    weight: 4,
    run: (world, tab) =>
      world.toSession(tab, (session) => {
        world.service.say(session)
        world.service.say(session)
      }),
  },
  'say-cut': {
    weight: 3,
    run: (world, tab) => world.toSession(tab, (s) => world.service.say(s, { cut: true })),
  },
  'say-live': {
    weight: 2,
    run: (world, tab) => world.toSession(tab, (s) => world.service.say(s, { live: true })),
  },
  handoff: { weight: 1, run: (world, tab, n) => world.handoff(tab, n) },
  'agent-ends': {
    weight: 1,
    run: (world, tab) => world.toSession(tab, (s) => world.over(s)),
  },
  // the service
  mishap: {
    weight: 8,
    run(world, _, n) {
      const kinds: readonly Mishap[] = [
        { kind: 'ignored' },
        { kind: 'unechoed' },
        { kind: 'late-echo', ms: 3_000 + (n % 7) * 2_000 },
        { kind: 'late-store', ms: 3_000 + (n % 7) * 4_000 },
        { kind: 'high-load' },
        { kind: 'high-load-after' },
        { kind: 'forward-failed' },
        { kind: 'rejected' },
      ]
      world.mishap(pick(kinds, n))
    },
  },
  'restart-service': {
    weight: 3,
    run: (world, _, n) => world.service.restart(pick([1001, 1006, 1011, 1012, 1013, 1000, 1005, 1008], n)),
  },
  forget: { weight: 1, run: (world, tab) => world.forget(tab) },
  hostile: {
    weight: 2,
    run: (world, _, n) =>
      world.turnHostile(
        pick<Hostility>(
          ['deaf', 'session-not-found', 'conversation-not-found', 'unknown-session', 'flap', 'high-load'],
          n,
        ),
        pick([2_000, 10_000, 40_000], n >> 3),
      ),
  },
  // the network
  cut: {
    weight: 14,
    run: (world, tab, n) =>
      world.toSocket(tab, (socket) =>
        socket.cut(pick([1006, 1006, 1001, 1005, 1000, 1011, 1012, 1013], n >> 1), n % 2 ? 'taken' : 'lost'),
      ),
  },
  halve: {
    weight: 8,
    run: (world, tab, n) =>
      world.toSocket(tab, (socket) =>
        world.halve(
          socket,
          pick(['up', 'down', 'both'] as const, n),
          (n >> 2) % 2 ? pick([1_000, 12_000, 30_000], n >> 3) : undefined,
        ),
      ),
  },
  mangle: {
    weight: 10,
    run(world, _, n) {
      for (let count = 0; count <= (n >> 3) % 3; count++)
        world.network.mangles.push(pick<Mangle>(['lose', 'repeat', 'swap', 'late', 'swap'], n + count))
    },
  },
  stall: { weight: 3, run: (world, _, n) => world.network.stall(pick([1_000, 12_000, 25_000], n)) },
  wild: { weight: 6, run: (world, tab, n) => world.toSocket(tab, (socket) => world.network.wild(socket, n)) },
  host: {
    weight: 5,
    run: (world, _, n) =>
      world.failHost(
        pick<HostFault>(['down', 'proxy', 'hang', 'refuse'], n),
        pick([1_500, 8_000, 40_000, 150_000], n >> 2),
      ),
  },
  // Handshakes are refused while HTTP works.
  handshakes: {
    weight: 3,
    run: (world, _, n) => world.failHost('refuse', pick([2_000, 8_000, 15_000, 40_000, 90_000], n)),
  },
  status: {
    weight: 3,
    run(world, _, n) {
      const kinds: readonly StatusFault[] = [
        ...([404, 500, 429, 'html', 'hang', 'reset', 'not-json', 'another-word'] as const),
        ...(['says-unknown', 'says-active'] as const),
      ]
      world.failStatus(pick(kinds, n), pick([8_000, 40_000, 150_000], n >> 4))
      if ((n >> 6) % 2) world.failHost('refuse', pick([8_000, 40_000, 90_000], n >> 7))
    },
  },
  bff: {
    weight: 3,
    run: (world, _, n) =>
      world.failBff(
        pick<HttpFault>(
          [502, 429, 'html', 'hang', 'reset', 'not-json', 'no-token', 'redirect', 401, 403, 500, 404],
          n,
        ),
        pick([1_500, 8_000, 40_000], n >> 4),
        pick(['3', '20', 'Fri, 15 Jan 2027 08:00:20 GMT', 'soon', '999999999'], n >> 6),
      ),
  },
  create: {
    weight: 2,
    run: (world, _, n) =>
      world.failCreate(
        pick<HttpFault>([429, 500, 'hang', 'reset', 'html', 400, 404, 401], n),
        pick([1_500, 8_000], n >> 3),
        (n >> 4) % 2 === 0,
      ),
  },
  cookie: { weight: 1, run: (world) => world.loseCookie() },
  // Several tabs, each with a socket of its own. Where `n` is odd, all is well meanwhile, and what the tabs do is looked at.
  'duplicate-sending': {
    weight: 2,
    async run(world, tab, n) {
      for (let count = 0; count <= n % 3; count++) await world.send(tab, n % 7 === 0 ? 'ok' : undefined)
      await world.pass(pick([0, 1, 9, 17, 400], n >> 2))
      if ((n >> 4) % 2) world.toSocket(tab, (socket) => socket.cut(1006, (n >> 5) % 2 ? 'taken' : 'lost'))
      if ((n >> 6) % 2) await world.freeze(tab, pick([500, 20_000, 400_000], n >> 7), (n >> 8) % 2 === 0)
      await world.duplicate(tab)
    },
  },
  'eleven-tabs': {
    weight: 1,
    run: (world, _, n) => n % 3 === 0 && world.openEleven(n % 2 === 1, (n >> 2) % 4 === 0),
  },
  'turn-away': {
    weight: 2,
    run(world, tab, n) {
      world.network.turnAway(pick([3_000, 10_000, 40_000], n))
      if ((n >> 2) % 2) world.toSocket(tab, (socket) => socket.cut(1006, (n >> 3) % 2 ? 'taken' : 'lost'))
    },
  },
  'hide-all': {
    weight: 1,
    run: (world, tab, n) => world.hideAll(tab, n % 2 === 1, (n >> 1) % 3 > 0, (n >> 3) % 2 === 0),
  },
  'lock-holder': {
    weight: 2,
    run: (world, tab, n) =>
      world.stopHolder(tab, {
        isJudged: n % 2 === 1,
        isKilled: (n >> 1) % 2 === 1,
        // Whoever makes a session holds a lock for moments.
        making: (n >> 2) % 2 === 1 ? (n >> 3) % 32 : undefined,
        place: (n >> 8) % 2,
      }),
  },
  'open-together': {
    weight: 1,
    run: (world, _, n) => n % 3 === 0 && world.openTogether(n % 2 === 1, 2 + ((n >> 1) % 2), (n >> 2) % 51),
  },
  'type-elsewhere': {
    weight: 1,
    run: (world, tab, n) => (n >> 1) % 2 === 0 && world.typeElsewhere(tab, n % 2 === 1),
  },
}

/** What has several pages open. */
export const OPENS_A_TAB: ReadonlySet<string> = new Set([
  ...['new-tab', 'duplicate', 'duplicate-sending', 'eleven-tabs', 'open-together', 'type-elsewhere'],
])

const AFTER = [0, 0, 1, 10, 40, 120, 300, 700, 2_000, 4_000, 9_000]

export const command: fc.Arbitrary<Command> = fc.record({
  op: fc.oneof(
    ...Object.entries(OPS).map(([name, { weight }]) => ({ weight, arbitrary: fc.constant(name) })),
  ),
  tab: fc.nat(3),
  n: fc.nat(1_023),
  after: fc.constantFrom(...AFTER),
})

/** Services as they are: ours, the live one, and one that does the least. */
export const profile: fc.Arbitrary<Profile> = fc
  .record({
    kind: fc.constantFrom('ours', 'live', 'bare'),
    streaming: fc.boolean(),
    batch: fc.constantFrom(1, 3, 1_000),
    batchDelay: fc.constantFrom(0, 0, 30, 900, 6_000),
    hasty: fc.boolean(),
    shuffled: fc.boolean(),
    firstIndex: fc.constantFrom(0 as const, 1 as const),
    named: fc.boolean(),
    heartbeatSeconds: fc.constantFrom(30, 30, 0, 7),
    frame: fc.constantFrom(undefined, 'cookie' as const, 'text' as const),
  })
  .map(({ kind, ...rest }) => {
    const dedupe = kind === 'ours'
    return {
      dedupe,
      metadata: kind !== 'bare',
      idleSeconds: kind === 'live' ? undefined : 600,
      streaming: rest.streaming,
      wholeReplay: kind === 'ours',
      // Where nothing tells a second copy, a heartbeat that overtakes half a replay leaves no proof.
      batch: dedupe || !rest.hasty ? rest.batch : 1_000,
      batchDelay: rest.batchDelay,
      hasty: rest.hasty,
      shuffled: rest.shuffled && kind === 'live',
      firstIndex: rest.firstIndex,
      named: kind !== 'bare' || rest.named,
      heartbeatSeconds: rest.heartbeatSeconds,
      ...(kind === 'ours' && { hasStatus: true }),
      frame: rest.frame,
    }
  })
