// Drives a Chromium by its DevTools protocol: pages with their frames, throttled, counted in processor time of their main threads.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { WebSocket } from 'ws'

/** A frame that is not there after so long will not come. */
const FRAME_MS = 30_000
const LONGEST_END_MS = 10_000

type Json = Record<string, unknown>
type Said = {
  id?: number
  result?: Json
  error?: { message: string }
  method?: string
  params?: Json
  sessionId?: string
}

/** Milliseconds of the main threads of page and frame. */
/** How slow a network seems. */
export type Line = { latencyMs: number; kilobytesPerSecond: number }
export type Spent = { main: number; script: number }
export type Page = Awaited<ReturnType<Chromium['open']>>
export type Chromium = Awaited<ReturnType<typeof startChromium>>

export async function startChromium(path: string) {
  const profile = mkdtempSync(join(tmpdir(), 'foyer-peers-'))
  const child = spawn(
    path,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-renderer-backgrounding',
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      // Nothing beyond loopback is reached while measuring.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      '--remote-debugging-port=0',
      '--window-size=1280,900',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const kill = () => child.kill()
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.removeListener('exit', kill)
      resolve()
    }),
  )
  const endpoint = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (part: Buffer) => {
      text += String(part)
      const match = /DevTools listening on (ws:\S+)/.exec(text)
      if (match?.[1]) resolve(match[1])
    })
    child.once('exit', () => reject(new Error(`Chromium ended: ${text}`)))
  })
  const socket = new WebSocket(endpoint, { perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))

  let count = 0
  const waiting = new Map<number, { resolve(result: Json): void; reject(error: Error): void }>()
  const listeners = new Set<(method: string, params: Json, sessionId: string | undefined) => void>()
  socket.on('message', (data) => {
    const { id, result = {}, error, method, params = {}, sessionId } = JSON.parse(String(data)) as Said
    if (method) for (const listener of listeners) listener(method, params, sessionId)
    const call = waiting.get(id ?? 0)
    if (!call) return
    waiting.delete(id ?? 0)
    if (error) call.reject(new Error(error.message))
    else call.resolve(result)
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium ended'))
    waiting.clear()
  })
  const send = (method: string, params: object = {}, sessionId?: string) =>
    new Promise<Json>((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) return reject(new Error('Chromium ended'))
      const id = ++count
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
    })

  return {
    /**
     * A page in a profile of its own. `script` runs first in every document. `throttle`: how many times slower the processor seems.
     * `line`: how slow the network seems from `slow` on; nothing comes from the cache then.
     */
    async open({
      script,
      throttle = 1,
      bytes = false,
      line,
    }: {
      script: string
      throttle?: number
      bytes?: boolean
      line?: Line | undefined
    }) {
      const { browserContextId } = await send('Target.createBrowserContext')
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const page = String(sessionId)
      const frames: string[] = []
      /** Frames whose document is there. */
      const ready = new Set<string>()
      /** Bytes of every body, by address. */
      const bodies = new Map<string, number>()
      const addresses = new Map<string, string>()
      const pending: Promise<unknown>[] = []

      let isSlow = false
      const slowDown = async (session: string): Promise<void> => {
        if (!line) return
        const throughput = line.kilobytesPerSecond * 1_024
        await send('Network.enable', {}, session)
        await send('Network.setCacheDisabled', { cacheDisabled: true }, session)
        await send(
          'Network.emulateNetworkConditions',
          {
            offline: false,
            latency: line.latencyMs,
            downloadThroughput: throughput,
            uploadThroughput: throughput,
          },
          session,
        )
      }

      async function prepare(session: string): Promise<void> {
        await Promise.all([
          // Processor time of the thread: what else the machine does is not in it.
          send('Performance.enable', { timeDomain: 'threadTicks' }, session),
          send('Emulation.setCPUThrottlingRate', { rate: throttle }, session),
          send('Page.enable', {}, session),
          send('Page.addScriptToEvaluateOnNewDocument', { source: script, runImmediately: true }, session),
          ...(bytes ? [send('Network.enable', {}, session)] : []),
          ...(isSlow ? [slowDown(session)] : []),
          send(
            'Target.setAutoAttach',
            { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
            session,
          ),
        ])
      }
      const listener = (method: string, params: Json, session: string | undefined) => {
        if (session === undefined || (session !== page && !frames.includes(session))) return
        if (method === 'Target.attachedToTarget') {
          const { sessionId, targetInfo } = params as { sessionId: string; targetInfo: { type: string } }
          const isFrame = targetInfo.type === 'iframe'
          if (isFrame) frames.push(sessionId)
          const prepared = isFrame ? prepare(sessionId) : Promise.resolve()
          void prepared.then(() => send('Runtime.runIfWaitingForDebugger', {}, sessionId)).catch(() => {})
        }
        if (method === 'Target.detachedFromTarget') {
          const at = frames.indexOf(String(params.sessionId))
          if (at >= 0) frames.splice(at, 1)
        }
        if (method === 'Network.requestWillBeSent')
          addresses.set(String(params.requestId), (params.request as { url: string }).url)
        if (method === 'Network.loadingFinished') {
          const { requestId } = params as { requestId: string }
          const address = addresses.get(requestId) ?? ''
          pending.push(
            send('Network.getResponseBody', { requestId }, session).then(
              ({ body, base64Encoded }) =>
                bodies.set(
                  address,
                  gzipSync(Buffer.from(String(body), base64Encoded ? 'base64' : 'utf8'), { level: 9 }).length,
                ),
              () => {},
            ),
          )
        }
      }
      listeners.add(listener)
      await prepare(page)

      async function evaluate<T>(session: string, expression: string): Promise<T> {
        const { result, exceptionDetails } = (await send(
          'Runtime.evaluate',
          { expression, awaitPromise: true, returnByValue: true, userGesture: true },
          session,
        )) as {
          result: { value: T }
          exceptionDetails?: { text: string; exception?: { description?: string } }
        }
        if (exceptionDetails)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result.value
      }
      const sessions = () => [page, ...frames]
      const metricsOf = async (session: string) => {
        const { metrics } = (await send('Performance.getMetrics', {}, session)) as {
          metrics: { name: string; value: number }[]
        }
        const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000
        return { main: of('TaskDuration'), script: of('ScriptDuration') }
      }

      return {
        bodies,
        go: (url: string) => send('Page.navigate', { url }, page),
        /** The value of an expression in the page. */
        read: <T>(expression: string) => evaluate<T>(page, expression),
        /** The same in its frame; waits until there is one. */
        async readFrame<T>(expression: string): Promise<T> {
          const until = Date.now() + FRAME_MS
          for (;;) {
            const [frame] = frames
            // Before its document is there, a frame has nothing that could be asked. It is looked for once: each question costs the frame time.
            if (frame !== undefined && !ready.has(frame))
              if ((await evaluate(frame, 'typeof bench').catch(() => '')) === 'object') ready.add(frame)
            if (frame !== undefined && ready.has(frame)) return evaluate<T>(frame, expression)
            if (Date.now() > until) throw new Error('There is no frame')
            await pause(2)
          }
        },
        async spent(): Promise<Spent> {
          const all = await Promise.all(sessions().map(metricsOf))
          return {
            main: all.reduce((sum, { main }) => sum + main, 0),
            script: all.reduce((sum, { script }) => sum + script, 0),
          }
        },
        /** Of the pointer, at a place of the window. */
        /** From now on the network is as slow as `line` says, in frames too. */
        async slow(): Promise<void> {
          isSlow = true
          await slowDown(page)
        },
        mouse: (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', x: number, y: number) =>
          send(
            'Input.dispatchMouseEvent',
            { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 },
            page,
          ),
        /** Bytes of JavaScript heap after a garbage collection. */
        async heap(): Promise<number> {
          let used = 0
          for (const session of sessions()) {
            for (let n = 0; n < 2; n++) await send('HeapProfiler.collectGarbage', {}, session)
            used += Number((await send('Runtime.getHeapUsage', {}, session)).usedSize)
          }
          return used
        },
        /** Resolves once all bodies so far were read. */
        settled: () => Promise.all(pending),
        async close() {
          listeners.delete(listener)
          await send('Target.disposeBrowserContext', { browserContextId })
        },
      }
    },
    async close() {
      // One that hangs does not close by itself.
      const killing = setTimeout(() => child.kill('SIGKILL'), LONGEST_END_MS)
      await send('Browser.close').catch(() => kill())
      await ended
      clearTimeout(killing)
      socket.terminate()
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
