// Reads which names a package entry exports, and which its docs page lists.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The page that lists the names of each entry, under the heading "What `<entry>` exports"; and the entry's source. */
export const ENTRIES = {
  'foyer-webchat': { page: 'frameworks.md', source: 'src/embed/index.ts' },
  'foyer-webchat/element': { page: 'frameworks.md', source: 'src/embed/element/index.ts' },
  'foyer-webchat/chat': { page: 'frameworks.md', source: 'src/chat/index.ts' },
  'foyer-webchat/react': { page: 'frameworks.md', source: 'src/embed/react/index.ts' },
  'foyer-server': { page: 'runtime.md', source: 'src/cli/package.ts' },
  'foyer-server/bff': { page: 'bff.md', source: 'src/bff/index.ts' },
  'foyer-server/client': { page: 'client.md', source: 'src/client/package.ts' },
  'foyer-server/runtime': { page: 'runtime.md', source: 'src/runtime/package.ts' },
  'foyer-server/agents': { page: 'answering.md', source: 'src/agents/package.ts' },
  'foyer-server/carriers': { page: 'runtime.md', source: 'src/carriers/index.ts' },
}

/**
 * The names that a module lists in `export { … }`, types included.
 * @param {string} source
 * @returns {string[]}
 */
export const exportedNames = (source) =>
  [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      .filter((name) => name !== ''),
  )

/**
 * The names in back-quotes below the entry's heading; of `createClient(options)` the first word.
 * @param {string} entry
 * @param {string} root
 * @returns {string[]}
 */
export function documentedNames(entry, root) {
  const { page } = ENTRIES[/** @type {keyof typeof ENTRIES} */ (entry)]
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const [, section = ''] = text.split(`\n## What \`${entry}\` exports\n`)
  const [body = ''] = section.split(/\n## /)
  return [...body.matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name = '']) => name)
}
