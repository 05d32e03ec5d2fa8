// The service double of test/chat behind the face of the contract's world: the same tests, the same client.

import { createService } from '../chat/service.ts'
import { clientOn, type createWorld, isWhole } from './world.ts'

type Service = ReturnType<typeof createService>
type Sessions = Parameters<NonNullable<Service['faults']['agent']>>[0]
type World = Awaited<ReturnType<typeof createWorld>>

const SITE = 'https://site.example.com/foyer/access-token'
const CHAT = 'https://chat.example.com'

/** Only what a client can reach is there. */
export function createDoubleWorld(): World {
  const service = createService()
  const { faults } = service
  Object.assign(faults, {
    agentName: 'Echo',
    capabilities: {
      csat: true,
      stop: true,
      feedback: true,
      leave_queue: true,
      confirm: true,
      session_status: true,
    },
    agent: createAgent(service),
  })
  const post = async (url: string, body: object, headers = {}) =>
    (await (await service.fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      access_token: string
      session_id: string
    }
  const accessToken = async () => (await post(SITE, {})).access_token
  async function session(token: string, { streaming_enabled = true }: { streaming_enabled?: boolean } = {}) {
    faults.streaming = streaming_enabled
    return (await post(`${CHAT}/api/v1/sessions`, {}, { authorization: `Bearer ${token}` })).session_id
  }
  async function connect(session_id: string, access_token: string, cursor?: string) {
    const query = new URLSearchParams({ session_id, access_token, ...(cursor !== undefined && { cursor }) })
    const socket = asNode(new service.Socket(`wss://chat.example.com/ws?${query}`))
    const client = clientOn(socket)
    await new Promise((resolve) => socket.once('open', resolve))
    return client
  }
  const world = {
    accessToken,
    session,
    connect,
    async joined(body?: object) {
      const token = await accessToken()
      const sessionId = await session(token, body)
      const client = await connect(sessionId, token)
      client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
      await client.until(() => client.events().some(isWhole))
      return { token, sessionId, client }
    },
    close: async () => {},
  }
  return world as unknown as World
}

/** A socket of a browser, spoken to as one of Node's. */
function asNode(socket: InstanceType<Service['Socket']>): Parameters<typeof clientOn>[0] {
  const on = (type: string, fn: (value: unknown) => void) => {
    socket.addEventListener(type, (event) => {
      const { data, code } = event as { data?: unknown; code?: unknown }
      fn(type === 'message' ? data : code)
    })
    return node
  }
  const node: object = {
    CLOSED: 3,
    get readyState() {
      return socket.readyState
    },
    on,
    once: on,
    send: (text: string) => socket.send(text),
    close: () => socket.close(1000),
    terminate: () => socket.end(1006),
  }
  return node as Parameters<typeof clientOn>[0]
}

/** The agent of the contract's world, in the words that these tests use. One answer after the other. */
function createAgent({ faults, publish, over }: Service) {
  const turns = new Map<Sessions, Promise<void>>()
  async function answer(session: Sessions, streaming: boolean, text: string | undefined): Promise<void> {
    publish(session, { type: 'EVENT_TYPE_POLY_AGENT_THINKING' }, false)
    if (text === 'wait') return
    const message_id = `answer-${session.events.length}`
    const ends = text === 'bye'
    const slow = text === 'slow' || text === 'slow, with a pause'
    const said = text === undefined ? 'Hello there' : ends ? 'Goodbye' : `You said ${text}`
    const words = slow ? Array.from({ length: 10 }, (_, index) => `${index + 1}, `) : said.split(/(?<= )/)
    const rest = { attachments: [], response_suggestions: ends ? [] : [{ message_text: 'More' }] }
    if (!streaming) {
      const whole = { message_id, text: said, ...rest, chat_call_actions: [], agent_name: 'Echo' }
      publish(session, {
        type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
        payload: { ...whole, ...(ends && { end_conversation: true }) },
      })
    } else
      for (const [index, word] of [...words, ''].entries()) {
        const is_complete = index === words.length
        publish(session, {
          type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
          payload: { message_id, text: word, chunk_index: index + 1, is_complete, ...(is_complete && rest) },
        })
        const pause = index === 1 && text !== 'slow' ? 3_000 : 50
        if (slow) await new Promise((resolve) => setTimeout(resolve, pause))
      }
    if (ends) over(session, 'REASON_NATURAL_END')
  }
  return (session: Sessions, text: string | undefined): void => {
    const { streaming } = faults
    const before = turns.get(session)
    turns.set(
      session,
      before ? before.then(() => answer(session, streaming, text)) : answer(session, streaming, text),
    )
  }
}
