// Reads the settings that hold a text, or name a JSON file with one for each language.

import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type DisclosureSetting, isDisclosure } from '../../runtime/index.ts'
import { StartError } from '../start-error.ts'

/** One text for all languages, or one for each. */
type Texts = string | Readonly<Record<string, string>>

/** A file of JSON ends so; all else is the text itself. `name`: of the setting. */
export function readTexts(name: string, given: string, example: string): Texts {
  if (!given.endsWith('.json')) return given
  const parsed = v.safeParse(TEXTS, readJson(name, given))
  if (parsed.success) return parsed.output
  throw new StartError(
    `The file of ${name} has to be one JSON object, with a text for each language, such as {"en": "${example}", "*": "…"}. Correct it.`,
  )
}
const TEXTS = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.pipe(v.string(), v.nonEmpty())),
  v.minEntries(1),
)

function readJson(name: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The file of ${name} cannot be read (${code ?? 'it is not JSON'}). Correct it or its path, or unset it.`,
    )
  }
}

/** Of FOYER_DISCLOSURE. */
export function readDisclosure(given: string | undefined): DisclosureSetting | undefined {
  if (given === undefined || given === 'off') return given
  const texts = readTexts('FOYER_DISCLOSURE', given, 'You are talking to the AI assistant of …')
  const disclosure = typeof texts === 'string' ? { '*': texts } : texts
  if (isDisclosure(disclosure)) return disclosure
  throw new StartError(
    'FOYER_DISCLOSURE has a text that is empty or longer than 300 characters, or a language that is not a tag such as de or pt-BR. Correct it, or write off.',
  )
}
