// A commit that the database carries out, and whose answer is lost with the connection: everybody learns of what is stored all the same,
// also where one process runs alone and nobody else would make it look.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agent, Database } from '../../src/runtime/index.ts'
import { type DatabaseLine, openDatabaseLine } from '../process/database-line.ts'
import { createMessages } from '../process/database-messages.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'
import { createWorld, echoAgent, type Frame, isWhole } from './world.ts'

/** PostgreSQL's CommandComplete of a COMMIT. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0')
/** This process never looks by itself. */
const NO_BEAT = { beatSeconds: 3_600, deadAfterSeconds: 3 * 3_600 }

type World = Awaited<ReturnType<typeof createWorld>>
type Client = Awaited<ReturnType<World['connect']>>

describe.runIf(storeKind === 'postgres')('a commit whose answer is lost', () => {
  let database: Database
  let line: DatabaseLine
  let world: World
  /** Which transactions, of those that tell or change something, lose the answer to their commit. */
  let isLost = (_: number) => false
  let commits = 0
  let lost = 0
  /** All words of the answer are stored; the next commit ends it. */
  let ending = false

  const agent: Agent = {
    name: 'Echo',
    async *act(turn) {
      if (turn.text === 'ask')
        return yield { type: 'confirm', id: 'q', title: 'Sure?', summary: '', confirm: 'Yes', cancel: 'No' }
      if (turn.text !== 'words') return yield* echoAgent.act(turn)
      for (let word = 1; word <= 5; word++) {
        yield { type: 'text', text: `word${word} ` }
        await turn.sleep(60)
      }
      ending = true
      commits = 0
    },
  }

  beforeAll(async () => {
    database = await newDatabase()
    line = await openDatabaseLine(urlOf(database), () => {
      const messages = createMessages()
      return (data) => {
        for (const message of messages(data))
          if (message.equals(COMMITTED) && isLost(++commits)) {
            lost++
            return undefined
          }
        return data
      }
    })
    world = await createWorld({ data: { databaseUrl: line.url }, agent, settings: NO_BEAT })
  })
  afterAll(async () => {
    isLost = () => false
    await world?.close()
    line?.close()
    await database?.close()
  })

  /** A chat with two sockets. */
  async function openChat(streaming_enabled = false) {
    const { sessionId, token, client } = await world.joined({ streaming_enabled })
    const second = await world.connect(sessionId, token, '0')
    await second.until(() => second.events().some(isWhole))
    return { sessionId, clients: [client, second] as const }
  }
  /** Does something whose commits lose their answers, which of them says `which`. */
  async function losing<T>(which: (commit: number) => boolean, act: () => Promise<T>): Promise<T> {
    commits = 0
    lost = 0
    ending = false
    isLost = which
    try {
      const result = await act()
      expect(lost).toBeGreaterThan(0)
      return result
    } finally {
      isLost = () => false
    }
  }
  const first = (commit: number) => commit === 1
  const each = async (clients: readonly Client[], type: string, where?: (event: Frame) => boolean) => {
    for (const client of clients) await client.event(type, where)
  }

  it.each([
    { which: 'the commit that ends the answer', isThis: (commit: number) => ending && commit === 1 },
    { which: 'every other commit', isThis: (commit: number) => commit % 2 === 0 },
    { which: 'every third commit', isThis: (commit: number) => commit % 3 === 1 },
  ])(
    'leaves no socket without a part of an answer, where it is $which',
    async ({ which, isThis }) => {
      const { clients } = await openChat(true)
      const isEnd = ({ type, payload }: Frame) => type.endsWith('_CHUNK') && payload.is_complete === true
      const ends = (client: Client) => client.frames.filter(isEnd).length
      const before = clients.map(ends)
      await losing(isThis, async () => {
        clients[0].say('words', which)
        for (const [by, client] of clients.entries())
          await client.until(() => ends(client) > (before[by] ?? 0))
      })
      for (const { frames } of clients) {
        const sequences = frames.flatMap(({ sequence }) => sequence ?? [])
        expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
        const texts = frames
          .filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
          .map(({ payload }) => payload.text)
        expect(texts.join('')).toContain('word1 word2 word3 word4 word5')
      }
    },
    60_000,
  )

  it('shows every socket what the visitor wrote, and answers it', async () => {
    const { clients } = await openChat()
    await losing(first, async () => {
      clients[0].say('written', 'written-1')
      await each(clients, 'EVENT_TYPE_USER_MESSAGE')
    })
    await each(clients, 'EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === 'You said written')
  }, 60_000)

  it('stores a decision once, shows it at every socket, and answers it once', async () => {
    const { clients } = await openChat()
    clients[0].say('ask')
    const isAsked = ({ payload }: Frame) => payload.confirm !== undefined
    await each(clients, 'EVENT_TYPE_POLY_AGENT_MESSAGE', isAsked)
    const confirm_id = clients[0].events().find(isAsked)?.payload.message_id
    await losing(first, async () => {
      clients[0].send('EVENT_TYPE_USER_DECISION', { confirm_id, decision: 'confirm' })
      await each(clients, 'EVENT_TYPE_USER_DECISION')
    })
    const isAnswer = ({ payload }: Frame) => payload.text === 'You said Yes'
    await each(clients, 'EVENT_TYPE_POLY_AGENT_MESSAGE', isAnswer)
    clients[0].say('written after it', 'after-decision')
    await each(
      clients,
      'EVENT_TYPE_POLY_AGENT_MESSAGE',
      ({ payload }) => payload.text === 'You said written after it',
    )
    for (const client of clients) {
      const decisions = client.events().filter(({ type }) => type === 'EVENT_TYPE_USER_DECISION')
      expect(new Set(decisions.map(({ id }) => id)).size).toBe(1)
      expect(client.events().filter(isAnswer)).toHaveLength(1)
    }
  }, 60_000)

  it('ends the chat at every socket', async () => {
    const { clients } = await openChat()
    await losing(first, async () => {
      clients[0].send('EVENT_TYPE_USER_END_SESSION')
      await each(clients, 'EVENT_TYPE_SESSION_END')
    })
    for (const client of clients) expect(await client.closed()).toBe(1000)
  }, 60_000)

  it('expires the session at every socket', async () => {
    const { sessionId, clients } = await openChat()
    await losing(first, async () => {
      expect(await world.runtime.expire(sessionId)).toBe(true)
      await each(clients, 'EVENT_TYPE_SESSION_END')
    })
  }, 60_000)

  it.each([2, 3, 4])(
    'tells a visitor who waits for a person the place in the queue, and the desk who waits: number %i',
    async (nth) => {
      const { sessionId, clients } = await openChat()
      let told = 0
      const undo = world.desk.watch(() => told++)
      await losing(
        (commit) => commit === nth,
        async () => {
          clients[0].say('desk', `desk-${nth}`)
          await each(clients, 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')
        },
      )
      undo()
      expect(told).toBeGreaterThan(0)
      await world.runtime.expire(sessionId)
    },
    60_000,
  )

  it('shows every socket, and those who follow the chat, what the desk does', async () => {
    const { sessionId, clients } = await openChat()
    clients[0].say('desk', 'desk')
    await each(clients, 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    const sarah = { id: 'sarah', name: 'Sarah' }
    await losing(first, async () => {
      expect(await world.desk.take(sessionId, sarah)).toBe(true)
      await each(clients, 'EVENT_TYPE_LIVE_AGENT_JOINED')
    })
    await losing(first, async () => {
      expect(await world.desk.answer(sessionId, sarah.id, 'Hello from Sarah')).toBe(true)
      await each(clients, 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
    })
    let heard = 0
    const unfollow = world.desk.follow(sessionId, () => heard++)
    // No event tells whether a note is stored: whoever follows reads the notes again.
    const note = () =>
      losing(first, () =>
        world.desk.note(sessionId, sarah, 'A note').then(
          () => 'stored',
          () => 'refused',
        ),
      )
    // A commit of the background may come before the note's, and lose its answer in its place.
    await expect.poll(note).toBe('refused')
    await expect.poll(() => heard).toBeGreaterThan(0)
    unfollow()
    await world.runtime.expire(sessionId)
  }, 60_000)
})
