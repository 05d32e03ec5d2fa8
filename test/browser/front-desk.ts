// The real runtime and the real BFF in the test's own process, with an agent that a test can foresee and a desk that it can sit
// at, and pages with the built widget: framed on another site, unframed on the BFF's own origin.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type BffOptions, createBff, folderAssets } from '../../src/bff/index.ts'
import type { Agent, AgentEvent, Turn } from '../../src/runtime/index.ts'
import { createWorld } from '../contract/world.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
const PACKAGE = join(DIST, 'foyer-webchat')

export const GREETING = 'Hello, I’m Fern of Larkspur Cycles. What can I do for you?'
/** More than two rows of chips hold, at any width. The last is one of those that fold away. */
export const CHIPS = [
  'Where is my order?',
  'Which size do I need?',
  'Book a repair',
  'When are you open?',
  'Do you rent bicycles?',
  'A basket for a dog of medium size',
  'What does a service cost?',
  'Leasing through my employer',
  'Returns',
]
/** What the agent says to anything else: enough to scroll at every size. */
export const ANSWER = `Here is what I know:

1. The workshop is open from Monday to Friday.
2. A repair takes two days, and a service one.

| Model | Weight | Price |
| :-- | --: | --: |
| Fern City | 14.2 kg | € 690 |
| Heron Tour | 15.8 kg | € 940 |

Tell me more about your bicycle, and I will tell you more about the repair.`
export const RETURNS = 'You can return anything within thirty days.'
export const STORY = 'Tell me a story without an end'
export const PERSON = 'I want to talk to a person'
/** Asks before it acts. */
export const CANCEL = 'Please cancel my repair'
export const QUESTION = {
  type: 'confirm' as const,
  id: 'repair',
  title: 'Cancel the repair on Thursday?',
  summary: 'There is no fee.',
  confirm: 'Cancel the repair',
  cancel: 'Keep it',
}
export const DECIDED = { confirm: 'It is cancelled.', cancel: 'It stays as it was.' }
export const SARAH = { id: '7b0f5a52-6f0c-4f6e-9a55-0b8f3f0f7a11', name: 'Sarah' }

/** Greets, answers in pieces, asks before it cancels, tells a story until it is stopped, and hands over. */
const agent: Agent = {
  name: 'Fern',
  async *act(turn) {
    if (turn.trigger === 'join') return yield* say(GREETING, CHIPS)
    if (turn.text === PERSON) {
      yield* say('One moment.')
      return yield { type: 'handoff', queueName: 'workshop', data: {} }
    }
    if (turn.text === STORY) return yield* tell(turn)
    if (turn.text === CANCEL) return yield QUESTION
    if (turn.decision) return yield* say(DECIDED[turn.decision.decision])
    yield { type: 'thinking' }
    if (turn.text === CHIPS.at(-1)) return yield* say(RETURNS)
    yield* say(ANSWER, CHIPS)
  },
}

async function* say(text: string, suggestions: readonly string[] = []): AsyncIterable<AgentEvent> {
  for (const piece of text.split(/(?<= )/)) yield { type: 'text', text: piece }
  yield { type: 'finish', suggestions: suggestions.map((message_text) => ({ message_text })) }
}

async function* tell(turn: Turn): AsyncIterable<AgentEvent> {
  // As long as any test waits for anything.
  for (let day = 1; day <= 1_000; day++) {
    yield { type: 'text', text: `On day ${day} we rode on, over a hill and through a wood. ` }
    await turn.sleep(100)
  }
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const serve = (fetch: (request: Request) => Response | Promise<Response>): Server => {
  const listener = getRequestListener(fetch)
  return createServer((request, response) => void listener(request, response))
}

const answer = (type: string, body: string, more: Record<string, string> = {}): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8`, ...more } })
const pageWith = (head: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Larkspur Cycles</title><link rel="icon" href="data:,">${head}</head><body><h1>Larkspur Cycles</h1><a href="#repairs">Repairs</a></body></html>`

/** The strictest policy that a page of the BFF's own origin can have. */
const policyOf = (chatUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${chatUrl} ${chatUrl.replace('http', 'ws')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export type FrontDesk = Awaited<ReturnType<typeof startFrontDesk>>

/** `settings`: attributes of the script tag, without `data-`. */
export async function startFrontDesk(
  options: { settings?: Readonly<Record<string, string>>; bff?: Partial<BffOptions> } = {},
) {
  const world = await createWorld({ agent, settings: { deskWaitSeconds: 100_000 } })
  let script = ''
  let styles = ''
  let handler = (_: Request): Promise<Response> => Promise.reject(new Error('not started'))
  const attributes = Object.entries(options.settings ?? {})
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join('')
  const tag = (isolation: 'frame' | 'none') =>
    `<script src="${origin}/foyer.js" data-isolation="${isolation}"${attributes} defer></script>`
  const bffServer = serve((request) => {
    const { pathname } = new URL(request.url)
    const [, file] = /^\/package\/([\w./-]+\.js)$/.exec(pathname) ?? []
    if (file) return answer('text/javascript', readFileSync(join(PACKAGE, file), 'utf8'))
    if (pathname === '/page.js') return answer('text/javascript', script)
    if (pathname === '/page.css') return answer('text/css', styles)
    const own = '<link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script>'
    const strict = { 'content-security-policy': policyOf(world.base) }
    if (pathname === '/unframed') return answer('text/html', pageWith(tag('none') + own), strict)
    if (pathname === '/own') return answer('text/html', pageWith(own), strict)
    return handler(request)
  })
  const origin = await listen(bffServer)
  const pages = serve(() => answer('text/html', pageWith(tag('frame'))))
  const site = (await listen(pages)).replace('127.0.0.1', 'localhost')
  const bff = createBff({
    connectorToken: 'connector-secret',
    connectorHost: 'shop.example.com',
    chatUrl: world.base,
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    publicOrigin: origin,
    origins: [site],
    assets: folderAssets(join(DIST, 'foyer-server/public')),
    limits: { address: 10_000, connector: 10_000 },
    ...options.bff,
  })
  handler = (request) => bff.fetch(request, { address: '127.0.0.1' })
  return {
    desk: world.desk,
    /** Pages by whether the chat has a frame of its own. `own` has no script tag: what it has of the chat its own script mounts. */
    address: { frame: `${site}/`, none: `${origin}/unframed`, own: `${origin}/own` },
    /** What the unframed pages run and look like from the next visit on. The npm package is at `/package/index.js`. */
    dress(given: { script?: string; styles?: string }) {
      script = given.script ?? ''
      styles = given.styles ?? ''
    },
    /** Ends every conversation that waits for a person or talks to one. */
    async clear() {
      for (const { id } of await world.desk.entries()) await world.runtime.expire(id)
    },
    async close() {
      for (const each of [bffServer, pages]) {
        each.closeAllConnections()
        each.close()
      }
      await world.close()
    },
  }
}
