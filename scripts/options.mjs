// Reads the options of the chat, with their types and comments, from src/embed/options.ts, and writes from them the JSON Schema and the custom
// elements manifest of foyer-webchat and the table of docs/embedding.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './setup.mjs'

/** @typedef {Record<string, any>} Node A node of a syntax tree, as ESTree has it. */
/** @typedef {{ name: string, type: Node, text: string, comment: string, optional: boolean }} Member `text`: its type as it is written. */
/** @typedef {{ type?: string, enum?: string[], anyOf?: Schema[], items?: Schema, properties?: Record<string, Schema>, required?: string[], additionalProperties?: Schema | false, description?: string, default?: unknown }} Schema */

/** Where each type stands. */
const TYPES = {
  Options: 'src/embed/options.ts',
  Details: 'src/embed/options.ts',
  FormField: 'src/ui/context/prechat-settings.ts',
  Feature: 'src/ui/context/site.ts',
  Register: 'src/ui/locales/en.ts',
  OwnWords: 'src/ui/locales/en.ts',
  PageEvents: 'src/embed/page-events.ts',
  ChatEvents: 'src/chat/state/model.ts',
}
const PAGE = 'docs/embedding.md'
const MARKED = /(<!-- options -->\n)[\s\S]*?(<!-- \/options -->)/
/** Options that only the script tag has, or that the element itself replaces. */
const NOT_OF_ELEMENT = ['target', 'compat']

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

/** @param {string} path */
function parsed(path) {
  const source = read(path)
  const { program, comments } = parseSync(path, source)
  return { source, body: /** @type {Node[]} */ (program.body), comments }
}
/** What a named type is. @param {string} name @returns {Node} */
function declared(name) {
  const path = TYPES[/** @type {keyof typeof TYPES} */ (name)]
  if (!path) throw new Error(`scripts/options.mjs does not know where the type ${name} stands`)
  for (const statement of parsed(path).body) {
    const node = statement.declaration ?? statement
    if (node.id?.name === name) return node.typeAnnotation
  }
  throw new Error(`${path} has no type ${name}`)
}
/** The members of an object type, and of what it is an intersection of. @param {string} name @returns {Member[]} */
function membersOf(name) {
  const path = TYPES[/** @type {keyof typeof TYPES} */ (name)]
  const { source, comments } = parsed(path)
  const commentAbove = (/** @type {Node} */ node) => {
    const found = comments.find(({ end }) => end <= node.start && source.slice(end, node.start).trim() === '')
    return (found?.value ?? '')
      .replace(/^\s*\*+/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
  /** @param {Node} node @returns {Member[]} */
  const inside = (node) => {
    if (node.type === 'TSIntersectionType') return node.types.flatMap(inside)
    if (node.type === 'TSTypeReference') return membersOf(node.typeName.name)
    if (node.type === 'TSMappedType') {
      const of = node.constraint?.typeAnnotation ?? node.typeParameter?.constraint?.typeAnnotation
      return membersOf(of.typeName.name)
    }
    return node.members.map((/** @type {Node} */ member) => {
      const type = member.typeAnnotation.typeAnnotation
      return {
        name: member.key.name ?? member.key.value,
        type,
        text: source.slice(type.start, type.end),
        comment: commentAbove(member),
        optional: member.optional,
      }
    })
  }
  return inside(declared(name))
}

/** @param {Node} type @returns {Schema} */
function schemaOf(type) {
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
      return schemaOf(type.typeAnnotation)
    case 'TSTypeOperator':
      return schemaOf(type.typeAnnotation)
    case 'TSArrayType':
      return { type: 'array', items: schemaOf(type.elementType) }
    case 'TSMappedType':
      return { type: 'object', additionalProperties: { type: 'string' } }
    case 'TSIntersectionType':
      // `string & {}`: any text, beside those that editors suggest.
      return schemaOf(type.types[0])
    case 'TSUnionType': {
      const all = /** @type {Schema[]} */ (type.types.map(schemaOf))
      const literals = all.flatMap((each) => each.enum ?? [])
      const others = all.filter((each) => !each.enum)
      if (others.length === 0) return { enum: literals }
      return { anyOf: [...(literals.length > 0 ? [{ enum: literals }] : []), ...others] }
    }
    case 'TSTypeReference': {
      const { name } = type.typeName
      const [inner] = type.typeArguments?.params ?? []
      if (name === 'Readonly') return schemaOf(inner)
      if (name === 'Record') return { type: 'object', additionalProperties: { type: 'string' } }
      const node = declared(name)
      return node.type === 'TSTypeLiteral' ? objectOf(name) : schemaOf(node)
    }
  }
  throw new Error(`scripts/options.mjs cannot read a ${type.type}`)
}
/** @param {string} name @returns {Schema} */
function objectOf(name) {
  const members = membersOf(name)
  const required = members.filter(({ optional }) => !optional).map((member) => member.name)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, describedSchema(member)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
/** @param {Member} member @returns {Schema} */
function describedSchema({ type, comment }) {
  const [, given] = comment.match(/Default:? `?(\w+)`?(?=[.;])/) ?? []
  const schema = schemaOf(type)
  const isDefault =
    schema.enum?.includes(given ?? '') || (schema.type === 'boolean' && /^(true|false)$/.test(given ?? ''))
  return {
    ...schema,
    ...(comment && { description: comment }),
    ...(isDefault && { default: schema.type === 'boolean' ? given === 'true' : given }),
  }
}

/** As the script tag's attributes without `data-`. @param {string} name */
const attributeOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const schema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Options of foyer-webchat',
  ...objectOf('Options'),
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

/** What a text of the option may be, for people. @param {Schema} schema @returns {string} */
function valuesOf({ type, enum: values, anyOf }) {
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (type === 'boolean') return '`true`, `false`'
  if (anyOf?.some((each) => each.type === 'object' || each.items?.type === 'object')) return 'a text, or JSON'
  return 'a text'
}
function table() {
  const rows = membersOf('Options').map(
    ({ name, type, comment }) =>
      `| \`data-${attributeOf(name)}\` | ${valuesOf(schemaOf(type))} | ${comment.replaceAll('|', '\\|')} |`,
  )
  return ['| Attribute | Values | Meaning |', '| :-- | :-- | :-- |', ...rows].join('\n')
}

/** What is written from the options, by path. @returns {Record<string, string>} */
const written = () => ({
  'packages/foyer-webchat/options.schema.json': `${JSON.stringify(schema(), null, 2)}\n`,
  'packages/foyer-webchat/custom-elements.json': `${JSON.stringify(manifest(), null, 2)}\n`,
  [PAGE]: read(PAGE).replace(MARKED, (_, open, close) => `${open}\n${table()}\n\n${close}`),
})

export function writeOptions() {
  for (const [path, text] of Object.entries(written())) writeFileSync(join(root, path), text)
}

/** Where an option has no comment, and which files differ from the options. @param {(path: string) => string} [now] What a file holds. */
export function flawsOfOptions(now = read) {
  const bare = membersOf('Options').filter(({ comment }) => !comment)
  return [
    ...bare.map(({ name }) => `${TYPES.Options}: the option ${name} has no comment`),
    ...(MARKED.test(now(PAGE)) ? [] : [`${PAGE}: has no marks for the table of options`]),
    ...Object.entries(written())
      .filter(([path, text]) => now(path) !== text)
      .map(([path]) => `${path}: differs from ${TYPES.Options}. Run npm run check -- --write`),
  ]
}
