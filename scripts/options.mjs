// Writes the JSON Schema and the custom elements manifest of foyer-webchat from the types and docstrings of the chat's options.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { declarationOf, partsOf, textOf } from './declarations.mjs'
import { attributeOf, readComment } from './reference.mjs'
import { root } from './setup.mjs'

/** @typedef {import('./declarations.mjs').Node} Node */
/** @typedef {import('./declarations.mjs').Member} Member */
/** @typedef {{ type?: string, enum?: string[], anyOf?: Schema[], items?: Schema, properties?: Record<string, Schema>, required?: string[], additionalProperties?: Schema | false, description?: string, default?: unknown }} Schema */

const SOURCE = 'src/embed/index.ts'
/** Options that only the script tag has, or that the element itself replaces. */
const NOT_OF_ELEMENT = ['target', 'compat']

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

/** The members of an object type. @param {string} name @returns {Member[]} */
function membersOf(name) {
  const found = declarationOf(SOURCE, name)
  const parts = found && partsOf(found.path, found.node)
  if (!parts) throw new Error(`${SOURCE}: ${name} has no members`)
  return parts.members
}

/** @param {string} path @param {Node} type @returns {Schema} */
function schemaOf(path, type) {
  const inside = (/** @type {Node} */ part) => schemaOf(path, part)
  switch (type.type) {
    case 'TSStringKeyword':
      return { type: 'string' }
    case 'TSBooleanKeyword':
      return { type: 'boolean' }
    case 'TSNumberKeyword':
      return { type: 'number' }
    case 'TSLiteralType':
      return { enum: [type.literal.value] }
    case 'TSParenthesizedType':
      return inside(type.typeAnnotation)
    case 'TSTypeOperator':
      return inside(type.typeAnnotation)
    case 'TSArrayType':
      return { type: 'array', items: inside(type.elementType) }
    case 'TSMappedType':
      return { type: 'object', additionalProperties: { type: 'string' } }
    case 'TSIntersectionType':
      // `string & {}`: any text, beside those that editors suggest.
      return inside(type.types[0])
    case 'TSUnionType': {
      const all = /** @type {Schema[]} */ (type.types.map(inside))
      const literals = all.flatMap((each) => each.enum ?? [])
      const others = all.filter((each) => !each.enum)
      if (others.length === 0) return { enum: literals }
      return { anyOf: [...(literals.length > 0 ? [{ enum: literals }] : []), ...others] }
    }
    case 'TSTypeReference': {
      const { name } = type.typeName
      const [inner] = type.typeArguments?.params ?? []
      if (name === 'Readonly') return inside(inner)
      if (name === 'Record') return { type: 'object', additionalProperties: { type: 'string' } }
      const found = declarationOf(path, name)
      if (!found) throw new Error(`${path}: ${name} is declared nowhere`)
      const { typeAnnotation } = found.node
      if (typeAnnotation.type !== 'TSTypeLiteral') return schemaOf(found.path, typeAnnotation)
      return objectOf(partsOf(found.path, typeAnnotation)?.members ?? [])
    }
  }
  throw new Error(`scripts/options.mjs cannot read ${textOf(path, type)}`)
}
/** @param {Member[]} members @returns {Schema} */
function objectOf(members) {
  const required = members.filter(({ optional }) => !optional).map((member) => member.name)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, describedSchema(member)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
/** @param {Member} member @returns {Schema} */
function describedSchema({ path, type, comment }) {
  const [, given] = readComment(comment).fallback?.match(/^`?(\w+)`?(?=$|;)/) ?? []
  const schema = schemaOf(path, type)
  const isDefault =
    schema.enum?.includes(given ?? '') || (schema.type === 'boolean' && /^(true|false)$/.test(given ?? ''))
  return {
    ...schema,
    ...(comment && { description: comment }),
    ...(isDefault && { default: schema.type === 'boolean' ? given === 'true' : given }),
  }
}

const schema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Options of foyer-webchat',
  ...objectOf(membersOf('Options')),
})

function manifest() {
  const options = membersOf('Options').filter(({ name }) => !NOT_OF_ELEMENT.includes(name))
  const described = options.map(({ name, text, comment }) => ({
    name,
    description: comment,
    type: { text: `${text.replace(/\s+/g, ' ')} | undefined` },
  }))
  const declaration = {
    kind: 'class',
    customElement: true,
    name: 'FoyerChatElement',
    tagName: 'foyer-chat',
    description: 'A chat that is on the page as long as the element is.',
    superclass: { name: 'HTMLElement' },
    attributes: described.map(({ name, ...more }) => ({ name: attributeOf(name), ...more, fieldName: name })),
    members: [
      {
        kind: 'field',
        name: 'chat',
        description: 'The chat’s handle, as long as the element is on the page.',
        type: { text: 'Handle | undefined' },
        readonly: true,
      },
      ...described.map((each) => ({ kind: 'field', ...each, attribute: attributeOf(each.name) })),
    ],
    events: membersOf('PageEvents').map(({ name, comment }) => ({
      name: `foyer-${name}`,
      type: { text: `CustomEvent<PageEvents['${name}']>` },
      ...(comment && { description: comment }),
    })),
  }
  const name = 'element.js'
  return {
    schemaVersion: '2.1.0',
    modules: [
      {
        kind: 'javascript-module',
        path: name,
        declarations: [declaration],
        exports: [
          {
            kind: 'custom-element-definition',
            name: 'foyer-chat',
            declaration: { name: 'FoyerChatElement', module: name },
          },
        ],
      },
    ],
  }
}

/** What is written from the options, by path. @returns {Record<string, string>} */
const written = () => ({
  'packages/foyer-webchat/options.schema.json': `${JSON.stringify(schema(), null, 2)}\n`,
  'packages/foyer-webchat/custom-elements.json': `${JSON.stringify(manifest(), null, 2)}\n`,
})

export function writeOptions() {
  for (const [path, text] of Object.entries(written())) writeFileSync(join(root, path), text)
}

/** Which files differ from the options. @param {(path: string) => string} [now] What a file holds. */
export const flawsOfOptions = (now = read) =>
  Object.entries(written())
    .filter(([path, text]) => now(path) !== text)
    .map(([path]) => `${path}: differs from the options. Run npm run check -- --write`)
