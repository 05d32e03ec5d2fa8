// Writes the generated half of the reference pages whose facts stand in tables and types of the source: settings, commands, metrics, the
// HTTP API and the wire. `npm run check -- --write` writes it, and `npm run check` compares it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'valibot'
import { CREDENTIALS, METRICS, ROUTES, sessionStatusRoute } from '../src/api/index.ts'
import { START_ARGUMENTS, START_USAGE } from '../src/cli/arguments.ts'
import { CHECK_HELP } from '../src/cli/before-start/check.ts'
import { MOVE_HELP } from '../src/cli/before-start/move.ts'
import { argumentsOf, NOUNS, usage } from '../src/cli/commands/index.ts'
import { DOCS_HELP } from '../src/cli/docs-build.ts'
import { defaultInWords, SECTIONS, SETTINGS, type Setting, valuesInWords } from '../src/cli/settings-table.ts'
import { CLOSE, closeMeaning } from '../src/protocol/index.ts'
import { openApiDocument } from '../src/runtime/http/openapi.ts'
import {
  type Declaration,
  declarationOf,
  isSame,
  type Member,
  namedIn,
  partsOf,
  textOf,
} from './declarations.mjs'
import { all, MARK, sectionOf, withReference } from './reference.mjs'
import { root } from './setup.mjs'

/** What follows the mark, by page. */
const PAGES: Readonly<Record<string, () => string>> = {
  'docs/settings.md': settings,
  'docs/commands.md': commands,
  'docs/metrics.md': metrics,
  'docs/api.md': api,
  'docs/wire.md': wire,
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const written = (path: string, text: string): string => withReference(text, PAGES[path]?.().trim())

export function writeTables(): void {
  for (const path of Object.keys(PAGES)) writeFileSync(join(root, path), written(path, read(path)))
}

/** Pages that differ from the source. Throws where the source lacks a description. */
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
          valuesInWords(setting),
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
    const [title = ''] = line.split(/ [<[]/)
    const drawn = rest.map((part) => {
      const options = [...part.matchAll(/^ {2}(--.*?) {2,}(.*)$/gm)]
      if (options.length === 0) return `${named(part)}\n`
      return meanings(options.map(([, option = '', meaning = '']) => [option, meaning]))
    })
    return sections([`## ${title}\n`, shell(line), ...drawn])
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
  return sections([start, ofHelp(CHECK_HELP), ofHelp(MOVE_HELP), ofHelp(DOCS_HELP), ...nouns])
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

/** The types that payloads are made of, each once, without those that have no words of their own. */
function typesIn(found: readonly Declaration[], known: Declaration[] = []): Declaration[] {
  for (const each of found) {
    if (known.some((other) => isSame(each, other))) continue
    if (each.comment) known.push(each)
    typesIn(namedIn(each.path, each.node), known)
  }
  return known
}

function wire(): string {
  const EVENTS = 'src/protocol/events.ts'
  const eventTypes = ['ClientPayloads', 'ServerPayloads'].flatMap((name) => declarationOf(EVENTS, name) ?? [])
  const types = typesIn(eventTypes.flatMap(({ path, node }) => namedIn(path, node)))
  const isShape = (declaration: Declaration) =>
    types.some((each) => isSame(each, declaration)) &&
    partsOf(declaration.path, declaration.node) !== undefined
  const nameOf = ({ name, optional }: Member) => code(optional ? `${name}?` : name)
  const typeOf = ({ text, optional }: Member) => (optional ? text.replace(/ \| undefined$/, '') : text)
  const fieldsOf = (member: Member) => {
    const { members, others } = partsOf(EVENTS, member.type, isShape) ?? { members: [], others: [] }
    const fields = [
      ...others.map(({ name }) => `the fields of [${name}](#${name.toLowerCase()})`),
      ...members.map((field) => `${nameOf(field)}: ${code(typeOf(field))}`),
    ]
    return fields.join(', ') || 'empty'
  }
  const [client = '', server = ''] = eventTypes.map(({ path, node }) =>
    table(
      ['Event', 'Payload', 'Meaning'],
      (partsOf(path, node)?.members ?? []).map((event) => [nameOf(event), fieldsOf(event), event.comment]),
    ),
  )
  const described = types.map(({ path, name, node, comment }) => {
    const members = partsOf(path, node)?.members
    const words = textOf(path, node.typeAnnotation)
      .match(/'\w+'/g)
      ?.map((word) => code(word.slice(1, -1)))
    return sections([
      `### ${name}\n\n${comment}\n`,
      members
        ? table(
            ['Field', 'Type', 'Meaning'],
            members.map((field) => [nameOf(field), code(typeOf(field)), field.comment]),
          )
        : `Values: ${words?.join(', ')}.\n`,
    ])
  })

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

  const exported = all.filter(
    ({ entry, name, declaration }) =>
      entry === 'foyer-webchat/protocol' &&
      name !== 'CLOSE' &&
      ![...types, ...eventTypes].some((each) => isSame(each, declaration)),
  )
  return sections([
    `## Events that a client sends\n\n### ClientPayloads\n\n${client}`,
    `## Events that the service sends\n\n### ServerPayloads\n\n${server}`,
    '## Types\n',
    ...described,
    `## Close codes\n\n### CLOSE\n\n${table(['Code', 'Name in `CLOSE`', 'Sent when', 'The client'], codes)}`,
    'After any other code the client reconnects.\n',
    '## foyer-webchat/protocol\n',
    'It exports the types above, `CLOSE` with the codes, and:\n',
    ...exported.map(({ declaration }) => `${sectionOf(declaration, 'wire.md').text}\n`),
  ])
}
