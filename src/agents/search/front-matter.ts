// Splits the front matter off a Markdown file, and reads it as YAML.

import { isMap, isScalar, isSeq, parseDocument } from 'yaml'

export type FrontMatter = {
  /** Values by their keys: one for `key: value`, several for a list. Every value is text, as it is written. */
  values: ReadonlyMap<string, readonly string[]>
  /** The file without its front matter. */
  body: string
  /** How many lines stand before the body. */
  lines: number
  /** Why there are no values, such as `is not valid YAML`; undefined if the front matter can be read. */
  flaw: string | undefined
}

/** Characters: more than 200 hints of 500. */
const LONGEST = 128 * 1024
const LONGEST_MESSAGE = 200
const LONGEST_KEY = 60

/** Front matter that cannot be read has no values, and is no part of the body either. */
export function splitFrontMatter(text: string): FrontMatter {
  const all = text.split('\n')
  const end = isFence(all[0]) ? all.findIndex((line, index) => index > 0 && isFence(line)) : -1
  if (end === -1) return { values: new Map(), body: text, lines: 0, flaw: undefined }
  const source = all.slice(1, end).join('\n').replaceAll('\r', '')
  return { ...readValues(source), body: all.slice(end + 1).join('\n'), lines: end + 1 }
}

const isFence = (line = ''): boolean => line.trimEnd() === '---'

function readValues(text: string): Pick<FrontMatter, 'values' | 'flaw'> {
  const values = new Map<string, readonly string[]>()
  const flawed = (flaw: string) => ({ values: new Map(), flaw })
  if (text.length > LONGEST) return flawed(`is longer than ${LONGEST} characters`)
  // The line above it counts too where an error tells its place.
  const source = `\n${text}`
  try {
    // All scalars are text: a title may be `2024` or `no`.
    const { contents, errors } = parseDocument(source, {
      schema: 'failsafe',
      logLevel: 'silent',
      // The parser compares each key with all before it.
      uniqueKeys: false,
    })
    const [error] = errors
    // A picture of the place follows the first line of its message.
    const message = error?.message.split('\n')[0]?.replace(/:$/, '').slice(-LONGEST_MESSAGE)
    if (error) return flawed(`is not valid YAML (${message})`)
    if (contents === null || (isScalar(contents) && !contents.value)) return { values, flaw: undefined }
    if (!isMap(contents)) return flawed('has no keys')
    /** What is nested deeper is text too: `- error: none` is meant as words. */
    const textOf = (node: unknown): string => {
      if (isScalar(node)) return String(node.value ?? '')
      const [start = 0, end = 0] = (node as { range?: number[] } | null)?.range ?? []
      return source.slice(start, end).trim()
    }
    for (const { key, value } of contents.items) {
      const name = textOf(key)
      if (values.has(name)) return flawed(`has the key ${name.slice(0, LONGEST_KEY)} twice`)
      values.set(name, isSeq(value) ? value.items.map(textOf) : [textOf(value)].filter(Boolean))
    }
    return { values, flaw: undefined }
  } catch {
    // The parser calls itself for each level of nesting.
    return flawed('is nested too deeply')
  }
}
