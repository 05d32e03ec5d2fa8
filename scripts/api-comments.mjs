// Takes the comments of src/api for the OpenAPI document, since the running service has only the code.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const SOURCES = 'src/api'
const TAKEN = 'src/runtime/http/comments.json'

/** A comment, and what it stands above: an exported route, another constant, or a property of its object. */
const COMMENT =
  /^(?: {2})?\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export const \w+: Route = \{\n {2}name: '([\w.]+)'|export const (\w+)| {2}(\w+): )/gm
const CONSTANT = /^export const (\w+)/gm

/**
 * The comments of a file: of the operation `calls.start`, of the schema `Turn`, and of `Turn.latency`.
 * @param {string} source
 * @returns {[string, string][]}
 */
export function commentsIn(source) {
  const constants = [...source.matchAll(CONSTANT)]
  return [...source.matchAll(COMMENT)].flatMap(
    ({ index, 1: comment = '', 2: operation, 3: constant, 4: property }) => {
      const [, around] = constants.findLast((each) => each.index < index) ?? []
      const text = comment.replace(/\s*\n\s*\*?\s*/g, ' ').trim()
      const name = operation ?? constant ?? (around && `${around}.${property}`)
      return name ? [[name, text]] : []
    },
  )
}

function readComments() {
  const files = readdirSync(join(root, SOURCES)).sort()
  const found = files.flatMap((file) => commentsIn(readFileSync(join(root, SOURCES, file), 'utf8')))
  // The document has operations, schemas and their fields. Functions and other constants of src/api have comments too.
  const schemas = found.filter(([name]) => /^[A-Z]\w*[a-z]\w*(\.|$)|^[a-z]+\.\w+$/.test(name))
  return `${JSON.stringify(Object.fromEntries(schemas), null, 2)}\n`
}

export const flawsOfComments = () =>
  readFileSync(join(root, TAKEN), 'utf8') === readComments()
    ? []
    : [`${TAKEN}: differs from the comments of ${SOURCES}. Run npm run check -- --write`]

export const writeComments = () => writeFileSync(join(root, TAKEN), readComments())
