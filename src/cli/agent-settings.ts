// Reads which agent answers, and its settings, from the environment.

import type { LlmAgentOptions } from '../agents/index.ts'
import { SettingsError } from '../bff/index.ts'
import type { Agent } from '../runtime/index.ts'
import { type Environment, readSetting } from './settings-table.ts'

/** `contact`: of FOYER_CONTACT, as it stands. */
type OfBothAgents = { sourceUrl: string | undefined; contact: string | undefined; handsOff: boolean }

export type AgentSettings =
  /** The one that a program gave to `startServer`. */
  | { name: 'own'; agent: Agent }
  | ({ name: 'guide' } & OfBothAgents)
  | ({ name: 'llm'; instructionsFile: string | undefined } & OfBothAgents &
      Pick<LlmAgentOptions, 'url' | 'model' | 'key' | 'mcp' | 'limits' | 'price' | 'links' | 'summarise'>)

export function readAgentSettings(env: Environment, own?: Agent): AgentSettings {
  if (own) {
    const useless = Object.keys(env).find(
      (each) => /^FOYER_(AGENT$|LLM_|SOURCE_URL$|CONTACT$|HANDOFF$)/.test(each) && env[each],
    )
    if (useless === undefined) return { name: 'own', agent: own }
    throw new SettingsError(`${useless} has no effect beside an agent of your own. Unset it.`)
  }
  const name = readSetting(env, 'FOYER_AGENT')
  const both = {
    sourceUrl: readSetting(env, 'FOYER_SOURCE_URL'),
    contact: readSetting(env, 'FOYER_CONTACT'),
    handsOff: readSetting(env, 'FOYER_HANDOFF'),
  }
  if (name === 'guide') {
    const useless = Object.keys(env).find((each) => each.startsWith('FOYER_LLM_') && env[each])
    if (useless === undefined) return { name, ...both }
    throw new SettingsError(
      `${useless} is set, and FOYER_AGENT is not llm. Set FOYER_AGENT=llm, or unset ${useless}.`,
    )
  }
  const url = readSetting(env, 'FOYER_LLM_URL')
  const model = readSetting(env, 'FOYER_LLM_MODEL')
  if (!url || !model)
    throw new SettingsError(
      `FOYER_AGENT is llm, and ${url ? 'FOYER_LLM_MODEL' : 'FOYER_LLM_URL'} is not set. Set FOYER_LLM_URL to the base address of the endpoint, such as https://models.example.com/v1, and FOYER_LLM_MODEL to the name that it knows.`,
    )
  return {
    name,
    ...both,
    url,
    model,
    key: readSetting(env, 'FOYER_LLM_KEY'),
    instructionsFile: readSetting(env, 'FOYER_LLM_INSTRUCTIONS'),
    mcp:
      readSetting(env, 'FOYER_LLM_MCP')
        ?.split(',')
        .map((each) => each.trim()) ?? [],
    limits: {
      tokensPerDay: readSetting(env, 'FOYER_LLM_TOKENS_PER_DAY'),
      connectorTokensPerDay: readSetting(env, 'FOYER_LLM_CONNECTOR_TOKENS_PER_DAY'),
      seconds: readSetting(env, 'FOYER_LLM_SECONDS'),
    },
    price: readSetting(env, 'FOYER_LLM_PRICE'),
    links: readSetting(env, 'FOYER_LLM_LINKS'),
    summarise: readSetting(env, 'FOYER_LLM_SUMMARY'),
  }
}
