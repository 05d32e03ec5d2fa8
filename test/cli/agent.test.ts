import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noMeter } from '../../src/api/index.ts'
import { readAgentSettings } from '../../src/cli/agent-settings.ts'
import { openAgent } from '../../src/cli/start/agent.ts'
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

  it.each([
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
      const settings = readAgentSettings({ FOYER_CONTACT: file })
      const opening = openAgent(settings, { folder, handsOff: false, meter: noMeter, log: () => {} })
      if (typeof outcome === 'string') return await expect(opening).rejects.toThrow(outcome)
      const { agent, close } = await opening
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
      { FOYER_SOURCE_URL: 'https://a.example/' },
    ]) {
      const read = () => readAgentSettings(env, agent)
      expect(read).toThrow(`${Object.keys(env)[0]} has no effect beside an agent of your own. Unset it.`)
      expect(read).not.toThrow('secret-key')
    }
  })

  it('refuse an instructions file that cannot be read', async () => {
    const settings = readAgentSettings({ ...LLM, FOYER_LLM_INSTRUCTIONS: '/nowhere/at-all.md' })
    await expect(
      openAgent(settings, { folder: 'docs', handsOff: false, meter: noMeter, log: () => {} }),
    ).rejects.toThrow('The file of FOYER_LLM_INSTRUCTIONS cannot be read (ENOENT)')
  })
})
