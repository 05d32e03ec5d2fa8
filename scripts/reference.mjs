// Writes the reference pages of the docs from what the package entries export: each name with its docstring and its type. Of a page, a person
// writes what stands above the mark.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { declarationOf, exportsOf, isSame, namedIn, partsOf, textOf } from './declarations.mjs'
import { ENTRIES } from './exports.mjs'
import { root } from './setup.mjs'

/** @typedef {import('./declarations.mjs').Declaration} Declaration */
/** @typedef {import('./declarations.mjs').Member} Member */
/** @typedef {import('./declarations.mjs').Node} Node */
/** @typedef {{ entry: string, page: string, name: string, isType: boolean, declaration: Declaration }} Exported */

/** Above it a person writes, below it the scripts do. */
export const MARK = '<!-- generated -->\n'
/** Names that have another page than the rest of their entry. @type {Record<string, Record<string, string[]>>} */
const MOVED = {
  'page-events.md': { 'foyer-webchat': ['Handle', 'PageEvents', 'PageEventType', 'Listener'] },
  'agents.md': { 'foyer-server/runtime': ['Agent', 'AgentEvent', 'AgentFor', 'Turn', 'Served', 'DeskState'] },
  'carriers.md': {
    'foyer-server/runtime': [
      ...['Carrier', 'TextMessage', 'SendOutcome', 'InboundMessage', 'Receipt'],
      ...['PhoneCall', 'CallLeg', 'CallOutcome'],
    ],
  },
}
/** Types whose members a reader looks up one by one, in a table. */
const OPTIONS = /(Options|Limits|RuntimeSettings|BffConnector)$/
const EVENTS = /Events$/

/** @type {Exported[]} */
export const all = Object.entries(ENTRIES).flatMap(([entry, { page, source }]) =>
  exportsOf(source).map(({ name, isType }) => {
    const declaration = declarationOf(source, name)
    if (!declaration) throw new Error(`${source}: exports ${name}, which no file declares`)
    const moved = Object.keys(MOVED).find((other) => MOVED[other]?.[entry]?.includes(name))
    return { entry, page: moved ?? page, name, isType, declaration }
  }),
)
const exported = (/** @type {Declaration} */ declaration) =>
  all.find((each) => isSame(each.declaration, declaration))

/** @param {string} text */
const inCell = (text) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/(^|=> )\| /g, '$1')
    .replaceAll('|', '\\|')
/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) =>
  [head, head.map(() => ':--'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** What an option is for, and its default. @param {string} comment */
export function readComment(comment) {
  const found = /(?:^|\s)Default:? (.+?)\.(?=\s|$)/.exec(comment)
  if (!found) return { text: comment, fallback: undefined }
  return { text: comment.replace(found[0], '').trim(), fallback: found[1] }
}
/** The type of a member without undefined, and whether it may be undefined. @param {Member} member */
function typeOf({ path, type, text, optional }) {
  const types = type.type === 'TSUnionType' ? type.types : []
  const isOpen = types.at(-1)?.type === 'TSUndefinedKeyword'
  if (!isOpen) return { text: withLiterals(path, text), isOmitted: optional }
  const [first] = types
  const [start, end] =
    types.length === 2 && first.type === 'TSParenthesizedType'
      ? [first.start + 1, first.end - 1]
      : [first.start, types.at(-2).end]
  return { text: withLiterals(path, textOf(path, { start, end })), isOmitted: true }
}

/** @param {Member[]} members @param {boolean} withAttributes */
function optionTable(members, withAttributes) {
  const rows = members.map((member) => {
    const { text, fallback } = readComment(member.comment)
    const type = typeOf(member)
    return [
      `\`${member.name}\``,
      ...(withAttributes ? [`\`data-${attributeOf(member.name)}\``] : []),
      `\`${inCell(type.text)}\``,
      fallback === undefined ? (type.isOmitted ? '' : 'required') : inCell(fallback),
      inCell(text),
    ]
  })
  return table(['Option', ...(withAttributes ? ['Attribute'] : []), 'Type', 'Default', 'What it does'], rows)
}
/** As the script tag's attributes without `data-`. @param {string} name */
export const attributeOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The fields that an event may have, of whatever kind it is. @param {Member} member */
function fieldsOf({ path, type }) {
  /** @type {Map<string, Set<string>>} */
  const fields = new Map()
  const collect = (/** @type {string} */ path, /** @type {Node} */ type) => {
    if (type.type === 'TSUnionType') for (const each of type.types) collect(path, each)
    else if (type.type === 'TSIntersectionType') collect(path, type.types[0])
    else if (type.typeArguments) collect(path, type.typeArguments.params[0])
    else {
      const named = type.type === 'TSTypeReference' ? declarationOf(path, type.typeName.name) : undefined
      if (named?.name === 'Stamp') return
      if (named) return collect(named.path, named.node.typeAnnotation)
      for (const member of partsOf(path, type)?.members ?? [])
        fields.set(member.name, (fields.get(member.name) ?? new Set()).add(typeOf(member).text))
    }
  }
  collect(path, type)
  return [...fields].map(([name, types]) => `\`${name}\`: \`${inCell([...types].join(' | '))}\``).join(', ')
}
/** @param {Member[]} members */
const eventTable = (members) =>
  table(
    ['Event', 'When', 'Fields'],
    members.map((member) => [`\`${member.name}\``, inCell(member.comment), fieldsOf(member) || 'none']),
  )

/** A type, with the texts of a list in place of the list's name. @param {string} path @param {string} text */
const withLiterals = (path, text) =>
  text.replace(/\(typeof (\w+)\)\[number\]/g, (whole, list) => {
    const { elements } = declarationOf(path, list)?.node.init?.expression ?? {}
    return elements?.map((/** @type {Node} */ { raw }) => raw).join(' | ') ?? whole
  })

/** A declaration without what it does inside. @param {Declaration} declaration @param {string} name */
function written({ path, node, name: inner }, name) {
  const text = (/** @type {Node} */ part) => textOf(path, part)
  const run = node.init ?? node
  if (run.params) {
    const given = run.params.map((/** @type {Node} */ param) => {
      const [into, isOptional] =
        param.type === 'AssignmentPattern' ? [param.left, true] : [param, param.optional]
      const type = into.typeAnnotation ? text(into.typeAnnotation) : `: ${typeof param.right.value}`
      return `${into.name ?? 'options'}${isOptional ? '?' : ''}${type}`
    })
    return `function ${name}(${given.join(', ')})${text(run.returnType)}`
  }
  if (node.type === 'ClassDeclaration') {
    const [first] = node.body.body.filter((/** @type {Node} */ { kind }) => kind === 'constructor')
    return first ? `${text({ ...node, end: first.start }).trimEnd()}\n}` : text(node)
  }
  const type = withLiterals(path, text(node))
  return node.type === 'VariableDeclarator' ? `const ${type}` : type.replace(` ${inner}`, ` ${name}`)
}

/** The parts of a declaration that a user of it sees. @param {Node} node @returns {Node[]} */
function signatureOf(node) {
  const run = node.init ?? node
  if (run.params)
    return [
      ...run.params.flatMap((/** @type {Node} */ each) => (each.left ?? each).typeAnnotation ?? []),
      run.returnType,
    ]
  if (node.type !== 'ClassDeclaration') return [node]
  return [
    ...node.implements,
    ...node.body.body.filter((/** @type {Node} */ { kind }) => kind !== 'constructor'),
  ]
}

/** A type that no reader needs to see: it only computes another one, or has a name that says it all. @param {Declaration} declaration */
const isHelper = (declaration) =>
  !exported(declaration) &&
  !isOfApi(declaration) &&
  (!declaration.comment || Boolean(declaration.node.typeParameters))

/** A type that a schema of the API defines. @param {Declaration} declaration */
const isOfApi = ({ path, node }) => textOf(path, node).includes('v.Infer')

/** The page of each declaration that is written. @type {Map<string, string>} */
const homes = new Map()
const idOf = (/** @type {Declaration} */ { path, name }) => `${path} ${name}`

/** The section of a name, and the declarations that it names. @param {Declaration} declaration @param {string} page */
export function sectionOf(declaration, page) {
  const { path, node, comment } = declaration
  const isExported = exported(declaration) !== undefined
  const { name } = exported(declaration) ?? declaration
  const [isEvents, isOptions] = [EVENTS.test(name), OPTIONS.test(name)]
  const parts =
    isEvents || isOptions
      ? partsOf(path, node, (part) => isOptions && exported(part) !== undefined)
      : undefined
  const named = parts
    ? [...parts.others, ...parts.members.flatMap((each) => namedIn(each.path, each.type))]
    : signatureOf(node).flatMap((each) => namedIn(path, each))
  const shown = named.filter(
    (each, at) =>
      !isHelper(each) && !isSame(each, declaration) && at === named.findIndex((other) => isSame(each, other)),
  )
  const link = (/** @type {Declaration} */ each) => {
    if (!exported(each) && isOfApi(each)) return `[\`${each.name}\`](api.md)`
    const { name: to, page: on } = exported(each) ?? { name: each.name, page: homes.get(idOf(each)) ?? page }
    return `[\`${to}\`](${on === page ? '' : on}#${to.toLowerCase()})`
  }
  const type = parts ? '' : written(declaration, name)
  const text = [
    `### ${name}`,
    isExported ? comment : `Not exported. ${comment}`.trim(),
    parts && parts.others.length > 0 && `All of ${parts.others.map(link).join(' and ')}, and:`,
    parts &&
      (isEvents ? eventTable(parts.members) : optionTable(parts.members, path === 'src/embed/options.ts')),
    type && isOfApi(declaration) && 'Its fields are in [the API](api.md).',
    type && !isOfApi(declaration) && `\`\`\`ts\n${type}\n\`\`\``,
    shown.length > 0 && `Types: ${shown.map(link).join(', ')}.`,
  ]
  return { text: text.filter(Boolean).join('\n\n'), named: shown }
}

/** What stands below the mark of a page: each name, and after it those of the same entry that it names. @param {string} page */
function generated(page) {
  const here = all.filter((each) => each.page === page)
  // Entries from which names were moved to this page come first.
  const entries = new Set([...Object.keys(MOVED[page] ?? {}), ...here.map(({ entry }) => entry)])
  return [...entries]
    .flatMap((entry) => {
      const own = here.filter((each) => each.entry === entry)
      /** @param {Declaration} declaration @returns {string[]} */
      const withNamed = (declaration) => {
        const outside = exported(declaration)
        if (outside ? !own.includes(outside) : isOfApi(declaration)) return []
        if (homes.has(idOf(declaration))) return []
        homes.set(idOf(declaration), page)
        const { text, named } = sectionOf(declaration, page)
        return [text, ...named.flatMap(withNamed)]
      }
      const values = own.filter(({ isType }) => !isType).map(({ name }) => name)
      const rank = (/** @type {Exported} */ { name, isType }) =>
        name.toLowerCase() === page.replace(/-|\.md/g, '') ? 0 : isType ? 3 : /^[A-Z]/.test(name) ? 2 : 1
      const order =
        MOVED[page]?.[entry]?.flatMap((name) => own.filter((each) => each.name === name)) ??
        [...own].sort((one, other) => rank(one) - rank(other))
      return [
        `## ${entry}`,
        ...(values.length > 0 ? [`\`\`\`js\nimport { ${values.join(', ')} } from '${entry}'\n\`\`\``] : []),
        ...order.flatMap(({ declaration }) => withNamed(declaration)),
      ]
    })
    .join('\n\n')
}
const read = (/** @type {string} */ page) => readFileSync(join(root, 'docs', page), 'utf8')
/** By page; a type that several pages name is on the first of them. `scripts/tables.ts` writes the page on the wire. */
const REFERENCE = new Map(
  [...new Set(all.map(({ page }) => page))].flatMap((page) =>
    page === 'wire.md' ? [] : [[page, generated(page)]],
  ),
)
/** The page with what is generated below its mark. @param {string} text @param {string | undefined} reference */
export const withReference = (text, reference) =>
  `${text.slice(0, text.indexOf(MARK) + MARK.length)}\n${reference}\n`

export function writeReference() {
  for (const [page, reference] of REFERENCE) {
    const text = read(page)
    if (text.includes(MARK)) writeFileSync(join(root, 'docs', page), withReference(text, reference))
  }
}

/** Exports and options without a docstring, and pages that differ from them. @param {(page: string) => string} [now] What a page holds. */
export const flawsOfReference = (now = read) => [
  ...all
    .filter(({ declaration }) => !declaration.comment)
    .map(({ name, declaration }) => `${declaration.path}: the exported ${name} has no docstring`),
  ...[...REFERENCE].flatMap(([page, reference]) => {
    const text = now(page)
    if (!text.includes(MARK)) return [`docs/${page}: has no line ${MARK.trim()}`]
    const bare = text.match(/^\| `.* \| {2}\|$/gm) ?? []
    return [
      ...bare.map((row) => `docs/${page}: no docstring says what this is: ${row}`),
      ...(withReference(text, reference) === text
        ? []
        : [`docs/${page}: differs from the source. Run npm run check -- --write`]),
    ]
  }),
]
