// What is made of the chat's options: the JSON Schema and the custom elements manifest.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { flawsOfOptions } from '../../scripts/options.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const PACKAGE = 'packages/foyer-webchat'
const schema = JSON.parse(read(`${PACKAGE}/options.schema.json`))
const takes = new Ajv({ allErrors: true }).compile(schema)

it('says what the types of the options say', () => {
  expect(flawsOfOptions()).toEqual([])
})

it.each([
  ['the schema', `${PACKAGE}/options.schema.json`, '"accent"', '"hue"'],
  ['the manifest', `${PACKAGE}/custom-elements.json`, 'agent-name', 'agentname'],
])('%s that says something else is found', (_, path, right, wrong) => {
  const flaws = flawsOfOptions((file) => (file === path ? read(file).replace(right, wrong) : read(file)))
  expect(flaws).toEqual([`${path}: differs from the options. Run npm run check -- --write`])
})

it.each([
  { origin: 'https://chat.example.com', theme: 'dark', autoOpen: true, accent: 'oklch(0.5 0.1 260)' },
  { words: { placeholder: 'Ask…' }, starters: ['One', 'Two'], disclaimer: { en: 'Kept', de: 'Bewahrt' } },
  { words: '{"placeholder":"Ask…"}', starters: 'One|Two', disclaimer: 'Kept', without: 'search download' },
  { form: [{ label: 'Name', type: 'text', required: true, maxLength: 80 }], register: 'informal' },
])('the schema takes options as they are written: %j', (options) => {
  expect([takes(options), takes.errors]).toEqual([true, null])
})

it.each([
  { them: 'dark' },
  { theme: 'darkish' },
  { autoOpen: 'maybe' },
  { starters: [1] },
  { form: [{ type: 'text' }] },
  { form: [{ label: 'Name', kind: 'text' }] },
])('the schema refuses what is no option, or no value of one: %j', (options) => {
  expect(takes(options)).toBe(false)
})

it('the schema has the defaults', () => {
  const { layout, streaming, autoOpen, register, enterSends, target } = schema.properties
  const defaults = [layout, streaming, autoOpen, register, enterSends, target].map((each) => each.default)
  expect(defaults).toEqual(['float', true, false, 'formal', true, undefined])
})
