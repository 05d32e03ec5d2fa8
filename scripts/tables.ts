// Writes the generated half of the reference pages whose facts stand in tables and types of the source: settings, commands, metrics, the
// HTTP API and the wire. `npm run check -- --write` writes it, and `npm run check` compares it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDescription, is } from 'valibot'
import { type ESTree, parseSync } from 'vite'
import { CREDENTIALS, METRICS, ROUTES, sessionStatusRoute } from '../src/api/index.ts'
import { START_ARGUMENTS, START_USAGE } from '../src/cli/arguments.ts'
import { CHECK_HELP } from '../src/cli/before-start/check.ts'
import { MOVE_HELP } from '../src/cli/before-start/move.ts'
import { argumentsOf, NOUNS, usage } from '../src/cli/commands/index.ts'
import { defaultInWords, SECTIONS, SETTINGS, type Setting } from '../src/cli/settings-table.ts'
import { CLOSE, closeMeaning } from '../src/protocol/index.ts'
import { openApiDocument } from '../src/runtime/http/openapi.ts'
import { exportedNames } from './exports.mjs'
import { root } from './setup.mjs'

const MARK = '<!-- generated -->\n'

/** What follows the mark, by page. */
const PAGES: Readonly<Record<string, () => string>> = {
  'docs/settings.md': settings,
  'docs/commands.md': commands,
  'docs/metrics.md': metrics,
  'docs/api.md': api,
  'docs/wire.md': wire,
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const written = (path: string, text: string): string =>
  `${text.split(MARK)[0]}${MARK}\n${PAGES[path]?.().trim()}\n`

export function writeTables(): void {
  for (const path of Object.keys(PAGES)) writeFileSync(join(root, path), written(path, read(path)))
}

/** Pages that differ from the source. Throws where the source describes something with no word. */
export const flawsOfTables = (now = read): string[] =>
  Object.keys(PAGES).flatMap((path) => {
    if (!now(path).includes(MARK)) return [`${path}: has no mark ${MARK.trim()}`]
    return now(path) === written(path, now(path))
      ? []
      : [`${path}: differs from the source. Run npm run check -- --write`]
  })

const code = (text: string) => `\`${text}\``
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  for (const row of rows) if (!row.at(-1)) throw new Error(`${row[0]} has no description in the source`)
  return `${[line(head), line(head.map(() => ':--')), ...rows.map(line)].join('\n')}\n`
}
const sentence = (text: string) => {
  const whole = /[.?!]$/.test(text) ? text : `${text}.`
  return whole[0]?.toUpperCase() + whole.slice(1)
}
/** Settings and files in the text, as code. */
const named = (text: string) => text.replace(/\bFOYER_[A-Z_]+\b|(?<![\w`])\.\/?\w+(\.mjs)?\b/g, code)
const sections = (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join('\n')

function settings(): string {
  const all = Object.entries(SETTINGS as Readonly<Record<string, Setting>>).filter(
    ([, { readBy }]) => readBy !== 'start',
  )
  return sections(
    Object.entries(SECTIONS).map(([section, title]) => {
      const rows = all
        .filter(([, setting]) => setting.section === section)
        .map(([name, setting]) => [
          code(name),
          getDescription(setting.schema as Parameters<typeof getDescription>[0]) ?? '',
          defaultInWords(setting),
          `${sentence(setting.help)} ${setting.more ?? ''}`,
        ])
      return `## ${title}\n\n${table(['Setting', 'Values', 'Default', 'Meaning'], rows)}`
    }),
  )
}

function commands(): string {
  const shell = (line: string) => `\`\`\`sh\n${line}\n\`\`\`\n`
  const meanings = (rows: readonly (readonly [string, string])[]) =>
    rows.length > 0 &&
    table(
      ['Argument', 'Meaning'],
      rows.map(([name, what]) => [code(name), named(sentence(what))]),
    )
  const ofHelp = (help: string) => {
    const [line = '', ...rest] = help.split('\n\n')
    const [, name] = line.split(' ')
    return sections([`## foyer-server ${name}\n`, shell(line), `${named(rest.join('\n\n'))}\n`])
  }
  const start = sections(['## foyer-server\n', shell(START_USAGE), meanings(Object.entries(START_ARGUMENTS))])
  const nouns = Object.entries(NOUNS).map(([noun, { description, verbs }]) =>
    sections([
      `## foyer-server ${noun}\n\n${sentence(description)}\n`,
      ...Object.entries(verbs).map(([verb, command]) => {
        const words = `${noun} ${verb}`.trim()
        const rows = argumentsOf(command).map(([written, meaning], at) => {
          const { schema } = Object.values(command.fields)[at] ?? {}
          return [
            written,
            schema && !is(schema, undefined) ? `Required. ${sentence(meaning)}` : meaning,
          ] as const
        })
        return sections([
          verb && `### ${words}\n`,
          shell(`foyer-server ${usage(words, command)}`),
          `${command.description}\n`,
          meanings(rows),
        ])
      }),
    ]),
  )
  return sections([start, ofHelp(CHECK_HELP), ofHelp(MOVE_HELP), ...nouns])
}

function metrics(): string {
  type Known = {
    kind: string
    help: string
    labels?: Readonly<Record<string, readonly string[]>>
    buckets?: readonly number[]
  }
  const rows = Object.entries<Known>(METRICS).map(([name, { kind, labels = {}, help, buckets }]) => [
    code(name),
    kind === 'timer' ? 'histogram' : kind,
    Object.entries(labels)
      .map(
        ([label, values]) => `${code(label)}${values.length > 0 ? `: ${values.map(code).join(', ')}` : ''}`,
      )
      .join('; '),
    `${sentence(help)}${buckets ? ` Buckets in seconds: ${buckets.join(', ')}.` : ''}`,
  ])
  return `## All metrics\n\n${table(['Metric', 'Type', 'Labels and their values', 'Meaning'], rows)}`
}

type Schema = {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema
  required?: readonly string[]
  description?: string
  default?: unknown
} & Readonly<Partial<Record<'format' | 'minimum' | 'maximum' | 'maxLength' | 'maxItems', string | number>>>
type Body = { content?: { 'application/json': { schema: Schema } } }
type Operation = {
  operationId: string
  summary: string
  description: string
  security: Readonly<Record<string, unknown>>[]
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: Body & { required: boolean }
  responses: Readonly<
    Record<string, Body & { description: string; headers: Record<string, { description: string }> }>
  >
}
type Document = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    securitySchemes: Readonly<Record<string, { name?: string }>>
  }
}

function typeIn(schema: Schema): string {
  const { $ref, type, items, anyOf, additionalProperties, format, minimum, maximum, maxLength, maxItems } =
    schema
  const name = $ref?.split('/').at(-1)
  if (name) return `[${name}](#${name.toLowerCase()})`
  if ('const' in schema) return code(String(schema.const))
  if (schema.enum) return schema.enum.map((each) => code(String(each))).join(', ')
  if (anyOf) return anyOf.map(typeIn).join(' or ')
  if (items) return `list of ${typeIn(items)}${maxItems === undefined ? '' : `, at most ${maxItems}`}`
  if (additionalProperties) {
    const values = typeIn(additionalProperties)
    return values === 'any' ? 'object' : `object, each value ${values}`
  }
  const limits = [
    format === 'date-time' && 'date and time in ISO 8601',
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
  ].filter(Boolean)
  return [type ?? 'any', ...limits].join(', ')
}
const meaningOf = (description: string | undefined, required: boolean, schema: Schema) =>
  description &&
  `${required ? 'Required. ' : ''}${sentence(description)}${schema.default === undefined ? '' : ` Default: ${code(String(schema.default))}.`}`

function api(): string {
  const { paths, components } = openApiDocument(
    ROUTES.filter((route) => route !== sessionStatusRoute),
    'Svc',
  ) as Document
  const typeOf = (body: Body | undefined) => {
    const schema = body?.content?.['application/json'].schema
    return schema
      ? Object.keys(schema.properties ?? { any: 1 }).length > 0
        ? typeIn(schema)
        : 'an empty object'
      : 'empty'
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary, description, security, parameters, requestBody, responses } = operation
      const [credential = ''] = Object.keys(security[0] ?? {})
      const header = components.securitySchemes[credential]?.name ?? CREDENTIALS.accessToken
      const [text = '', who = ''] = description.split(/\n\nCredential: /)
      return sections([
        `## ${summary}\n`,
        `\`\`\`http\n${method.toUpperCase()} ${path}\n\`\`\`\n`,
        `${text} In the client: ${code(operationId)}.\n`,
        `Credential, in the header ${code(header)}: ${who}\n`,
        parameters.length > 0 &&
          table(
            ['Parameter', 'In', 'Type', 'Meaning'],
            parameters.map((each) => [
              code(each.name),
              each.in,
              typeIn(each.schema),
              meaningOf(each.description, each.required, each.schema) ?? '',
            ]),
          ),
        requestBody && `Body${requestBody.required ? '' : ' (optional)'}: ${typeOf(requestBody)}.\n`,
        table(
          ['Status', 'Body', 'When'],
          Object.entries(responses).map(([status, answer]) => [
            status,
            typeOf(answer),
            [
              sentence(answer.description),
              ...Object.entries(answer.headers)
                .filter(([name]) => !name.endsWith('-Correlation-Id'))
                .map(([name, { description }]) => `Header ${code(name)}: ${sentence(description)}`),
            ].join(' '),
          ]),
        ),
      ])
    }),
  )
  const bodies = Object.entries(components.schemas).map(
    ([name, { description, properties = {}, required = [] }]) =>
      sections([
        `### ${name}\n`,
        description && `${sentence(description)}\n`,
        table(
          ['Field', 'Type', 'Meaning'],
          Object.entries(properties).map(([field, schema]) => [
            code(required.includes(field) ? field : `${field}?`),
            typeIn(schema),
            meaningOf(schema.description, false, schema) ?? '',
          ]),
        ),
      ]),
  )
  return sections([...operations, '## Bodies\n\nA field with `?` may be missing.\n', ...bodies])
}

/** A type, function or constant of src/protocol. */
type Declared = {
  comment: string
  node: ESTree.Node
  text: (node: ESTree.Node) => string
  note: (node: ESTree.Node) => string
}

function protocol(): Map<string, Declared> {
  const declared = new Map<string, Declared>()
  const files = readdirSync(join(root, 'src/protocol')).filter((name) => name.endsWith('.ts'))
  for (const path of files.map((name) => `src/protocol/${name}`)) {
    const source = read(path)
    const { program, comments } = parseSync(path, source)
    const text = ({ start, end }: ESTree.Node) =>
      source.slice(start, end).replace(/\s+/g, ' ').replace(/^\| /, '')
    const note = ({ start }: ESTree.Node) => {
      const found = comments.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '')
      return found?.value.startsWith('*')
        ? found.value
            .replace(/^\s*\*+/gm, '')
            .replace(/\s+/g, ' ')
            .trim()
        : ''
    }
    for (const statement of program.body) {
      const node = (statement.type === 'ExportNamedDeclaration' && statement.declaration) || statement
      const named = node.type === 'VariableDeclaration' ? node.declarations[0] : node
      const id = named && 'id' in named ? named.id : undefined
      if (id?.type === 'Identifier') declared.set(id.name, { comment: note(statement), node, text, note })
    }
  }
  return declared
}
/** The type of a field that `?` marks as one that may be missing. */
const bare = (type: string) => type.replace(/ ?\| undefined/g, '')
type Field = { name: string; type: ESTree.Node; comment: string }

function fieldsOf({ text, note }: Declared, type: ESTree.Node): Field[] {
  if (type.type !== 'TSTypeLiteral') return []
  return type.members.flatMap((member) =>
    member.type === 'TSPropertySignature' && member.typeAnnotation
      ? [
          {
            name: `${text(member.key)}${member.optional ? '?' : ''}`,
            type: member.typeAnnotation.typeAnnotation,
            comment: note(member),
          },
        ]
      : [],
  )
}

function wire(): string {
  const declared = protocol()
  const the = (name: string): Declared => {
    const found = declared.get(name)
    if (!found) throw new Error(`src/protocol has no ${name}`)
    return found
  }
  const typeOf = ({ node }: Declared) =>
    node.type === 'TSTypeAliasDeclaration' ? node.typeAnnotation : undefined
  const aliases = [...declared].flatMap(([name, each]) => {
    const type = typeOf(each)
    return type ? [{ name, each, type, fields: fieldsOf(each, type) }] : []
  })
  const shapes = aliases.filter(
    ({ name, fields, each }) =>
      fields.length > 0 && each.comment && !/Payloads$|^(Envelope|Drop|Frame|Request)$/.test(name),
  )
  const linked = (name: string) =>
    shapes.some((shape) => shape.name === name)
      ? `the fields of [${name}](#${name.toLowerCase()})`
      : undefined
  /** The fields of a payload, on one line. */
  const payload = (of: Declared, type: ESTree.Node): string => {
    if (type.type === 'TSIntersectionType') return type.types.map((each) => payload(of, each)).join(', ')
    if (type.type === 'TSTypeReference') {
      const name = of.text(type)
      const [alias, inner] = [linked(name), declared.get(name) && typeOf(the(name))]
      return alias ?? (inner?.type === 'TSTypeLiteral' ? payload(the(name), inner) : 'empty')
    }
    return fieldsOf(of, type)
      .map((field) => code(`${field.name}: ${bare(of.text(field.type))}`))
      .join(', ')
  }
  const events = (name: string) => {
    const of = the(name)
    const type = typeOf(of)
    if (!type) throw new Error(`${name} is no type`)
    return table(
      ['Type', 'Payload', 'Meaning'],
      fieldsOf(of, type).map((event) => [code(event.name), payload(of, event.type), event.comment]),
    )
  }
  const words = aliases.filter(
    ({ name, type, each }) =>
      /^TS(Union|Literal)Type$/.test(type.type) && name !== 'CloseMeaning' && /^'/.test(each.text(type)),
  )

  const close = read('src/protocol/close.ts')
  const reactions = new Map(
    [...close.matchAll(/\/\*\* (.*) \*\/\n {2}\| '(\w+)'/g)].map(([, comment = '', word = '']) => [
      word,
      comment,
    ]),
  )
  const codes = [...close.matchAll(/\/\*\* (.*) \*\/\n {2}(\w+): (\d+),/g)].map(
    ([, comment = '', name = '', number = '']) => [
      number,
      code(name),
      comment,
      /^The client's own/.test(comment) ? '–' : (reactions.get(closeMeaning(Number(number))) ?? ''),
    ],
  )
  if (codes.length !== Object.keys(CLOSE).length) throw new Error('a close code has no comment')

  const names = exportedNames(read('src/protocol/package.ts'))
  const exported = names.map((name) => ({ name, ...the(name) }))
  const values = exported.filter((each) => !typeOf(each))
  const types = exported.filter((each) => typeOf(each))
  const parameter = (param: ESTree.Node, text: Declared['text']) =>
    param.type === 'AssignmentPattern' ? text(param.left).replace(/^\w+/, '$&?') : text(param)
  const signature = ({ name, node, text }: Declared & { name: string }) =>
    node.type === 'FunctionDeclaration' && node.body
      ? `${name}(${node.params.map((each) => parameter(each, text)).join(', ')})${node.returnType ? text(node.returnType) : ''}`
      : name

  return sections([
    `## Events that a client sends\n\n${events('ClientPayloads')}`,
    `## Events that the service sends\n\n${events('ServerPayloads')}`,
    '## Shapes\n',
    ...shapes.map(
      ({ name, each, fields }) =>
        `### ${name}\n\n${each.comment}\n\n${table(
          ['Field', 'Type', 'Meaning'],
          fields.map((field) => [code(field.name), code(bare(each.text(field.type))), field.comment]),
        )}`,
    ),
    `## Words\n\n${table(
      ['Type', 'Values', 'Meaning'],
      words.map(({ name, each, type }) => [
        code(name),
        each
          .text(type)
          .split(' | ')
          .map((word) => code(word.slice(1, -1)))
          .join(', '),
        each.comment,
      ]),
    )}`,
    `## Close codes\n\n${table(['Code', 'Name in `CLOSE`', 'Sent when', 'The client'], codes)}`,
    'After any other code the client reconnects.\n',
    '## What `foyer-webchat/protocol` exports\n',
    table(
      ['Function or constant', 'Meaning'],
      values.map((each) => [code(signature(each)), each.comment]),
    ),
    table(
      ['Type', 'Meaning'],
      types.map((each) => [code(each.name), each.comment]),
    ),
  ])
}
