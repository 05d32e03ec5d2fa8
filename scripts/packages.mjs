// Judges a package as its users get it, packed: by publint and attw, by TypeScript, and by rules of our own for its README and its imports.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { problemKindInfo } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const run = promisify(execFile)

/**
 * Packs a folder as npm publishes it. Returns the tarball's path.
 * @param {string} folder
 * @param {string} to
 */
export async function pack(folder, to) {
  const windows = process.platform === 'win32'
  const { stdout } = await run('npm', ['pack', folder, '--json', '--pack-destination', to], {
    shell: windows,
  })
  return join(to, JSON.parse(stdout)[0].filename)
}

/**
 * Lists the faults of a packed package.
 * @param {string} path Of the tarball.
 * @param {string} root Where its dependencies are installed.
 */
export async function flawsOf(path, root) {
  const tarball = readFileSync(path)
  const packed = createPackageFromTarballData(tarball)
  const base = `/node_modules/${packed.packageName}/`
  /** @type {Record<string, string>} */
  const texts = {}
  const files = packed
    .listFiles()
    .map((file) => file.slice(base.length))
    .sort()
  for (const file of files)
    if (/\.(js|ts|json|md|txt)$/.test(file)) texts[file] = packed.readFile(`${base}${file}`)
  const fields = JSON.parse(texts['package.json'] ?? '{}')
  const [linted, types, compiled] = await Promise.all([
    publint({ pack: { tarball: Uint8Array.from(tarball).buffer } }),
    checkPackage(packed),
    compile(texts, fields, root),
  ])
  return [
    ...linted.messages.map((message) => `publint: ${formatMessage(message, linted.pkg)}`),
    ...typeProblems(types),
    ...compiled.map((line) => `types: ${line}`),
    ...deadLinks(texts, files),
    ...['README.md', 'AGENTS.md'].flatMap((page) => foreignScripts(page, texts[page] ?? '')),
    // Node runs the others as they are.
    ...(fields.engines ? [] : hiddenImports(texts)),
  ]
}

/** @param {Awaited<ReturnType<typeof checkPackage>>} checked */
function typeProblems(checked) {
  if (!checked.types) return ['attw: the package contains no types']
  // CommonJS loads these packages with `import()`.
  return checked.problems
    .filter(({ kind }) => kind !== 'CJSResolvesToESM')
    .map((problem) => `attw: ${problemKindInfo[problem.kind].title}: ${JSON.stringify(problem)}`)
}

/** The ways in which TypeScript finds a package's types. */
const RESOLUTIONS = [
  ['NodeNext', 'NodeNext'],
  ['ESNext', 'Bundler'],
]

/**
 * Lists the errors that TypeScript finds in an app that imports every entry, checks all declarations, and has nothing installed but what the
 * package asks for.
 * @param {Readonly<Record<string, string>>} texts
 * @param {{ name: string, exports: Readonly<Record<string, unknown>>, engines?: object, dependencies?: Readonly<Record<string, string>>, peerDependencies?: Readonly<Record<string, string>> }} fields
 * @param {string} root
 */
async function compile(texts, { name, exports, engines, dependencies = {}, peerDependencies = {} }, root) {
  const app = mkdtempSync(join(tmpdir(), 'foyer-app-'))
  const put = (/** @type {string} */ path, /** @type {string} */ text) => {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), text)
  }
  for (const [file, text] of Object.entries(texts))
    if (/\.d\.ts$|^package\.json$/.test(file)) put(`node_modules/${name}/${file}`, text)
  const needs = [
    ...Object.keys(dependencies),
    // Their types are packages of their own.
    ...Object.keys(peerDependencies).flatMap((peer) => [peer, `@types/${peer}`]),
    // A package for Node may use Node's own types.
    ...(engines ? ['@types/node'] : []),
  ]
  for (const needed of needs) {
    mkdirSync(dirname(join(app, 'node_modules', needed)), { recursive: true })
    symlinkSync(join(root, 'node_modules', needed), join(app, 'node_modules', needed), 'junction')
  }
  const entries = Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => posix.join(name, entry))
  put('package.json', '{ "type": "module" }')
  put('app.ts', entries.map((entry, at) => `export * as entry${at} from '${entry}'`).join('\n'))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const said = await Promise.all(
    RESOLUTIONS.map(([module = '', moduleResolution = '']) => {
      const compilerOptions = {
        ...{ module, moduleResolution, target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
        ...{ strict: true, skipLibCheck: false, noEmit: true, types: engines ? ['node'] : [] },
      }
      put(`${module}.json`, JSON.stringify({ compilerOptions, files: ['app.ts'] }))
      return run(process.execPath, [tsc, '-p', join(app, `${module}.json`)]).then(
        () => [],
        ({ stdout }) => `${stdout}`.trim().split('\n'),
      )
    }),
  )
  rmSync(app, { recursive: true })
  return [...new Set(said.flat())]
}

/**
 * Links and pictures of the packed pages whose file is not in the package.
 * @param {Readonly<Record<string, string>>} texts
 * @param {readonly string[]} files
 */
function deadLinks(texts, files) {
  return Object.entries(texts).flatMap(([page, text]) => {
    if (!page.endsWith('.md') && page !== 'llms.txt') return []
    const links = [...text.matchAll(/\]\(([^)\s]+)|\b(?:src|href)="([^"]+)"/g)].map(
      ([, one, other]) => one ?? other ?? '',
    )
    return links
      .filter((link) => !/^([a-z]+:|#|\/)/.test(link))
      .map((link) => posix.join(posix.dirname(page), link.replace(/#.*/, '')))
      .filter((file) => !files.includes(file))
      .map((file) => `${page} links to ${file}, which is not in the package`)
  })
}

/** Comments by which Vite, and webpack, Rspack and Turbopack leave an import alone. */
const LEFT_ALONE = ['@vite-ignore', 'webpackIgnore: true', 'turbopackIgnore: true']

/**
 * Scripts of the repository, which who installed the package cannot run.
 * @param {string} page
 * @param {string} text
 */
const foreignScripts = (page, text) =>
  [...text.matchAll(/\bnpm (?:start|test|run [\w:-]+)/g)].map(
    ([command]) => `${page} tells of ${command}, which the package does not have`,
  )

/**
 * Imports that a bundler of a site's own cannot resolve, and is not told to leave to the browser.
 * @param {Readonly<Record<string, string>>} texts
 */
function hiddenImports(texts) {
  return Object.entries(texts).flatMap(([file, text]) => {
    if (!file.endsWith('.js')) return []
    const imports = [...text.matchAll(/\bimport\(\s*((?:\/\*.*?\*\/\s*)*)([^)]*)/gs)]
    return imports
      .filter(([, comments = '', address = '']) => {
        const isPlain = /^(["'])\.\/[^"'\n]+\1/.test(address)
        return !isPlain && !LEFT_ALONE.every((comment) => comments.includes(comment))
      })
      .map(([found]) => `${file}: a bundler cannot resolve ${found.replaceAll(/\s+/g, ' ').slice(0, 80)}`)
  })
}
