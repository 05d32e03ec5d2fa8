// Registers the numbers that are read from the database, or from its pool, whenever somebody asks for them.

import type { Meter } from '../api/index.ts'
import { countQueuedCalls } from './calls/index.ts'
import { type Clock, isShared } from './clock.ts'
import { countOpenConversations } from './conversations/index.ts'
import type { Database } from './database/index.ts'
import { countWaiting } from './handoff/index.ts'
import { countProcesses } from './jobs/index.ts'
import { countDeliveries } from './messaging/index.ts'

export function registerGauges(meter: Meter, database: Database, clock: Clock): void {
  meter.gauge('foyer_clock_ahead_seconds', () => (isShared(clock) ? clock.ahead() / 1000 : 0))
  meter.gauge('foyer_sessions', () => countOpenConversations(database))
  meter.gauge('foyer_processes', () => countProcesses(database))
  meter.gauge('foyer_queue_waiting', () => countWaiting(database))
  meter.gauge('foyer_deliveries_waiting', () => countDeliveries(database))
  meter.gauge('foyer_calls_waiting', () => countQueuedCalls(database))
  const { connections } = database
  if (!connections) return
  for (const state of ['all', 'idle', 'waiting'] as const)
    meter.gauge('foyer_database_connections', () => connections()[state], { state })
}
