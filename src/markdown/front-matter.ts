// Splits the front matter off a Markdown file.

export type FrontMatter = {
  /** Values by their keys: one for `key: value`, several for a list below `key:`. */
  values: ReadonlyMap<string, readonly string[]>
  /** The file without its front matter. */
  body: string
  /** How many lines stand before the body. */
  lines: number
}

/** Reads the part of YAML that front matter needs: a value, or a list of values, for each key. Nested keys are ignored. */
export function splitFrontMatter(text: string): FrontMatter {
  const values = new Map<string, string[]>()
  const all = text.split('\n')
  const end = isFence(all[0]) ? all.findIndex((line, index) => index > 0 && isFence(line)) : -1
  if (end === -1) return { values, body: text, lines: 0 }
  let list: string[] | undefined
  for (const line of all.slice(1, end)) {
    const [, key, value = ''] = /^([\w-]+):\s*(.*)$/s.exec(line.trimEnd()) ?? []
    const item = /^\s*-\s+(.+)$/s.exec(line.trimEnd())?.[1]
    if (key) {
      list = value === '' ? [] : [unquote(value)]
      values.set(key, list)
    } else if (item) list?.push(unquote(item))
  }
  return { values, body: all.slice(end + 1).join('\n'), lines: end + 1 }
}

const isFence = (line = ''): boolean => line.trimEnd() === '---'
const unquote = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/s, '$2')
