// Reads declarations of the source as they are written: where an exported name is declared, its comment, its members, and the types it names.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { root } from './setup.mjs'

/** @typedef {Record<string, any>} Node A node of a syntax tree, as ESTree has it. */
/** @typedef {{ path: string, name: string, node: Node, comment: string }} Declaration */
/** @typedef {{ name: string, type: Node, text: string, comment: string, optional: boolean, path: string }} Member `text`: its type as it is written. */

/** @type {Map<string, { source: string, body: Node[], comments: ReturnType<typeof parseSync>['comments'] }>} */
const files = new Map()

/** @param {string} path */
function parsed(path) {
  const known = files.get(path)
  if (known) return known
  const source = readFileSync(join(root, path), 'utf8')
  const { program, comments } = parseSync(path, source)
  const file = { source, body: /** @type {Node[]} */ (program.body), comments }
  files.set(path, file)
  return file
}

/** The text of a node. @param {string} path @param {Node} node */
export const textOf = (path, { start, end }) => parsed(path).source.slice(start, end)

/** The docstring above a node, on one line. @param {string} path @param {Node} node */
function commentAbove(path, { start }) {
  const { source, comments } = parsed(path)
  const found = comments.find(({ end }) => end <= start && source.slice(end, start).trim() === '')
  if (!found?.value.startsWith('*')) return ''
  return found.value
    .replace(/^\s*\*+/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The names that a module lists in `export { … }`. @param {string} path @returns {{ name: string, isType: boolean }[]} */
export const exportsOf = (path) =>
  parsed(path).body.flatMap(({ type, specifiers = [], exportKind }) =>
    type === 'ExportNamedDeclaration'
      ? specifiers.map((/** @type {Node} */ each) => ({
          name: each.exported.name,
          isType: exportKind === 'type' || each.exportKind === 'type',
        }))
      : [],
  )

/**
 * Where a name of a file is declared, also where the file imports it: undefined for what no file of the source declares.
 * @param {string} path
 * @param {string} name
 * @returns {Declaration | undefined}
 */
export function declarationOf(path, name) {
  /** @type {Declaration | undefined} */
  let found
  for (const statement of parsed(path).body) {
    const address = statement.source?.value
    if (address) {
      if (!address.startsWith('.')) continue
      for (const { imported, local, exported } of statement.specifiers) {
        if ((exported ?? local).name !== name) continue
        return declarationOf(join(dirname(path), address), (imported ?? local).name)
      }
      continue
    }
    const node = statement.declaration ?? statement
    const [variable] = node.declarations ?? [node]
    // Of a value and a type of the same name the type counts.
    if (variable.id?.name === name && !found?.node.type.startsWith('TS'))
      found = { path, name, node: variable, comment: commentAbove(path, statement) }
  }
  return found
}

/** The types that a part of a file names, without those of libraries. @param {string} path @param {Node} node @returns {Declaration[]} */
export function namedIn(path, node) {
  /** @type {Declaration[]} */
  const found = []
  const note = (/** @type {Node} */ name) => {
    const declaration = declarationOf(path, textOf(path, name))
    if (declaration && !found.some((each) => isSame(each, declaration))) found.push(declaration)
  }
  new Visitor({
    TSTypeReference: ({ typeName }) => note(typeName),
    TSInterfaceHeritage: ({ expression }) => note(expression),
    TSClassImplements: ({ expression }) => note(expression),
  }).visit(
    /** @type {any} */ ({
      type: 'Program',
      start: 0,
      end: 0,
      sourceType: 'module',
      hashbang: null,
      body: [node],
    }),
  )
  return found
}

/** @param {Declaration} one @param {Declaration} other */
export const isSame = (one, other) => one.path === other.path && one.name === other.name

/** @typedef {{ members: Member[], others: Declaration[] }} Parts */

/**
 * The members of an object type and of its parts. Undefined for another type.
 * @param {string} path
 * @param {Node} node
 * @param {(part: Declaration) => boolean} [isApart] Whether a part is only named in `others`.
 * @returns {Parts | undefined}
 */
export function partsOf(path, node, isApart = () => false) {
  const all = (/** @type {Node[]} */ nodes) => {
    const parts = nodes.map((each) => partsOf(path, each, isApart))
    if (parts.every((each) => each !== undefined))
      return { members: parts.flatMap((each) => each.members), others: parts.flatMap((each) => each.others) }
  }
  switch (node.type) {
    case 'TSTypeAliasDeclaration':
      return partsOf(path, node.typeAnnotation, isApart)
    case 'TSInterfaceDeclaration':
      return all([node.body, ...node.extends.map((/** @type {Node} */ each) => named(each.expression))])
    case 'TSIntersectionType':
      return all(node.types)
    case 'TSTypeReference': {
      const part = declarationOf(path, textOf(path, node.typeName))
      if (part && isApart(part)) return { members: [], others: [part] }
      return part && partsOf(part.path, part.node, isApart)
    }
    case 'TSMappedType': {
      const { type, typeAnnotation } = node.constraint
      return type === 'TSTypeOperator' ? partsOf(path, typeAnnotation, isApart) : undefined
    }
    case 'TSTypeLiteral':
    case 'TSInterfaceBody':
      return {
        members: (node.members ?? node.body).map((/** @type {Node} */ each) => memberOf(path, each)),
        others: [],
      }
  }
}
const named = (/** @type {Node} */ typeName) => ({ type: 'TSTypeReference', typeName })

/** @param {string} path @param {Node} node @returns {Member} */
function memberOf(path, node) {
  const name = node.key.name ?? node.key.value
  const type = node.typeAnnotation?.typeAnnotation ?? node
  return {
    name,
    type,
    text: textOf(path, type),
    comment: commentAbove(path, node),
    optional: node.optional,
    path,
  }
}
