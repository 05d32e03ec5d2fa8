// docs/wire.md lists every event and every field of src/protocol/events.ts, and nothing else; of the close codes it says what the
// client does by src/protocol/close.ts.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CloseMeaning, closeMeaning } from '../../src/protocol/index.ts'

const root = resolve(import.meta.dirname, '../..')
const source = readFileSync(resolve(root, 'src/protocol/events.ts'), 'utf8')
const page = readFileSync(resolve(root, 'docs/wire.md'), 'utf8')

/** The text of an exported object type, without its braces. */
function bodyOf(name: string): string {
  const [, many, one] =
    new RegExp(`export type ${name} = \\{(?:(\\n.*?)\\n\\}\\n|([^\\n]*)\\}\\n)`, 's').exec(source) ?? []
  const body = many ?? one
  if (body === undefined) throw new Error(`events.ts has no type ${name}`)
  return body.replace(/\/\*\*.*?\*\/|\/\/[^\n]*/gs, '')
}

/** Field names in their order, each with `?` where it is optional. */
const fieldsOf = (body: string): string[] =>
  body
    .split(/[;\n]/)
    .map((line) => /^\s*(\w+\??):/.exec(line)?.[1])
    .filter((name) => name !== undefined)

/** Type of event to its payload, as written in events.ts. */
function payloadsOf(name: string): Map<string, string> {
  const entries = bodyOf(name).matchAll(/^ {2}(EVENT_TYPE_\w+): (\{\n.*?\n {2}\}|[^\n]+)$/gms)
  return new Map([...entries].map(([, type = '', payload = '']) => [type, payload]))
}

/** What the page must name for a payload: shared shapes by their name, fields in back-quotes. */
function wordsOf(payload: string): string[] {
  return payload.split(' & ').flatMap((part) => {
    if (part === 'Empty') return ['empty']
    if (part === 'Reason') return ['`reason?`']
    if (/^\w+$/.test(part)) return [`the fields of ${part}`]
    return fieldsOf(part.replace(/^\{|\}$/g, '')).map((field) => `\`${field}\``)
  })
}

/** The rows of the table below a heading: first cell to second cell. */
function tableBelow(heading: string): Map<string, string> {
  const [, rest = ''] = page.split(`\n${heading}\n`)
  const table = rest.split(/\n(?=#|Shared shapes:)/)[0] ?? ''
  const rows = table.matchAll(/^\| `?(\w+)`? \| (.+) \|$/gm)
  return new Map(
    [...rows].map(([, first = '', second = '']) => [first, second]).filter(([name]) => name !== 'Type') as [
      string,
      string,
    ][],
  )
}

describe.each([
  ['ClientPayloads', '## Which events a client sends'],
  ['ServerPayloads', '## Which events the service sends'],
])('docs/wire.md, %s', (name, heading) => {
  const payloads = payloadsOf(name)
  const table = tableBelow(heading)

  it('lists every event once, and no other', () => {
    expect(payloads.size).toBeGreaterThan(5)
    expect([...table.keys()]).toEqual([...payloads.keys()])
  })

  it('names every field of every payload', () => {
    const wrong = [...payloads].filter(([type, payload]) => {
      const cell = (table.get(type) ?? '').replace(/ \([^)]*\)/g, '')
      return cell !== wordsOf(payload).join(', ')
    })
    expect(wrong).toEqual([])
  })
})

it('docs/wire.md names every field of the shared shapes', () => {
  /** Whole events and maps of payloads, and a button as the reader returns it. */
  const other = /^(Client|Server)(Event|Payloads)$|^Envelope$|^ReadCallAction$/
  const shapes = [...source.matchAll(/^export type (\w+) = \{/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !other.test(name))
  expect(shapes.length).toBeGreaterThan(5)
  const wrong = shapes.filter((name) => {
    const fields = fieldsOf(bodyOf(name)).map((field) => `\`${field}\``)
    return !page.includes(`| ${name} | ${fields.join(', ')} |`)
  })
  expect(wrong).toEqual([])
})

describe('docs/wire.md, the close codes', () => {
  const REACTIONS: Record<CloseMeaning, RegExp> = {
    reconnect: /^reconnects/,
    later: /^waits, then reconnects/,
    spread: /^(waits, then )?reconnects/,
    oversize: /^marks that message as failed and reconnects/,
    renew: /^creates a new session/,
  }
  const rows = [...tableBelow('## What the close codes mean')].filter(([code]) => /^\d{4}$/.test(code))

  it('says of each code what the client does', () => {
    expect(rows.length).toBeGreaterThan(5)
    for (const [code, cells] of rows)
      expect(cells.split(' | ')[1], code).toMatch(REACTIONS[closeMeaning(Number(code))])
  })
})
