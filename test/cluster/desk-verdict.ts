// Judges a desk under test: names each conversation that two live agents had, that was lost without a word or with two, or in which nobody
// answered. Each problem is a sentence.

import type { DeskEntry } from '../../src/runtime/index.ts'
import { answerOf } from './live-agent.ts'

/** One event of a conversation that tells of live agents. `agent`: the ID of the one it tells of. */
export type DeskEvent = { type: string; agent: string | null; reason: string | null; text: string | null }

/** What the visitor of one conversation was told, and how often a live agent was lost. */
export type Story = { problems: string[]; losses: { gone: number; unanswered: number } }

/** `events`: of one conversation, in order, all from its handoff on. */
export function judgeEvents(id: string, events: readonly DeskEvent[]): Story {
  const problems: string[] = []
  let holder: string | undefined
  let answers = 0
  const losses = { gone: 0, unanswered: 0 }
  for (const { type, agent, reason, text } of events) {
    const isHolder = agent !== null && agent === holder
    if (type === 'EVENT_TYPE_LIVE_AGENT_JOINED') {
      if (holder) problems.push(`${id}: ${agent} joined while ${holder} was there`)
      holder = agent ?? undefined
    } else if (type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE') {
      if (!isHolder) problems.push(`${id}: ${agent} answered while ${holder ?? 'nobody'} was there`)
      if (text !== answerOf(agent ?? '', id)) problems.push(`${id}: its visitor read “${text}”`)
      answers++
    } else if (type === 'EVENT_TYPE_LIVE_AGENT_LEFT') {
      if (!isHolder) problems.push(`${id}: ${agent} left while ${holder ?? 'nobody'} was there`)
      if (reason === 'gone' || reason === 'unanswered') losses[reason]++
      holder = undefined
    }
  }
  if (answers === 0) problems.push(`${id}: no live agent answered`)
  if (holder) problems.push(`${id}: ${holder} has it for ever`)
  return { problems, losses }
}

/** `entries`: one reading of the queue. */
export function judgeQueue(entries: readonly DeskEntry[], most: number): string[] {
  const problems: string[] = []
  const counts = new Map<string, number>()
  for (const { agent } of entries) if (agent) counts.set(agent.id, (counts.get(agent.id) ?? 0) + 1)
  for (const [id, count] of counts)
    if (count > most) problems.push(`${id} had ${count} conversations at once`)
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const first = waiting.findIndex(({ lost }) => lost === undefined)
  const behind = waiting.slice(first).find(({ lost }) => lost !== undefined)
  if (first >= 0 && behind)
    problems.push(`${behind.id} was lost, and stood behind ${waiting[first]?.id}, which was not`)
  return problems
}
