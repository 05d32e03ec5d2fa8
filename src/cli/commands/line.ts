// Reads the command line of a command, and prints its help.

import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { CommandError } from '../../runtime/index.ts'
import type { Command, Noun } from './command.ts'

export function readLine({ fields, subject }: Command, args: readonly string[]) {
  const named = Object.entries(fields).filter(([name]) => name !== subject)
  const types = Object.fromEntries(
    named.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...types, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    // The errors of strict mode are three sentences long.
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const givenArguments: Record<string, string | boolean> = {}
  let [help, json] = [false, false]
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (subject === undefined || givenArguments[subject] !== undefined)
        throw new CommandError(
          `"${token.value}" is an extra argument. --help shows the syntax of the command.`,
        )
      givenArguments[subject] = token.value
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const type = types[name]?.type ?? (['help', 'json'].includes(name) ? 'boolean' : undefined)
    if (type === undefined) throw new CommandError(`There is no option ${rawName}. --help lists the options.`)
    if (type === 'boolean' && value !== undefined)
      throw new CommandError(`${rawName} takes no value. Omit "=${value}".`)
    if (type === 'string' && (value === undefined || (value.startsWith('-') && !token.inlineValue)))
      throw new CommandError(`${rawName} needs a value: ${rawName} ${fields[name]?.value}`)
    if (name === 'help') help = true
    else if (name === 'json') json = true
    else givenArguments[name] = value ?? true
  }
  return { help, json, given: givenArguments }
}

export function nounHelp(noun: string, { description, verbs }: Noun): string {
  const lines = Object.entries(verbs).map(
    ([verb, each]) => `  ${usage(`${noun} ${verb}`, each)}\n      ${each.description}`,
  )
  return `foyer-server ${noun}: ${description}\n\n${lines.join('\n')}\n\n--help after a command lists its options.`
}

export function commandHelp(words: string, found: Command): string {
  const lines = [...argumentsOf(found), ['--json', 'print the result as JSON, on one line'] as const]
  const width = Math.max(...lines.map(([left]) => left.length))
  const options = lines.map(([left, description]) => `  ${left.padEnd(width)}  ${description}`).join('\n')
  return `foyer-server ${usage(words, found)}\n\n${found.description}\n\n${options}`
}

/** Each argument as it is written, and its meaning. */
export const argumentsOf = ({ fields, subject }: Command): (readonly [written: string, meaning: string])[] =>
  Object.entries(fields).map(([name, { value, description }]) => [
    name === subject ? `<${name}>` : `--${name}${value === undefined ? '' : ` ${value}`}`,
    description,
  ])

export const usage = (words: string, { fields, subject }: Command): string => {
  const named = Object.entries(fields).filter(([name]) => name !== subject)
  const needed = named.filter(([, { schema }]) => !v.is(schema, undefined))
  return [
    words,
    ...(subject === undefined ? [] : [`<${subject}>`]),
    ...needed.map(([name, { value }]) => `--${name} ${value}`),
    ...(needed.length < named.length ? ['[options]'] : []),
  ].join(' ')
}
