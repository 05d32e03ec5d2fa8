// Semantic search over many conversations: by pgvector where the database has it, refused where it has not.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

const MANY = 20_001

describe('more than 20,000 conversations in range', () => {
  let database: Database
  let world: Awaited<ReturnType<typeof createWorld>>
  beforeAll(async () => {
    database = await newDatabase()
    world = await createWorld({ data: { database } })
    await world.chat(['a broken bicycle'])
    // The vector is made beside the conversation, a moment after it.
    while (!(await found(await search('2025-01-01T00:00:00Z'))).includes('a broken bicycle'))
      await new Promise((resolve) => setTimeout(resolve, 100))
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at)
       SELECT 'many-' || n, 'ws-test0001', 'PROJECT-test0001', 'sandbox', 'WEBCHAT',
         '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', '2020-02-01T00:00:00Z'
       FROM generate_series(1, $1::integer) AS n`,
      [MANY],
    )
  })
  afterAll(() => world.close())

  const search = (start: string) =>
    world.get(
      `/v3/larkspur/shop/conversations?client_env=sandbox&query_type=semantic&query=my%20bicycle%20is%20broken&start_time=${start}&end_time=2099-01-01T00:00:00Z`,
    )
  const found = async (response: Response) =>
    ((await response.json()) as ConversationPage).conversations.map(({ turns }) => turns?.[1]?.user_input)

  it('are searched with pgvector, and refused without it', async () => {
    const [hasVectors] = await database.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
    const response = await search('2019-01-01T00:00:00Z')
    if (hasVectors) {
      expect(await found(response)).toContain('a broken bicycle')
    } else {
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error_code: expect.stringMatching(/^[A-Z_]+$/),
        error_message: expect.stringContaining('pgvector'),
      })
    }
  })

  it('do not prevent a search of a smaller range', async () => {
    expect(await found(await search('2025-01-01T00:00:00Z'))).toEqual(['a broken bicycle'])
  })
})
