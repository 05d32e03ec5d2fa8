// Loads the tools of MCP servers for the language-model agent.

import { createMCPClient } from '@ai-sdk/mcp'
import type { LlmTool } from './llm-tools.ts'

export type McpTools = { tools: Record<string, LlmTool>; close(): Promise<void> }

const PATIENCE_MS = 10_000
/** Most characters of a result that the model gets. */
const LONGEST_RESULT = 20_000

/** Lists the tools of servers that speak MCP over HTTP. Rejects if a server cannot be used, and names the server. */
export async function openMcpTools(urls: readonly string[]): Promise<McpTools> {
  const clients: { close(): Promise<void> }[] = []
  const tools: Record<string, LlmTool> = {}
  const close = async () => {
    await Promise.allSettled(clients.map((client) => client.close()))
  }
  for (const url of urls)
    try {
      const client = await createMCPClient({
        transport: { type: 'http', url },
        initializationOptions: { signal: AbortSignal.timeout(PATIENCE_MS) },
      })
      clients.push(client)
      for (const [name, { description = '', inputSchema, execute }] of Object.entries(await client.tools())) {
        const { jsonSchema } = inputSchema as { jsonSchema: unknown }
        tools[name] ??= {
          description,
          input: (await jsonSchema) as Record<string, unknown>,
          execute: async (input, { signal }) => {
            const toolResult = await execute?.(input as never, {
              toolCallId: name,
              messages: [],
              abortSignal: signal,
            })
            const text = JSON.stringify(toolResult ?? null)
            return text.length <= LONGEST_RESULT ? toolResult : text.slice(0, LONGEST_RESULT)
          },
        }
      }
    } catch (error) {
      await close()
      throw new Error(`The MCP server ${new URL(url).origin} cannot be used`, { cause: error })
    }
  return { tools, close }
}
