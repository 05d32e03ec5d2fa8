// Pages of conversations in which very much was said.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/package.ts'
import type { Database } from '../../src/runtime/index.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

describe('a page above the size limit', () => {
  let world: Awaited<ReturnType<typeof createWorld>>
  let database: Database
  beforeAll(async () => {
    database = await newDatabase()
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

  it.each([
    ['metrics', true],
    ['state', true],
    ['state', false],
  ] as const)('ends early for its %s too, with transcripts: %s', async (column, transcripts) => {
    const slug = `${column}-${transcripts}`
    const { id } = await world.runtime.commands.createProject({ slug, accountId: 'ws-test0001' })
    await world.runtime.commands.setTranscripts(id, transcripts)
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at, ${column})
       SELECT $1 || n, 'ws-test0001', $2, 'live', 'WEBCHAT', '2020-01-01T00:00:00Z'::timestamptz - n * interval '1 minute',
         '2020-02-01T00:00:00Z', jsonb_build_object('notes', jsonb_build_array(repeat('words ', 250000), repeat('more ', 300000)))
       FROM generate_series(1, 5) AS n`,
      [slug, id],
    )
    const client = createClient({ apiUrl: world.base, apiKey: 'all-key', fetch: world.fetch })
    const project = { account_id: 'larkspur', project_id: slug }
    const first = await client.conversations.list(project)
    expect(first.conversations.map((conversation) => conversation.id)).toEqual([`${slug}1`, `${slug}2`])
    const ids: string[] = []
    for await (const conversation of client.conversations.iterate(project)) ids.push(conversation.id)
    expect(ids).toEqual([1, 2, 3, 4, 5].map((n) => `${slug}${n}`))
  })
})
