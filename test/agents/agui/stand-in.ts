// An agent that speaks AG-UI on a local port, by the protocol's own schemas. Each run gets the next reply of its script; the last one is
// repeated.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunAgentInput } from '@ag-ui/core'
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas'

export type Step =
  /** An event of the protocol; one that it does not know fails the test. */
  | { type: string; [field: string]: unknown }
  /** Sent as it stands. */
  | { raw: string }
  /** Nothing is sent until then. */
  | { wait: Promise<unknown> }
  /** Drops the connection. */
  | 'cut'
  /** Sends nothing more, and does not end. */
  | 'hang'

export type Reply =
  /** The events between the start of the run and its end, which stands here where it has more than a success to say. */
  readonly Step[] | { status: number; headers?: Record<string, string>; body?: string }

export async function startAguiServer(script: readonly Reply[]) {
  const inputs: RunAgentInput[] = []
  const keys: (string | undefined)[] = []
  /** Requests whose client left before the end. */
  const left: string[] = []
  const flaws: unknown[] = []
  let port = 0
  const server = () =>
    createServer(async (request, response) => {
      const input = await readInput(request)
      if (!input) {
        response.writeHead(422).end()
        return
      }
      inputs.push(input)
      keys.push(request.headers.authorization)
      response.once('close', () => response.writableFinished || left.push(input.runId))
      await send(script[Math.min(inputs.length, script.length) - 1] ?? [], input, response).catch((flaw) =>
        flaws.push(flaw),
      )
    })
  let running = server()
  const start = async () => {
    await new Promise<void>((resolve) => running.listen(port, '127.0.0.1', resolve))
    port = (running.address() as AddressInfo).port
  }
  await start()

  async function readInput(request: IncomingMessage): Promise<RunAgentInput | undefined> {
    let text = ''
    for await (const piece of request) text += piece
    const read = RunAgentInputSchema.safeParse(JSON.parse(text))
    if (!read.success) flaws.push(read.error)
    return read.data as RunAgentInput | undefined
  }

  const stop = async () => {
    running.closeAllConnections()
    await new Promise((resolve) => running.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/run`,
    inputs,
    keys,
    left,
    /** What was not of the protocol, on either side. */
    flaws,
    stop,
    /** Begins again on the same port, with the script where it was. */
    async restart() {
      await stop()
      running = server()
      await start()
    },
  }
}

async function send(
  reply: Reply,
  { threadId, runId }: RunAgentInput,
  response: ServerResponse,
): Promise<void> {
  if ('status' in reply) {
    response.writeHead(reply.status, reply.headers).end(reply.body)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const event = (step: object) =>
    response.write(`data: ${JSON.stringify(EventSchemas.parse({ threadId, runId, ...step }))}\n\n`)
  event({ type: 'RUN_STARTED' })
  let isOver = false
  for (const step of reply) {
    if (step === 'hang') return
    if (step === 'cut') {
      setTimeout(() => response.destroy(), 10)
      return
    }
    if ('wait' in step) await step.wait
    else if ('raw' in step) {
      // A client that no longer reads slows its server down.
      if (!response.write(step.raw)) await drained(response)
    } else {
      event(step)
      isOver = step.type === 'RUN_FINISHED' || step.type === 'RUN_ERROR'
    }
  }
  if (!isOver) event({ type: 'RUN_FINISHED' })
  response.end()
}

/** Resolves once more can be sent, or nobody reads. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })

/** The events of one message. */
export const message = (id: string, ...pieces: readonly string[]): Step[] => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  ...pieces.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'TEXT_MESSAGE_END', messageId: id },
]

/** The events of one call of a tool. */
export const toolCall = (id: string, name: string, input: object): Step[] => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: JSON.stringify(input) },
  { type: 'TOOL_CALL_END', toolCallId: id },
]
