// The operator's commands, `foyer-server <noun> <verb> …`. One table says what each takes, does and shows: it reads
// the command line, checks what comes through the control socket, and writes the help.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { E164, ENVIRONMENTS } from './api/index.ts'
import { askControl, type ControlRequest } from './control.ts'
import {
  CommandError,
  type Commands,
  DataFolderError,
  type KeyOptions,
  openCommands,
  PERMISSIONS,
} from './runtime/index.ts'
import { databaseProblem, readData, readRegion } from './settings.ts'

/** How long a command waits for a folder that somebody is just opening, closing or working on. */
const BUSY_MS = 20_000
const KINDS = ['runtime', 'build', 'calling'] as const satisfies readonly KeyOptions['kind'][]
const SENDERS = ['sms', 'rcs'] as const

/** One argument. Where it has no `value` it is a switch; where it may be undefined it may be left away. */
type Field = { schema: v.GenericSchema; value?: string; says: string }
type Fields = Readonly<Record<string, Field>>
type ValuesOf<F extends Fields> = { [K in keyof F]: v.InferOutput<F[K]['schema']> }

type Command = {
  says: string
  fields: Fields
  /** Which of the fields stands without its name. */
  subject: string | undefined
  /** Throws what is wrong with the arguments. */
  check(given: Readonly<Record<string, unknown>>): void
  perform(commands: Commands, given: Readonly<Record<string, unknown>>): Promise<unknown>
  show(result: unknown): string
}

/** What is done with a result after it went through JSON: so it holds nothing else. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

function command<F extends Fields, R extends Json>({
  says,
  fields,
  subject,
  run,
  show,
}: {
  says: string
  fields: F
  subject?: keyof F & string
  run(commands: Commands, values: ValuesOf<F>): Promise<R>
  show(result: R): string
}): Command {
  const entries = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  const schema = v.strictObject(entries)
  function read(given: Readonly<Record<string, unknown>>): ValuesOf<F> {
    const values = v.safeParse(schema, given)
    if (!values.success) throw new CommandError(describe(values.issues[0], fields, subject))
    return values.output as ValuesOf<F>
  }
  return {
    says,
    fields,
    subject,
    check: read,
    perform: async (commands, given) => run(commands, read(given)),
    show: (result) => show(result as R),
  }
}

const text = (form: RegExp, is: string) => v.pipe(v.string(is), v.regex(form, is))
const oneOf = <const T extends readonly string[]>(names: T) => v.picklist(names, `one of ${names.join(', ')}`)
const id = (is: string) => text(/^[\w.:-]{1,100}$/, is)
const slug = (of: string) =>
  text(/^[a-z0-9][a-z0-9-]{0,62}$/, `a short name for ${of}: small letters, digits and hyphens`)

const ACCOUNT = id('the ID of an account, as ws-shop0001')
const PROJECT = id('the ID of a project, as PROJECT-shop0001')
const CONNECTOR = id('the ID of a connector, as CON-shop0001')
const NAMED_PERMISSIONS = v.pipe(
  v.string('permissions with commas between them'),
  v.transform((names) => names.split(',').map((name) => name.trim())),
  v.array(oneOf(PERMISSIONS)),
)
const NUMBER = v.pipe(
  v.string(),
  v.transform((number) => number.replace(/[\s().-]/g, '')),
  v.regex(E164, 'a phone number with its country, as +15005550010'),
)
const SENDER_ADDRESS = text(/^\S{1,100}$/, 'a phone number, as +15005550006, or the ID of an RCS sender')

const createKey = command({
  says: 'Makes a key. Its secret is shown this once.',
  fields: {
    account: { schema: ACCOUNT, value: 'ws-…', says: 'whose key it is' },
    kind: {
      schema: v.optional(oneOf(KINDS)),
      value: KINDS.join('|'),
      says: 'for the runtime API, for a build API, or for outbound calls (default: runtime)',
    },
    project: {
      schema: v.optional(PROJECT),
      value: 'PROJECT-…',
      says: 'for this project only (default: all)',
    },
    connector: {
      schema: v.optional(CONNECTOR),
      value: 'CON-…',
      says: 'of a calling key: whose calls it makes',
    },
    permissions: {
      schema: v.optional(NAMED_PERMISSIONS),
      value: 'a,b',
      says: `of a runtime key: some of ${PERMISSIONS.join(', ')} (default: all)`,
    },
    region: {
      schema: v.optional(text(/^[a-z0-9][a-z0-9-]{0,31}$/, 'the name of a region, as euw-1')),
      value: 'name',
      says: 'where it is good (default: the region of the server)',
    },
    name: {
      schema: v.optional(text(/^.{1,100}$/, 'up to 100 characters')),
      value: 'text',
      says: 'a note for you',
    },
  },
  async run(commands, { account, kind, project, connector, permissions, region, name }) {
    const { key, secret } = await commands.createKey({
      accountId: account,
      ...(kind && { kind }),
      ...(project && { projectId: project }),
      ...(connector && { connectorId: connector }),
      ...(permissions && { permissions }),
      ...(region && { region }),
      ...(name && { name }),
    })
    return { key: keyOf(key), secret }
  },
  show: ({ key, secret }) => `${keyTable([key])}\n\n${once('key', secret)}`,
})

const createConnector = command({
  says: 'Makes a connector, with which a site gets access tokens. Its token is shown this once.',
  fields: {
    account: { schema: ACCOUNT, value: 'ws-…', says: 'whose connector it is' },
    project: { schema: PROJECT, value: 'PROJECT-…', says: 'which project it opens' },
    host: {
      schema: text(
        /^(https?:\/\/)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/,
        'a domain, an origin or the namespace of an app, as shop.example.com',
      ),
      value: 'shop.example.com',
      says: 'the site that may use it',
    },
    environment: {
      schema: oneOf(ENVIRONMENTS),
      value: ENVIRONMENTS.join('|'),
      says: 'where its conversations are listed',
    },
    'allow-subdomains': {
      schema: v.optional(v.boolean(), false),
      says: 'subdomains of the host may use it too',
    },
    'outbound-calling': { schema: v.optional(v.boolean(), false), says: 'its calling keys may make calls' },
  },
  async run(commands, { account, project, host, environment, ...switches }) {
    const { connector, token } = await commands.createConnector({
      accountId: account,
      projectId: project,
      host,
      environment,
      allowSubdomains: switches['allow-subdomains'],
      outboundCalling: switches['outbound-calling'],
    })
    return { connector: connectorOf({ ...connector, revoked: false }), token }
  },
  show: ({ connector, token }) => `${connectorTable([connector])}\n\n${once('connector token', token)}`,
})

const NOUNS: Readonly<Record<string, { says: string; verbs: Readonly<Record<string, Command>> }>> = {
  keys: {
    says: 'API keys',
    verbs: {
      create: createKey,
      list: command({
        says: 'Lists the keys, without their secrets: those are stored nowhere.',
        fields: {},
        run: async (commands) => (await commands.keys()).map(keyOf),
        show: (keys) => (keys.length === 0 ? 'There are no keys.' : keyTable(keys)),
      }),
      revoke: command({
        says: 'Revokes a key: from now on it is answered with 401.',
        fields: { id: { schema: id('the ID of a key, as KEY-1a2b3c4d'), says: 'the ID of the key' } },
        subject: 'id',
        async run(commands, { id }) {
          if (!(await commands.revokeKey(id)))
            throw new CommandError(`There is no key ${id}, or it was revoked before. See: keys list`)
          return { id, revoked: true }
        },
        show: ({ id }) => `${id} is revoked.`,
      }),
    },
  },
  connectors: {
    says: 'connectors: what a site has to show for itself',
    verbs: {
      create: createConnector,
      list: command({
        says: 'Lists the connectors, without their tokens: those are stored nowhere.',
        fields: {},
        run: async (commands) => (await commands.connectors()).map(connectorOf),
        show: (all) => (all.length === 0 ? 'There are no connectors.' : connectorTable(all)),
      }),
      revoke: command({
        says: 'Revokes a connector: from now on it gets no access tokens, and those it got are refused.',
        fields: { id: { schema: CONNECTOR, says: 'the ID of the connector' } },
        subject: 'id',
        async run(commands, { id }) {
          if (!(await commands.revokeConnector(id)))
            throw new CommandError(
              `There is no connector ${id}, or it was revoked before. See: connectors list`,
            )
          return { id, revoked: true }
        },
        show: ({ id }) => `${id} is revoked.`,
      }),
    },
  },
  projects: {
    says: 'projects, and the accounts they are in',
    verbs: {
      create: command({
        says: 'Makes a project, and the account where it is the first in it.',
        fields: {
          slug: { schema: slug('the project'), value: 'name', says: 'its short name in addresses' },
          account: {
            schema: v.optional(text(/^ws-[a-z0-9]{8}$/, 'ws- and 8 small letters or digits, as ws-shop0001')),
            value: 'ws-…',
            says: 'the account (default: that of the slug, or a new one)',
          },
          'account-slug': {
            schema: v.optional(slug('the account')),
            value: 'name',
            says: 'the short name of the account; a new one needs it',
          },
          id: {
            schema: v.optional(
              text(/^PROJECT-[A-Za-z0-9]{8}$/, 'PROJECT- and 8 letters or digits, as PROJECT-shop0001'),
            ),
            value: 'PROJECT-…',
            says: 'its ID (default: made)',
          },
        },
        run: async (commands, { slug, account, 'account-slug': accountSlug, id }) =>
          projectOf(await commands.createProject({ slug, accountId: account, accountSlug, id })),
        show: (project) => projectTable([project]),
      }),
      list: command({
        says: 'Lists the projects.',
        fields: {},
        run: async (commands) => (await commands.projects()).map(projectOf),
        show: (all) => (all.length === 0 ? 'There are no projects.' : projectTable(all)),
      }),
    },
  },
  transcripts: {
    says: 'whether the API shows what was said',
    verbs: { on: transcripts(true), off: transcripts(false) },
  },
  senders: {
    says: 'numbers and RCS senders that a project writes from',
    verbs: {
      add: command({
        says: 'Adds a number or an RCS sender to a project.',
        fields: {
          address: { schema: SENDER_ADDRESS, says: 'a phone number, or the ID of an RCS sender' },
          project: { schema: PROJECT, value: 'PROJECT-…', says: 'whose sender it is' },
          environment: {
            schema: oneOf(ENVIRONMENTS),
            value: ENVIRONMENTS.join('|'),
            says: 'where it is used',
          },
          kind: {
            schema: v.optional(oneOf(SENDERS)),
            value: SENDERS.join('|'),
            says: 'default: sms for a number, else rcs',
          },
        },
        subject: 'address',
        async run(commands, { address, project, environment, kind }) {
          const number = v.safeParse(NUMBER, address)
          if (kind === 'sms' && !number.success)
            throw new CommandError(`<address> is "${address}". It must be ${number.issues[0].message}.`)
          const sender = {
            project_id: project,
            environment,
            kind: kind ?? (number.success ? 'sms' : 'rcs'),
            address: number.success ? number.output : address,
          }
          await commands.saveSender(sender)
          return sender
        },
        show: (sender) => senderTable([sender]),
      }),
      list: command({
        says: 'Lists the senders.',
        fields: {
          project: {
            schema: v.optional(PROJECT),
            value: 'PROJECT-…',
            says: 'of this project (default: all)',
          },
        },
        async run(commands, { project }) {
          const known = (await commands.projects()).map(({ id }) => id)
          if (project !== undefined && !known.includes(project)) throw noProject(project)
          const found = (project === undefined ? known : [project]).map((each) => commands.senders(each))
          return (await Promise.all(found)).flat()
        },
        show: (all) => (all.length === 0 ? 'There are no senders.' : senderTable(all)),
      }),
    },
  },
  erase: {
    says: 'what is to be forgotten, for ever',
    verbs: {
      conversation: command({
        says: 'Erases a conversation with all that hangs on it. There is no way back.',
        fields: {
          id: {
            schema: id('the ID of a conversation'),
            says: 'the ID of the conversation, as the API lists it',
          },
        },
        subject: 'id',
        async run(commands, { id }) {
          if (!(await commands.eraseConversation(id)))
            throw new CommandError(`There is no conversation ${id}. It may have been erased before.`)
          return { id, erased: true }
        },
        show: ({ id }) => `The conversation ${id} is erased.`,
      }),
      number: command({
        says: 'Erases what is known of a phone number: conversations, calls, consent. There is no way back.',
        fields: { number: { schema: NUMBER, says: 'the number of a person, as +15005550010' } },
        subject: 'number',
        run: async (commands, { number }) => ({ conversations: await commands.eraseNumber(number) }),
        show: ({ conversations }) =>
          conversations === 1 ? '1 conversation is erased.' : `${conversations} conversations are erased.`,
      }),
    },
  },
}

function transcripts(shown: boolean): Command {
  return command({
    says: shown
      ? 'The API shows what was said.'
      : 'The API shows that there were conversations, and no words of them.',
    fields: { project: { schema: PROJECT, says: 'the ID of the project' } },
    subject: 'project',
    async run(commands, { project }) {
      if (!(await commands.setTranscripts(project, shown))) throw noProject(project)
      return { project, transcripts: shown }
    },
    show: ({ project }) => `The transcripts of ${project} are ${shown ? 'on' : 'off'}.`,
  })
}

const noProject = (project: string) => new CommandError(`There is no project ${project}. See: projects list`)

type ListOf<K extends 'keys' | 'connectors' | 'projects'> = Awaited<ReturnType<Commands[K]>>[number]

const keyOf = ({ created_at, revoked_at, ...key }: ListOf<'keys'>) => ({
  ...key,
  created_at: created_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
})
const connectorOf = (connector: ListOf<'connectors'>) => ({ ...connector })
const projectOf = ({ settings: _, ...project }: ListOf<'projects'>) => ({ ...project })

const keyTable = (keys: readonly ReturnType<typeof keyOf>[]) =>
  table(
    ['ID', 'KIND', 'ACCOUNT', 'FOR', 'REGION', 'PERMISSIONS', 'STATE', 'NAME'],
    keys.map((key) => [
      key.id,
      key.kind,
      key.account_id,
      key.connector_id ?? key.project_id ?? 'all',
      key.region,
      key.permissions.length === PERMISSIONS.length ? 'all' : key.permissions.join(',') || 'none',
      key.revoked_at === null ? `since ${day(key.created_at)}` : `revoked ${day(key.revoked_at)}`,
      key.name,
    ]),
  )
const connectorTable = (connectors: readonly ReturnType<typeof connectorOf>[]) =>
  table(
    ['ID', 'HOST', 'ACCOUNT', 'PROJECT', 'ENVIRONMENT', 'STATE'],
    connectors.map((each) => [
      each.id,
      each.allow_subdomains ? `${each.host} and subdomains` : each.host,
      each.account_id,
      each.project_id,
      each.environment,
      each.revoked ? 'revoked' : each.outbound_calling ? 'chat and calls' : 'chat',
    ]),
  )
const projectTable = (projects: readonly ReturnType<typeof projectOf>[]) =>
  table(
    ['ID', 'SLUG', 'ACCOUNT', 'ACCOUNT SLUG', 'TRANSCRIPTS'],
    projects.map((each) => [
      each.id,
      each.slug,
      each.account_id,
      each.account_slug,
      each.transcripts ? 'on' : 'off',
    ]),
  )
const senderTable = (
  senders: readonly { address: string; kind: string; project_id: string; environment: string }[],
) =>
  table(
    ['ADDRESS', 'KIND', 'PROJECT', 'ENVIRONMENT'],
    senders.map((each) => [each.address, each.kind, each.project_id, each.environment]),
  )

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const day = (time: string): string => time.slice(0, 10)

const once = (what: string, secret: string): string =>
  `The ${what}, shown this once. Keep it where only your servers can read it:\n\n  ${secret}`

/** What is wrong with an argument, and what it may be. */
function describe(issue: v.BaseIssue<unknown>, fields: Fields, subject: string | undefined): string {
  const name = String(issue.path?.[0]?.key)
  const field = fields[name]
  if (!field) return `There is no option --${name}. --help lists those there are.`
  const label = name === subject ? `<${name}>` : `--${name}`
  if (issue.received === 'undefined')
    return `${field.value === undefined ? label : `${label} ${field.value}`} is missing: ${field.says}.`
  return `${label} is "${issue.path?.[0]?.value}". It must be ${issue.message}.`
}

/** Whether this is for the operator's commands; else it is a start. */
export const isOperator = (args: readonly string[]): boolean => Object.hasOwn(NOUNS, args[0] ?? '')

export const NOUN_HELP = Object.entries(NOUNS)
  .map(([noun, { says, verbs }]) => `  ${`${noun} ${Object.keys(verbs).join('|')}`.padEnd(30)} ${says}`)
  .join('\n')

/** Carries a command out; what it throws otherwise is a CommandError. For both ends of the control socket. */
export async function perform(commands: Commands, request: ControlRequest): Promise<unknown> {
  const [noun = '', verb = ''] = request.command.split(' ')
  return find(noun, verb).perform(commands, request.arguments)
}

function find(noun: string, verb: string | undefined): Command {
  const verbs = Object.hasOwn(NOUNS, noun) ? (NOUNS[noun]?.verbs ?? {}) : {}
  const found = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (found) return found
  const all = Object.keys(verbs).map((each) => `${noun} ${each}`)
  throw new CommandError(
    verb === undefined
      ? `Say what to do with ${noun}: ${all.join(', ')}.`
      : `There is no command ${noun} ${verb}. There are: ${all.join(', ')}.`,
  )
}

export type OperatorOptions = {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The data folder. */
  folder: string
  print(text: string): void
}

/** Does what the command line says. Throws what is to be said in one sentence. */
export async function operate({ args, env, folder, print }: OperatorOptions): Promise<void> {
  const [noun = '', verb, ...rest] = args
  if (verb === '--help' || verb === '-h') return print(nounHelp(noun))
  const found = find(noun, verb)
  const { help, json, given } = readArguments(found, rest)
  if (help) return print(commandHelp(`${noun} ${verb}`, found))
  found.check(given)
  const request = { command: `${noun} ${verb}`, arguments: given }
  const result = await carryOut(request, env, folder)
  print(json ? JSON.stringify(result) : found.show(result))
}

function readArguments({ fields, subject }: Command, args: readonly string[]) {
  const named = Object.entries(fields).filter(([name]) => name !== subject)
  const types = Object.fromEntries(
    named.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...types, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    // Strict, it would say what is wrong in three sentences.
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given: Record<string, string | boolean> = {}
  let [help, json] = [false, false]
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (subject === undefined || given[subject] !== undefined)
        throw new CommandError(
          `"${token.value}" is one word too many. --help shows how the command is written.`,
        )
      given[subject] = token.value
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const type = types[name]?.type ?? (['help', 'json'].includes(name) ? 'boolean' : undefined)
    if (type === undefined)
      throw new CommandError(`There is no option ${rawName}. --help lists those there are.`)
    if (type === 'boolean' && value !== undefined)
      throw new CommandError(`${rawName} takes no value. Leave "=${value}" away.`)
    if (type === 'string' && (value === undefined || (value.startsWith('-') && !token.inlineValue)))
      throw new CommandError(`${rawName} needs a value: ${rawName} ${fields[name]?.value}`)
    if (name === 'help') help = true
    else if (name === 'json') json = true
    else given[name] = value ?? true
  }
  return { help, json, given }
}

async function carryOut(
  request: ControlRequest,
  env: OperatorOptions['env'],
  folder: string,
): Promise<unknown> {
  const data = readData(env, folder)
  const region = readRegion(env)
  if (data === 'memory')
    throw new CommandError(
      'FOYER_DATA is memory, so there is nothing that a command could open. Leave it away.',
    )

  async function inStore(): Promise<unknown> {
    const { commands, close } = await openCommands(data, { region })
    try {
      // As it comes through the socket.
      return JSON.parse(JSON.stringify((await perform(commands, request)) ?? null))
    } finally {
      await close()
    }
  }
  if (!('folder' in data))
    return inStore().catch((error) => {
      throw databaseProblem(data, error) ?? error
    })

  const deadline = Date.now() + BUSY_MS
  for (;;) {
    const answer = await askControl(folder, request)
    if (answer && 'error' in answer) throw new CommandError(answer.error)
    if (answer) return answer.result
    // Everything else needs a project: in a wrong folder it would only leave an empty store.
    if (!existsSync(folder) && request.command !== 'projects create')
      throw new CommandError(
        `There is no data folder ${folder}. Run the command in the folder where foyer-server is started, or make a project first.`,
      )
    try {
      return await inStore()
    } catch (error) {
      // Only what another process holds is worth waiting for.
      const isBusy = error instanceof DataFolderError && !error.message.includes('cannot be written')
      if (!isBusy || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}

function nounHelp(noun: string): string {
  const { says = '', verbs = {} } = NOUNS[noun] ?? {}
  const lines = Object.entries(verbs).map(
    ([verb, each]) => `  ${usage(`${noun} ${verb}`, each)}\n      ${each.says}`,
  )
  return `foyer-server ${noun}: ${says}\n\n${lines.join('\n')}\n\n--help after a command lists its options.`
}

const usage = (words: string, { fields, subject }: Command): string => {
  const named = Object.entries(fields).filter(([name]) => name !== subject)
  const needed = named.filter(([, { schema }]) => !v.is(schema, undefined))
  return [
    words,
    ...(subject === undefined ? [] : [`<${subject}>`]),
    ...needed.map(([name, { value }]) => `--${name} ${value}`),
    ...(needed.length < named.length ? ['[options]'] : []),
  ].join(' ')
}

function commandHelp(words: string, found: Command): string {
  const lines = Object.entries(found.fields).map(([name, { value, says }]): [string, string] => [
    name === found.subject ? `<${name}>` : `--${name}${value === undefined ? '' : ` ${value}`}`,
    says,
  ])
  lines.push(['--json', 'the result as JSON, on one line'])
  const width = Math.max(...lines.map(([left]) => left.length))
  const options = lines.map(([left, says]) => `  ${left.padEnd(width)}  ${says}`).join('\n')
  return `foyer-server ${usage(words, found)}\n\n${found.says}\n\n${options}`
}
