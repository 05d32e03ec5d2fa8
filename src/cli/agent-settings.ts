// Reads which agent answers, and its settings, from the environment.

import type { AguiAgentOptions, LlmAgentOptions } from '../agents/index.ts'
import { SettingsError } from '../bff/index.ts'
import type { Agent, AgentFor } from '../runtime/index.ts'
import { type Environment, isAddress, readSetting } from './settings-table.ts'

/** Of all agents but the operator's own modules. `contact`: of FOYER_CONTACT, as it stands. */
type OfBothAgents = { sourceUrl: string | undefined; contact: string | undefined; handsOff: boolean }

export type AgentSettings =
  /** Of the operator: loaded from the module at `path`, or given to `startServer` by a program. */
  | { name: 'own'; agent: Agent | AgentFor; path?: string }
  /** One whose module is not loaded yet. */
  | { name: 'module'; path: string }
  /** One that speaks AG-UI. */
  | ({ name: 'address' } & OfBothAgents & Pick<AguiAgentOptions, 'url' | 'key' | 'links' | 'seconds'>)
  | ({ name: 'guide' } & OfBothAgents)
  | ({ name: 'llm'; instructionsFile: string | undefined } & OfBothAgents &
      Pick<LlmAgentOptions, 'url' | 'model' | 'key' | 'mcp' | 'limits' | 'price' | 'links' | 'summarise'>)

/** `own`: what a program gave to `startServer`. */
export function readAgentSettings(env: Environment, own?: Agent | AgentFor): AgentSettings {
  function refuse(useless: RegExp, because: (setting: string) => string): void {
    const setting = Object.keys(env).find((each) => useless.test(each) && env[each])
    if (setting !== undefined) throw new SettingsError(because(setting))
  }
  const besideOwn = (setting: string) => `${setting} has no effect beside an agent of your own. Unset it.`
  const besideOther = (setting: string) =>
    `${setting} is set, and FOYER_AGENT is not llm. Set FOYER_AGENT=llm, or unset ${setting}.`

  if (own) {
    refuse(/^FOYER_(AGENT$|AGENT_KEY$|LLM_|SOURCE_URL$|CONTACT$|HANDOFF$)/, besideOwn)
    return { name: 'own', agent: own }
  }
  const name = readSetting(env, 'FOYER_AGENT')
  const isOurs = name === 'guide' || name === 'llm'
  if (!isOurs && !isAddress(name)) {
    refuse(/^FOYER_(AGENT_KEY$|LLM_|SOURCE_URL$|CONTACT$|HANDOFF$)/, besideOwn)
    return { name: 'module', path: name }
  }
  const key = readSetting(env, 'FOYER_AGENT_KEY')
  const both = {
    sourceUrl: readSetting(env, 'FOYER_SOURCE_URL'),
    contact: readSetting(env, 'FOYER_CONTACT'),
    handsOff: readSetting(env, 'FOYER_HANDOFF'),
  }
  if (!isOurs) {
    refuse(/^FOYER_LLM_(?!LINKS$|SECONDS$)/, besideOther)
    return {
      name: 'address',
      ...both,
      url: name,
      key,
      links: readSetting(env, 'FOYER_LLM_LINKS'),
      seconds: readSetting(env, 'FOYER_LLM_SECONDS'),
    }
  }
  if (key)
    throw new SettingsError(
      `FOYER_AGENT_KEY is set, and FOYER_AGENT is ${name}. Set FOYER_AGENT to the address of your agent, or unset FOYER_AGENT_KEY.`,
    )
  if (name === 'guide') {
    refuse(/^FOYER_LLM_/, besideOther)
    return { name, ...both }
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
