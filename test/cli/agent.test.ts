import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noMeter } from '../../src/api/index.ts'
import { readAgentSettings } from '../../src/cli/agent-settings.ts'
import { openAgent } from '../../src/cli/start/agent.ts'
import { loadAgent } from '../../src/cli/start/own-module.ts'
import { readDisclosure } from '../../src/cli/start/texts.ts'
import type { Agent, AgentEvent } from '../../src/runtime/index.ts'
import { message, startAguiServer } from '../agents/agui/stand-in.ts'
import { startStandIn } from '../agents/stand-in.ts'
import { turnOf } from '../agents/turn.ts'

const LLM = { FOYER_AGENT: 'llm', FOYER_LLM_URL: 'http://127.0.0.1:9/v1', FOYER_LLM_MODEL: 'small' }

describe('the settings of the agent', () => {
  it('name the guide by default', () => {
    expect(readAgentSettings({})).toEqual({
      name: 'guide',
      sourceUrl: undefined,
      contact: undefined,
      handsOff: false,
    })
  })

  it('contain a model with all its settings', () => {
    expect(
      readAgentSettings({ ...LLM, FOYER_LLM_KEY: 'k', FOYER_LLM_PRICE: '0.15,0.6', FOYER_LLM_LINKS: 'any' }),
    ).toMatchObject({
      name: 'llm',
      model: 'small',
      key: 'k',
      price: { input: 0.15, output: 0.6 },
      links: 'any',
    })
  })

  it('contain the address of an agent, its key and what holds for it too', () => {
    const env = { FOYER_AGENT: 'https://agent.example/run', FOYER_AGENT_KEY: 'k', FOYER_LLM_LINKS: 'any' }
    expect(readAgentSettings({ ...env, FOYER_LLM_SECONDS: '90', FOYER_HANDOFF: 'on' })).toEqual({
      ...{ name: 'address', url: 'https://agent.example/run', key: 'k', links: 'any', seconds: 90 },
      ...{ sourceUrl: undefined, contact: undefined, handsOff: true },
    })
  })

  it.each([
    [{ FOYER_AGENT_KEY: 'secret-key' }, 'FOYER_AGENT_KEY is set, and FOYER_AGENT is guide'],
    [{ ...LLM, FOYER_AGENT_KEY: 'secret-key' }, 'FOYER_AGENT_KEY is set, and FOYER_AGENT is llm'],
    [
      { FOYER_AGENT: './a.mjs', FOYER_AGENT_KEY: 'secret-key' },
      'FOYER_AGENT_KEY has no effect beside an agent',
    ],
    [
      { FOYER_AGENT: 'https://a.example', FOYER_LLM_MODEL: 'm' },
      'FOYER_LLM_MODEL is set, and FOYER_AGENT is not llm',
    ],
    [{ FOYER_AGENT: 'https://me:secret-key@a.example' }, 'FOYER_AGENT is not a valid address'],
    [{ FOYER_AGENT: 'https://' }, 'FOYER_AGENT is not a valid address'],
    [{ FOYER_AGENT: 'ftp://a.example' }, 'which is not an agent'],
    [{ ...LLM, FOYER_LLM_URL: '' }, 'FOYER_LLM_URL is not set'],
    [{ ...LLM, FOYER_LLM_MODEL: '' }, 'FOYER_LLM_MODEL is not set'],
    [{ FOYER_LLM_KEY: 'secret-key' }, 'FOYER_LLM_KEY is set, and FOYER_AGENT is not llm'],
    [{ FOYER_LLM_SECONDS: '30' }, 'FOYER_LLM_SECONDS is set, and FOYER_AGENT is not llm'],
    [{ ...LLM, FOYER_LLM_URL: 'localhost' }, 'FOYER_LLM_URL is not a valid address'],
    [{ ...LLM, FOYER_LLM_PRICE: 'cheap' }, 'FOYER_LLM_PRICE is "cheap"'],
    [{ ...LLM, FOYER_LLM_LINKS: 'all' }, 'FOYER_LLM_LINKS is "all"'],
    [{ FOYER_AGENT: 'oracle' }, 'Choose one of: guide, llm'],
  ])('refuse %o in one sentence, and repeat no secret', (env, said) => {
    const read = () => readAgentSettings(env)
    expect(read).toThrow(said)
    expect(read).not.toThrow('secret-key')
  })

  it.each([
    ['{"de": "Ruf an", "*": "Call us"}', { de: 'Ruf an', '*': 'Call us' }],
    ['{}', 'has to be one JSON object'],
    ['["Call us"]', 'has to be one JSON object'],
    ['{"en": 7}', 'has to be one JSON object'],
    ['Call us', 'it is not JSON'],
    [undefined, 'ENOENT'],
  ])('read the contact of a file with %s', async (text, outcome) => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-contact-'))
    try {
      writeFileSync(join(folder, 'a.md'), '# Hours\n\nWe open at nine.')
      const file = join(folder, 'contact.json')
      if (text !== undefined) writeFileSync(file, text)
      const settings = await loadAgent(readAgentSettings({ FOYER_CONTACT: file }))
      const opening = openAgent(settings, { folder, handsOff: false, meter: noMeter, log: () => {} })
      if (typeof outcome === 'string') return await expect(opening).rejects.toThrow(outcome)
      const { agent, close } = await opening
      if (typeof agent === 'function') throw new Error('the guide is one agent')
      let said = ''
      for await (const event of agent.act(turnOf('a real person')))
        if (event.type === 'text') said += event.text
      close()
      expect(said).toContain(outcome['*'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('give way to an agent of the program’s own, beside which they have no effect', () => {
    const agent = { name: 'Own', async *act() {} }
    expect(readAgentSettings({}, agent)).toEqual({ name: 'own', agent })
    for (const env of [
      { FOYER_AGENT: 'guide' },
      { FOYER_LLM_KEY: 'secret-key' },
      { FOYER_LLM_MODEL: 'secret-key' },
      { FOYER_SOURCE_URL: 'https://a.example/' },
      { FOYER_CONTACT: 'call us' },
      { FOYER_HANDOFF: 'on' },
    ]) {
      const read = () => readAgentSettings(env, agent)
      expect(read).toThrow(`${Object.keys(env)[0]} has no effect beside an agent of your own. Unset it.`)
      expect(read).not.toThrow('secret-key')
    }
  })

  it('go before what the demo brings, and a desk is one of either', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-agent-'))
    writeFileSync(join(folder, 'hours.md'), '# Hours\n\nWe open at nine.')
    const pages = 'http://localhost:4700/docs/'
    const ask = async (env: Record<string, string>, text: string, handsOff: boolean) => {
      const { agent, close } = await openAgent(await loadAgent(readAgentSettings(env)), {
        ...{ folder, handsOff, pages, meter: noMeter, log: () => {} },
      })
      const events: AgentEvent[] = []
      for await (const event of (agent as Agent).act(turnOf(text))) events.push(event)
      close()
      return events
    }
    const said = (events: AgentEvent[]) =>
      events.map((event) => (event.type === 'text' ? event.text : '')).join('')
    try {
      expect(said(await ask({}, 'When do you open? hours', false))).toContain(`${pages}hours`)
      expect(said(await ask({ FOYER_SOURCE_URL: 'https://shop.example.com/' }, 'hours', false))).toContain(
        '(https://shop.example.com/hours',
      )
      for (const [env, handsOff, isHandedOff] of [
        [{}, false, false],
        [{}, true, true],
        [{ FOYER_HANDOFF: 'on' }, false, true],
      ] as const)
        expect((await ask(env, 'a real person', handsOff)).at(-1)?.type === 'handoff').toBe(isHandedOff)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('give a model its instructions, contact, desk and limits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-agent-'))
    const file = join(folder, 'who.md')
    writeFileSync(file, 'You are Lark.')
    const standIn = await startStandIn([{ pieces: ['ok'] }])
    const env = {
      ...LLM,
      FOYER_LLM_URL: standIn.url,
      FOYER_LLM_INSTRUCTIONS: file,
      FOYER_CONTACT: 'call us',
      FOYER_HANDOFF: 'on',
      FOYER_LLM_TOKENS_PER_DAY: '5',
      FOYER_LLM_CONNECTOR_TOKENS_PER_DAY: '7',
    }
    try {
      const { agent, close } = await openAgent(await loadAgent(readAgentSettings(env)), {
        ...{ folder, handsOff: false, meter: noMeter, log: () => {} },
      })
      const sleep = () => new Promise<never>(() => {})
      const answers = async (visitor: number, connector: number) => {
        const before = standIn.requests.length
        const addUsage = async (_: string, __: number, of = 'visitor') =>
          of === 'visitor' ? visitor : connector
        for await (const _ of (agent as Agent).act(turnOf('hello', { addUsage, sleep }))) {
        }
        return standIn.requests.length > before
      }
      expect([await answers(4, 6), await answers(5, 6), await answers(4, 7)]).toEqual([true, false, false])
      close()
      const [{ text, body } = { text: '', body: undefined }] = standIn.requests
      for (const words of ['You are Lark.', 'call us']) expect(text).toContain(words)
      expect(body?.tools?.map((tool) => tool.function.name)).toContain('hand_off')
    } finally {
      await standIn.stop()
      rmSync(folder, { recursive: true })
    }
  })

  it('give an agent at an address its key, contact, desk and links', async () => {
    const text = 'See [it](https://shop.example/a).'
    const server = await startAguiServer([message('m', text), { status: 500 }])
    const given = { FOYER_AGENT: server.url, FOYER_AGENT_KEY: 'k', FOYER_CONTACT: 'call us' }
    try {
      const answer = async (env: Record<string, string>, handsOff = false) => {
        const { agent } = await openAgent(await loadAgent(readAgentSettings({ ...given, ...env })), {
          ...{ folder: 'docs', handsOff, meter: noMeter, log: () => {} },
        })
        let said = ''
        const turn = turnOf('hello', { sleep: () => new Promise(() => {}) })
        for await (const event of (agent as Agent).act(turn)) if (event.type === 'text') said += event.text
        return said
      }
      expect(await answer({ FOYER_SOURCE_URL: 'https://shop.example/help/' }, true)).toBe(text)
      expect(await answer({})).toContain('call us')
      expect(server.inputs.map(({ tools }) => tools.length)).toEqual([1, 0])
      expect(server.keys).toEqual(['Bearer k', 'Bearer k'])
    } finally {
      await server.stop()
    }
  })

  it('refuse an instructions file that cannot be read', async () => {
    const settings = await loadAgent(
      readAgentSettings({ ...LLM, FOYER_LLM_INSTRUCTIONS: '/nowhere/at-all.md' }),
    )
    await expect(
      openAgent(settings, { folder: 'docs', handsOff: false, meter: noMeter, log: () => {} }),
    ).rejects.toThrow('The file of FOYER_LLM_INSTRUCTIONS cannot be read (ENOENT)')
  })
})

describe('what SMS, RCS and calls say about the agent', () => {
  it.each([
    [undefined, undefined],
    ['off', 'off'],
    ['A bot of Juniper', { '*': 'A bot of Juniper' }],
  ])('is read from the text “%s”', (given, disclosure) => {
    expect(readDisclosure(given)).toEqual(disclosure)
  })

  it.each([
    [' ', 'FOYER_DISCLOSURE has a text that is empty'],
    ['x'.repeat(301), 'longer than 300 characters'],
    ['/nowhere/at-all.json', 'The file of FOYER_DISCLOSURE cannot be read (ENOENT)'],
  ])('is not read from “%s”', (given, problem) => {
    expect(() => readDisclosure(given)).toThrow(problem)
  })

  it.each([
    ['{"de": "Eine KI", "pt-BR": "Uma IA", "*": "An AI"}', undefined],
    ['{"de": "off", "english": "An AI", "a b": "An AI"}', 'a language that is not a tag'],
    ['{"de": " "}', 'has a text that is empty'],
    ['{"de": ""}', 'has to be one JSON object'],
  ])('is read from a file with %s', (text, problem) => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-disclosure-'))
    try {
      const file = join(folder, 'texts.json')
      writeFileSync(file, text)
      if (problem) expect(() => readDisclosure(file)).toThrow(problem)
      else expect(readDisclosure(file)).toEqual(JSON.parse(text))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
