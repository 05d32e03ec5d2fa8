import type pg from 'pg'
import { expect, it, vi } from 'vitest'

/** The names under which a process prepares statements: each import of the module stands for a process. */
async function namesOfProcess(): Promise<string[]> {
  vi.resetModules()
  const { sendBatch } = await import('../../src/runtime/database/batch.ts')
  const names: string[] = []
  const connection = {
    stream: { cork() {}, uncork() {} },
    parse: ({ name }: { name: string }) => names.push(name),
    bind() {},
    describe() {},
    execute() {},
    sync() {},
  }
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
  return names
}

it('prepares no two statements under one name, in this process or another', async () => {
  const names = [...(await namesOfProcess()), ...(await namesOfProcess())]
  expect(names).toHaveLength(4)
  expect(new Set(names).size).toBe(4)
})
