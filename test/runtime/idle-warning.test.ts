import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/agents/language.ts'
import { idleWarning } from '../../src/runtime/messaging/idle-warning.ts'

describe('the warning of an idle conversation by SMS', () => {
  it.each([
    [5, '5 seconds'],
    [1, '1 second'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [90.5, '90 seconds'],
    [120, '2 minutes'],
    [600, '10 minutes'],
    [659, '10 minutes'],
    [3_600, '1 hour'],
    [5_400, '1 hour and 30 minutes'],
    [7_259, '2 hours'],
    [86_400, '1 day'],
    [90_000, '1 day and 1 hour'],
    [172_800 + 59 * 60, '2 days'],
  ])('says of %d seconds that there are %s', (seconds, time) => {
    expect(idleWarning('en', seconds)).toBe(
      `Are you still there? Reply within ${time} to keep this conversation open.`,
    )
  })

  it('has words of its own in each language of the agents, with the time', () => {
    const warnings = LANGUAGES.map((language) => idleWarning(language, 5_400))
    expect(new Set(warnings).size).toBe(LANGUAGES.length)
    expect(idleWarning('de', 5_400)).toContain('noch 1 Stunde und 30 Minuten offen')
    for (const warning of warnings) expect(warning).toMatch(/\b1\b.*\b30\b/)
    // Within one SMS of the alphabet that has every letter.
    for (const warning of warnings) expect(warning.length).toBeLessThanOrEqual(2 * 70)
  })

  it.each([
    ['de-AT', 'Sind Sie noch da?'],
    ['FR', 'Êtes-vous'],
    ['', 'Are you'],
    ['pl', 'Are you'],
    ['constructor', 'Are you'],
    ['not a tag', 'Are you'],
  ])('takes the tag %j as far as it knows it', (tag, words) => {
    expect(idleWarning(tag, 600)).toContain(words)
  })
})
