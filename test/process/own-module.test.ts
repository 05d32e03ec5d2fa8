// The stock server with an agent and a carrier of the operator's own: the two files that the docs show, word for word.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, get as httpGet, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import { freePort, type Server } from '../browser/world.ts'
import { snippetWith } from './docs.ts'
import { cli, useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const AGENT = snippetWith('js', 'REPAIRS_URL')
const CARRIER = snippetWith('js', 'TEXTS_KEY')
const NUMBER = '+15005550006'
const PHONE = '+15005550010'
const KEY = 'key-of-the-company'
const API = { 'x-svc-auth-token': 'demo-api-key', 'x-token-id': 'CON-demo0001', 'x-api-key': 'demo-api-key' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('the files of the docs', () => {
  const folder = useFolder('all')
  let server: Server
  let webhooks: string
  let metrics: string
  /** Texts that the company took, in order. */
  const taken: { id: string; to: string; text: string }[] = []
  let refused = 0
  /** Of the shop, which knows how repairs go, and of the company, which takes texts and fails at first. */
  const outside = createServer(async (request, response) => {
    if (request.url === '/repairs/7') return response.end('{"state":"done"}')
    if (request.headers.authorization !== `Bearer ${KEY}`) return response.writeHead(404).end()
    const { to, text } = (await json(request)) as { to: string; text: string }
    if (refused === 0 && ++refused) return response.writeHead(503).end()
    taken.push({ id: String(request.headers['idempotency-key']), to, text })
    response.end()
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => outside.listen(0, resolve))
    const origin = `http://localhost:${(outside.address() as AddressInfo).port}`
    writeFileSync(folder.path('agent.mjs'), AGENT)
    writeFileSync(folder.path('carrier.mjs'), CARRIER)
    const [port, textsPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
    const env = {
      FOYER_AGENT: './agent.mjs',
      REPAIRS_URL: `${origin}/repairs`,
      ...{ TEXTS_URL: origin, TEXTS_KEY: KEY, TEXTS_PORT: String(textsPort) },
      ...{ FOYER_METRICS_PORT: String(metricsPort), FOYER_DRAIN_SECONDS: '6' },
    }
    server = await folder.start(port, env, ['--carrier', './carrier.mjs'])
    webhooks = `http://localhost:${textsPort}`
    metrics = `http://127.0.0.1:${metricsPort}/metrics`
  })
  afterAll(() => void outside.close())

  const webhook = (body: object, key = KEY) =>
    fetch(webhooks, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
  async function conversation() {
    const path = '/v3/demo/front-desk/conversations?client_env=sandbox&channel=sms'
    const response = await fetch(server.origin + path, { headers: API })
    return ((await response.json()) as ConversationPage).conversations[0]
  }

  it('are about 30 lines each, and the start says who answers and what the carrier does', () => {
    for (const code of [AGENT, CARRIER]) expect(code.split('\n').length).toBeLessThanOrEqual(40)
    const said = server.output.join('')
    expect(said).toContain('It answers with: ./agent.mjs')
    expect(said).toContain('The carrier sends texts, and has no function call: calls fail')
    expect(said).not.toContain(KEY)
  })

  it('answer in a chat, whose panel says that no model answers', async () => {
    const guest = visitor(server.origin)
    await guest.token(false)
    const chat = await guest.connect(await guest.session(), 0)
    chat.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    const said = () => chat.events.map(({ payload }) => payload.text ?? '').join('')
    await chat.until('greeting', () => said().includes('Which number does your repair have?'))
    chat.send('EVENT_TYPE_USER_MESSAGE', { text: 'How is 7?' })
    await chat.until('answer', () => said().includes('Repair 7 is done.'))
    chat.send('EVENT_TYPE_USER_MESSAGE', { text: 'Are you sure?' })
    await chat.until('second answer', () => said().split('Repair 7 is done.').length === 3)
    chat.socket.close()
    const frame = await (await fetch(`${server.origin}/foyer/frame`)).text()
    expect(frame).toContain('automatic')
  })

  it('answer a text, and store what the carrier learns of the answer', async () => {
    expect((await webhook({}, 'another-key')).status).toBe(401)
    const inbound = { kind: 'text', id: 'one', from: PHONE, to: NUMBER, text: 'my repair is 7' }
    for (let copy = 0; copy < 2; copy++) expect((await webhook(inbound)).status).toBe(204)
    const answers = () => taken.filter(({ text }) => text.includes('Repair 7 is done.'))
    await until(
      () => `no answer was sent: ${server.output.join('')}`,
      async () => answers().length > 0,
    )
    expect(refused).toBe(1)
    expect(answers()).toEqual([expect.objectContaining({ to: PHONE })])
    const [{ id } = { id: '' }] = answers()
    for (const arrived of [true, true, false])
      expect((await webhook({ kind: 'receipt', id, arrived })).status).toBe(204)
    expect((await webhook({ kind: 'receipt', id: 'nobody', arrived: true })).status).toBe(204)
    expect((await webhook({ kind: 'receipt', arrived: true })).status).toBe(500)
    expect((await conversation())?.metrics).toMatchObject({ delivery_delivered: id })
    expect((await conversation())?.metrics).not.toHaveProperty('delivery_failed')
  })

  it('fail a call with the reason of a runtime without a carrier', async () => {
    const headers = { ...JSON_TYPE, 'x-svc-auth-token': 'demo-calling' }
    const response = await fetch(`${server.origin}/v1/outbound-calling`, {
      ...{ method: 'POST', headers, body: '{"to_number":"+15005550099"}' },
    })
    const { call_sid } = (await response.json()) as { call_sid: string }
    const status = async () =>
      await (await fetch(`${server.origin}/v1/outbound-calling/${call_sid}/status`, { headers })).json()
    await until(
      () => 'the call has not ended',
      async () => (await status()).status === 'failure',
    )
    expect((await status()).reason).toBe('No carrier is configured')
  })

  it('are behind the probes, the metrics and the drain of the server', async () => {
    for (const probe of ['/live', '/ready']) expect((await fetch(server.origin + probe)).status).toBe(200)
    // `fetch` sends what only browsers send.
    const scraped = await new Promise<IncomingMessage>((resolve) => httpGet(metrics, resolve))
    const lines = (await text(scraped)).split('\n')
    for (const line of [
      // The greeting, two answers in the chat, and one by SMS.
      'foyer_turn_seconds_count{outcome="answered"} 4',
      'foyer_turn_seconds_count{outcome="failed"} 0',
      'foyer_receipts_total{status="delivered"} 1',
      'foyer_receipts_total{status="failed"} 0',
      'foyer_deliveries_total{outcome="retried"} 1',
    ])
      expect(lines).toContain(line)
    const ended = server.stop('SIGTERM')
    expect(await ended).toBe(0)
    // The carrier was disconnected.
    await expect(webhook({})).rejects.toThrow()
    expect(server.output.join('')).not.toContain(KEY)
  })
})

describe('a module', () => {
  const folder = useFolder()
  async function run(args: string[], name: string, source: string) {
    writeFileSync(folder.path(name), source)
    const env = { ...process.env, FOYER_DEMO: '1', PORT: String(await freePort()) }
    return spawnSync(process.execPath, [cli, ...args, '--agent', `./${name}`], {
      ...{ cwd: folder.path(), env, timeout: 120_000 },
      encoding: 'utf8',
    })
  }
  async function refusal(name: string, source: string): Promise<unknown> {
    const { status, stderr } = await run([], name, source)
    return [status, stderr.trim().split('\n')]
  }

  // The test runner's own import would tell something else of it.
  it('may be an ES module that was compiled to CommonJS', async () => {
    const compiled = `Object.defineProperty(exports, '__esModule', { value: true })
      exports.default = { name: 'Echo', async *act() {} }`
    const { status, stdout } = await run(['check'], 'agent.cjs', compiled)
    expect(stdout).toMatch(/^ok +settings /m)
    expect(status).toBe(0)
  })

  it('that cannot be used ends the start with one sentence, though it keeps the process busy', async () => {
    const busy = 'setInterval(() => {}, 1_000)\nthrow new Error("no key for the shop")'
    expect(await refusal('agent.mjs', busy)).toEqual([
      1,
      ['./agent.mjs threw while loading: no key for the shop'],
    ])
  })

  it.skipIf('typescript' in process.features && process.features.typescript)(
    'in TypeScript that Node cannot load ends the start with one sentence',
    async () => {
      expect(
        await refusal('agent.ts', `const name: string = 'Parrot'\nexport default { name, async *act() {} }`),
      ).toEqual([
        1,
        [
          `Node ${process.versions.node} cannot load ./agent.ts. Use Node 22.18 or newer, which loads TypeScript, or compile the file to JavaScript.`,
        ],
      ])
    },
  )
})
