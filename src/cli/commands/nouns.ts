// Lists all commands, and finds one by its noun and verb.

import { CommandError } from '../../runtime/index.ts'
import type { Command, Noun } from './command.ts'
import { connectors } from './connectors.ts'
import { erase } from './erasing.ts'
import { keys } from './keys.ts'
import { projects, transcripts } from './projects.ts'
import { questions } from './questions.ts'
import { senders } from './senders.ts'
import { status } from './status.ts'

/** Commands by noun, in the order of the help. */
export const NOUNS: Readonly<Record<string, Noun>> = {
  keys,
  connectors,
  projects,
  transcripts,
  senders,
  erase,
  questions,
  status,
}

export const NOUN_HELP = Object.entries(NOUNS)
  .map(
    ([noun, { description, verbs }]) =>
      `  ${`${noun} ${Object.keys(verbs).join('|')}`.trim().padEnd(30)} ${description}`,
  )
  .join('\n')

export const findNoun = (noun: string): Noun | undefined =>
  Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined

/** Whether the noun is a command without a verb, such as `status`. */
export const isVerbless = (noun: string): boolean => Object.hasOwn(findNoun(noun)?.verbs ?? {}, '')

/** Throws an error that lists the commands if the command does not exist. */
export function findCommand(noun: string, verb: string | undefined): Command {
  const { verbs = {} } = findNoun(noun) ?? {}
  const foundCommand = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (foundCommand) return foundCommand
  const allCommands = Object.keys(verbs).map((each) => `${noun} ${each}`)
  throw new CommandError(
    verb === undefined
      ? `Choose a command for ${noun}: ${allCommands.join(', ')}.`
      : `There is no command ${noun} ${verb}. There are: ${allCommands.join(', ')}.`,
  )
}
