// Which of the widget's built files need which.

import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ASSETS = resolve(import.meta.dirname, '../../dist/assets')

/** What the frame cannot begin without: its script and what that imports; or the same of another script. */
export function needed(name = 'frame.js', seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(resolve(ASSETS, name), 'utf8')
  for (const [, part = ''] of text.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g)) needed(part, seen)
  return seen
}

/** The panel's own code, with all that it imports. */
export const panelCode = () => needed(readdirSync(ASSETS).find((name) => /^panel-.*\.js$/.test(name)))
