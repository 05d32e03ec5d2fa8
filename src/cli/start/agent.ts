// Creates the agent that the settings select.

import { readFileSync } from 'node:fs'
import { createAguiAgent, createGuide, createLlmAgent, type Guide } from '../../agents/index.ts'
import type { Log, Meter } from '../../api/index.ts'
import type { Agent, AgentFor, Embeddings } from '../../runtime/index.ts'
import { StartError } from '../start-error.ts'
import type { LoadedAgent } from './own-module.ts'
import { readTexts } from './texts.ts'

export type AgentSurroundings = {
  folder: string
  /** In the demo, whose desk live agents open. */
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
  readonly agent: Agent | AgentFor
  /** Searches the documents, for the pages of the demo. */
  readonly find: Guide['find']
  close(): void
}

/** Resolves once the folder is read. Beside an agent of the operator's it is read for the pages of the demo alone. */
export async function openAgent(
  settings: LoadedAgent,
  { folder, handsOff, offer, pages, embeddings, log, meter }: AgentSurroundings,
): Promise<OpenAgent> {
  const files = { folder, log, embeddings }
  async function besides(agent: OpenAgent['agent']): Promise<OpenAgent> {
    if (pages === undefined) return { agent, find: async () => [], close: () => {} }
    const { find, close } = await createGuide(files)
    return { agent, find, close }
  }
  if (settings.name === 'own') return besides(settings.agent)
  const contact =
    settings.contact === undefined ? undefined : readTexts('FOYER_CONTACT', settings.contact, 'Call us: +1 …')
  if (settings.name === 'address')
    return besides(
      createAguiAgent({
        ...settings,
        name: 'Assistant',
        contact,
        handsOff: handsOff || settings.handsOff,
        log,
        meter,
      }),
    )
  const { sourceUrl = pages } = settings
  const both = { ...files, contact, sourceUrl, handsOff: handsOff || settings.handsOff }
  if (settings.name === 'guide') {
    const guide = await createGuide({ ...both, ...(offer && { offer }) })
    return { agent: guide, find: guide.find, close: guide.close }
  }
  const { name: _, instructionsFile, ...model } = settings
  const instructions = instructionsFile && readInstructions(instructionsFile)
  const agent = await createLlmAgent({ ...model, ...both, instructions, meter }).catch((error: Error) => {
    if (!model.mcp?.length) throw error
    throw new StartError(`${error.message}. Correct FOYER_LLM_MCP, or unset it.`)
  })
  return { agent, find: agent.find, close: agent.close }
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
