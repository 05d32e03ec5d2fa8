// Records the statements of real exchanges, and replays them on a database of the same beginning, without sockets,
// sessions or agents: the floor of what an exchange can cost.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { createRuntime, type Database } from '../../src/runtime/index.ts'
import { agent, beginSessions, connector } from './service.ts'

type Statement = { sql: string; params: readonly unknown[]; prepared: boolean }
/** The statements of one transaction, or a single one. */
type Step = { transaction: boolean; statements: Statement[] }

/** As many as the bench has sockets: with fewer, one socket would send more than the service takes in ten seconds. */
const SESSIONS = 100

/** The steps of a start with its sessions, and those of each exchange. */
export type Recording = { beginning: Step[]; exchanges: Step[][] }

export async function recordExchanges(database: Database, count: number): Promise<Recording> {
  let steps: Step[] = []
  const note = (into: Statement[], sql: string, params: readonly unknown[] = [], prepared = false) =>
    into.push({ sql, params, prepared })
  const recorder: Database = {
    ...database,
    async query<T>(...[sql, params, options]: Parameters<Database['query']>) {
      const into = steps
      // A statement that fails here, such as the question for tables of a new database, would fail in the replay too.
      const rows = await database.query<T>(sql, params, options)
      const statements: Statement[] = []
      note(statements, sql, params, options?.prepared)
      into.push({ transaction: false, statements })
      return rows
    },
    async transaction(run) {
      const statements: Statement[] = []
      const result = await database.transaction((tx) =>
        run({
          query(sql, params, options) {
            note(statements, sql, params, options?.prepared)
            return tx.query(sql, params, options)
          },
          send(sql, params, options) {
            note(statements, sql, params, options?.prepared)
            tx.send(sql, params, options)
          },
        }),
      )
      steps.push({ transaction: true, statements })
      return result
    },
  }
  // The tasks that run every second are no part of an exchange.
  const clock = { now: () => Date.now(), after: () => () => {} }
  const runtime = await createRuntime({ data: { database: recorder }, agent, connectors: [connector], clock })
  const server = createServer().on('upgrade', runtime.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: WebSocket[] = []
  for (const query of await beginSessions(runtime, SESSIONS, false)) {
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws${query}`)
    await once(socket, 'message')
    sockets.push(socket)
  }
  const beginning = steps
  const exchanges: Step[][] = []
  for (let index = 0; index < count; index++) {
    steps = []
    const socket = sockets[index % SESSIONS] as WebSocket
    const answered = new Promise<void>((resolve, reject) =>
      socket.on('message', (data) => {
        if (String(data).includes('Understood.')) resolve()
        else if (String(data).includes('LEVEL_ERROR')) reject(new Error(`No echo: ${String(data)}`))
      }),
    )
    const payload = { text: 'How late are you open?' }
    const metadata = { custom: { local_id: `m${index}` } }
    socket.send(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload, metadata }))
    await answered
    socket.removeAllListeners('message')
    exchanges.push(steps)
  }
  for (const socket of sockets) socket.terminate()
  server.close()
  return { beginning, exchanges }
}

/** Brings an empty, migrated database to the beginning. Returns what replays each exchange. */
export async function prepareReplay(
  database: Database,
  { beginning, exchanges }: Recording,
): Promise<(() => Promise<void>)[]> {
  async function replay(steps: readonly Step[]): Promise<void> {
    for (const { transaction, statements } of steps)
      if (!transaction)
        for (const { sql, params, prepared } of statements) await database.query(sql, params, { prepared })
      else
        await database.transaction(async (tx) => {
          for (const { sql, params, prepared } of statements) tx.send(sql, params, { prepared })
        })
  }
  await replay(beginning)
  return exchanges.map((steps) => () => replay(steps))
}
