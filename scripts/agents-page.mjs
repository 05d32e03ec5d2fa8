// Puts the types of src/runtime/turns/agent.ts, with their comments, into docs/agents.md, and says where the page differs from them.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const SOURCE = 'src/runtime/turns/agent.ts'
const PAGE = 'docs/agents.md'
const MARKED = /(<!-- type: (\w+) -->\n)[\s\S]*?(<!-- \/type -->)/g
/** A declaration with the comment above it: each stands between empty lines. */
const DECLARATION =
  /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:type|interface) (\w+)[\s\S]*?(?=\n\n(?:\/\*\*|export )|\s*$(?![\s\S]))/gm

/** The exported types by name, as they stand. @param {string} source @returns {Record<string, string>} */
export const typesIn = (source) =>
  Object.fromEntries([...source.matchAll(DECLARATION)].map(([text, name]) => [name, text.trim()]))

/** The page with the types between its marks. @param {string} page @param {Record<string, string>} types */
const withTypes = (page, types) =>
  page.replace(MARKED, (whole, open, name, close) =>
    types[name] === undefined ? whole : `${open}\n\`\`\`ts\n${types[name]}\n\`\`\`\n\n${close}`,
  )

/** What the page lacks, has twice, or shows otherwise. @param {string} page @param {string} source */
export function flawsOfTypes(page, source) {
  const types = typesIn(source)
  const shown = [...page.matchAll(MARKED)].map(([, , name = '']) => name)
  const flaws = Object.keys(types)
    .filter((name) => shown.filter((each) => each === name).length !== 1)
    .map((name) => `${PAGE}: shows the type ${name} of ${SOURCE} not exactly once`)
  for (const name of shown) if (!types[name]) flaws.push(`${PAGE}: ${SOURCE} exports no type ${name}`)
  if (withTypes(page, types) !== page)
    flaws.push(`${PAGE}: differs from ${SOURCE}. Run npm run check -- --write`)
  return flaws
}

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

export const flawsOfAgentsPage = () => flawsOfTypes(read(PAGE), read(SOURCE))

export const writeAgentsPage = () =>
  writeFileSync(join(root, PAGE), withTypes(read(PAGE), typesIn(read(SOURCE))))
