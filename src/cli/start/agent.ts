// Creates the agent that the settings select.

import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type Contact, createGuide, createLlmAgent, type Guide } from '../../agents/index.ts'
import type { Log, Meter } from '../../api/index.ts'
import type { Agent, Embeddings } from '../../runtime/index.ts'
import type { AgentSettings } from '../agent-settings.ts'
import { StartError } from '../start-error.ts'

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
  const files = { folder, log, embeddings }
  if (settings.name === 'own') {
    const { find, close } = await createGuide(files)
    return { agent: settings.agent, find, close }
  }
  const contact = settings.contact === undefined ? undefined : readContact(settings.contact)
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

/** A file of JSON ends so; all else is the text itself. */
function readContact(given: string): Contact {
  if (!given.endsWith('.json')) return given
  const parsed = v.safeParse(CONTACTS, readJson(given))
  if (parsed.success) return parsed.output
  throw new StartError(
    `The file of FOYER_CONTACT has to be one JSON object, with a text for each language, such as {"en": "Call us: +1 …", "*": "…"}. Correct it.`,
  )
}
const CONTACTS = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.pipe(v.string(), v.nonEmpty())),
  v.minEntries(1),
)

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The file of FOYER_CONTACT cannot be read (${code ?? 'it is not JSON'}). Correct it or its path, or unset it.`,
    )
  }
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
