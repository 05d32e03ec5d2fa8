// Holds the runtime's folders to their order, SQL and HTTP to their files, and stores to their own tables.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import * as graph from './graph.ts'

/** The nouns from the highest to the lowest. Those of one row know nothing of each other. */
const ORDER = [
  ['admin'],
  ['calls', 'messaging', 'handoff'],
  ['turns'],
  ['sessions'],
  ['conversations'],
  ['accounts', 'files'],
  ['jobs', 'bus'],
  ['database', 'http'],
]
const levelOf = (noun: string) => ORDER.findIndex((row) => row.includes(noun))

const isRuntime = (name: string) => name.startsWith('runtime/')
const files = graph.files.filter(({ name }) => isRuntime(name))
const edges = graph.edges.filter(({ from }) => isRuntime(from))
const nounOf = (name: string) => /^runtime\/(\w+)\//.exec(name)?.[1]

it('every transaction says for traces what it is for', () => {
  const nameless = files.filter(
    ({ name, text }) => name !== 'runtime/database/database.ts' && /\.transaction\(/.test(text),
  )
  expect(nameless.map(({ name }) => name)).toEqual([])
  const named = files.flatMap(({ text }) => [...text.matchAll(/\binTransaction\(\w+, '([^']+)'/g)])
  expect(named.length).toBeGreaterThan(8)
})

describe('the nouns of the runtime', () => {
  it('are all in the order, each with an index', () => {
    const folders = readdirSync(join(graph.src, 'runtime')).filter((name) =>
      statSync(join(graph.src, 'runtime', name)).isDirectory(),
    )
    expect(folders.sort()).toEqual(ORDER.flat().sort())
    for (const folder of folders)
      expect(files.map(({ name }) => name)).toContain(`runtime/${folder}/index.ts`)
  })

  it('import each other only downwards, and only through index.ts', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [here, there] = [nounOf(from), nounOf(to)]
      if (there === undefined || here === there) return false
      const wired = here === undefined
      return !(to.endsWith('/index.ts') && (wired || levelOf(here) < levelOf(there)))
    })
    expect(wrong).toEqual([])
  })

  it('have rooms in conversations: the list stands on the other three, which know nothing of each other', () => {
    const roomOf = (name: string) => /^runtime\/conversations\/(\w+)\//.exec(name)?.[1]
    const between = edges.flatMap(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)]
      return here !== undefined && there !== undefined && here !== there ? [`${here} → ${there}`] : []
    })
    expect([...new Set(between)].filter((arrow) => !arrow.startsWith('list → '))).toEqual([])
    expect(between.length).toBeGreaterThan(2)
  })

  it('have rooms in sessions: what a session is knows nothing of the rest, and only the index knows of sockets', () => {
    const roomOf = (name: string) => /^runtime\/sessions\/(?:(\w+)\/|)/.exec(name)?.[1] ?? ''
    const between = edges
      .filter(({ from, to }) => nounOf(from) === 'sessions' && nounOf(to) === 'sessions')
      .filter(({ from, to }) => roomOf(from) !== roomOf(to) && !from.endsWith('/index.ts'))
    expect(between.filter(({ from, to }) => roomOf(from) === 'state' || roomOf(to) === 'socket')).toEqual([])
    expect(between.length).toBeGreaterThan(2)
  })

  it('know of the files around them only redact, clock and domain events', () => {
    const around = /^runtime\/(redact|clock|domain-event)\.ts$/
    const wrong = edges.filter(
      ({ from, to }) => nounOf(from) !== undefined && /^runtime\/[\w-]+\.ts$/.test(to) && !around.test(to),
    )
    expect(wrong).toEqual([])
    const own = edges.filter(({ from }) => around.test(from))
    expect(own.filter(({ to }) => to.startsWith('runtime/'))).toEqual([])
  })

  it('type their seams by written interfaces', () => {
    const wrong = files.filter(({ text }) => /= ReturnType<typeof create/.test(text))
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('answer HTTP only in their routes', () => {
    const http = /\bc\.req\b|\bc\.json\(|new Response\(/
    const allowed = /^runtime\/(http\/|\w+\/(\w+\/)?([\w-]+-)?routes\.ts$)/
    const wrong = files.filter(({ name, text }) => !allowed.test(name) && http.test(text))
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})

describe('a table', () => {
  const owners = new Map(
    SCHEMAS.flatMap(({ noun, steps }) =>
      [...steps.join('\n').matchAll(/CREATE TABLE foyer\.(\w+)/g)].map(
        ([, table = '']) => [table, noun] as const,
      ),
    ),
  )
  const uses = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, table = '']) => table)

  it('belongs to one noun', () => {
    expect(owners.size).toBeGreaterThan(15)
    const tables = SCHEMAS.flatMap(({ steps }) => uses(steps.join('\n'), /CREATE TABLE foyer\.(\w+)/g))
    expect(tables).toHaveLength(owners.size)
  })

  it('is written only by its noun, and read only by nouns above it', () => {
    const wrong = files.flatMap(({ name, text }) => {
      const noun = nounOf(name)
      if (noun === undefined || noun === 'database') return []
      const written = uses(text, /(?:INSERT INTO|UPDATE|DELETE FROM) foyer\.(\w+)/g)
      const read = uses(text, /\bfoyer\.([a-z_]+)\b/g).filter((table) => owners.has(table))
      return [
        ...written.filter((table) => owners.get(table) !== noun).map((table) => `${name} writes ${table}`),
        ...read
          .filter((table) => owners.get(table) !== noun && levelOf(noun) >= levelOf(owners.get(table) ?? ''))
          .map((table) => `${name} reads ${table}`),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('refers only to tables of its own noun or of lower ones', () => {
    const wrong = SCHEMAS.flatMap(({ noun, steps }) =>
      uses(steps.join('\n'), /REFERENCES foyer\.(\w+)/g)
        .filter((table) => {
          const owner = owners.get(table) ?? ''
          return owner !== noun && levelOf(noun) >= levelOf(owner)
        })
        .map((table) => `${noun} refers to ${table}`),
    )
    expect(wrong).toEqual([])
  })
})
