import { describe, expect, it } from 'vitest'
import { environmentFor } from '../../src/cli/try-out.ts'

const NO_OPTION = { folder: undefined, settings: {} }
const FOLDER = { folder: './docs', settings: {} }

describe('a start with nothing configured', () => {
  it('runs the demo where the command line names a folder, like npm start', () => {
    expect(environmentFor({ PORT: '4711', FOYER_AGENT: 'guide' }, FOLDER)).toEqual({
      PORT: '4711',
      FOYER_AGENT: 'guide',
      FOYER_DEMO: '1',
      FOYER_DEMO_BY: 'start',
    })
  })

  it('runs the demo where the command line names an agent, in place of that of the environment', () => {
    const settings = { FOYER_AGENT: './agent.mjs' }
    expect(environmentFor({ FOYER_AGENT: 'guide' }, { folder: undefined, settings })).toEqual({
      FOYER_AGENT: './agent.mjs',
      FOYER_DEMO: '1',
      FOYER_DEMO_BY: 'start',
    })
  })

  it.each([
    'FOYER_DEMO',
    'FOYER_CONNECTOR_TOKEN',
    'FOYER_CONNECTOR_HOST',
    'FOYER_CONNECTORS',
    'FOYER_CHAT_URL',
    'FOYER_ORIGINS',
    'FOYER_UNFRAMED_ORIGINS',
    'FOYER_COOKIE_SECRET',
    'FOYER_PUBLIC_ORIGIN',
    'FOYER_DATABASE_URL',
    'HOST',
  ])('runs no demo when %s is set, even to an empty value', (name) => {
    const settings = { FOYER_CARRIER: './carrier.mjs' }
    for (const value of ['', 'x']) {
      expect(environmentFor({ [name]: value }, FOLDER)).toEqual({ [name]: value })
      expect(environmentFor({ [name]: value }, { settings })).toEqual({ [name]: value, ...settings })
    }
  })

  it('runs no demo without any of these', () => {
    expect(environmentFor({ FOYER_AGENT: './agent.mjs' }, NO_OPTION)).toEqual({
      FOYER_AGENT: './agent.mjs',
    })
  })
})
