// Pages of conversations in which very much was said.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/package.ts'
import type { Database } from '../../src/runtime/index.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

describe('a page above the size limit', () => {
  let world: Awaited<ReturnType<typeof createWorld>>
  beforeAll(async () => {
    const database: Database = await newDatabase()
    world = await createWorld({ data: { database } })
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at, num_turns)
       SELECT 'large-' || n, 'ws-test0001', 'PROJECT-test0001', 'live', 'WEBCHAT',
         '2020-01-01T00:00:00Z'::timestamptz - n * interval '1 minute', '2020-02-01T00:00:00Z', 1
       FROM generate_series(1, 5) AS n`,
    )
    await database.query(
      `INSERT INTO foyer.turn (conversation_id, position, cause, user_input, user_input_at)
       SELECT 'large-' || n, 1, 1, repeat('words ', 500000), '2020-01-01T00:00:00Z' FROM generate_series(1, 5) AS n`,
    )
  })
  afterAll(() => world.close())

  it('ends early, and the next page continues after it', async () => {
    const client = createClient({ apiUrl: world.base, apiKey: 'all-key', fetch: world.fetch })
    const project = { account_id: 'larkspur', project_id: 'shop' }
    const first = await client.conversations.list(project)
    expect(first.conversations.map(({ id }) => id)).toEqual(['large-1', 'large-2'])
    expect(first).toMatchObject({ cursor: expect.any(String), next_offset: 2 })
    const ids: string[] = []
    for await (const { id, turns } of client.conversations.iterate(project)) {
      ids.push(id)
      expect(turns?.[0]?.user_input?.length).toBe(3_000_000)
    }
    expect(ids).toEqual(['large-1', 'large-2', 'large-3', 'large-4', 'large-5'])
  })
})
