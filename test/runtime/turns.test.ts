// When and how the agent answers: what else happens between two steps of a turn, in another session, in another process, a second time.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/runtime/sessions/hub.ts'
import type { ModeEvent } from '../../src/runtime/sessions/state/mode.ts'
import type { AgentEvent } from '../../src/runtime/turns/agent.ts'
import { unansweredSessions } from '../../src/runtime/turns/store.ts'
import { createTurnWorld, until } from './turn-world.ts'

const CHUNK = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
const APOLOGY = 'EVENT_TYPE_SYSTEM_MESSAGE'
const ADA = { agent_name: 'Ada', avatar_url: 'https://example.com/ada.png' }
const AWAY = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

let world: Awaited<ReturnType<typeof createTurnWorld>>
let one: Awaited<ReturnType<typeof world.createProcess>>
beforeAll(async () => {
  world = await createTurnWorld()
  one = await world.createProcess('one')
})
afterEach(() => world.clear())
afterAll(() => world.close())

const rest = () => world.rest()
type Chat = Awaited<ReturnType<typeof one.chat>>
const chunks = (sent: readonly WireEvent[]) =>
  sent.flatMap(({ type, payload }) => (type === CHUNK ? [String(payload.text)] : []))
/** The whole messages of the agent, as they are stored. */
const answers = async ({ id }: Pick<Chat, 'id'>) =>
  (await world.stored(id, 'AGENT_MESSAGE')).map(({ payload }) => payload.text)
const types = async ({ id }: Pick<Chat, 'id'>) => (await world.stored(id)).map(({ type }) => type)
const apologies = async (chat: Chat) => (await types(chat)).filter((type) => type === APOLOGY).length
async function metricsOf({ id }: Chat) {
  const [row] = await world.database.query<{ metrics: object }>(
    'SELECT metrics FROM foyer.conversation WHERE id = $1',
    [id],
  )
  return row?.metrics
}
const turnOf = async ({ id }: Chat) => (await world.session(id))?.turn

/** Words of the agent that are stored as a chunk, as it is time for them. */
async function said(run: Awaited<ReturnType<typeof world.run>>, chat: Chat, text: string): Promise<void> {
  run.say(text)
  await rest()
  await world.clock.pass(100)
  await until(() => chunks(chat.sent).join('').includes(text.trim()))
}

/** A run whose first words could not be stored. */
async function notStored(chat: Chat, text: string) {
  await chat.say('hi')
  const run = await world.run('hi')
  world.breakTransactions((number) => (number === 1 ? new Error('the disk is full') : undefined))
  run.say(text)
  await rest()
  await world.clock.pass(30)
  await rest()
  return run
}

describe('the words of an answer', () => {
  it('go out 30 ms after the first ones of each message, then every 100 ms', async () => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    const expected: string[] = []
    for (const message of ['One', 'Two']) {
      for (const [word, after] of [
        ['a', 30],
        ['b', 100],
        ['c', 100],
      ] as const) {
        const words = `${message} ${word} `
        run.say(words)
        await rest()
        await world.clock.pass(after - 1)
        await rest()
        expect(chunks(chat.sent)).toEqual(expected)
        await world.clock.pass(1)
        expected.push(words)
        await until(() => chunks(chat.sent).length === expected.length)
      }
      run.event({ type: 'finish' })
      expected.push('')
      await until(() => chunks(chat.sent).length === expected.length)
    }
  })

  it('count as activity of the session every ten seconds, the second time too', async () => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    const began = world.clock.now()
    const idle = async () => ((await world.session(chat.id))?.idleSince?.getTime() ?? 0) - began
    let times = 0
    // The chunk is stored a tenth of a second after its words.
    for (const [after, active] of [
      [9_800, 0],
      [0, 10_000],
      [9_800, 10_000],
      [0, 20_000],
    ] as const) {
      await world.clock.pass(after)
      await said(run, chat, `${'more '.repeat(++times)}`)
      expect(await idle()).toBe(active)
    }
  })

  it('of each message have an id, a beginning and an end of their own', async () => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    for (const message of ['One', 'Two', 'Three']) {
      await said(run, chat, `${message} begins `)
      await said(run, chat, `and ends `)
      run.event(message === 'Two' ? { type: 'language', code: 'de' } : { type: 'finish' })
      await until(async () => (await answers(chat)).includes(`${message} begins and ends `))
    }
    run.end()
    const stored = await world.stored(chat.id, 'AGENT_MESSAGE')
    const sent = chat.sent.filter(({ type }) => type === CHUNK)
    expect(stored.map(({ payload }) => payload.text)).toEqual(
      ['One', 'Two', 'Three'].map((message) => `${message} begins and ends `),
    )
    expect(new Set(stored.map(({ message_id }) => message_id)).size).toBe(3)
    for (const { message_id, sequence, first_sequence, payload } of stored) {
      expect(payload).toMatchObject(ADA)
      const own = sent.filter(({ payload }) => payload.message_id === message_id)
      expect(own.map(({ payload }) => [payload.chunk_index, payload.is_complete])).toEqual([
        [1, false],
        [2, false],
        [3, true],
      ])
      expect([own[0]?.sequence, own.at(-1)?.sequence]).toEqual([first_sequence, sequence])
    }
  })
})

describe('an answer is stored at the place and logged at the time of its first words', () => {
  it.each<[string, (chat: Chat, run: Awaited<ReturnType<typeof world.run>>) => unknown]>([
    ['a whole one', (_, run) => run.end()],
    ['a stopped one', (chat) => chat.stop()],
    ['one that the end of the session cut', (chat) => chat.end()],
  ])('%s', async (_, ends) => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    const began = world.clock.now()
    await said(run, chat, 'One ')
    await world.clock.pass(1_000)
    await said(run, chat, 'two ')
    const lastWords = world.clock.now()
    await world.clock.pass(1_000)
    await ends(chat, run)
    await until(async () => !(await turnOf(chat)))
    await until(async () => (await answers(chat)).length > 0)
    const [whole] = await world.stored(chat.id, 'AGENT_MESSAGE')
    const [first] = chat.sent.filter(({ type }) => type === CHUNK)
    expect(whole?.first_sequence).toBe(first?.sequence)
    expect(whole?.created_at.getTime()).toBeGreaterThanOrEqual(lastWords)
    const [logged] = await world.database.query<{ at: Date }>(
      'SELECT agent_response_at AS at FROM foyer.turn WHERE conversation_id = $1',
      [chat.id],
    )
    expect((logged?.at.getTime() ?? 0) - began).toBeLessThanOrEqual(100)
  })
})

describe('while the database is away', () => {
  it.each(['before', 'within', 'after'] as const)(
    'an answer waits, and is stored once, after a second outage too, that came %s its commits',
    async (where) => {
      const chat = await one.chat()
      await chat.say('hi')
      const run = await world.run('hi')
      for (const [index, round] of ['One', 'Two'].entries()) {
        await said(run, chat, `${round} `)
        world.breakTransactions((number) => (number === 1 ? AWAY() : undefined), where)
        run.event({ type: 'metric', name: 'round', value: round })
        run.say(`after ${round} `)
        await rest()
        await world.clock.pass(100)
        await rest()
        await world.clock.pass(500)
        await until(async () => (await world.stored(chat.id, '_CHUNK')).length === 2 * index + 2)
      }
      run.end()
      await until(async () => !(await turnOf(chat)))
      expect(await answers(chat)).toEqual(['One after One Two after Two '])
      expect(await metricsOf(chat)).toEqual({ round: ['One', 'Two'] })
    },
  )

  it.each(['before', 'within'] as const)(
    'a message ends once, with all its words, where its last commits fail: %s',
    async (where) => {
      const chat = await one.chat()
      await chat.say('hi')
      const run = await world.run('hi')
      await said(run, chat, 'One ')
      run.say('two')
      world.breakTransactions((number) => (number <= 2 ? AWAY() : undefined), where)
      run.event({ type: 'finish', suggestions: [{ message_text: 'More' }] })
      run.end()
      await rest()
      for (const _ of [1, 2]) {
        await world.clock.pass(500)
        await rest()
      }
      await until(async () => !(await turnOf(chat)))
      expect(await answers(chat)).toEqual(['One two'])
      const sent = chat.sent.filter(({ type }) => type === CHUNK)
      expect(sent.map(({ payload }) => [payload.chunk_index, payload.text])).toEqual([
        [1, 'One '],
        [2, 'two'],
        [3, ''],
      ])
      expect(await apologies(chat)).toBe(0)
    },
  )
})

describe('an agent that fails', () => {
  it('has its words kept and is apologised for, the second time too', async () => {
    const chat = await one.chat()
    for (const text of ['first', 'second']) {
      await chat.say(text)
      const run = await world.run(text)
      await said(run, chat, `Half of ${text} `)
      run.fail()
      await until(async () => !(await turnOf(chat)))
    }
    // These may be the beginning of a card number.
    await chat.say('digits')
    const run = await world.run('digits')
    run.say('17')
    run.fail()
    await until(async () => !(await turnOf(chat)))
    expect(await answers(chat)).toEqual(['Half of first ', 'Half of second ', '17'])
    expect(await apologies(chat)).toBe(3)
    expect(world.outcomes).toEqual(['failed', 'failed', 'failed'])
  })

  it.each<[string, unknown, string]>([
    ['words', 'Hello Ada', 'it yielded a string, which is no event of an agent'],
    ['a number', 7, 'it yielded a number, which is no event of an agent'],
    [
      'a long type',
      { type: 'x'.repeat(1_000) },
      `it yielded the type ${'x'.repeat(50)}, which is no event of an agent`,
    ],
    ['nothing', null, 'it yielded null, which is no event of an agent'],
    ['an unknown type', { type: 'toString' }, 'it yielded the type toString, which is no event of an agent'],
    ['a text that is none', { type: 'text', text: 9 }, 'it yielded an event text whose text is no text'],
    [
      'a metric without a value',
      { type: 'metric', name: 'a' },
      'it yielded an event metric whose value is no text',
    ],
    [
      'a memory that is none',
      { type: 'remember', memory: 1 },
      'it yielded an event remember whose memory is no object',
    ],
    [
      'files that are none',
      { type: 'finish', attachments: {} },
      'it yielded an event finish whose attachments are no list of objects with content_type and content_url',
    ],
    [
      'phone buttons that are none',
      { type: 'finish', callActions: null },
      'it yielded an event finish whose callActions are no list of objects with title and contact_number',
    ],
    ...['title', 'confirm', 'cancel'].map((empty): [string, unknown, string] => [
      `a question with an empty ${empty}`,
      { type: 'confirm', id: 'a', title: 'a', summary: '', confirm: 'Yes', cancel: 'No', [empty]: ' ' },
      'a confirm event needs a title and the words of both choices',
    ]),
    ...[['A'], [{ text: 'A' }], [null]].map((suggestions): [string, unknown, string] => [
      `buttons such as ${JSON.stringify(suggestions)}`,
      { type: 'finish', suggestions },
      'it yielded an event finish whose suggestions are no list of objects with message_text',
    ]),
    [
      'a handoff with a field that is misspelt',
      { type: 'handoff', resaon: 'angry words' },
      'it yielded an event handoff with the field resaon: did you mean reason?',
    ],
    [
      'a field as the wire names it',
      { type: 'handoff', queue_name: 'support' },
      'it yielded an event handoff with the field queue_name: did you mean queueName?',
    ],
    [
      'a question without its words of the choice, which are misspelt',
      { type: 'confirm', id: 'a', title: 'a', summary: '', confrim: 'Yes', cancel: 'No' },
      'it yielded an event confirm with the field confrim: did you mean confirm?',
    ],
    [
      'a handoff whose data is none',
      { type: 'handoff', data: 'x' },
      'it yielded an event handoff whose data is no object',
    ],
    [
      'an end that is none',
      { type: 'finish', endConversation: 'yes' },
      'it yielded an event finish whose endConversation is neither true nor false',
    ],
    [
      'another level',
      { type: 'system', level: 'debug', message: 'a' },
      'it yielded an event system whose level is none of info, warning, error',
    ],
    [
      'intents that are none',
      { type: 'understood', intents: 'book' },
      'it yielded an event understood whose intents are no list of texts',
    ],
    [
      'buttons that are none',
      { type: 'finish', suggestions: 'Yes' },
      'it yielded an event finish whose suggestions are no list of objects with message_text',
    ],
  ])('is apologised for where it yields %s, and the log says so', async (_, nonsense, line) => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    run.event(nonsense as AgentEvent)
    await until(async () => !(await turnOf(chat)))
    expect(await apologies(chat)).toBe(1)
    expect(world.logged).toEqual([`the agent failed in the conversation ${chat.id}: ${line}`])
  })

  it('is waited for as long as it says itself', async () => {
    world.allowSilence(630)
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    await world.clock.pass(629_000)
    await said(run, chat, 'Thought through ')
    run.end()
    await until(async () => !(await turnOf(chat)))
    expect([await answers(chat), await apologies(chat)]).toEqual([['Thought through '], 0])
  })

  it('is apologised for once it gives no event for four minutes, and not before, the second time too', async () => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    await world.clock.pass(239_000)
    await said(run, chat, 'I think ')
    await world.clock.pass(239_000)
    await world.rest()
    expect(await apologies(chat)).toBe(0)
    await world.clock.pass(2_000)
    await until(async () => !(await turnOf(chat)))
    expect([await answers(chat), await apologies(chat)]).toEqual([['I think '], 1])
    expect(world.logged).toEqual([
      `the agent failed in the conversation ${chat.id}: it gave no event for 4 minutes`,
    ])
    await chat.say('again')
    ;(await world.run('again')).end()
    await until(async () => !(await turnOf(chat)))
    expect(await apologies(chat)).toBe(1)
  })

  it('is apologised for also where a write of its words has failed before', async () => {
    const chat = await one.chat()
    const run = await notStored(chat, 'Half of it ')
    run.fail()
    await until(async () => !(await turnOf(chat)))
    expect(await apologies(chat)).toBe(1)
  })
})

it('an answer of which a part could not be stored is not gone on with', async () => {
  const chat = await one.chat()
  const run = await notStored(chat, 'One ')
  run.event({ type: 'finish' })
  await until(() => world.failures.length === 1)
  expect(chunks(chat.sent)).toEqual([])
  expect(await answers(chat)).toEqual([])
})

describe('a stop', () => {
  it('of one answer leaves the answer of another session alone', async () => {
    const [mine, theirs] = [await one.chat(), await one.chat()]
    for (const chat of [mine, theirs]) await chat.say('hi')
    const [first, second] = [await world.run('hi', 1), await world.run('hi', 2)]
    await said(first, mine, 'One ')
    await said(second, theirs, 'Two ')
    await mine.stop()
    await until(() => first.turn.signal.aborted)
    expect(second.turn.signal.aborted).toBe(false)
    second.end()
    await until(async () => !(await turnOf(theirs)))
    expect([await answers(mine), await answers(theirs)]).toEqual([['One '], ['Two ']])
    for (const { payload } of await world.stored(mine.id, 'AGENT_MESSAGE')) expect(payload).toMatchObject(ADA)
    expect(world.outcomes.toSorted()).toEqual(['answered', 'stopped'])
  })

  it('that is told late, or once more, leaves the next answer alone', async () => {
    const other = await world.createProcess('other')
    const chat = await one.chat()
    await chat.say('first')
    const first = await world.run('first')
    await chat.say('second')
    // The process that runs the turn hears of it by the bus, which may double what it carries.
    await other.actsOn(chat.id).stop()
    await until(() => first.turn.signal.aborted)
    const second = await world.run('second')
    for (const news of [...world.told]) one.hub.heard(news)
    await said(second, chat, 'Whole ')
    for (const news of [...world.told]) one.hub.heard(news)
    await rest()
    expect(second.turn.signal.aborted).toBe(false)
    second.say('answer')
    second.end()
    await until(async () => !(await turnOf(chat)))
    expect((await answers(chat)).at(-1)).toBe('Whole answer')
    expect(world.outcomes).toEqual(['stopped', 'answered'])
  })

  it('of which the news is lost keeps what is said after it out of the next answer of the same process', async () => {
    const other = await world.createProcess('other')
    const chat = await one.chat()
    await chat.say('first')
    const first = await world.run('first')
    await said(first, chat, 'One ')
    world.carryNews(false)
    await other.actsOn(chat.id).stop()
    world.carryNews(true)
    await chat.say('second')
    first.say('too late')
    first.end()
    const second = await world.run('second')
    second.say('Two ')
    second.end()
    await until(async () => !(await turnOf(chat)))
    expect(await answers(chat)).toEqual(['One ', 'Two '])
  })

  it('that comes before the agent was asked lets the next input be answered at once', async () => {
    const letGo = world.holdDesk()
    const chat = await one.chat()
    await chat.say('first')
    await chat.say('second')
    await chat.stop()
    letGo()
    // An agent that never ends holds nothing up.
    await world.run('second')
  })

  it('of the message before has no effect on the one that is being written', async () => {
    const chat = await one.chat()
    await chat.say('hi')
    const run = await world.run('hi')
    await said(run, chat, 'One ')
    run.event({ type: 'finish' })
    await until(async () => (await answers(chat)).length === 1)
    await said(run, chat, 'Two ')
    const [before] = await world.stored(chat.id, 'AGENT_MESSAGE')
    await chat.stop(String(before?.message_id))
    await rest()
    expect(run.turn.signal.aborted).toBe(false)
    await chat.stop()
    await until(() => run.turn.signal.aborted)
    expect(await answers(chat)).toEqual(['One ', 'Two '])
  })
})

describe('the end of a session', () => {
  it('keeps the words so far, aborts the agent, and leaves another session alone', async () => {
    const [mine, theirs] = [await one.chat(), await one.chat()]
    for (const chat of [mine, theirs]) await chat.say('hi')
    const [first, second] = [await world.run('hi', 1), await world.run('hi', 2)]
    await said(first, mine, 'One ')
    await said(second, theirs, 'Two ')
    first.event({ type: 'metric', name: 'late', value: 'yes' })
    await rest()
    await mine.say('never answered')
    await mine.end()
    await until(() => first.turn.signal.aborted)
    await until(async () => (await answers(mine)).length === 1)
    expect(second.turn.signal.aborted).toBe(false)
    second.end()
    await until(async () => !(await turnOf(theirs)))
    expect([await answers(mine), await answers(theirs)]).toEqual([['One '], ['Two ']])
    for (const { payload } of await world.stored(mine.id, 'AGENT_MESSAGE')) expect(payload).toMatchObject(ADA)
    expect(await metricsOf(mine)).toEqual({ late: 'yes' })
    expect(await unansweredSessions(world.database)).toEqual([])
    expect(world.outcomes.toSorted()).toEqual(['answered', 'over'])
  })
})

describe('the inputs of a session', () => {
  it('are answered one by one, in order; each knows the answers before it, and neither itself nor what waits', async () => {
    const chat = await one.chat({ streaming: false })
    for (const text of ['a', 'b', 'c']) await chat.say(text)
    for (const text of ['a', 'b', 'c']) {
      const run = await world.run(text)
      expect(world.runs.at(-1)).toBe(run)
      run.say(`re ${text}`)
      run.end()
      await until(async () => (await answers(chat)).includes(`re ${text}`))
    }
    expect(world.runs.map(({ turn }) => turn.history.map(({ text }) => text))).toEqual([
      [],
      ['a', 're a'],
      ['a', 'b', 're a', 're b'],
    ])
  })
})

/** What an agent may say last. */
const UNSTORED: AgentEvent[] = [
  { type: 'text', text: 'Never stored' },
  { type: 'metric', name: 'never', value: 'stored' },
  { type: 'finish', suggestions: [{ message_text: 'Never stored' }] },
]

it('an input that waited is not among what was said before it, whoever makes it known', async () => {
  const drains = await world.createProcess('drains-2')
  await drains.turns.drain()
  const chat = await drains.chat()
  world.carryNews(false)
  await chat.say('first')
  await one.actsOn(chat.id).say('second')
  world.carryNews(true)
  const first = await world.run('first')
  expect(first.turn.history).toEqual([])
  first.end()
  ;(await world.run('second')).end()
  await until(async () => !(await turnOf(chat)))
  await drains.vanish()
})

describe('a lost turn', () => {
  it('that was ended elsewhere, though its answer is whole, says nothing of a later one', async () => {
    const full = () => new Error('the disk is full')
    const chat = await one.chat()
    for (const [index, text] of ['first', 'second'].entries()) {
      await chat.say(text)
      const run = await world.run(text)
      if (text === 'second') run.say('Never stored')
      world.breakTransactions((number) => (number === 1 ? full() : undefined))
      run.end()
      await until(() => world.failures.length === index + 1)
      if (text === 'first')
        await world.database.query(
          'UPDATE foyer.session SET turn_owner = NULL, turn_cause = NULL, answered = last_input WHERE id = $1',
          [chat.id],
        )
    }
    for (const _ of [1, 2]) await one.turns.recover()
    await world.run('second', 2)
  })

  it('of a process that is gone is answered again by another one, and by the first no more', async () => {
    const gone = await world.createProcess('gone-1')
    const chat = await gone.chat()
    await chat.say('hi')
    const first = await world.run('hi')
    await gone.vanish()
    await one.turns.recover()
    const again = await world.run('hi', 2)
    expect(again.turn.id).toBe(first.turn.id)
    first.say('From the dead ')
    await rest()
    await world.clock.pass(100)
    again.say('Hello')
    again.end()
    await until(async () => !(await turnOf(chat)))
    first.end()
    await rest()
    expect(await answers(chat)).toEqual(['Hello'])
    expect(world.times('hi')).toBe(2)
  })

  it('that another process answers leaves nothing of the first one in a session that ends meanwhile', async () => {
    const gone = await world.createProcess('gone-3')
    const chat = await gone.chat()
    await chat.say('hi')
    const first = await world.run('hi')
    await gone.vanish()
    await one.turns.recover()
    await world.run('hi', 2)
    first.event({ type: 'metric', name: 'from', value: 'the dead' })
    await rest()
    await one.sessions.end(chat.id)
    await until(() => world.outcomes.length === 2)
    expect(await metricsOf(chat)).toEqual({})
  })

  it('that has shown words is not answered again, but apologised for, and the next input is answered', async () => {
    const gone = await world.createProcess('gone-2')
    const chat = await gone.chat()
    await chat.say('hi')
    await said(await world.run('hi'), chat, 'Half ')
    await chat.say('next')
    await gone.vanish()
    await one.turns.recover()
    const next = await world.run('next')
    next.say('Whole')
    next.end()
    await until(async () => !(await turnOf(chat)))
    expect(await answers(chat)).toEqual(['Half ', 'Whole'])
    expect([await apologies(chat), world.times('hi')]).toEqual([1, 1])
  })

  it('that was to greet is apologised for, and does not join the agent twice', async () => {
    const gone = await world.createProcess('gone-4')
    const chat = await gone.chat()
    await chat.join()
    await until(() => world.runs[0])
    await gone.vanish()
    await one.turns.recover()
    await one.actsOn(chat.id).say('hi')
    await world.run('hi')
    expect(world.runs).toHaveLength(2)
    expect((await types(chat)).filter((type) => type === 'EVENT_TYPE_POLY_AGENT_JOINED')).toHaveLength(1)
  })

  it('of this process is one that is found lost twice, and not two of the same session', async () => {
    // Its claims are those of this process, which does not know of them.
    const twin = await world.createProcess('one')
    const [chat, other] = [await twin.chat(), await twin.chat()]
    await chat.say('first')
    await other.say('other')
    const first = await world.run('first')
    await one.turns.recover()
    await chat.say('second')
    first.end()
    await world.run('second')
    ;(await world.run('other')).end()
    await until(async () => !(await turnOf(other)))
    await one.turns.recover()
    await rest()
    expect([world.times('first'), world.times('second')]).toEqual([1, 1])
    await one.turns.recover()
    const again = await world.run('second', 2)
    again.end()
    await until(async () => !(await turnOf(chat)))
  })

  it('is not given back where its process goes on with the next input meanwhile', async () => {
    const slow = await world.createProcess('slow-1')
    const chat = await slow.chat()
    await chat.say('first')
    await chat.say('second')
    const first = await world.run('first')
    await slow.vanish()
    const gone = world.between.after(/turn_owner IS NOT NULL/, async () => {
      first.end()
      await world.run('second')
    })
    await one.turns.recover()
    await gone
    await rest()
    expect(world.times('second')).toBe(1)
  })

  it('is not given back where a third process has taken it meanwhile', async () => {
    const slow = await world.createProcess('slow-2')
    const third = await world.createProcess('third')
    const chat = await slow.chat()
    await chat.say('hi')
    await world.run('hi')
    await slow.vanish()
    const taken = world.between.after(/turn_owner IS NOT NULL/, async () => {
      await third.turns.recover()
      await world.run('hi', 2)
    })
    await one.turns.recover()
    await taken
    await rest()
    expect([world.times('hi'), (await turnOf(chat))?.owner]).toEqual([2, 'third'])
  })

  it('whose answer is stored whole is only ended, and a later one of its session is answered', async () => {
    const full = () => new Error('the disk is full')
    const chat = await one.chat()
    await chat.say('first')
    const first = await world.run('first')
    first.say('Whole')
    first.event({ type: 'finish' })
    await until(async () => (await answers(chat)).length === 1)
    world.breakTransactions((number) => (number === 1 ? full() : undefined))
    first.end()
    await until(() => world.failures.length === 1)
    for (const _ of [1, 2]) await one.turns.recover()
    expect(await turnOf(chat)).toBeUndefined()
    expect([await apologies(chat), world.times('first')]).toEqual([0, 1])
    // From now on the agent has said more than is stored.
    for (const [index, unstored] of UNSTORED.entries()) {
      const text = `number ${index}`
      await chat.say(text)
      const run = await world.run(text)
      world.breakTransactions((number) => (number === 1 ? full() : undefined))
      run.event(unstored)
      run.end()
      await until(() => world.failures.length === index + 2)
      for (const _ of [1, 2]) await one.turns.recover()
      const again = await world.run(text, 2)
      again.say('Stored')
      again.end()
      await until(async () => !(await turnOf(chat)))
    }
    expect(await answers(chat)).toEqual(['Whole', ...UNSTORED.map(() => 'Stored')])
  })
})

describe('a process that drains', () => {
  it('leaves inputs to another one, each time, and those that waited for its last answer', async () => {
    const drains = await world.createProcess('drains')
    const chat = await drains.chat()
    await chat.say('first')
    const first = await world.run('first')
    await chat.say('waiting')
    const drained = drains.turns.drain()
    first.end()
    await drained
    const waiting = await world.run('waiting')
    expect((await turnOf(chat))?.owner).not.toBe('drains')
    waiting.end()
    await until(async () => !(await turnOf(chat)))
    for (const text of ['second', 'third']) {
      await chat.say(text)
      const run = await world.run(text)
      expect((await turnOf(chat))?.owner).not.toBe('drains')
      run.end()
      await until(async () => !(await turnOf(chat)))
    }
    // Each was told what had been said before it.
    const { history = [] } = world.runs.find(({ turn }) => turn.text === 'third')?.turn ?? {}
    expect(history.map(({ text }) => text)).toEqual(['first', 'waiting', 'second'])
    await drains.vanish()
  })
})

describe('a conversation that is handed off', () => {
  const HANDOFF = { type: 'handoff', queueName: 'support', reason: 'asked' } as const
  const handedOff = async () => {
    const chat = await one.chat({ streaming: false })
    await chat.say('a person')
    const run = await world.run('a person')
    run.event(HANDOFF, { ...HANDOFF, queueName: 'other' })
    run.end()
    await until(async () => !(await turnOf(chat)))
    return chat
  }
  const moves = (chat: Chat, ...events: ModeEvent[]) =>
    one.sessions.commit(chat.id, 'a test', async (locked) => {
      for (const event of events) locked.move(event)
      if (locked.session.mode === 'agent') await one.events.agentBack.publish({ locked })
    })

  it('is handed off once, however often its answer asks for it', async () => {
    const chat = await handedOff()
    expect(world.handoffs.map(({ details, queued }) => [details.queueName, queued])).toEqual([
      ['support', true],
    ])
    expect((await types(chat)).filter((type) => type === 'EVENT_TYPE_HANDOFF_ACCEPTED')).toHaveLength(1)
  })

  it('has what was written while it waited answered once, by its last words, and nothing that a person has read', async () => {
    const chat = await handedOff()
    for (const text of ['waiting', 'still waiting']) await chat.say(text)
    await chat.stop()
    await moves(chat, 'timed-out')
    ;(await world.run('still waiting')).end()
    await until(async () => !(await turnOf(chat)))
    await moves(chat, 'handed-off', 'taken')
    await chat.say('to the person')
    await moves(chat, 'given-back')
    await rest()
    expect(await turnOf(chat)).toBeUndefined()
    // The same, while the answer that handed it off goes on.
    await chat.say('a person again')
    const long = await world.run('a person again')
    long.event(HANDOFF)
    await until(async () => (await world.session(chat.id))?.mode === 'queued')
    await moves(chat, 'taken')
    await chat.say('to the person again')
    await until(async () => (await turnOf(chat)) !== undefined)
    long.end()
    await until(async () => !(await turnOf(chat)))
    await moves(chat, 'given-back')
    await rest()
    expect(await turnOf(chat)).toBeUndefined()
    await chat.say('to the agent')
    ;(await world.run('to the agent')).end()
    expect(world.runs.map(({ turn }) => turn.text)).toEqual([
      'a person',
      'still waiting',
      'a person again',
      'to the agent',
    ])
  })

  it('is not where nobody is at the desk: the visitor reads so, each time', async () => {
    world.refuse('Nobody is here')
    const chat = await one.chat({ streaming: false })
    for (const text of ['once', 'twice']) {
      await chat.say(text)
      const run = await world.run(text)
      run.say(`Let me see, ${text}`)
      run.event(HANDOFF)
      run.end()
      await until(async () => !(await turnOf(chat)))
    }
    expect(await answers(chat)).toEqual([
      'Let me see, once',
      'Nobody is here',
      'Let me see, twice',
      'Nobody is here',
    ])
    expect(world.handoffs).toEqual([])
  })
})
