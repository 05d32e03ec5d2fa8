// Bundles the declarations that a package publishes, and compares the public types of its entries with the committed report.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { root } from './setup.mjs'

/** The bundler writes from which file each part comes. */
const ORIGIN = /^\/\/(?:#(?:end)?region.*| \S+\.d\.ts)\n/gm
const COMMENT = /\/\*[\s\S]*?\*\//g

/**
 * Writes one file that declares what an entry exports, with the types that these need and no more.
 * @param {string} from The declarations of the entry's source.
 * @param {string} to
 */
export async function bundleTypes(from, to) {
  const bundle = await rolldown({
    input: from,
    external: /^[^./]/,
    plugins: [dts({ dtsInput: true, sourcemap: false })],
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  const [{ code }, ...more] = output
  if (more.length > 0) throw new Error(`${from} becomes more than one file of types`)
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, code.replace(ORIGIN, ''))
}

/** @param {string} name Of a package. */
const built = (name) => join(root, 'dist', name, 'types')

/** The built types of a package's entries without comments, by the path of the report. @param {string} name @returns {Record<string, string>} */
const reportsOf = (name) =>
  Object.fromEntries(
    readdirSync(built(name)).map((file) => {
      const types = readFileSync(join(built(name), file), 'utf8').replace(COMMENT, '')
      const path = `packages/${name}/types/${file}`
      const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
      const text = execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
        cwd: root,
        input: types,
        encoding: 'utf8',
      })
      return [path, text]
    }),
  )

/** The report in the repository. @param {string} name @returns {Record<string, string>} */
function keptReports(name) {
  const folder = join(root, 'packages', name, 'types')
  const files = existsSync(folder) ? readdirSync(folder) : []
  return Object.fromEntries(
    files.map((file) => [`packages/${name}/types/${file}`, readFileSync(join(folder, file), 'utf8')]),
  )
}

/** The paths that one side lacks, or that differ. @param {Record<string, string>} built @param {Record<string, string>} kept */
export const differing = (built, kept) =>
  [...new Set([...Object.keys(built), ...Object.keys(kept)])].filter((path) => built[path] !== kept[path])

/** The entries whose public types are not those of the report. @param {string} name */
export const flawsOfTypes = (name) =>
  differing(reportsOf(name), keptReports(name)).map(
    (path) =>
      `types: the public types of ${name} are not those of ${path}. Run npm run check -- --write, and say in CHANGELOG.md what changes for users`,
  )

/** Writes the report. @param {string} name */
export function writeTypes(name) {
  rmSync(join(root, 'packages', name, 'types'), { recursive: true, force: true })
  for (const [path, text] of Object.entries(reportsOf(name))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
