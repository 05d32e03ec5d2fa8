// Loads the tools of MCP servers for the language-model agent.

import { createMCPClient } from '@ai-sdk/mcp'
import { cleanText } from './clean.ts'
import type { LlmTool } from './tools.ts'

export type McpTools = { tools: Record<string, LlmTool>; close(): Promise<void> }

const PATIENCE_MS = 10_000
/** Most characters of a result that the model gets. */
const LONGEST_RESULT = 20_000

/** What a server may send in one answer, and how much of its tools the model gets to read with each question. */
const MOST_BYTES = 2_000_000
const MOST_TOOLS = 64
const LONGEST_DESCRIPTION = 2_000
const LONGEST_SCHEMA = 8_000
const TOOL_NAME = /^[\w-]{1,64}$/

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
        transport: { type: 'http', url, redirect: 'error', fetch: fetchCapped },
        initializationOptions: { signal: AbortSignal.timeout(PATIENCE_MS) },
      })
      clients.push(client)
      for (const [name, { description = '', inputSchema, execute }] of Object.entries(
        await inTime(client.tools()),
      )) {
        const { jsonSchema } = inputSchema as { jsonSchema: unknown }
        const input = (await jsonSchema) as Record<string, unknown>
        const isUsable = TOOL_NAME.test(name) && JSON.stringify(input).length <= LONGEST_SCHEMA
        if (!isUsable || Object.keys(tools).length >= MOST_TOOLS) continue
        tools[name] ??= {
          description: cleanText(description).slice(0, LONGEST_DESCRIPTION),
          input,
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

/** Rejects in time where a server lists tools without end. */
function inTime<T>(result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The list of tools took too long')), PATIENCE_MS)
  })
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}

/** Fails once an answer is longer than `MOST_BYTES`. */
const fetchCapped: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  let bytes = 0
  const capped = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > MOST_BYTES) controller.error(new Error('The answer is too long'))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(capped ?? null, response)
}
