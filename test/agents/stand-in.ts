// A language model's endpoint of the chat-completions form on a local port. Each request gets the next reply of
// its script; the last reply is repeated.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply =
  /** Streams these pieces, each after a pause, then ends with a reason and the usage. */
  | { pieces: readonly string[]; everyMs?: number; reason?: string; usage?: object | undefined }
  /** Streams calls of tools; `input` is JSON text, good or bad. */
  | { calls: readonly { name: string; input: string }[]; pieces?: readonly string[] }
  | { status: number; body?: string; headers?: Record<string, string> }
  /** Streams these pieces, then drops the connection. */
  | { cut: readonly string[] }
  /** Streams these pieces, then nothing more, and does not end. */
  | { stall: readonly string[] }
  /** Streams a frame that reports an error. */
  | { reported: string }
  /** Answers nothing until the client leaves. */
  | 'silence'
  /** Sends a frame that is not JSON. */
  | 'garbage'

export type Request = {
  authorization: string | undefined
  body: {
    model: string
    messages: { role: string; content?: string; tool_calls?: { function: { name: string } }[] }[]
    tools?: { function: { name: string } }[]
    max_tokens?: number
    tool_choice?: unknown
    stream?: boolean
  }
  text: string
}

export async function startStandIn(script: Reply[]) {
  const requests: Request[] = []
  let left = 0
  const server = createServer(async (request, response) => {
    const text = await readBody(request)
    requests.push({ authorization: request.headers.authorization, body: JSON.parse(text), text })
    response.on('close', () => {
      if (!response.writableEnded) left++
    })
    await reply(script[Math.min(requests.length, script.length) - 1] ?? { pieces: [] }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    /** How many answers the client left before their end. */
    left: () => left,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}

async function reply(given: Reply, response: ServerResponse): Promise<void> {
  if (given === 'silence') return
  if (typeof given === 'object' && 'status' in given) {
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers })
    response.end(given.body ?? '{"error":{"message":"no"}}')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frame = (delta: object, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`,
    )
  if (given === 'garbage') {
    response.end('data: {not json\n\n')
    return
  }
  if ('reported' in given) {
    response.end(`data: ${JSON.stringify({ error: { message: given.reported } })}\n\n`)
    return
  }
  if ('stall' in given) {
    for (const content of given.stall) frame({ content })
    return
  }
  if ('cut' in given) {
    for (const content of given.cut) frame({ content })
    setImmediate(() => response.destroy())
    return
  }
  for (const content of given.pieces ?? []) {
    if ('everyMs' in given) await new Promise((resolve) => setTimeout(resolve, given.everyMs))
    frame({ content })
  }
  if ('calls' in given)
    for (const [index, { name, input }] of given.calls.entries())
      frame({
        tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: input } }],
      })
  const reason = 'calls' in given ? 'tool_calls' : (given.reason ?? 'stop')
  frame({}, { finish_reason: reason })
  const usage = 'usage' in given ? given.usage : USAGE
  response.write(
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`,
  )
  response.end('data: [DONE]\n\n')
}
