// A Chromium that no test tool has told to be visible and focused: driven by the DevTools protocol alone.

import { WebSocket } from 'ws'
import { spawnBrowser } from './world.ts'

type Answer = { id?: number; result?: Record<string, unknown>; error?: { message: string } }

export async function startPlainBrowser() {
  const { endpoint, ended } = await spawnBrowser()
  const socket = new WebSocket(endpoint)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let count = 0
  const waiting = new Map<
    number,
    { resolve(result: Record<string, unknown>): void; reject(error: Error): void }
  >()
  socket.on('message', (data) => {
    const { id = 0, result = {}, error } = JSON.parse(String(data)) as Answer
    const call = waiting.get(id)
    waiting.delete(id)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  })
  const send = (method: string, params: object = {}, sessionId?: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const id = ++count
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
    })
  return {
    /** A new page at the address. `read` gives the value of an expression, as JSON has it. */
    async open(url: string) {
      const { targetId } = await send('Target.createTarget', { url })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const say = (method: string, params?: object) => send(method, params, String(sessionId))
      return {
        send: say,
        async read(expression: string): Promise<unknown> {
          const { result } = await say('Runtime.evaluate', {
            expression,
            returnByValue: true,
            userGesture: true,
          })
          return (result as { value?: unknown }).value
        },
      }
    },
    async close() {
      await send('Browser.close').catch(() => {})
      await ended
      socket.terminate()
    },
  }
}
