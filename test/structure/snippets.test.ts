// Each snippet of the docs can be read by the language that it is in, and names only what there is: exported names, commands, settings, options.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { exportsOf } from '../../scripts/declarations.mjs'
import { ENTRIES } from '../../scripts/exports.mjs'
import { attributeOf } from '../../scripts/reference.mjs'
import { CHECK_HELP } from '../../src/cli/before-start/check.ts'
import { MOVE_HELP } from '../../src/cli/before-start/move.ts'
import { NOUNS } from '../../src/cli/commands/nouns.ts'
import { DOCS_HELP } from '../../src/cli/docs-build.ts'
import { SETTINGS } from '../../src/cli/settings-table.ts'
import { PAGES, snippetsIn } from '../process/docs.ts'

const root = resolve(import.meta.dirname, '../..')
const OF_PACKAGES = ['foyer-webchat', 'foyer-server'].flatMap((name) =>
  ['README.md', 'AGENTS.md'].map((page) => `packages/${name}/${page}`),
)
const texts = [...PAGES, ...OF_PACKAGES].map((page) => ({
  page,
  text: readFileSync(join(root, page), 'utf8'),
}))
const snippets = texts.flatMap(({ page, text }) =>
  snippetsIn(text).map((snippet) => ({
    ...snippet,
    name: `${page}: ${snippet.code.trim().slice(0, 60).replace(/\s+/g, ' ')}`,
  })),
)
const isOneOf =
  (...languages: readonly string[]) =>
  ({ language }: { language: string }) =>
    languages.includes(language)

const failing = (
  found: readonly { name: string; code: string; language: string }[],
  flawsOf: (code: string, language: string) => readonly string[],
) => found.flatMap(({ name, code, language }) => flawsOf(code, language).map((flaw) => `${name} – ${flaw}`))

function flawOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    return [String(error)]
  }
}

it('code in JavaScript and TypeScript has no syntax error', () => {
  const code = snippets.filter(isOneOf('js', 'jsx', 'ts'))
  expect(code.length).toBeGreaterThan(100)
  expect(
    failing(code, (text, language) =>
      parseSync(`snippet.${language === 'js' ? 'mjs' : language}`, text).errors.map(({ message }) => message),
    ),
  ).toEqual([])
})

it('code imports from our packages what they export', () => {
  const code = snippets.filter(isOneOf('js', 'jsx', 'ts', 'html', 'vue', 'svelte'))
  const names = new Map(
    Object.entries(ENTRIES).map(([entry, { source }]) => [entry, exportsOf(source).map(({ name }) => name)]),
  )
  const flaws = failing(code, (text) =>
    [...text.matchAll(/import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(foyer-[\w/-]+)'/g)].flatMap(
      ([, list = '', entry = '']) =>
        list
          .split(',')
          .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
          .filter((name) => name !== '' && !names.get(entry)?.includes(name.replace(/^type /, '')))
          .map((name) => `${entry} exports no ${name}`),
    ),
  )
  expect(flaws).toEqual([])
})

it('JSON, YAML and lines for a shell can be parsed', () => {
  expect(failing(snippets.filter(isOneOf('json')), (text) => flawOf(() => JSON.parse(text)))).toEqual([])
  expect(
    failing(snippets.filter(isOneOf('yaml')), (text) =>
      parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message)),
    ),
  ).toEqual([])
  const lines = snippets.filter(isOneOf('sh', 'bash'))
  expect(lines.length).toBeGreaterThan(50)
  // What stands for a value of the reader's is no redirection.
  const plain = (text: string) => text.replace(/<[a-z][\w -]*>/gi, 'VALUE').replace(/\[[^\]\n]*\]/g, '')
  expect(
    failing(lines, (text) =>
      flawOf(() => execFileSync('bash', ['-n'], { input: plain(text), stdio: 'pipe' })),
    ),
  ).toEqual([])
})

const HELP: Readonly<Record<string, string>> = { check: CHECK_HELP, move: MOVE_HELP, docs: DOCS_HELP }
const optionsIn = (text: string) => [...text.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option)
const unknownOptions = (whole: string, given: string, known: readonly string[]) =>
  optionsIn(given)
    .filter((option) => !known.includes(option))
    .map((option) => `${whole}: there is no option --${option}`)

it('commands of foyer-server exist, with each of their options', () => {
  const lines = snippets.filter(isOneOf('sh', 'bash', 'dockerfile', 'ini'))
  let count = 0
  const flaws = failing(lines, (text) =>
    [...text.matchAll(/(?:foyer-server|npm start --) ([a-z]+)\b(?: ([a-z]+)\b)?([^\n|&;#]*)/g)].flatMap(
      ([whole, noun = '', verb = '', rest = '']) => {
        // `./docs` is a folder to answer from.
        if (Object.hasOwn(HELP, noun)) return unknownOptions(whole, verb + rest, optionsIn(HELP[noun] ?? ''))
        const verbs = Object.hasOwn(NOUNS, noun) ? NOUNS[noun as keyof typeof NOUNS]?.verbs : undefined
        if (!verbs) return [`${whole}: there is no command ${noun}`]
        count++
        const command = verbs[verb] ?? verbs['']
        if (!command) return [`${whole}: there is no command ${noun} ${verb}`]
        return unknownOptions(whole, rest, [...Object.keys(command.fields).map(attributeOf), 'json', 'help'])
      },
    ),
  )
  expect(flaws).toEqual([])
  expect(count).toBeGreaterThan(20)
})

it('settings that the docs name exist', () => {
  const given = /^FOYER_(TEST|BENCH|SERVICE|PORT)/
  const flaws = texts.flatMap(({ page, text }) =>
    [...new Set(text.match(/\bFOYER_[A-Z][A-Z_]*[A-Z]\b/g))]
      .filter((name) => !Object.hasOwn(SETTINGS, name) && !given.test(name))
      .map((name) => `${page}: ${name}`),
  )
  expect(flaws).toEqual([])
})

it('attributes of the script tag and of the element are options', () => {
  const schema = JSON.parse(
    readFileSync(join(root, 'packages/foyer-webchat/options.schema.json'), 'utf8'),
  ) as { properties: Record<string, unknown> }
  // Those that the service's own snippet has are taken too.
  const known = [...Object.keys(schema.properties).map(attributeOf), 'show-icon', 'render-mode']
  const flaws = texts.flatMap(({ page, text }) =>
    [...text.matchAll(/<(?:script|foyer-chat)\s[^>]*>/g)].flatMap(([tag]) =>
      [...tag.matchAll(/\sdata-([a-z-]+)=/g)]
        .map(([, name = '']) => name)
        .filter((name) => !known.includes(name))
        .map((name) => `${page}: data-${name} in ${tag}`),
    ),
  )
  expect(flaws).toEqual([])
})
