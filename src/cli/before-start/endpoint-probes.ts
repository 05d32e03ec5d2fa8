// Probes the endpoints of the language model and of the embeddings.

import { endpointEmbeddings } from '../../runtime/index.ts'
import type { Settings } from '../settings.ts'
import { causeOf, type Finding, notChecked, ok, problem } from './finding.ts'

const PATIENCE_MS = 10_000

/** Asks for the list of models, which costs nothing. */
export async function checkModel({ agent }: Settings): Promise<Finding> {
  if (agent.name !== 'llm') return notChecked('FOYER_AGENT is guide, which uses no model.')
  const base = agent.url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  let status: number
  try {
    const response = await fetch(`${base}/models`, {
      headers: agent.key ? { authorization: `Bearer ${agent.key}` } : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.body?.cancel()
    status = response.status
  } catch (error) {
    return problem(
      `The endpoint of FOYER_LLM_URL cannot be reached (${causeOf(error)}). Start it, or correct the address.`,
    )
  }
  if (status === 401 || status === 403)
    return problem(`The endpoint of FOYER_LLM_URL refuses the key (${status}). Correct FOYER_LLM_KEY.`)
  if (status >= 500) return problem(`The endpoint of FOYER_LLM_URL answers with ${status}. See its own log.`)
  return ok(
    status === 200
      ? 'The endpoint of FOYER_LLM_URL answers.'
      : `The endpoint of FOYER_LLM_URL answers, but without a list of models (${status}). The first chat shows whether the address is complete.`,
  )
}

/** Asks for one vector, as a start does. */
export async function checkEmbeddings({ embeddings }: Settings): Promise<Finding> {
  if (!embeddings) return notChecked('FOYER_EMBEDDINGS_URL is not set: vectors are made without a model.')
  try {
    const { size } = await endpointEmbeddings(embeddings)
    return ok(`The endpoint of FOYER_EMBEDDINGS_URL answers with vectors of ${size} numbers.`)
  } catch (error) {
    const { message, cause } = error as Error & { cause?: unknown }
    return problem(
      `The endpoint of FOYER_EMBEDDINGS_URL cannot be used (${cause ? causeOf(error) : message}). Correct FOYER_EMBEDDINGS_…, or omit them.`,
    )
  }
}
