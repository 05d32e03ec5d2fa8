// Two runtimes on one database, as two processes share a PostgreSQL.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Agent, BusLink, Database } from '../../src/runtime/index.ts'
import { createHeartbeat } from '../../src/runtime/jobs/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, echoAgent, type Frame, isWhole } from './world.ts'

type World = Awaited<ReturnType<typeof createWorld>>

let inner: Database
let clocks: [HandClock, HandClock]
let worlds: [World, World]
const asked: string[] = []
let release = () => {}
const held = new Promise<void>((resolve) => {
  release = resolve
})

const agent: Agent = {
  name: 'Echo',
  async *act(turn) {
    asked.push(turn.text)
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (turn.text === 'held' && asked.filter((text) => text === 'held').length === 1) await held
    if (turn.text.startsWith('ask') && !turn.decision) {
      yield {
        type: 'confirm',
        id: 'q',
        title: 'Sure?',
        summary: '',
        confirm: `${turn.text}: yes`,
        cancel: `${turn.text}: no`,
      }
      // For ever: its process is dead.
      if (turn.text === 'ask and hold') await turn.sleep(600_000)
      return
    }
    yield { type: 'text', text: turn.trigger === 'join' ? 'Hello' : `You said ${turn.text}` }
  },
}

beforeAll(async () => {
  inner = await newDatabase()
  clocks = [handClock(), handClock()]
  const open = (clock: HandClock) =>
    createWorld({ data: { database: { ...inner, close: async () => {} } }, agent, clock })
  worlds = [await open(clocks[0]), await open(clocks[1])]
})
afterAll(async () => {
  for (const world of worlds) await world.close()
  await inner.close()
})

it('two processes answer each input once and in order, whichever of them receives it', async () => {
  const [one, other] = worlds
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  const second = await other.connect(sessionId, token)
  const texts = Array.from({ length: 12 }, (_, n) => `text ${n}`)
  for (const [n, text] of texts.entries()) {
    ;[client, second][n % 2]?.say(text, `id-${n}`)
    await new Promise((resolve) => setTimeout(resolve, n % 3))
  }
  for (let done = 0; done < texts.length; ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    done = asked.filter((text) => text.startsWith('text')).length
  }
  const late = await other.connect(sessionId, token, '0')
  await late.until(() => late.events().filter(isWhole).length > 0)
  let events = late.events()
  for (let round = 0; events.filter(isWhole).length < 13 && round < 1_000; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const again = await one.connect(sessionId, token, '0')
    await again.until(() => again.frames.length > 0)
    events = again.events()
    again.socket.close()
  }
  const answers = events.filter(isWhole).map(({ payload }) => payload.text)
  const said = events
    .filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')
    .map(({ payload }) => payload.text)
  expect([...said].sort()).toEqual([...texts].sort())
  expect(answers).toEqual(['Hello', ...said.map((text) => `You said ${text}`)])
  expect(asked.filter((text) => text.startsWith('text')).sort()).toEqual([...texts].sort())
  const sequences = events.map(({ sequence }) => sequence ?? 0)
  expect(sequences).toEqual(sequences.map((_, index) => index + 1))
})

const isDecision = ({ type }: Frame) => type === 'EVENT_TYPE_USER_DECISION'

it('two processes that get other decisions at once store one of them, and tell both', async () => {
  const [one, other] = worlds
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  for (let round = 1; round <= 5; round++) {
    client.say(`ask ${round}`)
    const isAsked = ({ payload }: Frame) => JSON.stringify(payload.confirm ?? '').includes(`ask ${round}`)
    const { payload } = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', isAsked)
    const second = await other.connect(sessionId, token)
    const confirm_id = payload.message_id
    client.send('EVENT_TYPE_USER_DECISION', { confirm_id, decision: 'confirm' })
    second.send('EVENT_TYPE_USER_DECISION', { confirm_id, decision: 'cancel' })
    const isFor = (event: Frame) => event.payload.confirm_id === confirm_id
    const told: Frame[] = []
    for (const each of [client, second]) told.push(await each.event('EVENT_TYPE_USER_DECISION', isFor))
    expect(told[0]).toEqual(told[1])
    const words = `ask ${round}: ${told[0]?.payload.decision === 'confirm' ? 'yes' : 'no'}`
    // Nothing carries news between these processes: the one that stored the decision tells its own client of the answer.
    const answers = () => [client, second].flatMap((each) => each.frames).map(({ payload }) => payload.text)
    await vi.waitFor(() => expect(answers()).toContain(`You said ${words}`))
    second.socket.close()
    expect(asked.filter((text) => text.startsWith(`ask ${round}:`))).toEqual([words])
  }
  const fresh = await other.connect(sessionId, token, '0')
  await fresh.until(() => fresh.frames.length > 0)
  expect(fresh.events().filter(isDecision)).toHaveLength(5)
})

it('running processes go on when a table changes', async () => {
  const [one, other] = worlds
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  const clients = [client, await other.connect(sessionId, token)]
  async function exchange(text: string) {
    for (const [by, each] of clients.entries()) {
      each.say(`${text} ${by}`, `id-${text}-${by}`)
      const answer = `You said ${text} ${by}`
      await each.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === answer)
    }
  }
  await exchange('before')
  // What is read with the lock of each session has columns of other types now.
  await inner.script(`ALTER TABLE foyer.conversation ALTER variant_name TYPE varchar(200);
    ALTER TABLE foyer.event ALTER client_id TYPE varchar(200)`)
  await exchange('after')
  await inner.script(`ALTER TABLE foyer.conversation ALTER variant_name TYPE text;
    ALTER TABLE foyer.event ALTER client_id TYPE text`)
  await exchange('again')
})

it('a process takes over a turn from a dead process, not from a live one, and the dead one writes nothing when it returns', async () => {
  const [one, other] = worlds
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  client.say('held')
  const times = () => asked.filter((text) => text === 'held').length
  while (times() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  // The first is not seen for ten seconds: it may be busy.
  await clocks[1].pass(10_000)
  expect(times()).toBe(1)
  await clocks[1].pass(15_000)
  while (times() === 1) await new Promise((resolve) => setTimeout(resolve, 5))
  const answers = async () => {
    const fresh = await other.connect(sessionId, token, '0')
    await fresh.until(() => fresh.frames.length > 0)
    fresh.socket.close()
    return fresh.events().flatMap((event) => (isWhole(event) ? [event.payload.text] : []))
  }
  while ((await answers()).length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
  release()
  client.say('after')
  while ((await answers()).length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await answers()).toEqual(['Hello', 'You said held', 'You said after'])
})

it('a question of a turn whose process died stays open, and its decision is answered once', async () => {
  const shared = await newDatabase()
  const later = handClock()
  const open = (clock: HandClock) =>
    createWorld({ data: { database: { ...shared, close: async () => {} } }, agent, clock })
  const own = [await open(handClock()), await open(later)] as const
  try {
    const { sessionId, token, client } = await own[0].joined({ streaming_enabled: false })
    client.say('ask and hold')
    const isAsked = ({ payload }: Frame) => payload.confirm !== undefined
    const { payload } = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', isAsked)
    const second = await own[1].connect(sessionId, token)
    const decision = { confirm_id: payload.message_id, decision: 'confirm' }
    second.send('EVENT_TYPE_USER_DECISION', decision)
    await second.event('EVENT_TYPE_USER_DECISION')
    const answers = () => asked.filter((text) => text === 'ask and hold: yes').length
    expect(answers()).toBe(0)
    // The first is taken for dead.
    await later.pass(25_000)
    await vi.waitFor(() => expect(answers()).toBe(1))
    second.send('EVENT_TYPE_USER_DECISION', decision)
    await second.until(() => second.events().filter(isDecision).length === 2)
    const fresh = await own[1].connect(sessionId, token, '0')
    await fresh.until(() => fresh.frames.length > 0)
    expect(fresh.events().filter(isDecision)).toHaveLength(1)
    expect(fresh.events().filter(isAsked)).toHaveLength(1)
    expect(answers()).toBe(1)
  } finally {
    for (const world of own) await world.close()
    await shared.close()
  }
})

/** Two worlds on a database of their own that can be away, and an agent that answers `held` when it is released. */
async function twoWorlds() {
  const shared = await newDatabase()
  let away = false
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const holding: Agent = {
    name: 'Echo',
    async *act(turn) {
      if (turn.text === 'held') await gate
      if (turn.text === 'ask')
        return yield { type: 'confirm', id: 'q', title: 'Sure?', summary: '', confirm: 'Yes', cancel: 'No' }
      yield { type: 'text', text: turn.trigger === 'join' ? 'Hello' : `You said ${turn.text}` }
    },
  }
  const reached = async <T>(run: () => Promise<T>): Promise<T> => {
    if (away) throw new Error('Connection terminated unexpectedly')
    return run()
  }
  const database: Database = {
    ...shared,
    query: (...given) => reached(() => shared.query(...given)),
    transaction: (run) => reached(() => shared.transaction(run)),
    close: async () => {},
  }
  const ownClocks = [handClock(), handClock()] as const
  const open = (clock: HandClock) => createWorld({ data: { database }, agent: holding, clock })
  const own = [await open(ownClocks[0]), await open(ownClocks[1])] as const
  return {
    shared,
    own,
    letGo: () => letGo(),
    setAway: (is: boolean) => {
      away = is
    },
    /** Time goes by in both, in steps of a heartbeat. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 5_000)
        for (const clock of ownClocks) await clock.pass(5_000)
    },
    count: async (table: string) =>
      (await shared.query<{ n: number }>(`SELECT count(*)::integer AS n FROM foyer.${table}`))[0]?.n,
    async close() {
      for (const world of own) await world.close()
      await shared.close()
    },
  }
}

it('two processes whose database was away for 20 seconds keep each other, their sockets and their turns', async () => {
  const { own, pass, setAway, count, letGo, close } = await twoWorlds()
  try {
    const chats = [await own[0].joined(), await own[1].joined()]
    for (const { client } of chats) {
      client.say('held')
      await client.event('EVENT_TYPE_USER_MESSAGE')
    }
    await pass(20_000)
    setAway(true)
    await pass(20_000)
    setAway(false)
    for (let round = 0; round < 8; round++) {
      await pass(5_000)
      expect([await count('process'), await count('socket')]).toEqual([2, 2])
    }
    letGo()
    for (const { client } of chats) {
      const answered = () => client.events().filter(isWhole).length > 1
      await client.until(answered)
      expect(client.events().some(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toBe(false)
    }
  } finally {
    letGo()
    await close()
  }
})

it('a decision in an outage of the database waits for its end, and is stored once', async () => {
  const { own, pass, setAway, letGo, close } = await twoWorlds()
  try {
    const { client } = await own[0].joined()
    client.say('ask')
    const isAsked = ({ payload }: Frame) => payload.confirm !== undefined
    const { payload } = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', isAsked)
    const decisions = () => client.events().filter(isDecision)
    setAway(true)
    for (const decision of ['confirm', 'cancel'])
      client.send('EVENT_TYPE_USER_DECISION', { confirm_id: payload.message_id, decision })
    await pass(20_000)
    expect(client.frames.at(-1)?.payload).toEqual(payload)
    setAway(false)
    await pass(5_000)
    await client.until(() => decisions().length === 2)
    expect(new Set(decisions().map(({ id }) => id)).size).toBe(1)
    expect(decisions()[0]?.payload.decision).toBe('confirm')
    await client.until(() => client.events().some((event) => event.payload.text === 'You said Yes'))
  } finally {
    letGo()
    await close()
  }
})

it('a process that was removed by mistake registers itself and its open sockets again', async () => {
  const { shared, own, pass, count, letGo, close } = await twoWorlds()
  try {
    const [world] = own
    const stays = await world.joined()
    const leaves = await world.joined()
    stays.client.say('held')
    await stays.client.event('EVENT_TYPE_USER_MESSAGE')
    await shared.query('DELETE FROM foyer.process')
    expect(await count('socket')).toBe(0)
    leaves.client.socket.close()
    await leaves.client.closed()
    await pass(5_000)
    expect(await count('process')).toBe(2)
    expect(await shared.query('SELECT session_id FROM foyer.socket')).toEqual([
      { session_id: stays.sessionId },
    ])
    await pass(15_000)
    letGo()
    await stays.client.until(() => stays.client.events().filter(isWhole).length > 1)
    expect(stays.client.events().some(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toBe(false)
  } finally {
    letGo()
    await close()
  }
})

it('a run that stood still writes nothing into its turn once its own process has claimed that turn again', async () => {
  const database = await newDatabase()
  const runs: (() => void)[] = []
  const counting: Agent = {
    name: 'Echo',
    async *act(turn) {
      const run = runs.length + 1
      if (turn.trigger === 'message') await new Promise<void>((resolve) => runs.push(resolve))
      yield { type: 'text', text: turn.trigger === 'join' ? 'Hello' : `${turn.text}, by run ${run}` }
    },
  }
  const clock = handClock()
  const world = await createWorld({ data: { database }, agent: counting, clock })
  const runOf = async (number: number) => {
    while (runs.length < number) await new Promise((resolve) => setTimeout(resolve, 5))
    return runs[number - 1] ?? (() => {})
  }
  try {
    const { client } = await world.joined({ streaming_enabled: false })
    client.say('first')
    const letGo = await runOf(1)
    // Another process took the turn over and gave it back, as its end does; then this process claims it with the next input.
    await database.query('UPDATE foyer.session SET turn_owner = NULL, turn_cause = NULL')
    client.say('second')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'second')
    letGo()
    ;(await runOf(2))()
    ;(await runOf(3))()
    const texts = () => client.events().flatMap((event) => (isWhole(event) ? [event.payload.text] : []))
    await client.until(() => texts().length === 3)
    expect(texts()).toEqual(['Hello', 'first, by run 2', 'second, by run 3'])
  } finally {
    await world.close()
  }
})

it('an answer is stored once and whole though connections break before, during and after its transactions', async () => {
  const database = await newDatabase()
  let breaking = false
  let transactions = 0
  const broken: Database = {
    ...database,
    async transaction(run) {
      const how = breaking ? transactions++ % 5 : 0
      if (how === 1) throw new Error('Connection terminated unexpectedly')
      const result = await database.transaction(async (tx) => {
        const done = await run(tx)
        if (how === 2) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
        return done
      })
      if (how === 4) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      return result
    },
  }
  const words = Array.from({ length: 5 }, (_, index) => `word${index} `)
  const streaming: Agent = {
    name: 'Echo',
    async *act(turn) {
      breaking = turn.trigger === 'message'
      for (const word of turn.trigger === 'message' ? words : ['Hello']) {
        yield { type: 'text', text: word }
        await turn.sleep(60)
        if (word === 'word3 ') yield { type: 'metric', name: 'half', value: 'yes' }
      }
      if (turn.text === 'twice') {
        yield { type: 'finish', suggestions: [{ message_text: 'More' }] }
        yield { type: 'text', text: words.join('') }
      }
    },
  }
  const world = await createWorld({ data: { database: broken }, agent: streaming })
  const storedTexts = async (type: string) =>
    (
      await database.query<{ text: string }>(
        "SELECT payload ->> 'text' AS text FROM foyer.event WHERE type = $1 ORDER BY sequence",
        [`EVENT_TYPE_${type}_MESSAGE`],
      )
    ).map(({ text }) => text.trim())
  try {
    const { client } = await world.joined()
    const answer = words.join('').trim()
    for (const [text, answers] of [
      ['once', ['Hello', answer]],
      ['twice', ['Hello', answer, answer, answer]],
    ] as const) {
      client.say(text)
      await expect.poll(() => storedTexts('POLY_AGENT')).toEqual(answers)
      breaking = false
    }
    expect(await storedTexts('SYSTEM')).toEqual([])
    const chunks = client
      .events()
      .flatMap(({ type, payload }) =>
        type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' && payload.text !== '' ? [payload] : [],
      )
    const ids = [...new Set(chunks.map((chunk) => chunk.message_id))]
    for (const id of ids) {
      const indexes = chunks.filter((chunk) => chunk.message_id === id).map((chunk) => chunk.chunk_index)
      expect(indexes).toEqual(indexes.map((_, index) => index + 1))
    }
  } finally {
    breaking = false
    await world.close()
  }
})

it('a heartbeat has the time of the database', async () => {
  const database = await newDatabase()
  try {
    await createHeartbeat({ build: 'build', db: database, processId: 'one', deadAfterSeconds: 15 }).start(
      false,
    )
    expect(
      await database.query(
        "SELECT id FROM foyer.process WHERE seen_at BETWEEN now() - interval '1 minute' AND now()",
      ),
    ).toEqual([{ id: 'one' }])
  } finally {
    await database.close()
  }
})

it('after a gap another process shows its sockets and its desk everything that the bus lost', async () => {
  const links = new Set<{ hear(text: string): void; lost(): void }>()
  /** Carries gaps alone. */
  const link = (): BusLink => ({
    mostBytes: 7_500,
    lookMs: 3_600_000,
    async open(hear, lost) {
      links.add({ hear, lost })
    },
    async send(text) {
      if (JSON.parse(text).kind === 'gap') for (const { hear } of links) setImmediate(() => hear(text))
    },
    async close() {},
  })
  const open = () =>
    createWorld({
      data: { database: { ...inner, close: async () => {} } },
      agent: echoAgent,
      clock: handClock(),
      bus: link(),
    })
  const [near, far] = [await open(), await open()]
  const { sessionId, token, client } = await near.joined()
  const second = await far.connect(sessionId, token, '0')
  await second.until(() => second.events().length > 0)
  const shown: string[] = []
  const undo = far.desk.watch(() =>
    far.desk.entries().then((entries) => shown.push(...entries.map(({ id }) => id))),
  )
  client.say('desk')
  await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  const { length } = second.events()
  expect(client.events().length).toBeGreaterThan(length)
  expect(shown).toEqual([])
  for (const { lost } of links) lost()
  await second.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  await vi.waitFor(() => expect(shown).toContain(sessionId))
  undo()
  await near.close()
  await far.close()
})

it.each([
  { silent: 14, takes: false, count: 'still' },
  { silent: 16, takes: true, count: 'no longer' },
])(
  'sockets of a process that has been silent for $silent s $count count towards the limit',
  async ({ silent, takes }) => {
    const database = await newDatabase()
    const data = { database: { ...database, close: async () => {} } }
    const clock = handClock()
    const killed = await createWorld({ data, clock })
    const { sessionId, token } = await killed.joined()
    for (let sockets = 1; sockets < 10; sockets++) await killed.connect(sessionId, token)
    const started = await createWorld({ data, clock: handClock(clock.now() + silent * 1_000) })
    if (takes) await started.connect(sessionId, token)
    else
      expect(await started.refusal({ session_id: sessionId, access_token: token })).toMatchObject({
        status: 429,
      })
    await started.close()
    await killed.close()
    await database.close()
  },
)
