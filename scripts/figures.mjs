// Reads and writes docs/figures.json, the one place of sizes and speeds, and puts its tables into the pages that show them.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** @typedef {number | string | null} Cell A number as it was measured, words where there is none, or null where nothing can be measured. */
/** @typedef {{ name: string, cells: Cell[], inReadme?: boolean }} Row Name and columns say the units. */
/** @typedef {{ columns: string[], rows: Row[] }} Table */
/** @typedef {{ command: string, date: string, commit: string, machine: string, load: string }} Run */
/**
 * @typedef {object} Figures
 * @property {Record<Size, number>} sizes The most that a browser loads, in whole KB of 1,024 bytes (gzip). Chosen by hand; `npm run check` measures.
 * @property {Record<string, Run & Table>} tables What `npm run bench -- --write` measured, and where and when it did.
 */
/** @typedef {keyof typeof LOADED} Size */

const FILE = 'docs/figures.json'

/** What a browser loads, in the words of the table of sizes. */
export const LOADED = {
  loader: 'on every page: the launcher and the ground of the panel, `foyer.js`',
  off: 'the same where chats are switched off',
  compat: 'on pages that call the service’s own snippet: `compat.js`',
  attention: 'on pages with a teaser, or with an unread message: `attention.js`',
  live: 'in the frame, until the chat is live, in English: the panel',
  markdown: 'in the frame, beside it: what reads Markdown',
  extras: 'in the frame, beside it: menu, search, rating and the rest',
  npm: '`mount` of `foyer-webchat`, in the site’s own bundle instead of `foyer.js`',
  react: '`foyer-webchat/react` there, without React itself',
  element: '`foyer-webchat/element` there',
}
/** The names of the tables that the bench writes. */
export const TABLES = [
  ...['peers', 'floor', 'lists', 'searches', 'starts', 'guide', 'exchanges', 'echoes'],
  ...['processes', 'beside', 'crowd', 'reconnects'],
]
/** The files that a visitor's browser loads before the visitor can write. */
const UNTIL_WRITING = /** @type {const} */ (['loader', 'live'])

const MARKED = /(<!-- figures: (.+?) -->\n)([\s\S]*?)(<!-- \/figures -->)/g
/** Milliseconds are rules and settings on other pages; on these they would be measured. */
const OUTSIDE = { measured: /\d\s?(KB|kB|ms)\b/, other: /\d\s?(KB|kB)\b/ }

/** @param {string} [tree] @returns {Figures} */
export const readFigures = (tree = root) => JSON.parse(readFileSync(join(tree, FILE), 'utf8'))

/** Rounds to two digits; from 10 on to whole numbers. @param {Cell} cell */
function shown(cell) {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (Number.isInteger(cell) || Math.abs(cell) >= 9.95) return Math.round(cell).toLocaleString('en')
  return cell.toFixed(Math.abs(cell) < 0.995 ? 2 : 1)
}

/** @param {readonly string[]} columns @param {readonly (readonly string[])[]} rows */
const markdownOf = (columns, rows) =>
  [
    `| | ${columns.join(' | ')} |`,
    `| :-- | ${columns.map(() => '--:').join(' | ')} |`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')

/** @param {Figures} figures @param {boolean} isShort */
function sizesTable({ sizes }, isShort) {
  const until = UNTIL_WRITING.reduce((sum, name) => sum + sizes[name], 0)
  const rows = Object.entries(LOADED)
    .filter(([name]) => !isShort || name === 'loader')
    .map(([name, what]) => [what, String(sizes[/** @type {Size} */ (name)])])
  rows.push(['until the chat is live: launcher and panel', String(until)])
  return markdownOf(['KB (gzip), at most'], rows)
}

/** @param {Figures} figures @param {string} name The name of a table; `in short`: only its rows for the README. */
function tableOf(figures, name) {
  const [key = '', short] = name.split(/ (in short)$/)
  if (key === 'sizes') return sizesTable(figures, short !== undefined)
  if (!TABLES.includes(key)) return undefined
  const table = figures.tables[key]
  if (!table) return 'Not measured yet.'
  const { columns, rows, command, date, commit, machine, load } = table
  const cells = rows
    .filter(({ inReadme }) => !short || inReadme)
    .map((row) => [row.name, ...row.cells.map(shown)])
  return `${markdownOf(columns, cells)}\n\nMeasured ${date} at commit ${commit} by \`${command}\`; ${machine}; ${load}.`
}

/** The page with the tables of the figures between its marks. @param {string} page @param {Figures} figures */
export const withTables = (page, figures) =>
  page.replace(MARKED, (whole, open, name, _, close) => {
    const table = tableOf(figures, name)
    return table === undefined ? whole : `${open}\n${table}\n\n${close}`
  })

/** Figures of a page that differ from docs/figures.json, or stand outside of its tables. @param {string} path @param {string} page @param {Figures} figures */
export function flawsOfPage(path, page, figures) {
  const marks = [...page.matchAll(MARKED)]
  const flaws = marks.flatMap(([whole, , name = '']) => {
    if (tableOf(figures, name) === undefined) return [`${path}: there is no table "${name}"`]
    return withTables(whole, figures) === whole
      ? []
      : [`${path}: the table "${name}" differs from ${FILE}. Run npm run check -- --write`]
  })
  const words = page.replace(MARKED, '')
  if (/<!-- \/?figures/.test(words)) flaws.push(`${path}: a mark of figures has no other one`)
  const figure = /README|benchmarks/.test(path) ? OUTSIDE.measured : OUTSIDE.other
  for (const line of words.replace(/^```[\s\S]*?^```/gm, '').split('\n'))
    if (figure.test(line))
      flaws.push(`${path}: a figure stands outside of the tables of ${FILE}: ${line.trim()}`)
  return flaws
}

/** Pages that may show figures. @param {string} tree */
const pagesOf = (tree) => [
  'README.md',
  ...readdirSync(join(tree, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
  ...['foyer-webchat', 'foyer-server'].map((name) => `packages/${name}/README.md`),
]

/** @param {string} [tree] */
export function flawsOfPages(tree = root) {
  const figures = readFigures(tree)
  return pagesOf(tree).flatMap((path) => flawsOfPage(path, readFileSync(join(tree, path), 'utf8'), figures))
}

/** Where the build is larger than a promised size, or so much smaller that the promise is out of date. @param {Record<string, number>} bytes */
export function flawsOfSizes(bytes, { sizes } = readFigures()) {
  return Object.keys({ ...bytes, ...sizes, ...LOADED }).flatMap((name) => {
    const [used = Number.NaN, most = Number.NaN] = [bytes[name], sizes[/** @type {Size} */ (name)]]
    // A file that is missing is not a number.
    if (!(used > 0 && Number.isInteger(most) && used <= most * 1024))
      return [`size: ${name} has ${used} bytes, and ${FILE} promises ${most} KB at most`]
    const enough = Math.ceil((used * 1.1) / 1024)
    return most <= enough
      ? []
      : [`size: ${name} has ${used} bytes, so ${FILE} can promise ${enough} KB instead of ${most}`]
  })
}

/** Puts measured tables into docs/figures.json, and all tables into the pages. @param {Figures['tables']} [tables] @param {string} [tree] */
export function publish(tables = {}, tree = root) {
  const unknown = Object.keys(tables).find((name) => !TABLES.includes(name))
  if (unknown) throw new Error(`No page can show the table "${unknown}"`)
  const before = readFigures(tree)
  const figures = { ...before, tables: { ...before.tables, ...tables } }
  writeFileSync(join(tree, FILE), written(figures))
  for (const path of pagesOf(tree)) {
    const page = readFileSync(join(tree, path), 'utf8')
    const filled = withTables(page, figures)
    if (filled !== page) writeFileSync(join(tree, path), filled)
  }
}

/** JSON with a list of cells on one line. @param {Figures} figures */
const written = (figures) =>
  `${JSON.stringify(figures, null, 2).replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\s+/g, ' '))}\n`

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/**
 * Begins a run whose figures are published: they name their commit, so the tree must be as that is. Returns the function that says, once
 * something is measured, where and when it was.
 * @param {string} command
 * @returns {() => Run}
 */
export function beginRun(command) {
  if (git('status', '--porcelain') !== '')
    throw new Error('Figures that are written name their commit. Commit your changes first, or omit --write.')
  const commit = git('rev-parse', '--short=8', 'HEAD')
  const loads = () => (loadavg()[0] ?? 0).toFixed(1)
  const before = loads()
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}, Node ${process.versions.node}`
  return () => ({ command, date, commit, machine, load: `load ${before} before and ${loads()} after` })
}
