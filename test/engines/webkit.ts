// WebKit, the engine of every Safari, driven by WebDriver over HTTP. It needs a screen: Xvfb draws one in memory.

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Engine,
  eventually,
  FRAME,
  KEYS,
  keyActions,
  type Place,
  type Size,
  type Window,
} from '../browser/engine.ts'
import { freePort, printed } from '../browser/world.ts'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Debian keeps the browser that the driver starts out of everybody's path. */
function miniBrowser(): string {
  const root = '/usr/lib'
  for (const machine of readdirSync(root))
    for (const name of ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'])
      try {
        const folder = join(root, machine, name)
        if (readdirSync(folder).includes('MiniBrowser')) return join(folder, 'MiniBrowser')
      } catch {
        // Not this one.
      }
  throw new Error('No MiniBrowser was found. It comes with the package webkit2gtk-driver.')
}

/** `args`: further switches of the browser, such as `--enable-itp=true`. */
export async function startWebKit(args: readonly string[] = []): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'foyer-webkit-'))
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [display] = await printed(screen, /^\d+/)
  const port = await freePort()
  const xdg = ['CACHE_HOME', 'DATA_HOME', 'CONFIG_HOME', 'RUNTIME_DIR'].map((name) => [`XDG_${name}`, home])
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    // A group of its own: the browser's processes end with it.
    detached: true,
    env: {
      ...process.env,
      ...Object.fromEntries(xdg),
      HOME: home,
      DISPLAY: `:${display}`,
      NO_AT_BRIDGE: '1',
      // Without a graphics card, layers that are put together on it cost a third more.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  })

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
    if (!response.ok) throw new Error(`WebKit: ${value?.error} ${value?.message}`)
    return value
  }
  await eventually(() => call('GET', '/status'), 60_000)
  const { sessionId } = (await call('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        acceptInsecureCerts: true,
        'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation', ...args] },
      },
    },
  })) as { sessionId: string }
  const session = (method: string, path: string, body?: object) =>
    call(method, `/session/${sessionId}${path}`, body)
  const run = (script: string) => session('POST', '/execute/sync', { script, args: [] })

  /** Stays: with the last window the session would end, and a new one is opened from one that is there. */
  const base = await session('GET', '/window')

  async function open(size?: Size): Promise<Window> {
    await session('POST', '/window', { handle: base })
    const { handle } = (await session('POST', '/window/new', { type: 'window' })) as { handle: string }
    if (size) {
      await session('POST', '/window', { handle })
      const { width, height } = size
      await session('POST', '/window/rect', { x: 0, y: 0, width, height })
    }
    const top = () => session('POST', '/window', { handle })
    async function enterPlace(place: Place): Promise<void> {
      await top()
      await session('POST', '/frame', { id: null })
      if (place === 'page') return
      const frame = await run(`return ${FRAME}`)
      if (!frame) throw new Error('The page has no frame of the chat yet')
      await session('POST', '/frame', { id: frame })
    }
    async function find(place: Place, expression: string): Promise<string> {
      await enterPlace(place)
      const element = (await run(`return ${expression}`)) as Record<string, string> | null
      const id = element?.[ELEMENT]
      if (!id) throw new Error(`There is no element ${expression}`)
      return id
    }
    return {
      async go(url) {
        await top()
        await session('POST', '/url', { url })
      },
      async reload() {
        await top()
        await session('POST', '/refresh', {})
      },
      async read(place, expression) {
        await enterPlace(place)
        return run(`return ${expression}`)
      },
      async click(place, expression) {
        await session('POST', `/element/${await find(place, expression)}/click`, {})
      },
      async enter(place, expression, text) {
        const id = await find(place, expression)
        // In another site's frame WebKit lets no script move the focus, only a person. (In nested shadow roots its
        // driver takes the host for an obstacle to a click.)
        if (place === 'frame') await session('POST', `/element/${id}/click`, {})
        await session('POST', `/element/${id}/value`, { text: text + KEYS.enter })
      },
      async press(text, held) {
        await enterPlace('page')
        const actions = keyActions(text, held)
        await session('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] })
      },
      async close() {
        await top()
        await session('DELETE', '/window')
      },
    }
  }

  return {
    open,
    async close() {
      await session('DELETE', '').catch(() => {})
      for (const child of [driver, screen]) {
        const gone = new Promise((resolve) => child.on('exit', resolve))
        process.kill(child === driver ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL')
        await gone
      }
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
