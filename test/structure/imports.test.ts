// Holds the rooms of src/ to their order, and each file to what its room may do.

import { describe, expect, it } from 'vitest'
import { DEMO, edges, files } from './graph.ts'

/** What each folder may import, beside itself: the folders it leads to, and those beyond them. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  markdown: [],
  protocol: [],
  api: ['protocol'],
  chat: ['protocol'],
  ui: ['chat', 'markdown', 'protocol'],
  embed: ['ui', 'chat', 'protocol'],
  client: ['api', 'protocol'],
  bff: ['client', 'api', 'protocol'],
  runtime: ['api', 'protocol'],
  agents: ['runtime', 'api', 'markdown', 'protocol'],
  docs: ['agents', 'markdown'],
  carriers: ['runtime', 'api', 'protocol'],
  cli: ['agents', 'docs', 'carriers', 'bff', 'client', 'runtime', 'api', 'protocol'],
}

/** The parts of a room, or of a folder in it. Each imports only itself, and what stands below it; on one line, neither the other. */
const PARTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  chat: [
    ['index.ts'],
    ['chat.ts'],
    ['effects'],
    ['reduce.ts', 'view.ts'],
    ['session'],
    ['transcript'],
    ['outbox'],
    ['access', 'socket'],
    ['state'],
  ],
  ui: [
    ['index.ts', 'first-screen.ts'],
    ['panel'],
    ['parts'],
    ['prechat', 'menu', 'rating', 'speech', 'transcript', 'composer'],
    ['scrolling', 'notices', 'letter'],
    ['answer'],
    ['focus'],
    ['context'],
    ['theme'],
    ['words'],
    ['locales', 'load.ts'],
  ],
  embed: [
    ['index.ts', 'react', 'element'],
    ['amend.ts'],
    ['mount.ts', 'compat.ts'],
    ['page', 'frame'],
    ['unframed.ts', 'page-events.ts'],
    ['channel.ts'],
    ['options.ts'],
  ],
  'embed/page': [['script.ts', 'off-script.ts'], ['start.ts', 'off.ts'], ['panel'], ['attention'], ['host']],
  'embed/frame': [
    ['first.ts'],
    ['connect.ts', 'inline.ts'],
    ['panel.ts', 'first-screen.ts', 'first-token.ts'],
    ['keyboard.ts'],
    ['prechat'],
    ['chat'],
  ],
  agents: [
    ['package.ts'],
    ['index.ts'],
    ['agui'],
    ['llm', 'guide'],
    ['search'],
    ['phrases.ts', 'contact.ts', 'tell-if-slow.ts'],
    ['language.ts'],
  ],
}

/** Packages that only some files may know. */
const ONLY: Readonly<Record<string, RegExp>> = {
  'reconnecting-websocket': /^chat\/socket\/socket\.ts$/,
  ws: /^runtime\/sessions\/socket\/socket\.ts$/,
  pg: /^runtime\/(database\/|bus\/notify\.ts$)/,
  redis: /^(runtime\/bus\/redis\.ts|cli\/redis\.ts)$/,
  '@electric-sql/pglite': /^runtime\/database\//,
  '@electric-sql/pglite-pgvector': /^runtime\/database\//,
  hono: /^runtime\/(http\/|\w+\/(\w+\/)?([\w-]+-)?routes\.ts$)/,
  '@hono/node-server': /^cli\/start\/requests\.ts$/,
  'ipaddr.js': /^api\/visitor-address\.ts$/,
  jose: /^(runtime\/accounts\/access\/tokens|bff\/tokens\/seal)\.ts$/,
  'libphonenumber-js/min': /^runtime\/calls\/routes\.ts$/,
  'rate-limiter-flexible': /^(bff\/tokens\/(limits|rate-limiter-memory\.d)|cli\/start\/limit-store)\.ts$/,
  '@opentelemetry/api': /^api\/trace\.ts$/,
  '@opentelemetry/sdk-trace-node': /^cli\/monitoring\/tracing\.ts$/,
  '@opentelemetry/exporter-trace-otlp-http': /^cli\/monitoring\/tracing\.ts$/,
  '@opentelemetry/resources': /^cli\/monitoring\/tracing\.ts$/,
  'prom-client': /^cli\/monitoring\/metrics\.ts$/,
  // The element has types for it alone.
  react: /^embed\/(react|element\/tag)/,
  preact: /^ui\//,
  'preact/hooks': /^ui\//,
  '@preact/signals': /^ui\//,
  'modern-tar/fs': /^runtime\/database\/template\.ts$/,
  'markdown-it': /^(markdown\/parser|agents\/search\/passages|docs\/page)\.ts$/,
  yaml: /^agents\/search\/front-matter\.ts$/,
  minisearch: /^(agents\/search\/search-index|docs\/site\/search)\.ts$/,
  ai: /^agents\/llm\/model(-error)?\.ts$/,
  '@ai-sdk/mcp': /^agents\/llm\/mcp-tools\.ts$/,
  '@ag-ui/core': /^agents\/agui\//,
  'eventsource-parser': /^agents\/agui\/read-events\.ts$/,
  '@ai-sdk/openai-compatible': /^agents\/llm\/model\.ts$/,
}

const folderOf = (name: string) => (name.includes('/') ? (name.split('/')[0] ?? '') : '')

/** By files, with what each imports: every way back to where it began. */
function circlesOf(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (name: string, trail: readonly string[]) => {
    if (trail.includes(name))
      return void circles.push([...trail.slice(trail.indexOf(name)), name].join(' → '))
    if (done.has(name)) return
    for (const next of targets.get(name) ?? []) visit(next, [...trail, name])
    done.add(name)
  }
  for (const name of targets.keys()) visit(name, [])
  return circles
}

describe('imports', () => {
  it('are read from every file', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(edges.length).toBeGreaterThan(150)
    expect(edges).toContainEqual({ from: 'chat/chat.ts', to: 'protocol/index.ts' })
  })

  it('follow the table', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)]
      return here !== there && !(MAY[here] ?? []).includes(there)
    })
    expect(wrong).toEqual([])
  })

  it('cross folders only through index.ts', () => {
    const wrong = edges.filter(
      ({ from, to }) =>
        folderOf(from) !== folderOf(to) && folderOf(to) !== '' && !/^\w+\/index\.ts$/.test(to),
    )
    expect(wrong).toEqual([])
  })

  it('load the demo only from the command line, and only in demo mode', () => {
    const statically = /from '[./]*\/demo\//
    expect(files.filter(({ text }) => statically.test(text)).map(({ name }) => name)).toEqual([])
    const loaders = files.filter(({ imports }) => imports.some((to) => DEMO.test(to))).map(({ name }) => name)
    expect(loaders.sort()).toEqual(['cli/main.ts', 'cli/start/open-server.ts', 'cli/start/own-service.ts'])
  })

  it('have no cycle, not even of types or of what is loaded late', () => {
    const targets = new Map(
      files.map(({ name }) => [name, edges.filter(({ from }) => from === name).map(({ to }) => to)]),
    )
    expect(circlesOf(targets)).toEqual([])
  })

  it.each(Object.entries(PARTS))('go only downwards in %s', (folder, levels) => {
    const isInside = (name: string) => name.startsWith(`${folder}/`)
    const partOf = (name: string) => name.slice(folder.length + 1).split('/')[0] ?? ''
    const levelOf = (name: string) => levels.findIndex((parts) => parts.includes(partOf(name)))
    const between = edges.filter(
      ({ from, to }) => isInside(from) && isInside(to) && partOf(from) !== partOf(to),
    )
    const parts = new Set(files.filter(({ name }) => isInside(name)).map(({ name }) => partOf(name)))
    expect([...parts].sort()).toEqual(levels.flat().sort())
    expect(between.length).toBeGreaterThan(10)
    expect(between.filter(({ from, to }) => levelOf(from) >= levelOf(to))).toEqual([])
  })

  it('keep each library where it belongs', () => {
    const wrong = files.flatMap(({ name, imports }) =>
      imports.filter((to) => ONLY[to] && !ONLY[to].test(name)).map((to) => `${name} imports ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('export names by hand, never by *', () => {
    expect(files.filter(({ text }) => /export \*/.test(text)).map(({ name }) => name)).toEqual([])
  })
})

describe('the source', () => {
  it('builds no HTML from strings, and evaluates no code', () => {
    const forbidden =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|\beval\(|new Function\(|setAttribute\('style'/
    expect(files.filter(({ text }) => forbidden.test(text)).map(({ name }) => name)).toEqual([])
  })

  it('uses the document only where it draws', () => {
    const headless = files.filter(({ name }) =>
      /^(markdown|protocol|api|client|chat|bff|runtime|agents|carriers|cli)\//.test(name),
    )
    expect(
      headless
        .filter(({ text }) => /\b(document|window|localStorage|sessionStorage)\./.test(text))
        .map(({ name }) => name),
    ).toEqual([])
  })

  it('writes SQL only in stores, schemas and the database', () => {
    const sql = /\b(SELECT|INSERT INTO|UPDATE foyer|DELETE FROM|CREATE TABLE)\b/
    const allowed = /^runtime\/(database\/|bus\/notify\.ts$|\w+\/(\w+\/)?([\w-]+-)?(store|schema)\.ts$)/
    const outside = files.filter(({ name, text }) => !allowed.test(name) && sql.test(text))
    expect(outside.map(({ name }) => name)).toEqual([])
  })

  it('has no drawers', () => {
    expect(
      files
        .filter(({ name }) => /\/(utils?|helpers?|common|types|misc)(\.|\/)/.test(name))
        .map(({ name }) => name),
    ).toEqual([])
  })
})
