// The command line of a start.

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NOUN_HELP } from './commands/index.ts'
import { StartError } from './start-error.ts'

export const HELP = `foyer-server [folder] [--show-keys] [--help]

  folder        answer from the Markdown files of this folder (default: Foyer's own docs)
  --show-keys   print the identities of the demo

foyer-server <command> [--json] [--help]

${NOUN_HELP}

Settings come from the environment: PORT, HOST, FOYER_… (docs/settings.md).
Stop with Ctrl-C.`

export function readArguments(args: readonly string[]): {
  help: boolean
  showKeys: boolean
  folder?: string
} {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, 'show-keys': { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  for (const token of tokens)
    if (token.kind === 'option' && token.name !== 'help' && token.name !== 'show-keys')
      throw new StartError(`There is no option ${token.rawName}. --help lists those there are.`)
  const [folder] = positionals
  return {
    help: values.help === true,
    showKeys: values['show-keys'] === true,
    ...(folder !== undefined && { folder }),
  }
}

/** The folder to answer from. Where none is given: the docs that stand beside what was built, in `built`. */
export function readFolder(given: string | undefined, built: string): string {
  if (given === undefined)
    return [join(built, 'docs'), resolve('docs')].find((folder) => existsSync(folder)) ?? 'docs'
  const folder = resolve(given)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new StartError(
      `There is no folder ${folder}. Name one that holds Markdown files, or a command of those that --help lists.`,
    )
  return folder
}
