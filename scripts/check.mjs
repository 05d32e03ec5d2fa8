// `npm run check`: types, format and lint, what the packages export, and what a browser has to load.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { problemsOf, readNotices } from './notices.mjs'
import { ensureDependencies, ensureNode, root } from './setup.mjs'

ensureNode()
ensureDependencies()

/**
 * Most bytes after gzip: the script of every page; what the page loads on intent to place the panel; what the
 * frame loads until the panel can be used; the parser that comes beside it.
 */
const BUDGETS = { loader: 3.5 * 1024, place: 3 * 1024, frame: 48 * 1024, markdown: 25 * 1024 }

/**
 * The names that each entry exports, and no others; and the page that says what they are.
 * @type {Readonly<Record<string, { names: readonly string[], page?: string }>>}
 */
const EXPORTS = {
  'foyer-webchat/index.js': { names: ['mount'], page: 'embedding.md' },
  'foyer-webchat/chat.js': { names: ['createChat', 'memoryStore', 'shareTabs'] },
  'foyer-webchat/protocol.js': {
    names: [
      ...['CLOSE', 'closeMeaning', 'readFrame', 'parseFrame', 'readRequest', 'customId', 'idOf', 'PLATFORMS'],
      ...['chatEndpoint', 'isLoopback', 'socketUrl', 'idleWarningLead'],
      ...['DEFAULT_HEARTBEAT_SECONDS', 'DEFAULT_SESSION_IDLE_SECONDS', 'MAX_CUSTOM_BYTES', 'MAX_CUSTOM_KEYS'],
      ...['MAX_MESSAGE_BYTES', 'MAX_SOCKETS_PER_SESSION'],
    ],
  },
  'foyer-server/bff.js': {
    names: ['SettingsError', 'createBff', 'createVisitorAddress', 'folderAssets', 'readBffSettings'],
    page: 'bff.md',
  },
  'foyer-server/client.js': {
    names: [
      ...['createClient', 'ClientError', 'InputError', 'CallsFailure', 'ChatFailure', 'ConcurrencyFailure'],
      ...['ConversationsFailure', 'HandoffFailure', 'SmsFailure'],
    ],
    page: 'client.md',
  },
  'foyer-server/runtime.js': {
    names: [
      ...[
        'createRedaction',
        'createRuntime',
        'defaultRuntimeSettings',
        'DataFolderError',
        'CommandError',
        'openCommands',
      ],
      ...['endpointEmbeddings', 'openPglite', 'openPostgres', 'PERMISSIONS', 'sleep', 'systemClock'],
    ],
  },
  'foyer-server/agents.js': { names: ['createGuide', 'createLlmAgent'], page: 'answering.md' },
  'foyer-server/carriers.js': { names: ['createSimulatedCarrier'] },
}
/** The packages that a module may bring along. */
const MAY_NEED = { 'foyer-server/client.js': ['valibot'] }

let failures = 0
const fail = (/** @type {string} */ text) => {
  failures++
  console.error(text)
}

/** @param {string} what @param {string[]} args */
function run(what, args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail(`${what}: failed`)
}
run('types', ['node_modules/typescript/bin/tsc', '-p', '.'])
run('format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'])

const { build, sizes } = await import('./build.mjs')
await build({ types: true })
for (const [file, { names, page }] of Object.entries(EXPORTS)) {
  const exported = Object.keys(await import(pathToFileURL(join(root, 'dist', file)).href))
  const said = page === undefined ? undefined : readFileSync(join(root, 'docs', page), 'utf8')
  for (const name of names) {
    if (!exported.includes(name)) fail(`exports: ${file} lacks ${name}`)
    if (said && !new RegExp(`\`${name}\\b`).test(said)) fail(`exports: docs/${page} does not name ${name}`)
  }
  for (const name of exported)
    if (!names.includes(name))
      fail(`exports: ${file} also exports ${name}: name it here and in its docs page`)
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
/**
 * What is fetched on demand: other locales by those who speak them, the voice, what paints an accent, and what the page
 * loads beside the place (trouble, cards, the phone's sheet, the panel without a frame).
 */
const onDemand =
  /^(halves|voice|paint|locales|place-words|trouble|card|attention|teaser|modal|inline|[a-z]{2}(-[A-Z]{2})?)-/
const used = {
  loader: of((name) => name === 'foyer.js'),
  place: of((name) => name === 'place.js'),
  // With what the parser shares with the voice.
  markdown: of((name) => name === 'markdown.js' || name.startsWith('halves-')),
  frame: of((name) => !['foyer.js', 'place.js', 'markdown.js'].includes(name) && !onDemand.test(name)),
}
for (const [name, most] of Object.entries(BUDGETS)) {
  const bytes = used[/** @type {keyof typeof used} */ (name)]
  console.log(`size: ${name} ${bytes} of ${most} bytes gzip`)
  if (bytes > most || bytes === 0) fail(`size: ${name} has ${bytes} bytes, its budget is ${most}`)
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
