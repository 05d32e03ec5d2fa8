// A runtime in a process of its own, to be started and killed: `start.js <folder> [<conversations to begin>]`.
// Says `ready`, then `written`, and closes when its input ends.

import { createGuide } from '../../src/agents/index.ts'
import { createRuntime } from '../../src/runtime/index.ts'

const [folder = '', conversations = '0'] = process.argv.slice(2)
const runtime = await createRuntime({
  data: { folder },
  agent: await createGuide({ folder: 'docs' }),
  connectors: [
    {
      id: 'CON-bench001',
      token: 'bench-connector-token',
      host: 'localhost',
      accountId: 'ws-bench001',
      projectId: 'PROJECT-main0001',
      environment: 'live',
    },
  ],
  // A year of conversations is to stay.
  settings: { retentionDays: 0 },
})
process.stdout.write('ready\n')

let address = ''
async function post(path: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await runtime.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    }),
    { address },
  )
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}
let authorization = ''
for (let n = 0; n < Number(conversations); n++) {
  // As many as one token may begin, and as many tokens as one address may have.
  if (n % 10 === 0) {
    address = `${process.pid}.${n}`
    const { access_token } = await post('/api/v1/access-token', {
      'x-token': 'bench-connector-token',
      'x-host': 'localhost',
    })
    authorization = `Bearer ${access_token}`
  }
  await post('/api/v1/sessions', { authorization })
}
process.stdout.write('written\n')
process.stdin.on('end', () => void runtime.close().then(() => process.exit(0)))
process.stdin.resume()
