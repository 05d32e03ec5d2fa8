// Traces of real processes, as a collector gets them: from the BFF of one process to the database of another.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startStandIn } from '../agents/stand-in.ts'
import { freePort } from '../browser/world.ts'
import { startCollector } from './collector.ts'
import { root, useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()
const { version: VERSION } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}
let collector: Awaited<ReturnType<typeof startCollector>>
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector.stop())

const traced = (name: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_SERVICE_NAME: name,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  FOYER_DATA: 'memory',
})

const STRANGE = '0af7651916cd43dd8448eb211c80319c'

describe('a trace', () => {
  it('leads from the BFF to the database of the service, and from a message to the model, without words or tokens', async () => {
    const model = await startStandIn([{ pieces: ['canary-', 'answer'] }])
    const service = await folder.start(await freePort(), {
      ...traced('service'),
      FOYER_AGENT: 'llm',
      FOYER_LLM_URL: model.url,
      FOYER_LLM_MODEL: 'small',
      FOYER_LLM_KEY: 'canary-key',
    })
    const bff = await folder.start(await freePort(), {
      ...traced('bff'),
      FOYER_DEMO: '0',
      FOYER_CHAT_URL: service.origin,
      FOYER_CONNECTOR_TOKEN: 'demo-connector',
      FOYER_CONNECTOR_HOST: 'localhost',
      FOYER_UNFRAMED_ORIGINS: service.origin,
    })
    const person = visitor(service.origin)
    const { access_token } = await person.token(false, bff.origin)
    expect(access_token).toBeTruthy()
    const session = await person.session()
    const client = await person.connect(session, 0)
    client.send('EVENT_TYPE_USER_MESSAGE', { text: 'canary-words, please?' })
    await client.until('answer', () => client.events.some(({ payload }) => payload.is_complete === true))
    client.socket.close()
    // A stranger may continue a trace, and adds nothing else to it.
    const headers = { traceparent: `00-${STRANGE}-b7ad6b7169203331-01`, baggage: 'canary=baggage' }
    await fetch(`${service.origin}/v3/a/canary-path/conversations?canary=query`, { headers })
    await fetch(`${service.origin}/canary-address`, { headers })
    await service.stop()
    await bff.stop()
    await model.stop()

    const one = (name: string) => {
      const found = collector.spans.filter((span) => span.name === name)
      expect(found, name).toHaveLength(1)
      return found[0] as (typeof collector.spans)[number]
    }
    const route = one('POST /api/v1/access-token')
    expect(collector.trail(route)).toEqual(['token request', 'POST chat', 'POST /api/v1/access-token'])
    expect([one('token request').service, one('POST chat').service, route.service]).toEqual([
      'bff',
      'bff',
      'service',
    ])
    const correlation = route.attributes['foyer.correlation_id']
    expect(correlation).toMatch(/^[\w-]{36}$/)
    expect(one('POST chat').attributes['foyer.correlation_id']).toBe(correlation)
    const queries = collector.spans.filter(({ parent }) => parent === route.id)
    expect(queries.length).toBeGreaterThan(0)
    for (const { name, attributes } of queries) {
      expect(name).toMatch(/^(query$|transaction: )/)
      expect(attributes['foyer.correlation_id']).toBe(correlation)
    }
    expect(collector.trail(one('model'))).toEqual(['message', 'turn', 'model'])
    expect(one('model').attributes).toMatchObject({
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'foyer.correlation_id': one('message').attributes['foyer.correlation_id'],
    })
    // Sweeps have no trace.
    const roots = collector.spans.filter(({ parent }) => parent === undefined)
    expect(new Set(roots.map(({ name }) => name))).toEqual(
      new Set(['token request', 'POST /api/v1/sessions', 'message']),
    )
    const strange = collector.spans.filter(({ trace }) => trace === STRANGE).map(({ name }) => name)
    expect(strange).toContain('GET /v3/{account_id}/{project_id}/conversations')
    // Each request by the form of its address, never by the address itself.
    expect(route.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/access-token',
    })
    expect(one('token request').attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/foyer/access-token',
    })
    expect(one('POST chat').attributes).toMatchObject({ 'url.template': '/api/v1/access-token' })
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => /^url\.(?!template$)|session/.test(name))).toEqual([])
    // Each transaction by what it is for.
    const transactions = collector.spans.map(({ name }) => name).filter((name) => /^transaction/.test(name))
    expect(transactions).toEqual(transactions.map(() => expect.stringMatching(/^transaction: [a-z ]+$/)))
    for (const purpose of ['open a session', 'store a message', 'write an answer'])
      expect(transactions).toContain(`transaction: ${purpose}`)
    // Each process by its version, and by an ID of its own.
    const instances = new Map(collector.spans.map(({ service, resource }) => [service, resource]))
    expect(new Set([...instances.values()].map((each) => each['service.version']))).toEqual(
      new Set([VERSION]),
    )
    const ids = [...instances.values()].map((each) => each['service.instance.id'])
    expect(ids).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.stringMatching(/^[\w-]{36}$/)])
    expect(new Set(ids).size).toBe(2)
    for (const secret of ['canary', access_token, session, 'demo-connector'])
      expect(collector.text(), secret).not.toContain(secret)
  })

  it('costs no answer where its collector is away, and the log says so once', async () => {
    await collector.stop()
    const away = await folder.start(await freePort(), { ...traced('away'), FOYER_LOG: 'json' })
    const person = visitor(away.origin)
    expect((await person.token(false)).access_token).toBeTruthy()
    await until(
      () => `the log does not name the collector: ${away.output.join('')}`,
      () => away.output.join('').includes('takes no traces'),
    )
    expect(await away.stop()).toBe(0)
    const complaints = away.output.join('').match(/takes no traces/g)
    expect(complaints).toHaveLength(1)
  })
})
