// Builds everything into dist/: the loader, the frame, the demo pages, and the two packages. Run by
// `npm run build`, and by `npm start` if a source has changed.

import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { ENTRIES } from './exports.mjs'
import { noticesOf, writeNotices } from './notices.mjs'
import { writeSbom } from './sbom.mjs'
import { bundleTypes } from './types.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const emitted = join(dist, 'types')
const SOURCES = [
  'src',
  'demo',
  'deploy',
  'docs',
  'packages',
  'CHANGELOG.md',
  'scripts/build.mjs',
  'scripts/exports.mjs',
  'scripts/notices.mjs',
  'scripts/sbom.mjs',
  'scripts/types.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts',
  'package.json',
]

/** @param {string} path @returns {number} */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** Builds if a source is newer than the last build. */
export async function buildIfStale() {
  const present = SOURCES.map((path) => join(root, path)).filter((path) => existsSync(path))
  const isFresh = existsSync(stamp) && Math.max(...present.map(newest)) < statSync(stamp).mtimeMs
  if (!isFresh) await build()
  return !isFresh
}

/** Builds everything. Returns what is wrong with the links of the docs, one line each. */
export async function build() {
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist)
  // TypeScript beside Vite, which leaves a core idle most of the time.
  await Promise.all([emitTypes(), bundle()])
  for (const [entry, { source }] of Object.entries(ENTRIES))
    await bundleTypes(join(emitted, source.replace(/\.ts$/, '.d.ts')), join(dist, typesOf(entry)))
  const flaws = await drawDocs()
  writeFileSync(stamp, new Date().toISOString())
  return flaws
}

async function bundle() {
  const vite = await import('vite')
  /** @type {Record<string, string[]>} */
  const modules = {}
  for (const mode of [
    'loader',
    'off',
    'compat',
    'place',
    'attention',
    'panel',
    'frame',
    'demo',
    'docs',
    'docs-search',
    'webchat',
    'server',
  ])
    modules[mode] = modulesOf(await vite.build({ configFile: join(root, 'vite.config.ts'), mode }))
  await writeFirstScreen(vite)
  packWebchat(modules.webchat ?? [])
  await copyTemplate(vite)
  // The packages do not contain the demo's modules.
  packServer(
    ['loader', 'compat', 'place', 'attention', 'panel', 'frame', 'docs', 'docs-search', 'server'].flatMap(
      (mode) => modules[mode] ?? [],
    ),
  )
}

/**
 * Puts the empty database beside the runtime. It takes PGlite seconds to make, so it is kept for as long as the schema is
 * the same.
 * @param {typeof import('vite')} vite
 */
async function copyTemplate(vite) {
  const cache = join(root, 'node_modules/.cache/foyer-template')
  const built = join(cache, 'build')
  await vite.build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      target: 'node20',
      outDir: built,
      ssr: join(root, 'src/runtime/make-template.ts'),
      rolldownOptions: { external: [/^[^./]/], output: { entryFileNames: 'make-template.js' } },
    },
  })
  copyWorker(built)
  // In a process of its own, since PGlite keeps hundreds of megabytes.
  // A file, since `--input-type` of a script on the command line would reach PGlite's worker.
  const script = join(built, 'run.mjs')
  writeFileSync(
    script,
    "import { makeTemplate } from './make-template.js'\nawait makeTemplate(process.argv[2])\n",
  )
  execFileSync(process.execPath, [script, cache], { stdio: 'inherit' })
  for (const name of readdirSync(cache).filter((name) => name.endsWith('.tar.br')))
    cpSync(join(cache, name), join(dist, 'foyer-server', name))
}

/**
 * Writes the file by which the BFF draws the first screen.
 * @param {typeof import('vite')} vite
 */
async function writeFirstScreen(vite) {
  const built = join(root, 'node_modules/.cache/foyer-first')
  await vite.build({ configFile: join(root, 'vite.config.ts'), mode: 'first', build: { outDir: built } })
  const { firstScreen } = await import(`${pathToFileURL(join(built, 'first-screen.js')).href}?${Date.now()}`)
  writeFileSync(join(dist, 'assets/first.json'), JSON.stringify(await firstScreen()))
}

const own = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * The modules whose code the build contains.
 * @param {Awaited<ReturnType<typeof import('vite').build>>} built
 */
function modulesOf(built) {
  if ('close' in built) throw new Error('The build must end, not watch')
  const parts = [built].flat().flatMap(({ output }) => output)
  return parts.flatMap((part) =>
    part.type === 'chunk'
      ? Object.entries(part.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
      : [],
  )
}

/** @param {string} folder @param {object} fields @param {readonly string[]} modules */
function writePackage(folder, fields, modules) {
  const { version, license, homepage, repository, bugs, keywords } = own()
  const shared = { version, license, homepage, repository, bugs, keywords, type: 'module' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...shared, ...fields }, null, 2)}\n`)
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(folder, name))
  const about = join(root, 'packages', basename(folder))
  for (const name of ['README.md', 'AGENTS.md']) cpSync(join(about, name), join(folder, name))
  const notices = noticesOf(modules, root)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), writeNotices(notices))
  const self = { name: basename(folder), version, licence: license }
  writeFileSync(join(folder, 'sbom.cdx.json'), writeSbom(self, notices))
}

/**
 * The paths of the types for TypeScript's `node10` resolution, which ignores `exports`.
 * @param {Readonly<Record<string, { types: string }>>} entries
 */
const typesVersions = (entries) => ({
  '*': Object.fromEntries(
    Object.entries(entries).map(([name, { types }]) => [name === '.' ? 'index' : name.slice(2), [types]]),
  ),
})

/** The declarations of a package entry, below `dist/`. @param {string} entry */
const typesOf = (entry) => {
  const [name = '', module = 'index'] = entry.split('/')
  return `${name}/types/${module}.d.ts`
}

/** The files of a package entry. @param {string} module */
const entryOf = (module) => ({ types: `./types/${module}.d.ts`, default: `./${module}.js` })

/** Draws the docs as a site, and puts their index for language models beside the docs of the package. Returns their flaws. */
async function drawDocs() {
  const folder = join(root, 'docs')
  const server = join(dist, 'foyer-server')
  /** @type {typeof import('../src/docs/index.ts')} */
  const { drawSite, writeSite } = await import(
    `${pathToFileURL(join(server, 'docs-site.js')).href}?${Date.now()}`
  )
  const site = await drawSite({ folder, title: 'Foyer' })
  const pages = (site.texts.get('llms.txt') ?? '').replaceAll('](', '](docs/')
  const { name, description } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  const start = '## Start\n\n- [AGENTS.md](AGENTS.md): how to install and run Foyer, and mistakes to avoid\n'
  writeFileSync(
    join(server, 'llms.txt'),
    `# ${name}\n\n> ${description}\n\n${start}${pages.slice(pages.indexOf('\n## '))}`,
  )
  if (site.flaws.length === 0)
    await writeSite(site, { folder, out: join(dist, 'docs'), assets: join(server, 'site') })
  return site.flaws.map((flaw) => `docs/${flaw}`)
}

/** @param {readonly string[]} modules */
function packWebchat(modules) {
  const exports = {
    '.': entryOf('index'),
    './element': entryOf('element'),
    './chat': entryOf('chat'),
    './protocol': entryOf('protocol'),
    './react': entryOf('react'),
  }
  const fields = {
    name: 'foyer-webchat',
    description: 'The webchat of Foyer: a conversational agent on any page',
    // Importing it defines the element.
    sideEffects: [exports['./element'].default],
    main: exports['.'].default,
    types: exports['.'].types,
    exports: { ...exports, './options.schema.json': './options.schema.json' },
    typesVersions: typesVersions(exports),
    // Only for `/react`.
    peerDependencies: { react: '^18.0.0 || ^19.0.0' },
    peerDependenciesMeta: { react: { optional: true } },
    customElements: './custom-elements.json',
  }
  const folder = join(dist, 'foyer-webchat')
  writePackage(folder, fields, modules)
  for (const name of ['options.schema.json', 'custom-elements.json', 'llms.txt'])
    cpSync(join(root, 'packages/foyer-webchat', name), join(folder, name))
}

/** @param {readonly string[]} modules */
function packServer(modules) {
  const folder = join(dist, 'foyer-server')
  const { dependencies } = own()
  const needed = [
    '@ai-sdk/mcp',
    '@ai-sdk/openai-compatible',
    '@electric-sql/pglite',
    '@electric-sql/pglite-pgvector',
    '@hono/node-server',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-node',
    '@orama/stemmers',
    '@orama/stopwords',
    '@valibot/to-json-schema',
    'ai',
    'eventsource-parser',
    'hono',
    'ipaddr.js',
    'jose',
    'libphonenumber-js',
    'markdown-it',
    'minisearch',
    'modern-tar',
    'pg',
    'prom-client',
    'rate-limiter-flexible',
    'redis',
    'valibot',
    'ws',
    'yaml',
  ]
  copyWorker(folder)
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
  // The widget's files for the BFF, and the docs for the guide.
  cpSync(join(dist, 'foyer.js'), join(folder, 'public/foyer.js'))
  cpSync(join(dist, 'foyer.js'), join(folder, `public/v/${own().version}/foyer.js`))
  cpSync(join(dist, 'assets'), join(folder, 'public/assets'), { recursive: true })
  for (const name of readdirSync(join(folder, 'public'), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.js')) {
      const file = join(folder, 'public', name)
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
    }
  cpSync(join(dist, 'demo'), join(folder, 'demo'), { recursive: true })
  cpSync(join(dist, 'site'), join(folder, 'site'), { recursive: true })
  if (existsSync(join(root, 'docs'))) cpSync(join(root, 'docs'), join(folder, 'docs'), { recursive: true })
  const exports = {
    '.': entryOf('index'),
    ...Object.fromEntries(
      /** @type {const} */ (['bff', 'agents', 'carriers', 'client', 'runtime']).map((name) => [
        `./${name}`,
        entryOf(name),
      ]),
    ),
  }
  const fields = {
    name: 'foyer-server',
    description:
      'BFF, typed client and runtime of Foyer: the server side of a conversational agent on the web',
    engines: { node: '>=20.19' },
    main: exports['.'].default,
    types: exports['.'].types,
    exports,
    typesVersions: typesVersions(exports),
    bin: { 'foyer-server': './cli.js' },
    dependencies: Object.fromEntries(needed.map((name) => [name, dependencies[name]])),
  }
  writePackage(folder, fields, modules)
}

/** Writes the declarations of all entries, and of all that they import. */
async function emitTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration']
  const folders = ['--outDir', emitted, '--rootDir', root]
  const ran = promisify(execFile)(process.execPath, [
    ...[tsc, '-p', join(root, 'tsconfig.build.json')],
    ...flags,
    ...folders,
  ])
  await ran.catch(({ stdout, stderr }) => {
    throw new Error(`The types cannot be built:\n${stdout}${stderr}`)
  })
}

/** Bytes after gzip of each file that a browser loads. @returns {Record<string, number>} */
export function sizes() {
  const of = (/** @type {string} */ path) => gzipSync(readFileSync(path), { level: 9 }).length
  const assets = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))
  return {
    'foyer.js': of(join(dist, 'foyer.js')),
    ...Object.fromEntries(assets.map((name) => [name, of(join(dist, 'assets', name))])),
  }
}

/** Copies PGlite's worker, which Node loads as it is. @param {string} folder @param {string} [tree] */
export function copyWorker(folder, tree = root) {
  const from = join(tree, 'src/runtime/database')
  for (const file of readdirSync(from).filter((name) => name.endsWith('.js')))
    cpSync(join(from, file), join(folder, file))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const flaws = await build()
  for (const [name, bytes] of Object.entries(sizes()))
    console.log(`${String(bytes).padStart(7)} B gzip  ${name}`)
  for (const flaw of flaws) console.error(flaw)
  if (flaws.length > 0) process.exitCode = 1
}
