// Creates the agent that the settings select.

import { readFileSync } from 'node:fs'
import { createGuide, createLlmAgent, type Guide } from '../../agents/index.ts'
import type { Log, Meter } from '../../api/index.ts'
import type { Agent, Embeddings } from '../../runtime/index.ts'
import type { AgentSettings } from '../agent-settings.ts'
import { StartError } from '../start-error.ts'

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

export interface OpenAgent {
  readonly agent: Agent
  /** Searches the documents, for the pages of the demo. */
  readonly find: Guide['find']
  close(): void
}

/** Resolves once the folder is read. Beside an agent of the program's own it is read for the pages of the demo alone. */
export async function openAgent(
  settings: AgentSettings,
  { folder, handsOff, offer, pages, embeddings, log, meter }: AgentSurroundings,
): Promise<OpenAgent> {
  if (settings.name === 'own' && pages === undefined)
    return { agent: settings.agent, find: async () => [], close: () => {} }
  const { sourceUrl = pages } = settings.name === 'own' ? {} : settings
  const fileOptions = { folder, handsOff, log, embeddings, sourceUrl }
  if (settings.name !== 'llm') {
    const guide = await createGuide({ ...fileOptions, ...(offer && { offer }) })
    return opened(settings.name === 'own' ? settings.agent : guide, guide)
  }
  const { name: _, instructionsFile, ...model } = settings
  const instructions = instructionsFile && readInstructions(instructionsFile)
  const agent = await createLlmAgent({ ...model, ...fileOptions, instructions, meter }).catch(
    (error: Error) => {
      if (!model.mcp?.length) throw error
      throw new StartError(`${error.message}. Correct FOYER_LLM_MCP, or unset it.`)
    },
  )
  return opened(agent, agent)
}

const opened = (agent: Agent, { find, close }: Pick<Guide, 'find' | 'close'>): OpenAgent => ({
  agent,
  find,
  close,
})

function readInstructions(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(
      `The file of FOYER_LLM_INSTRUCTIONS cannot be read (${(error as NodeJS.ErrnoException).code}). Correct its path, or unset it.`,
    )
  }
}
