// Probes the endpoints of the language model and of the embeddings.

import { endpointEmbeddings } from '../../runtime/index.ts'
import type { Settings } from '../settings.ts'
import { causeOf, type Finding, notChecked, ok, problem } from './finding.ts'

const PATIENCE_MS = 10_000

/** Asks for the list of models, which costs nothing; an agent at an address, for nothing at all, since a run would cost. */
export async function checkModel({ agent }: Settings): Promise<Finding> {
  if (agent.name === 'address') {
    const status = await statusOf('The agent of FOYER_AGENT', 'FOYER_AGENT_KEY', agent.url, agent.key)
    // An agent takes only POST.
    return typeof status === 'number'
      ? ok('The agent of FOYER_AGENT answers. The first chat shows whether the address is complete.')
      : status
  }
  if (agent.name === 'module') return notChecked('FOYER_AGENT is an agent of your own.')
  if (agent.name !== 'llm') return notChecked('FOYER_AGENT is guide, which uses no model.')
  const base = agent.url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const status = await statusOf('The endpoint of FOYER_LLM_URL', 'FOYER_LLM_KEY', `${base}/models`, agent.key)
  if (typeof status !== 'number') return status
  return ok(
    status === 200
      ? 'The endpoint of FOYER_LLM_URL answers.'
      : `The endpoint of FOYER_LLM_URL answers, but without a list of models (${status}). The first chat shows whether the address is complete.`,
  )
}

/** The status of a GET, or why there is none that would do. 501: only of this method. */
async function statusOf(
  what: string,
  setting: string,
  url: string,
  key: string | undefined,
): Promise<number | Finding> {
  try {
    const response = await fetch(url, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.body?.cancel()
    const { status } = response
    if (status === 401 || status === 403)
      return problem(`${what} refuses the key (${status}). Correct ${setting}.`)
    if (status >= 500 && status !== 501) return problem(`${what} answers with ${status}. See its own log.`)
    return status
  } catch (error) {
    return problem(`${what} cannot be reached (${causeOf(error)}). Start it, or correct the address.`)
  }
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
