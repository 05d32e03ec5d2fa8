// Lists the packages whose code is in a bundle, with their licences.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Licences that require only their notice. */
const PERMISSIVE = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
])

/** @typedef {{ name: string, version: string, licence: string, text: string }} Notice */

/**
 * One notice for each package that a module of the bundle comes from, by name.
 * @param {Iterable<string>} moduleIds As the bundler names them: paths, or virtual modules that begin with a NUL.
 * @param {string} root Where node_modules is.
 * @returns {Notice[]}
 */
export function noticesOf(moduleIds, root) {
  /** @type {Map<string, Notice>} */
  const found = new Map()
  for (const id of moduleIds) {
    const folder = folderOf(id, root)
    if (folder && !found.has(folder)) found.set(folder, noticeOf(folder))
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * The package that a module belongs to; undefined for our own.
 * @param {string} id @param {string} root
 */
function folderOf(id, root) {
  // Virtual modules are code of the bundler.
  const [, virtual] = /^\0(rolldown|vite)\//.exec(id) ?? []
  if (virtual) return join(root, 'node_modules', virtual)
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '')
  if (!path.includes('/node_modules/')) return undefined
  let folder = dirname(path)
  while (!folder.endsWith('/node_modules')) {
    const file = join(folder, 'package.json')
    // A package may hold further package.json files that only say which kind of modules these are.
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version) return folder
    folder = dirname(folder)
  }
  throw new Error(`notices: ${id} belongs to no package`)
}

/** @param {string} folder @returns {Notice} */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)([.-]|$)/i.test(each))
  const text =
    file === undefined ? '' : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, version, licence: String(license ?? ''), text }
}

/** @param {readonly Notice[]} notices */
export function writeNotices(notices) {
  const parts = notices.map(
    ({ name, version, licence, text }) => `${'='.repeat(78)}\n${name} ${version} (${licence})\n\n${text}\n`,
  )
  return `Foyer is under the MIT licence, see LICENSE. This package holds code of others:\n\n${parts.join('\n')}`
}

/**
 * The problems of a package's notices, as sentences.
 * @param {readonly Notice[]} notices
 */
export function problemsOf(notices) {
  return notices.flatMap(({ name, licence, text }) => {
    if (!PERMISSIVE.has(licence))
      return [`${name} has the licence "${licence}", which is not a permissive one`]
    return text.length < 100 ? [`${name} has no text of its licence`] : []
  })
}

/**
 * Reads back what `writeNotices` wrote.
 * @param {string} file @returns {Notice[]}
 */
export function readNotices(file) {
  const [, ...parts] = file.split(`${'='.repeat(78)}\n`)
  return parts.map((part) => {
    const [head = '', ...text] = part.trim().split('\n')
    const [, name = '', version = '', licence = ''] = /^(\S+) (\S+) \((.*)\)$/.exec(head) ?? []
    return { name, version, licence, text: text.join('\n').trim() }
  })
}
