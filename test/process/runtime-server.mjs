// A runtime in a process of its own, with an agent for tests. Its first argument is JSON: `name`, `databaseUrl`, `settings`. Prints its port.
//
//   long    streams 30 words, one each 100 ms         think   thinks for 3 s, then answers
//   person  hands over to a person                    other texts are answered at once

import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'

/** @type {typeof import('../../src/runtime/index.ts')} */
const { createRuntime } = await import(new URL('../../dist/foyer-server/runtime.js', import.meta.url).href)

const { name, databaseUrl, settings } = JSON.parse(process.argv[2] ?? '')
/** @type {import('../../src/runtime/index.ts').Agent} */
const agent = {
  name: 'Echo',
  async *act(turn) {
    if (turn.text === 'person') {
      yield { type: 'handoff', queueName: 'support', reason: 'asked for it' }
      return
    }
    if (turn.text === 'think') await turn.sleep(3_000)
    if (turn.text === 'long')
      for (let word = 1; word <= 30; word++) {
        yield { type: 'text', text: `${name}${word} ` }
        await turn.sleep(100)
      }
    yield { type: 'text', text: turn.trigger === 'join' ? 'Hello' : `${turn.text}, said ${name}` }
  },
}
const account = { accountId: 'ws-test0001', projectId: 'PROJECT-test0001' }
const runtime = await createRuntime({
  data: { databaseUrl },
  agent,
  projects: [{ id: account.projectId, slug: 'shop', accountId: account.accountId, accountSlug: 'larkspur' }],
  connectors: [
    {
      id: 'CON-test0001',
      token: 'connector-secret',
      host: 'shop.example.com',
      environment: 'sandbox',
      ...account,
    },
  ],
  settings,
  log: (line) => console.error(line),
})
const listener = getRequestListener(async (request) =>
  new URL(request.url).pathname === '/queue'
    ? Response.json(await runtime.desk(account.projectId).entries())
    : runtime.fetch(request, { address: '127.0.0.1' }),
)
const server = createServer((request, response) => void listener(request, response))
server.on('upgrade', runtime.upgrade)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`port ${typeof address === 'object' && address ? address.port : 0}`)
})
