// Defines commands: their arguments, action and output. The same fields read the command line, check what comes
// through the control socket, and write the help.

import * as v from 'valibot'
import { CommandError, type Commands } from '../../runtime/index.ts'

/** One argument. Without `value` it is a switch; if its schema allows undefined it is optional. */
type Field = { schema: v.GenericSchema; value?: string; description: string }
type Fields = Readonly<Record<string, Field>>
type ValuesOf<F extends Fields> = { [K in keyof F]: v.InferOutput<F[K]['schema']> }
type Given = Readonly<Record<string, unknown>>

export type Command = {
  description: string
  fields: Fields
  /** The field that is given without its name. */
  subject: string | undefined
  /** Throws an error that names the invalid argument. */
  check(given: Given): void
  perform(commands: Commands, given: Given): Promise<unknown>
  show(result: unknown): string
}

/** The commands about one noun such as `keys`, by their verbs. */
export type Noun = { description: string; verbs: Readonly<Record<string, Command>> }

/** The type of a value after a round trip through JSON. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

export function command<F extends Fields, R extends Json>({
  description,
  fields,
  subject,
  run,
  show,
}: {
  description: string
  fields: F
  subject?: keyof F & string
  run(commands: Commands, values: ValuesOf<F>): Promise<R>
  show(result: R): string
}): Command {
  const entries = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  const schema = v.strictObject(entries)
  function read(given: Given): ValuesOf<F> {
    const values = v.safeParse(schema, given)
    if (!values.success) throw new CommandError(describe(values.issues[0], fields, subject))
    return values.output as ValuesOf<F>
  }
  return {
    description,
    fields,
    subject,
    check: read,
    perform: async (commands, given) => run(commands, read(given)),
    show: (result) => show(result as R),
  }
}

/** Says what is wrong with an argument, and which values are allowed. */
function describe(issue: v.BaseIssue<unknown>, fields: Fields, subject: string | undefined): string {
  const name = String(issue.path?.[0]?.key)
  const field = fields[name]
  if (!field) return `There is no option --${name}. --help lists the options.`
  const label = name === subject ? `<${name}>` : `--${name}`
  if (issue.received === 'undefined')
    return `${field.value === undefined ? label : `${label} ${field.value}`} is missing: ${field.description}.`
  return `${label} is "${issue.path?.[0]?.value}". It must be ${issue.message}.`
}
