// Gathers the declarations that a package publishes. The index of a room names everything in that room, down to its components and style
// sheets: each name is followed to the file that declares it, so that a package holds what its public types need and no more.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** An import or a re-export of names from another file, as TypeScript emits it. */
const NAMED = /^(import|export) (type )?\{([^}]*)\} from '(\.[^']+)';$/gm
const ADDRESS = /\b(?:from|import) ?\(?['"](\.[^'"]+)['"]/g

/**
 * Copies the declarations that the entries reach from one folder to another.
 * @param {string} from
 * @param {string} to
 * @param {readonly string[]} entries Paths in `from`.
 */
export function gatherTypes(from, to, entries) {
  const read = (/** @type {string} */ file) => readFileSync(join(from, file), 'utf8')
  /** @param {string} file @param {string} address */
  const fileAt = (file, address) => join(dirname(file), address).replace(/\.tsx?$/, '.d.ts')
  /** The names of a list such as `type A, b as C`. @param {string} list */
  const namesIn = (list) =>
    list
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  /**
   * The file that declares a name, and its name there.
   * @param {string} file
   * @param {string} name
   * @returns {{ file: string, name: string }}
   */
  function declaration(file, name) {
    for (const [, verb, , list = '', address = ''] of read(file).matchAll(NAMED))
      for (const each of verb === 'export' ? namesIn(list) : []) {
        const [inner = '', outer = inner] = each.replace(/^type /, '').split(' as ')
        if (outer === name) return declaration(fileAt(file, address), inner)
      }
    return { file, name }
  }
  /** The text of a file, whose names come from where they are declared. @param {string} file */
  const followed = (file) =>
    read(file).replace(NAMED, (_, verb, type = '', list, address) =>
      namesIn(list)
        .map((each) => {
          const [, own = '', outside = '', inside = outside] =
            each.match(/^(type )?(\w+)(?: as (\w+))?$/) ?? []
          const found = declaration(fileAt(file, address), outside)
          const path = relative(dirname(file), found.file)
            .replace(/^(?!\.)/, './')
            .replace(/\.d\.ts$/, '.ts')
          const name = found.name === inside ? inside : `${found.name} as ${inside}`
          return `${verb} ${type}{ ${own}${name} } from '${path}';`
        })
        .join('\n'),
    )
  const reached = new Set(entries)
  for (const file of reached) {
    const text = followed(file)
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), text)
    for (const [, address = ''] of text.matchAll(ADDRESS)) reached.add(fileAt(file, address))
  }
}
