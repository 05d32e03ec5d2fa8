// Creates the agent that the settings select.

import { readFileSync } from 'node:fs'
import { createGuide, createLlmAgent, type Guide, type LlmAgentOptions } from '../agents/index.ts'
import type { Log, Meter } from '../api/index.ts'
import { SettingsError } from '../bff/index.ts'
import type { Embeddings } from '../runtime/index.ts'
import { type Environment, readSetting } from './settings-table.ts'
import { StartError } from './start-error.ts'

export type AgentSettings =
  | { name: 'guide'; sourceUrl: string | undefined }
  | ({ name: 'llm'; sourceUrl: string | undefined; instructionsFile: string | undefined } & Pick<
      LlmAgentOptions,
      'url' | 'model' | 'key' | 'mcp' | 'limits' | 'price' | 'links' | 'summarise'
    >)

export function readAgentSettings(env: Environment): AgentSettings {
  const name = readSetting(env, 'FOYER_AGENT')
  const sourceUrl = readSetting(env, 'FOYER_SOURCE_URL')
  if (name === 'guide') {
    const useless = Object.keys(env).find((each) => each.startsWith('FOYER_LLM_') && env[each])
    if (useless === undefined) return { name, sourceUrl }
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
    sourceUrl,
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

export type AgentSurroundings = {
  folder: string
  /** Whether live agents answer the handoff queue. */
  handsOff: boolean
  /** A suggestion of the guide's beside each message that no file gave. */
  offer?: string
  /** Address of the files, if no setting gives one. */
  pages?: string
  embeddings?: Embeddings | undefined
  log: Log
  meter: Meter
}

/** Resolves once the folder is read. */
export async function openAgent(
  settings: AgentSettings,
  { folder, handsOff, offer, pages, embeddings, log, meter }: AgentSurroundings,
): Promise<Guide> {
  const { sourceUrl = pages } = settings
  const fileOptions = { folder, handsOff, log, embeddings, sourceUrl }
  if (settings.name === 'guide') return createGuide({ ...fileOptions, ...(offer && { offer }) })
  const { name: _, instructionsFile, ...model } = settings
  const instructions = instructionsFile && readInstructions(instructionsFile)
  return createLlmAgent({ ...model, ...fileOptions, instructions, meter }).catch((error: Error) => {
    if (!model.mcp?.length) throw error
    throw new StartError(`${error.message}. Correct FOYER_LLM_MCP, or unset it.`)
  })
}

function readInstructions(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(
      `The file of FOYER_LLM_INSTRUCTIONS cannot be read (${(error as NodeJS.ErrnoException).code}). Correct its path, or unset it.`,
    )
  }
}
