// `npm run check`: types, format and lint, what the packages export and hold, and what a browser has to load.

import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { documentedNames, ENTRIES, exportedNames } from './exports.mjs'
import { problemsOf, readNotices } from './notices.mjs'
import { ensureDependencies, ensureNode, root } from './setup.mjs'

ensureNode()
ensureDependencies()

/**
 * Most bytes after gzip: the script of every page; what the page loads on intent to place the panel; what the
 * frame loads until the visitor can write; all that it loads until the panel is live: a message is sent, and its answer read as plain
 * text. Beside it come what draws answers, and the rest of the panel.
 */
const BUDGETS = {
  loader: 3.8 * 1024,
  place: 3.1 * 1024,
  first: 6.5 * 1024,
  frame: 49.7 * 1024,
  markdown: 22 * 1024,
  rest: 5 * 1024,
}

/** The packages that a module may bring along. */
const MAY_NEED = { 'foyer-server/client.js': ['valibot'] }

let failures = 0
const fail = (/** @type {string} */ text) => {
  failures++
  console.error(text)
  // For the last lines of `npm test`.
  if (process.env.FOYER_TEST_FAILURES) appendFileSync(process.env.FOYER_TEST_FAILURES, `${text}\n`)
}

/** Resolves once the program has ended, and says then what it said. @param {string} what @param {string[]} args */
async function run(what, args) {
  // A failure is an error with the output of the program, and without any where the program could not be started.
  const { stdout, stderr, message, signal } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    maxBuffer: 2 ** 26,
  }).catch((error) => error)
  process.stdout.write(stdout ?? '')
  process.stderr.write(stderr ?? '')
  const [first = signal ?? message] = `${stdout ?? ''}\n${stderr ?? ''}`
    .split('\n')
    .filter((line) => line.trim())
  if (message !== undefined) fail(`${what}: ${first}`)
}
// Beside the build, which leaves a core idle most of the time.
const checked = Promise.all([
  run('types', ['node_modules/typescript/bin/tsc', '-p', '.']),
  run('format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']),
])

const { build, sizes } = await import('./build.mjs')
const { flawsOf, pack } = await import('./packages.mjs')
try {
  await build()
} catch (error) {
  console.error(error)
  await checked
  fail(`build: ${/** @type {Error} */ (error).message}`)
  process.exit(1)
}
await checked
const tarballs = mkdtempSync(join(tmpdir(), 'foyer-packed-'))
await Promise.all(
  ['foyer-webchat', 'foyer-server'].map(async (name) => {
    const flaws = await flawsOf(await pack(join(root, 'dist', name), tarballs), root)
    for (const flaw of flaws) fail(`package: ${name}: ${flaw}`)
    console.log(`package: ${name} packed and checked, ${flaws.length} flaws`)
  }),
)
rmSync(tarballs, { recursive: true })
for (const [entry, { page, source }] of Object.entries(ENTRIES)) {
  const [name = '', module = 'index'] = entry.split('/')
  const folder = join(root, 'dist', name)
  const types = exportedNames(
    readFileSync(join(folder, 'types', source.replace(/^src\/(.*)\.ts$/, '$1.d.ts')), 'utf8'),
  )
  const values = Object.keys(await import(pathToFileURL(join(folder, `${module}.js`)).href))
  const documented = documentedNames(entry, root)
  for (const exported of new Set([...types, ...values]))
    if (!documented.includes(exported))
      fail(`exports: ${entry} exports ${exported}, and docs/${page} does not list it`)
  for (const listed of documented)
    if (!types.includes(listed))
      fail(`exports: docs/${page} lists ${listed}, and ${entry} does not export it`)
}
for (const [file, packages] of Object.entries(MAY_NEED)) {
  const more = packagesOf(join(root, 'dist', file)).filter((name) => !packages.includes(name))
  if (more.length > 0) fail(`exports: ${file} needs ${more.join(', ')}`)
}

for (const name of ['foyer-webchat', 'foyer-server']) {
  const notices = readNotices(readFileSync(join(root, 'dist', name, 'THIRD-PARTY-NOTICES'), 'utf8'))
  // Both hold the user interface: a list without its library is not one of what is bundled.
  if (!notices.some((notice) => notice.name === 'preact')) fail(`notices: ${name} does not name preact`)
  for (const problem of problemsOf(notices)) fail(`notices: in ${name} ${problem}`)
  console.log(`notices: ${name} holds code of ${notices.map((notice) => notice.name).join(', ')}`)
}

const all = sizes()
const of = (/** @type {(name: string) => boolean} */ test) =>
  Object.entries(all).reduce((sum, [name, bytes]) => sum + (test(name) ? bytes : 0), 0)
/** A file of the widget and what it cannot begin without. */
const withImports = (/** @type {string} */ name, /** @type {Set<string>} */ seen = new Set()) => {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(join(root, 'dist/assets', name), 'utf8')
  for (const [, part = ''] of text.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g))
    withImports(part, seen)
  return seen
}
/** The frame's script with its imports: all that the frame loads until the visitor can write. */
const first = withImports('frame.js')
const panel = Object.keys(all).find((name) => name.startsWith('panel-'))
/**
 * With the panel's own code, which the frame's script asks for by itself; nothing, which no budget allows, where that code has no file.
 * A browser test proves that other parts come on demand.
 */
const live = panel ? withImports(panel, new Set(first)) : new Set()
const used = {
  loader: of((name) => name === 'foyer.js'),
  place: of((name) => name === 'place.js'),
  markdown: of((name) => name === 'markdown.js'),
  rest: of((name) => name === 'rest.js'),
  first: of((name) => first.has(name)),
  frame: of((name) => live.has(name)),
}
for (const [name, most] of Object.entries(BUDGETS)) {
  const bytes = used[/** @type {keyof typeof used} */ (name)]
  console.log(`size: ${name} ${bytes} of ${most} bytes gzip`)
  if (bytes > most || bytes === 0) fail(`size: ${name} has ${bytes} bytes, its budget is ${most}`)
}
// src/ui/persist.ts finds the address of a part in the text of the function that loads it. Keys and the configuration do without.
const PLAIN = /\bimport\((?:["'`]\.\/press-|`\$\{\w+\}\/foyer\/config\.js`)/g
for (const name of Object.keys(all)) {
  // Loaded by the page itself, which has no such function.
  if (name === 'foyer.js' || name === 'place.js' || name.startsWith('around-')) continue
  const text = readFileSync(join(root, 'dist/assets', name), 'utf8').replace(PLAIN, '')
  const hidden = text.match(/.{0,40}(?<!\(\)=>)\bimport\(.{0,40}|\bimport\((?!["'`]\.\/).{0,40}/)
  if (hidden) fail(`parts: in ${name} nobody can read what is loaded by ${hidden[0]}`)
}
console.log(`check: types, lint, exports and sizes, ${failures} failures`)
process.exit(failures === 0 ? 0 : 1)

/**
 * What a built module and those it is made of import from elsewhere.
 * @param {string} path
 * @param {Set<string>} [seen]
 * @returns {string[]}
 */
function packagesOf(path, seen = new Set()) {
  if (seen.has(path)) return []
  seen.add(path)
  const imports = [...readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*\(?["']([^"']+)["']/g)]
  return imports.flatMap(([, name = '']) => {
    if (name.startsWith('.')) return packagesOf(join(dirname(path), name), seen)
    return name.startsWith('node:') ? [] : [name]
  })
}
