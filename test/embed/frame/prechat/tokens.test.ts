// A site's own tokens: which values are taken, where they are set, and that they go again.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPanel } from '../../../../src/embed/frame/panel.ts'
import { readDetails } from '../../../../src/embed/frame/prechat/details.ts'
import { openIn } from '../open-panel.ts'

beforeEach(() => {
  // What jsdom lacks; what a browser takes is tested in one.
  vi.stubGlobal('CSS', { supports: (_: string, value: string) => !value.includes('nonsense') })
  vi.stubGlobal('fetch', async () => Response.json({}))
})
let undo = () => {}
afterEach(() => {
  undo()
  vi.unstubAllGlobals()
  document.documentElement.removeAttribute('style')
})
const read = (tokens: unknown) => Object.fromEntries(readDetails({ tokens }).tokens)

it('tokens are taken by their names, as an object or as JSON', () => {
  const tokens = {
    surface: '#fffaf0',
    font: 'Georgia, "Times New Roman", serif',
    scale: '1.2',
    space: '20px',
  }
  expect(read(tokens)).toEqual(tokens)
  expect(read(JSON.stringify(tokens))).toEqual(tokens)
  expect(read({ text: 'oklch(0.2 0.01 60 / 0.9)', scale: 1.2 })).toEqual({
    text: 'oklch(0.2 0.01 60 / 0.9)',
    scale: '1.2',
  })
})

it.each([
  ['an unknown name', { 'z-index': '1', constructor: 'red' }],
  ['what the property does not take', { surface: 'nonsense' }],
  ['an address', { surface: 'url(https://example.com/a.png)' }],
  ['an image', { font: 'image-set("https://example.com/a.png" 1x)' }],
  ['another custom property', { surface: 'var(--secret)' }],
  ['a second declaration', { surface: 'red; position: fixed' }],
  ['the end of a rule', { surface: 'red} * {color: red' }],
  ['an escape', { font: '\\75rl(x)' }],
  ['a text of more than 200', { font: 'x'.repeat(201) }],
  ['text that is too small to read', { scale: '0.5' }],
  ['text that leaves no room', { scale: '2' }],
  ['an inherited name', Object.create({ surface: 'red' })],
  ['an object', { surface: {} }],
  ['nothing', undefined],
  ['no JSON', '{'],
])('tokens that cannot be used are left out: %s', (_, tokens) => {
  expect(read(tokens)).toEqual({})
})

it('tokens stand where the panel inherits them, and go with the option', async () => {
  const {
    say,
    container,
    undo: leave,
  } = openIn(openPanel, { start: { tokens: '{"surface":"#fffaf0","space":"20px"}' } })
  undo = leave
  const { style } = document.documentElement
  await vi.waitFor(() => expect(style.getPropertyValue('--foyer-surface')).toBe('#fffaf0'))
  expect(style.getPropertyValue('--foyer-space')).toBe('20px')
  say({ type: 'looks', looks: { tokens: '{"surface":"#000"}' } })
  await vi.waitFor(() => expect(style.getPropertyValue('--foyer-surface')).toBe('#000'))
  expect(style.getPropertyValue('--foyer-space')).toBe('')
  say({ type: 'looks', looks: {} })
  await vi.waitFor(() => expect(style.length).toBe(0))
  container.remove()
})
