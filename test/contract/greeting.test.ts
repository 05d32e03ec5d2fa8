// The first words of a conversation: in whose language, and that there are none where the visitor's own wait.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agent } from '../../src/runtime/index.ts'
import { createWorld } from './world.ts'

let world: Awaited<ReturnType<typeof createWorld>>
const heard: { trigger: string; language: string | undefined }[] = []

/** Says in which language it is asked, and speaks the one that it is told to speak. */
const agent: Agent = {
  name: 'Polyglot',
  async *act({ trigger, text, language }) {
    heard.push({ trigger, language })
    if (text.startsWith('speak ')) yield { type: 'language', code: text.slice(6) }
    yield { type: 'text', text: trigger === 'join' ? 'Hello.' : `You said ${text}` }
  },
}

beforeAll(async () => {
  world = await createWorld({ agent })
})
afterAll(() => world.close())

async function begin(languages?: string) {
  heard.length = 0
  const token = await world.accessToken()
  const made = await world.post(
    '/api/v1/sessions',
    {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(languages !== undefined && { 'accept-language': languages }),
    },
    JSON.stringify({ streaming_enabled: false }),
  )
  const { session_id } = (await made.json()) as { session_id: string }
  return world.connect(session_id, token)
}

it('the agent is told the language of the panel, and after a switch the new one', async () => {
  const client = await begin('fr-CA, en;q=0.5')
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  client.say('speak de')
  await client.event('EVENT_TYPE_LANGUAGE_CHANGED')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => /speak/.test(`${payload.text}`))
  client.say('and now?')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => /now/.test(`${payload.text}`))
  expect(heard).toEqual([
    { trigger: 'join', language: 'fr-CA' },
    { trigger: 'message', language: 'fr-CA' },
    { trigger: 'message', language: 'de' },
  ])
})

it('the agent gives no greeting where a message comes right behind the join: its answer is the first word', async () => {
  const client = await begin()
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', {}, { message_follows: 'yes' })
  client.say('What does it cost?')
  const { payload } = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  expect(payload.text).toBe('You said What does it cost?')
  expect(heard.map(({ trigger }) => trigger)).toEqual(['message'])
  const types = client.events().map(({ type }) => type)
  expect(types.indexOf('EVENT_TYPE_POLY_AGENT_JOINED')).toBeGreaterThan(0)
  // A second join does nothing, as ever.
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
  client.say('And now?')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => /now/.test(`${payload.text}`))
  expect(heard.map(({ trigger }) => trigger)).toEqual(['message', 'message'])
})

it('the agent answers the message also where it was stored before the join', async () => {
  const client = await begin()
  client.say('First')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', {}, { message_follows: 'yes' })
  client.say('Second')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => /Second/.test(`${payload.text}`))
  expect(heard.map(({ trigger }) => trigger)).toEqual(['message', 'message'])
})
