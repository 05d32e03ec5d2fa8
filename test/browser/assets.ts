// Which of the widget's built files need which.

import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ASSETS = resolve(import.meta.dirname, '../../dist/assets')

function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(resolve(ASSETS, name), 'utf8')
  for (const [, part = ''] of text.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g))
    withImports(part, seen)
  return seen
}

/** The panel's own code, with all that it imports. */
export const panelCode = () =>
  withImports(readdirSync(ASSETS).find((name) => /^panel-.*\.js$/.test(name)) ?? '')

/** What the frame cannot begin without: its script and the panel. */
export const needed = () => new Set([...withImports('first.js'), ...panelCode()])
