// What the bench serves: an agent that echoes or streams, a connector, and sessions begun over the API.

import type { Agent, Runtime, RuntimeOptions } from '../../src/runtime/index.ts'

const WORDS = 200
/** Sessions that one access token may begin in a minute. */
const SESSIONS_A_TOKEN = 50

export const agent: Agent = {
  name: 'Bench',
  async *act(turn) {
    if (turn.trigger === 'join') return
    if (turn.text !== 'stream') return yield { type: 'text', text: 'Understood.' }
    for (let word = 0; word < WORDS; word++) {
      yield { type: 'text', text: `word${word} ` }
      await turn.sleep(10)
    }
  },
}

const TOKEN = 'bench-connector-token'
export const connector: RuntimeOptions['connectors'][number] = {
  id: 'CON-bench001',
  token: TOKEN,
  host: 'localhost',
  accountId: 'ws-bench001',
  projectId: 'PROJECT-main0001',
  environment: 'live',
}

/** Begins sessions. Returns the query that a socket of each connects with. */
export async function beginSessions(runtime: Runtime, count: number, streaming: boolean): Promise<string[]> {
  async function post(path: string, headers: Record<string, string>, body: object) {
    const all = { 'content-type': 'application/json', ...headers }
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: all,
      body: JSON.stringify(body),
    })
    const response = await runtime.fetch(request, { address: 'bench' })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
    return (await response.json()) as Record<string, string>
  }
  const queries: string[] = []
  while (queries.length < count) {
    const headers = { 'x-token': TOKEN, 'x-host': 'localhost' }
    const { access_token = '' } = await post('/api/v1/access-token', headers, {})
    const beginOne = async () => {
      const authorization = `Bearer ${access_token}`
      const asked = { streaming_enabled: streaming }
      const { session_id = '' } = await post('/api/v1/sessions', { authorization }, asked)
      return `?${new URLSearchParams({ session_id, access_token })}`
    }
    const length = Math.min(SESSIONS_A_TOKEN, count - queries.length)
    queries.push(...(await Promise.all(Array.from({ length }, beginOne))))
  }
  return queries
}
