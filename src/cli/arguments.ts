// Reads the command line that starts the server.

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NOUN_HELP } from './commands/index.ts'
import {
  defaultInWords,
  type Environment,
  SECTIONS,
  SETTINGS,
  type Setting,
  valuesInWords,
} from './settings-table.ts'
import { StartError } from './start-error.ts'

const settingsHelp = (section: Setting['section']): string => {
  const rows = Object.entries(SETTINGS as Readonly<Record<string, Setting>>).filter(
    ([, setting]) => setting.section === section && setting.readBy !== 'start',
  )
  const lines = rows.map(
    ([name, setting]) =>
      `  ${name.padEnd(24)} ${`${setting.help}: ${valuesInWords(setting)} (${defaultInWords(setting)})`.replaceAll('`', '')}`,
  )
  return [`${SECTIONS[section]}:`, ...lines].join('\n')
}

export const START_USAGE =
  'foyer-server [folder] [--agent <module>] [--carrier <module>] [--show-keys] [--help] [--version]'

/** The arguments of a start, and their meanings. */
export const START_ARGUMENTS = {
  folder: "answer from the Markdown files of this folder (default: Foyer's own docs)",
  '--agent': 'the agent that answers, such as ./agent.mjs, or its address: in place of FOYER_AGENT',
  '--carrier': 'the carrier of texts and calls, such as ./carrier.mjs: in place of FOYER_CARRIER',
  '--show-keys': 'print the identities of the demo',
  '--help': 'print all arguments, commands and settings',
  '--version': 'print the version',
}

export const HELP = `${START_USAGE}

${Object.entries(START_ARGUMENTS)
  .map(([name, meaning]) => `  ${name.padEnd(13)} ${meaning}`)
  .join('\n')}

foyer-server check [folder]     probe what a start needs: settings, database, model, Redis, proxy
foyer-server move               copy the data folder into the database of FOYER_DATABASE_URL
foyer-server docs build <folder> <out>
                                write a folder of Markdown files as a static site

foyer-server <command> [--json] [--help]

${NOUN_HELP}

${(Object.keys(SECTIONS) as Setting['section'][]).map(settingsHelp).join('\n\n')}

Settings are environment variables, with their default in parentheses. docs/settings.md says more.
Stop with Ctrl-C.`

/** The options that stand for a setting. */
const OPTION_SETTINGS = new Map([
  ['agent', 'FOYER_AGENT'],
  ['carrier', 'FOYER_CARRIER'],
])

export function readArguments(args: readonly string[]): {
  help: boolean
  version: boolean
  showKeys: boolean
  folder?: string
  /** The settings that options stand for. */
  settings: Environment
} {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
      'show-keys': { type: 'boolean' },
      agent: { type: 'string' },
      carrier: { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const settings: Record<string, string> = {}
  for (const token of tokens) {
    if (token.kind !== 'option' || ['help', 'version', 'show-keys'].includes(token.name)) continue
    const setting = OPTION_SETTINGS.get(token.name)
    if (!setting) throw new StartError(`There is no option ${token.rawName}. --help lists the options.`)
    if (!token.value || token.value.startsWith('-'))
      throw new StartError(`${token.rawName} needs the path of a module, such as ./${token.name}.mjs.`)
    settings[setting] = token.value
  }
  const [folder, extra] = positionals
  if (extra !== undefined)
    throw new StartError(
      `"${extra}" is an extra argument. Give a folder with Markdown files, or a command from --help.`,
    )
  return {
    help: values.help === true,
    version: values.version === true,
    showKeys: values['show-keys'] === true,
    folder,
    settings,
  }
}

/** The folder to answer from. Default: the docs in `built`, the folder of the built files. */
export function readFolder(given: string | undefined, built: string): string {
  if (given === undefined)
    return [join(built, 'docs'), resolve('docs')].find((folder) => existsSync(folder)) ?? 'docs'
  const folder = resolve(given)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new StartError(
      `There is no folder ${folder}. Give a folder with Markdown files, or a command from --help.`,
    )
  return folder
}
