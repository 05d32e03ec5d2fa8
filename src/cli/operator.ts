// Carries out a command of the operator, `foyer-server <noun> <verb> …`: through the server that holds the data
// folder, on the folder of a stopped one, or on the database.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError, type Commands, DataFolderError, openCommands } from '../runtime/index.ts'
import { commandHelp, findCommand, findNoun, isVerbless, nounHelp, readLine } from './commands/index.ts'
import { askControl, type ControlRequest } from './control.ts'
import { databaseProblem, type Environment, readData, readRegion } from './settings.ts'

/** How long a command waits for a folder that another process is opening, closing or using. */
const BUSY_MS = 20_000

export type OperatorOptions = {
  args: readonly string[]
  env: Environment
  /** The data folder. */
  folder: string
  print(text: string): void
}

/** Whether the arguments are a command of the operator; else they start the server. */
export const isOperator = (args: readonly string[]): boolean => findNoun(args[0] ?? '') !== undefined

/** Runs the command line. Throws an error whose message is one sentence for the user. */
export async function operate({ args, env, folder, print }: OperatorOptions): Promise<void> {
  const [noun = ''] = args
  const [verb, ...rest] = isVerbless(noun) ? ['', ...args.slice(1)] : args.slice(1)
  const about = findNoun(noun)
  if (about && (verb === '--help' || verb === '-h')) return print(nounHelp(noun, about))
  const foundCommand = findCommand(noun, verb)
  const { help, json, given } = readLine(foundCommand, rest)
  if (help) return print(commandHelp(`${noun} ${verb}`.trim(), foundCommand))
  foundCommand.check(given)
  const commandResult = await carryOut({ command: `${noun} ${verb}`, arguments: given }, env, folder)
  print(json ? JSON.stringify(commandResult) : foundCommand.show(commandResult))
}

/** Runs a command, in the server or without one. Throws a CommandError for a problem that the operator can fix. */
export async function perform(commands: Commands, request: ControlRequest): Promise<unknown> {
  const [noun = '', verb = ''] = request.command.split(' ')
  return findCommand(noun, verb).perform(commands, request.arguments)
}

async function carryOut(request: ControlRequest, env: Environment, folder: string): Promise<unknown> {
  const data = readData(env, folder)
  const region = readRegion(env)
  if (data === 'memory')
    throw new CommandError(
      'FOYER_DATA is memory, so there is no data for a command to open. Omit FOYER_DATA.',
    )

  async function inStore(): Promise<unknown> {
    const { commands, close } = await openCommands(data, { region })
    try {
      // The result gets the form that it has after the control socket.
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
    const controlAnswer = await askControl(folder, request)
    if (controlAnswer && 'error' in controlAnswer) throw new CommandError(controlAnswer.error)
    if (controlAnswer) return controlAnswer.result
    // All other commands need a project: in a wrong folder they would only create an empty store.
    if (!existsSync(folder) && request.command !== 'projects create')
      throw new CommandError(
        `There is no data folder ${folder}. Run the command in the folder where foyer-server is started, or create a project first.`,
      )
    try {
      return await inStore()
    } catch (error) {
      // Wait only for a folder that another process holds.
      const isBusy = error instanceof DataFolderError && error.reason === 'busy'
      if (!isBusy || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}
