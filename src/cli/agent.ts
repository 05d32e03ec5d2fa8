// Creates the agent that the settings select.

import { readFileSync } from 'node:fs'
import { createGuide, createLlmAgent, type Guide, type LlmLimits } from '../agents/index.ts'
import { SettingsError } from '../bff/index.ts'
import type { Embeddings } from '../runtime/index.ts'
import { type Environment, readSetting } from './settings-table.ts'
import { StartError } from './start-error.ts'

export type AgentSettings =
  | { name: 'guide'; sourceUrl: string | undefined }
  | {
      name: 'llm'
      sourceUrl: string | undefined
      url: string
      model: string
      key: string | undefined
      instructionsFile: string | undefined
      mcp: readonly string[]
      limits: Pick<LlmLimits, 'tokensPerDay' | 'connectorTokensPerDay' | 'seconds'>
      price: { input: number; output: number } | undefined
      links: 'sources' | 'any'
      summarise: boolean
    }

export function readAgentSettings(env: Environment): AgentSettings {
  const name = readSetting(env, 'FOYER_AGENT')
  const sourceUrl = readSetting(env, 'FOYER_SOURCE_URL')
  const modelSettings = {
    FOYER_LLM_URL: readSetting(env, 'FOYER_LLM_URL'),
    FOYER_LLM_MODEL: readSetting(env, 'FOYER_LLM_MODEL'),
    FOYER_LLM_KEY: readSetting(env, 'FOYER_LLM_KEY'),
    FOYER_LLM_INSTRUCTIONS: readSetting(env, 'FOYER_LLM_INSTRUCTIONS'),
    FOYER_LLM_PRICE: readSetting(env, 'FOYER_LLM_PRICE'),
    FOYER_LLM_MCP: readSetting(env, 'FOYER_LLM_MCP'),
  }
  const limits = {
    tokensPerDay: readSetting(env, 'FOYER_LLM_TOKENS_PER_DAY'),
    connectorTokensPerDay: readSetting(env, 'FOYER_LLM_CONNECTOR_TOKENS_PER_DAY'),
    seconds: readSetting(env, 'FOYER_LLM_SECONDS'),
  }
  const links = readSetting(env, 'FOYER_LLM_LINKS')
  const summarise = readSetting(env, 'FOYER_LLM_SUMMARY')
  const { FOYER_LLM_URL: url, FOYER_LLM_MODEL: model } = modelSettings
  if (name === 'guide') {
    const [useless] = Object.entries(modelSettings).find(([, value]) => value !== undefined) ?? []
    if (useless === undefined) return { name, sourceUrl }
    throw new SettingsError(
      `${useless} is set, and FOYER_AGENT is not llm. Set FOYER_AGENT=llm, or unset ${useless}.`,
    )
  }
  if (!url || !model)
    throw new SettingsError(
      `FOYER_AGENT is llm, and ${url ? 'FOYER_LLM_MODEL' : 'FOYER_LLM_URL'} is not set. Set FOYER_LLM_URL to the base address of the endpoint, such as https://models.example.com/v1, and FOYER_LLM_MODEL to the name that it knows.`,
    )
  const {
    FOYER_LLM_KEY: key,
    FOYER_LLM_INSTRUCTIONS: instructionsFile,
    FOYER_LLM_PRICE: price,
  } = modelSettings
  const mcp = modelSettings.FOYER_LLM_MCP?.split(',').map((each) => each.trim()) ?? []
  return { name, sourceUrl, url, model, key, mcp, instructionsFile, limits, price, links, summarise }
}

export type AgentSurroundings = {
  folder: string
  /** Whether live agents answer the handoff queue. */
  handsOff: boolean
  tour: boolean
  /** Address of the files, if no setting gives one. */
  pages?: string
  embeddings?: Embeddings | undefined
  log(line: string): void
}

/** Resolves once the folder is read. */
export async function openAgent(
  settings: AgentSettings,
  { folder, handsOff, tour, pages, embeddings, log }: AgentSurroundings,
): Promise<Guide> {
  const sourceUrl = settings.sourceUrl ?? pages
  const fileOptions = {
    folder,
    handsOff,
    log,
    ...(embeddings && { embeddings }),
    ...(sourceUrl && { sourceUrl }),
  }
  if (settings.name === 'guide') return createGuide({ ...fileOptions, tour })
  const { url, model, key, mcp, instructionsFile, limits, price, links, summarise } = settings
  const opened = createLlmAgent({
    ...fileOptions,
    url,
    model,
    links,
    summarise,
    mcp,
    limits,
    ...(key && { key }),
    ...(price && { price }),
    ...(instructionsFile && { instructions: readInstructions(instructionsFile) }),
  })
  if (mcp.length === 0) return opened
  return opened.catch((error: Error) => {
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
