import { describe, expect, it } from 'vitest'
import { environmentFor } from '../../src/cli/try-out.ts'

describe('a start with a folder and nothing configured', () => {
  it('runs the demo, like npm start', () => {
    expect(environmentFor({ PORT: '4711', FOYER_AGENT: 'guide' }, './docs')).toEqual({
      PORT: '4711',
      FOYER_AGENT: 'guide',
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
    for (const value of ['', 'x'])
      expect(environmentFor({ [name]: value }, './docs')).toEqual({ [name]: value })
  })

  it('runs no demo without the folder', () => {
    expect(environmentFor({}, undefined)).toEqual({})
  })
})
