// The store in memory: gone with the process, and until then as good as a database.

import type { Clean } from '../../mask.ts'
import type { Store } from '../store.ts'
import { createMemoryCalls } from './calls.ts'
import { createMemoryHandoffs } from './handoffs.ts'
import { createLocks } from './locks.ts'
import { createMemoryPassages } from './passages.ts'
import { createMemoryRecords } from './records.ts'
import { createMemoryRegistry } from './registry.ts'
import { createMemorySessions } from './sessions.ts'
import { createTables } from './tables.ts'
import { createMemoryTexts } from './texts.ts'

/** `clean` is applied to every word before it is stored. Chance comes from `uuid` alone, but for secrets. */
export function createMemoryStore(uuid: () => string, clean: Clean): Store {
  const tables = createTables()
  /** By session; a pair of numbers has its own name among them. */
  const locks = createLocks()
  return {
    registry: createMemoryRegistry(tables, locks),
    sessions: createMemorySessions(tables, locks, uuid, clean),
    records: createMemoryRecords(tables, locks, uuid),
    handoffs: createMemoryHandoffs(tables),
    texts: createMemoryTexts(tables),
    calls: createMemoryCalls(tables),
    passages: createMemoryPassages(tables),
    exclusive: true,
    async close() {},
  }
}
