// Options that the panel's side reads: what cannot be used counts as missing, and the console says so.

import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { readDetails } from '../../../../src/embed/frame/prechat/details.ts'

beforeAll(() => {
  Object.assign(globalThis, { CSS: { supports: (_: string, value: string) => !value.includes('nonsense') } })
})
const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  warn.mockReset()
})

it.each([
  ['privacyUrl', 'javascript:alert(1)'],
  ['termsUrl', '/terms'],
  ['avatar', 'ftp://example.com/a.png'],
  ['words', '{"placeholder"'],
  ['tokens', '{"surface":"nonsense"}'],
  ['tokens', '{"colour":"red"}'],
  ['tokens', 'red'],
  ['form', '[{"label":"Name"},{"type":"text"}]'],
  ['form', '[{"label":"Name","type":"date"}]'],
  ['form', '[{"label":"Size","type":"select"}]'],
  ['form', 'Name'],
  ['form', `[${Array(9).fill('{"label":"Name"}')}]`],
  ['without', 'serch download'],
  ['rating', 'hearts'],
  ['outsideHours', 'shut'],
  ['disclaimerPlace', 'left'],
  ['timeZone', 'Berlin'],
  ['hours', 'always'],
  ['hours', 'Mon,Tue 09:00-17:00'],
  ['hours', 'Fri 22:00-22:00'],
  ['starters', 'a|b|c|d|e|f|g'],
])('%s that cannot be used is named in the console, without its value: %s', async (name, value) => {
  readDetails({ [name]: value })
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1))
  expect(warn).toHaveBeenCalledWith(`Foyer: ${name} holds a value that cannot be used`)
})

it('an option that cannot be used is named once, however often other options change, and again with another value', () => {
  readDetails({ rating: 'planets' })
  readDetails({ rating: 'planets', agentName: 'Fern' })
  expect(warn).toHaveBeenCalledTimes(1)
  readDetails({ rating: 'moons' })
  expect(warn).toHaveBeenCalledTimes(2)
})

it('an option that can be used is not spoken of', async () => {
  readDetails({
    privacyUrl: 'https://example.com/privacy',
    termsUrl: 'http://localhost/terms',
    words: '{"placeholder":"Ask"}',
    tokens: { surface: '#fff', scale: '1.2' },
    form: [{ label: 'Name' }, { label: 'Size', type: 'select', options: ['S', 'M'] }],
    without: 'search download',
    rating: 'stars',
    outsideHours: 'closed',
    disclaimer: '{"en":"Kept for 30 days"}',
    disclaimerPlace: 'below',
    disclaimerOnce: true,
    timeZone: 'Europe/Berlin',
    hours: 'Mon - Fri 09:00 – 17:00; Sat 10:00-14:00;',
    starters: 'Where is my order?|Book a repair',
  })
  readDetails({})
  await new Promise((resolve) => setTimeout(resolve))
  await import('../../../../src/ui/words/hours.ts')
  await new Promise((resolve) => setTimeout(resolve))
  expect(warn).not.toHaveBeenCalled()
})

it('a question that stands twice on the first screen is one', () => {
  expect(readDetails({ starters: 'A|B|A' }).prechat.starters).toEqual(['A', 'B'])
})

it('a choice and a long text have the browser’s help as other fields have', () => {
  const { form } = readDetails({
    form: [{ label: 'Country', type: 'select', options: ['DE'], autocomplete: 'shipping country-name' }],
  }).prechat
  expect(form[0]?.autocomplete).toBe('shipping country-name')
})
