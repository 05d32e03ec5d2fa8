// A cluster and its visitors: processes on one database, behind one address; each visitor has the chat engine of the widget and a
// second device, and at the end all of them are compared with the store.

import type { Database } from '../../src/runtime/index.ts'
import { until } from '../process/until.ts'
import { createVisitor } from '../process/visitors.ts'
import { type ClusterOptions, openCluster } from './cluster.ts'
import { type Device, openDevice } from './device.ts'
import { judge, type Line, type Verdict } from './verdict.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

/** Messages that a visitor writes ahead of those that the service has. */
const MOST_WAITING = 20
/** How long a cluster may take until all is well again: a dead process is one after 15 s, a turn in it is given back after that. */
const PATIENCE_MS = 180_000
const TALK_MS = 10
/** A verdict names so many messages of a kind. */
const MOST_NAMED = 20
/** What a visitor does when the chat says that it is not available. */
const LOOK_MS = 1_000

export async function openWorld({ visitors, ...options }: ClusterOptions & { visitors: number }) {
  const cluster = await openCluster(options)
  const { processes, database } = cluster
  /** By text and by id. */
  const sentAt = new Map<string, number>()
  /** Milliseconds from `send` until the visitor has the echo, and until the second device has the message. */
  let delays = { own: [] as number[], second: [] as number[] }
  const heard = (what: string, times: number[]) => {
    const at = sentAt.get(what)
    if (at !== undefined) times.push(performance.now() - at)
    sentAt.delete(what)
  }
  const people: Person[] = []
  for (let number = 1; number <= visitors; number++)
    people.push({ visitor: createVisitor(cluster.origin, number), device: undefined })
  for (const { visitor } of people) visitor.chat.open()
  await Promise.all(people.map(({ visitor }) => visitor.live())).catch(async (error) => {
    await cluster.close()
    throw error
  })
  for (const person of people) {
    person.visitor.chat.on('delivery', ({ message_id, state }) => {
      if (state === 'delivered') heard(message_id, delays.own)
    })
    person.device = openDevice(person.visitor.addressAfter, (text) => heard(text, delays.second))
  }

  /** How many sessions each visitor had at the last call of `anew`. */
  const known: number[] = []
  let talking: NodeJS.Timeout | undefined
  const looking = setInterval(() => {
    for (const { visitor } of people) {
      visitor.retryFailed()
      if (visitor.chat.status.value === 'unavailable') visitor.chat.wake()
    }
  }, LOOK_MS)

  const sessionOf = ({ visitor }: Person) => visitor.chat.sessionId.value ?? ''
  const all = <T>(each: (person: Person) => T): T[] => people.map(each)
  const count = (test: (person: Person) => boolean) => people.filter(test).length
  const quiet = () => clearInterval(talking)

  /** The visitors who have begun a new session since the last call, each with the sockets that failed. */
  const anew = () =>
    people.flatMap(({ visitor }, index) => {
      const sessions = visitor.sessions()
      const isAnew = sessions > (known[index] ?? 1)
      known[index] = sessions
      return isAnew ? [`visitor ${index}: ${visitor.failures.slice(-MOST_NAMED).join('; ')}`] : []
    })

  async function verdicts(): Promise<Verdict[]> {
    const stored = await storedLines(database)
    return all((person) =>
      judge({
        sent: person.visitor.sent,
        again: person.visitor.retried,
        stored: stored.get(sessionOf(person)) ?? [],
        shown: shownLines(person),
        heard: { lines: person.device?.lines() ?? [], sequences: person.device?.sequences ?? [] },
      }),
    )
  }

  return {
    ...cluster,
    people,

    /** All begin to say something, so many messages a second together, until they are told to be quiet. */
    talk(rate: number) {
      quiet()
      const begun = performance.now()
      let due = 0
      let next = 0
      talking = setInterval(() => {
        for (const now = ((performance.now() - begun) * rate) / 1_000; due < now; due++) {
          const inTurn = [...people.slice(next), ...people.slice(0, next)]
          const person = inTurn.find(({ visitor }) => visitor.chat.outbox.value.length < MOST_WAITING)
          // All wait: what nobody can say now is not said later.
          if (!person) continue
          next = (people.indexOf(person) + 1) % people.length
          const text = `${sessionOf(person).slice(-6)} ${person.visitor.sent.length}`
          const at = performance.now()
          person.visitor.say(text)
          for (const what of [text, person.visitor.chat.outbox.value.at(-1)?.id]) sentAt.set(what ?? '', at)
        }
      }, TALK_MS)
    },
    quiet,
    said: () => all(({ visitor }) => visitor.sent.length).reduce((sum, each) => sum + each, 0),
    again: () => all(({ visitor }) => visitor.retried.size).reduce((sum, each) => sum + each, 0),

    /** The delays since the last call, the shortest first. */
    takeDelays() {
      const { own, second } = delays
      delays = { own: [], second: [] }
      return { own: own.sort((a, b) => a - b), second: second.sort((a, b) => a - b) }
    },

    /** Resolves once all are connected, and no second device shares a process with its visitor. */
    async spread() {
      if (processes.length === 1) return
      await until(
        () => 'the second devices are not at other processes',
        async () => {
          const apart = await database.query<{ session_id: string }>(
            'SELECT session_id FROM foyer.socket GROUP BY session_id HAVING count(DISTINCT process_id) > 1',
          )
          const isApart = new Set(apart.map(({ session_id }) => session_id))
          const together = people.filter((person) => !isApart.has(sessionOf(person)))
          // By chance: a front that takes processes in turn would give as many devices as processes the same ones for ever.
          for (const { device } of together) if (device?.isOpen() && Math.random() < 0.5) device.move()
          await new Promise((resolve) => setTimeout(resolve, together.length > 0 ? 500 : 0))
          return together.length === 0
        },
        PATIENCE_MS,
      )
    },

    /** Resolves once everybody is connected and nothing waits, without anybody who helps but the visitors themselves. */
    well: () =>
      until(
        () =>
          `${count(({ visitor }) => visitor.chat.status.value !== 'live')} visitors are not live, ${count(({ device }) => !device?.isOpen())} second devices are not connected, for ${count(({ visitor }) => visitor.chat.outbox.value.length > 0)} something waits`,
        () =>
          people.every(
            ({ visitor, device }) =>
              visitor.chat.status.value === 'live' &&
              visitor.chat.outbox.value.length < MOST_WAITING &&
              device?.isOpen(),
          ),
        PATIENCE_MS,
      ),

    /** Resolves once nothing is missing any more, or never will come: to what all the comparisons found. */
    async settle(): Promise<Verdict & { anew: string[] }> {
      quiet()
      let found: Verdict[] = []
      const isWhole = async () => {
        if (people.some(({ visitor }) => visitor.chat.outbox.value.length > 0)) return false
        found = await verdicts()
        return found.every(({ lost, unanswered }) => lost.length + unanswered.length === 0)
      }
      await until(() => '', isWhole, PATIENCE_MS).catch(() => {})
      found = await verdicts()
      const together = (kind: 'lost' | 'doubled' | 'reordered' | 'unanswered') =>
        found.flatMap((verdict) => verdict[kind]).slice(0, MOST_NAMED)
      return {
        lost: together('lost'),
        doubled: together('doubled'),
        reordered: together('reordered'),
        unanswered: together('unanswered'),
        apologies: found.reduce((sum, { apologies }) => sum + apologies, 0),
        anew: anew(),
      }
    },
    anew,

    async close() {
      quiet()
      clearInterval(looking)
      for (const { visitor, device } of people) {
        visitor.chat.dispose()
        device?.close()
      }
      await cluster.close()
    },
  }
}

type Person = { visitor: ReturnType<typeof createVisitor>; device: Device | undefined }

/** By session, in the order of a transcript. */
async function storedLines(database: Database): Promise<Map<string, Line[]>> {
  const rows = await database.query<{ session_id: string; type: string; text: string }>(
    `SELECT session_id, type, coalesce(payload ->> 'text', payload ->> 'message') AS text FROM foyer.event
     WHERE type IN ('EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_SYSTEM_MESSAGE')
     ORDER BY session_id, coalesce(first_sequence, sequence)`,
  )
  const stored = new Map<string, Line[]>()
  for (const { session_id, type, text } of rows) {
    const lines = stored.get(session_id) ?? []
    stored.set(session_id, lines)
    lines.push({ role: ROLES[type] ?? 'system', text })
  }
  return stored
}

const ROLES: Readonly<Record<string, Line['role']>> = {
  EVENT_TYPE_USER_MESSAGE: 'visitor',
  EVENT_TYPE_POLY_AGENT_MESSAGE: 'agent',
}

function shownLines({ visitor }: Person): Line[] {
  return visitor.chat.transcript.value.flatMap((entry): Line[] => {
    if (entry.kind === 'message')
      return [
        { role: entry.role === 'visitor' ? 'visitor' : 'agent', text: entry.content.value.pieces.join('') },
      ]
    const isSystem = entry.kind === 'notice' && (entry.notice === 'error' || entry.notice === 'system')
    return isSystem ? [{ role: 'system', text: entry.text ?? '' }] : []
  })
}
