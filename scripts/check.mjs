// `npm run check`: types, format and lint, what the packages export and hold, what a browser has to load, and whether README and docs say so.
// `npm run check -- --write` writes the tables of README and docs from docs/figures.json, the reference pages of docs from the source, the files
// that docs show, the comments of the OpenAPI document, and all that is made of the chat's options, first.

import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { runnerImport } from 'vite'
import { flawsOfComments, writeComments } from './api-comments.mjs'
import { exportsOf } from './declarations.mjs'
import { flawsOfDocsFiles, writeDocsFiles } from './docs-files.mjs'
import { ENTRIES } from './exports.mjs'
import { flawsOfPages, flawsOfSizes, publish, readFigures } from './figures.mjs'
import { problemsOf, readNotices } from './notices.mjs'
import { flawsOfOptions, writeOptions } from './options.mjs'
import { flawsOfReference, writeReference } from './reference.mjs'
import { flawsOfSbom } from './sbom.mjs'
import { ensureDependencies, ensureNode, root } from './setup.mjs'
import { flawsOfTypes, writeTypes } from './types.mjs'

ensureNode()
ensureDependencies()

/** Most files beside those of languages. */
const MOST_FILES = 12

/** The packages that a module may bring along. */
const MAY_NEED = {
  'foyer-server/client.js': ['valibot', '@opentelemetry/api'],
  'foyer-webchat/react.js': ['react'],
}

let failures = 0
const fail = (/** @type {string} */ text) => {
  failures++
  console.error(text)
  // For the last lines of `npm test`.
  if (process.env.FOYER_TEST_FAILURES) appendFileSync(process.env.FOYER_TEST_FAILURES, `${text}\n`)
}

if (process.argv.includes('--write')) {
  publish()
  writeComments()
  writeDocsFiles()
  writeOptions()
  writeReference()
}
/** After the comments, which it reads. @type {{ module: typeof import('./tables.ts') }} */
const { module: tables } = await runnerImport(join(root, 'scripts/tables.ts'), { logLevel: 'error' })
// Vite has set it to `development`, and the build below would have JSX for debugging.
process.env.NODE_ENV = 'production'
if (process.argv.includes('--write')) tables.writeTables()

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
  for (const flaw of await build()) fail(`docs: ${flaw}`)
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
for (const name of ['foyer-webchat', 'foyer-server']) {
  if (process.argv.includes('--write')) writeTypes(name)
  for (const flaw of flawsOfTypes(name)) fail(flaw)
}
for (const [entry, { source }] of Object.entries(ENTRIES)) {
  const [name = '', module = 'index'] = entry.split('/')
  const built = Object.keys(await import(pathToFileURL(join(root, 'dist', name, `${module}.js`)).href))
  const listed = exportsOf(source).flatMap(({ name, isType }) => (isType ? [] : [name]))
  if (built.sort().join() !== listed.sort().join())
    fail(
      `exports: ${entry} exports ${built.join(', ')} once it is built, and ${source} exports ${listed.join(', ')}`,
    )
}
for (const [file, packages] of Object.entries(MAY_NEED)) {
  const more = packagesOf(join(root, 'dist', file)).filter((name) => !packages.includes(name))
  if (more.length > 0) fail(`exports: ${file} needs ${more.join(', ')}`)
}

for (const name of ['foyer-webchat', 'foyer-server']) {
  const notices = readNotices(readFileSync(join(root, 'dist', name, 'THIRD-PARTY-NOTICES'), 'utf8'))
  // A list without the library that only the server's package bundles, or that both bundle, is not one of what is bundled.
  const bundled = name === 'foyer-server' ? 'preact' : 'reconnecting-websocket'
  if (!notices.some((notice) => notice.name === bundled)) fail(`notices: ${name} does not name ${bundled}`)
  for (const problem of problemsOf(notices)) fail(`notices: in ${name} ${problem}`)
  const sbom = readFileSync(join(root, 'dist', name, 'sbom.cdx.json'), 'utf8')
  for (const flaw of await flawsOfSbom(sbom, notices)) fail(`${name}: ${flaw}`)
  console.log(`notices: ${name} holds code of ${notices.map((notice) => notice.name).join(', ')}`)
}

const all = sizes()
/** @type {Record<string, { file: string, name?: string, src?: string, imports?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(root, 'dist/assets/manifest.json'), 'utf8'))
/** A file of the manifest and all that it cannot begin without. @param {string} key @returns {string[]} */
const withImports = (key) => {
  const entry = manifest[key]
  return entry ? [entry.file, ...(entry.imports ?? []).flatMap(withImports)] : []
}
const sum = (/** @type {Iterable<string>} */ names) =>
  [...names].reduce((bytes, name) => bytes + (all[name] ?? Number.NaN), 0)
const named = (/** @type {string} */ name) =>
  Object.values(manifest).flatMap((entry) => (entry.name === name ? [entry.file] : []))
const bytes = {
  loader: sum(['foyer.js']),
  off: sum(['foyer-off.js']),
  compat: sum(['compat.js']),
  attention: sum(['attention.js']),
  live: sum(['first.js', ...withImports('src/embed/frame/panel.ts')]),
  markdown: sum(named('markdown-part')),
  extras: sum(named('extras')),
  npm: await bytesInSite("import { mount } from 'foyer-webchat/index.js'\nmount({})"),
  react: await bytesInSite(
    "import { FoyerChat, useFoyer } from 'foyer-webchat/react.js'\nconsole.log(FoyerChat, useFoyer)",
  ),
  element: await bytesInSite("import 'foyer-webchat/element.js'"),
}
const { sizes: most } = readFigures()
for (const [name, used] of Object.entries(bytes))
  console.log(`size: ${name} ${used} of ${most[/** @type {keyof typeof most} */ (name)] * 1024} bytes gzip`)
for (const flaw of [
  ...flawsOfSizes(bytes),
  ...flawsOfPages(),
  ...flawsOfComments(),
  ...flawsOfDocsFiles(),
  ...flawsOfOptions(),
  ...flawsOfReference(),
  ...tables.flawsOfTables(),
])
  fail(flaw)
const languages = Object.values(manifest).flatMap(({ src, file }) =>
  src?.includes('/locales/') ? [file] : [],
)
const files = Object.keys(all).filter((name) => name !== 'foyer.js' && !languages.includes(name))
console.log(`size: ${files.length} of ${MOST_FILES} files beside those of ${languages.length} languages`)
if (files.length > MOST_FILES) fail(`size: there are ${files.length} files: ${files.join(', ')}`)
console.log(`check: types, lint, exports and sizes, ${failures} failures`)
process.exit(failures === 0 ? 0 : 1)

/** Bytes of a site's own bundle with this code, without React and the files that load later. @param {string} code */
async function bytesInSite(code) {
  const vite = await import('vite')
  const built = await vite.build({
    ...{ configFile: false, root, logLevel: 'warn' },
    plugins: [
      {
        name: 'site',
        resolveId: (id) => (id === 'site' ? id : undefined),
        load: (id) => (id === 'site' ? code : undefined),
      },
    ],
    resolve: { alias: { 'foyer-webchat': join(root, 'dist/foyer-webchat') } },
    build: {
      write: false,
      rolldownOptions: { input: 'site', external: ['react'], checks: { moduleLevelDirective: false } },
    },
  })
  const parts = 'close' in built ? [] : [built].flat().flatMap(({ output }) => output)
  return parts.reduce(
    (all, part) =>
      part.type === 'chunk' && part.isEntry ? all + gzipSync(part.code, { level: 9 }).length : all,
    0,
  )
}

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
