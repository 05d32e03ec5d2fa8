// Firefox, driven by WebDriver BiDi over the socket that it opens by itself.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { type Engine, KEYS, keyActions, type Place, type Size, type Window } from '../browser/engine.ts'
import { printed } from '../browser/world.ts'
import { programOf } from '../needs.ts'

const PREFERENCES = {
  // What Firefox calls Total Cookie Protection: every site has its own jar, and known trackers have none.
  'network.cookie.cookieBehavior': 5,
  'remote.active-protocols': 1,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
}

type Context = { context: string; url: string; children: Context[] | null }

export async function startFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'foyer-firefox-'))
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn(
    programOf('Firefox'),
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: profile } },
  )
  const [, endpoint = ''] = await printed(child, /BiDi listening on (ws:\S+)/)
  const socket = new WebSocket(`${endpoint}/session`)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))

  const waiting = new Map<number, (answer: Record<string, unknown>) => void>()
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data)) as { id: number } & Record<string, unknown>
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  let count = 0
  async function call<T>(method: string, params: object): Promise<T> {
    const id = ++count
    const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, error, message, result } = await answered
    if (type === 'error') throw new Error(`Firefox: ${error} ${message}`)
    return result as T
  }
  await call('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })

  async function evaluate(
    context: string,
    expression: string,
  ): Promise<{ sharedId?: string; value?: string }> {
    const { result, exceptionDetails } = await call<{
      result?: { sharedId?: string; value?: string }
      exceptionDetails?: { text: string }
    }>('script.evaluate', { expression, target: { context }, awaitPromise: true })
    if (!result) throw new Error(`Firefox: ${exceptionDetails?.text}`)
    return result
  }

  async function open(size?: Size): Promise<Window> {
    const { context: root } = await call<{ context: string }>('browsingContext.create', { type: 'window' })
    if (size) {
      const { width, height } = size
      await call('browsingContext.setViewport', { context: root, viewport: { width, height } })
    }
    async function contextOf(place: Place): Promise<string> {
      if (place === 'page') return root
      const { contexts } = await call<{ contexts: Context[] }>('browsingContext.getTree', { root })
      const frame = contexts[0]?.children?.find(({ url }) => url.includes('/foyer/frame'))
      if (!frame) throw new Error('The page has no frame of the chat yet')
      return frame.context
    }
    async function point(place: Place, expression: string, pointerType: 'mouse' | 'touch'): Promise<string> {
      const context = await contextOf(place)
      const { sharedId } = await evaluate(context, expression)
      if (!sharedId) throw new Error(`There is no element ${expression}`)
      const origin = { type: 'element', element: { sharedId } }
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      // The focus follows a click only in the window that is in front.
      await call('browsingContext.activate', { context: root })
      const pointer = { type: 'pointer', id: pointerType, parameters: { pointerType }, actions }
      await call('input.performActions', { context, actions: [pointer] })
      return context
    }
    const click = (place: Place, expression: string) => point(place, expression, 'mouse')
    return {
      async go(url) {
        await call('browsingContext.navigate', { context: root, url, wait: 'complete' })
      },
      async reload() {
        await call('browsingContext.reload', { context: root, wait: 'complete' })
      },
      async read(place, expression) {
        const { value } = await evaluate(await contextOf(place), `JSON.stringify(${expression}) ?? 'null'`)
        return JSON.parse(value ?? 'null')
      },
      async click(place, expression) {
        await click(place, expression)
      },
      async enter(place, expression, text) {
        const context = await click(place, expression)
        // A click may meet what lies on the field for a moment, and the words would go there.
        const { value } = await evaluate(context, `String(${expression}.matches(':focus'))`)
        if (value !== 'true') throw new Error(`The click did not lead into ${expression}`)
        const actions = keyActions(text + KEYS.enter)
        await call('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
      },
      async tap(place, expression) {
        await point(place, expression, 'touch')
      },
      async press(text, held) {
        // Firefox gives keys to the place that it is told: that of the focus.
        const inFrame = await evaluate(root, `document.activeElement?.shadowRoot?.activeElement?.localName`)
        const context = inFrame.value === 'iframe' ? await contextOf('frame') : root
        const actions = keyActions(text, held)
        await call('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
      },
      async close() {
        await call('browsingContext.close', { context: root })
      },
    }
  }

  return {
    open,
    async close() {
      const gone = new Promise((resolve) => child.on('exit', resolve))
      await call('browser.close', {}).catch(() => child.kill())
      await gone
      socket.terminate()
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
