import { describe, expect, it } from 'vitest'
import { environmentFor } from '../../src/cli/try-out.ts'

describe('a start with a folder and nothing configured', () => {
  it('is the demo, as by npm start', () => {
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
    'FOYER_ORIGINS',
    'FOYER_PUBLIC_ORIGIN',
    'FOYER_DATABASE_URL',
    'HOST',
  ])('is a site of one’s own where %s is set, even to nothing', (name) => {
    for (const value of ['', 'x'])
      expect(environmentFor({ [name]: value }, './docs')).toEqual({ [name]: value })
  })

  it('without a folder is a site of one’s own', () => {
    expect(environmentFor({}, undefined)).toEqual({})
  })
})
