// Looks up what the agent did in a conversation: the newest value of each of its metrics.

import type { Runtime } from '../../src/runtime/index.ts'
import { demoKeys, demoProject } from './identities.ts'

/** Conversations to look through, the newest first. */
const NEWEST = 100

type Listed = { conversations?: { id: string; metrics?: Record<string, unknown> }[] }

/** Undefined where the conversation is not among the newest. */
export async function metricsOf(
  runtime: Runtime,
  origin: string,
  id: string,
): Promise<Record<string, string> | undefined> {
  const path = `/v3/${demoProject.accountId}/${demoProject.id}/conversations`
  const request = new Request(`${origin}${path}?client_env=sandbox&limit=${NEWEST}`, {
    headers: { 'x-api-key': demoKeys['API key'] },
  })
  const response = await runtime.fetch(request, { address: '127.0.0.1' })
  if (!response.ok) return undefined
  const { conversations = [] } = (await response.json()) as Listed
  const found = conversations.find((each) => each.id === id)
  if (!found) return undefined
  return Object.fromEntries(
    Object.entries(found.metrics ?? {}).map(([name, values]) => [name, String([values].flat().at(-1) ?? '')]),
  )
}
