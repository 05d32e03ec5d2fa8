import type pg from 'pg'
import { serialize } from 'pg-protocol'
import { expect, it, vi } from 'vitest'
import { encodeBatch } from '../../src/runtime/database/batch-messages.ts'

/** The names under which a process prepares statements: each import of the module stands for a process. */
async function namesOfProcess(): Promise<string[]> {
  vi.resetModules()
  const { sendBatch } = await import('../../src/runtime/database/batch.ts')
  const sent: Buffer[] = []
  const connection = { stream: { write: (bytes: Buffer) => sent.push(bytes) } }
  const client = {
    query(batch: { submit(to: unknown): void; handleReadyForQuery(): void }) {
      batch.submit(connection)
      batch.handleReadyForQuery()
    },
  }
  await sendBatch(
    client as unknown as pg.ClientBase,
    ['SELECT 1', 'SELECT 2'].map((sql) => ({ sql, params: [], prepared: true })),
  )
  return messagesOf(Buffer.concat(sent))
    .filter(({ type }) => type === 'P')
    .map(({ body }) => body.subarray(0, body.indexOf(0)).toString())
}

/** The messages of the protocol: a type, a length that counts itself, and a body. */
function messagesOf(bytes: Buffer): { type: string; body: Buffer }[] {
  const messages: { type: string; body: Buffer }[] = []
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    messages.push({
      type: String.fromCharCode(bytes[at] ?? 0),
      body: bytes.subarray(at + 5, at + 1 + bytes.readInt32BE(at + 1)),
    })
  return messages
}

it('no two statements are prepared under one name, in this process or another', async () => {
  const names = [...(await namesOfProcess()), ...(await namesOfProcess())]
  expect(names).toHaveLength(4)
  expect(new Set(names).size).toBe(4)
})

it('a batch encodes the messages that pg itself would send', () => {
  const long = 'é'.repeat(100_000)
  const values = ['', 'plain', long, '👋', null, undefined, Buffer.from([0, 255])]
  const encoded = encodeBatch([
    { name: 'known', parse: undefined, values },
    { name: '', parse: `SELECT '${long}'`, values: [] },
    { name: 'new', parse: 'SELECT $1', values: ['a'] },
  ])
  const bind = (statement: string, given: unknown[]) =>
    serialize.bind({ statement, values: given as (string | null)[] })
  const parts = [
    ...[bind('known', values), serialize.execute()],
    ...[serialize.parse({ name: '', text: `SELECT '${long}'` }), bind('', [])],
    ...[serialize.describe({ type: 'P', name: '' }), serialize.execute()],
    ...[serialize.parse({ name: 'new', text: 'SELECT $1' }), bind('new', ['a'])],
    ...[serialize.describe({ type: 'P', name: '' }), serialize.execute(), serialize.sync()],
  ]
  expect(encoded.equals(Buffer.concat(parts))).toBe(true)
})

it('each batch has memory of its own, so that the memory can move to another thread', () => {
  const one = encodeBatch([{ name: 'a', parse: undefined, values: ['first'] }])
  const before = Buffer.from(one)
  const other = encodeBatch([{ name: 'b', parse: undefined, values: ['second'] }])
  expect(one.equals(before)).toBe(true)
  expect([one, other].map((bytes) => bytes.buffer.byteLength === bytes.length)).toEqual([true, true])
})
