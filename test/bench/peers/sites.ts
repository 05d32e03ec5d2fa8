// Builds every contestant's page from its npm package, and serves it on loopback; Foyer's panel comes from a real BFF on an origin of its own.

import { cpSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { build } from 'vite'
import { createBff, folderAssets } from '../../../src/bff/index.ts'
import type { Entrant } from './contestants.ts'

/** Where the bench installs the peers, below the root. */
export const INSTALLED = 'node_modules/.cache/foyer-peers'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type Sites = Awaited<ReturnType<typeof startSites>>

/** `root`: of the repository. `service`: the origin of the double. */
export async function startSites(root: string, service: string, entrants: readonly Entrant[]) {
  // Beside the installed peers, so that they are found; they are kept out of the tree that everything else reads.
  const folder = join(root, INSTALLED)
  for (const name of ['contestants', 'contestant.ts', 'feed.ts', 'words.ts'])
    cpSync(join(root, 'test/bench/peers', name), join(folder, name), { recursive: true })
  const built = join(folder, 'pages')
  const files = entrants.flatMap(({ file, mounts }) => [file, ...(mounts ? [mounts] : [])])
  /** Contestants whose page could not be built, and why. */
  const broken = new Map<string, string>()
  for (const { name, file, mounts } of entrants)
    try {
      for (const each of mounts ? [file, mounts] : [file]) await buildPage(root, each, join(built, each))
    } catch (error) {
      broken.set(name, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    }

  let answer = (_: Request): Promise<Response> => Promise.reject(new Error('not started'))
  const listener = getRequestListener((request) => answer(request))
  const own = createServer((request, response) => void listener(request, response))
  const bff = await listen(own)

  const pages = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, name = '', file = ''] = pathname.split('/')
    const path = join(built, name, file)
    const type = TYPES[file === '' ? '.html' : extname(file)]
    if (!files.includes(name) || type === undefined || !existsSync(path))
      return void response.writeHead(404).end()
    response.setHeader('content-type', type)
    if (file !== '') return void response.end(readFileSync(path))
    const style = existsSync(join(path, 'style.css'))
      ? `<link rel="stylesheet" href="/${name}/style.css">`
      : ''
    // The script tag stands in the page as a site writes it.
    const tag = name === 'foyer' ? `<script src="${bff}/foyer.js"></script>` : ''
    response.end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${name}</title><link rel="icon" href="data:,">${style}</head><body>${tag}<script type="module" src="/${name}/main.js"></script></body></html>`,
    )
  })
  // Another site than the BFF's, as in real pages.
  const site = (await listen(pages)).replace('127.0.0.1', 'localhost')
  const made = createBff({
    connectorToken: 'connector-secret',
    connectorHost: 'shop.example.com',
    chatUrl: service,
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    publicOrigin: bff,
    origins: [site],
    assets: folderAssets(join(root, 'dist/foyer-server/public')),
    limits: { address: 1_000_000, connector: 1_000_000 },
  })
  const empty =
    '<!doctype html><title>Empty</title><textarea></textarea><script>' +
    "const focus = () => document.querySelector('textarea').focus(); addEventListener('focus', focus); focus()</script>"
  answer = async (request) =>
    new URL(request.url).pathname === '/empty.html'
      ? new Response(empty, { headers: { 'content-type': 'text/html' } })
      : made.fetch(request, { address: '127.0.0.1' })

  return {
    broken,
    addressOf(file: string, { messages = 0, mounts = false } = {}): string {
      const search = new URLSearchParams({
        service,
        bff,
        messages: String(messages),
        ...(mounts && { mounts: '' }),
      })
      return `${site}/${file}/?${search}`
    },
    close() {
      own.close()
      pages.close()
    },
  }
}

/** The version that a page is built with: of the installed peers, or else of the repository's own packages. */
export function versionOf(root: string, name: string | undefined): string {
  const paths = name
    ? [INSTALLED, ''].map((folder) => join(root, folder, 'node_modules', name, 'package.json'))
    : [join(root, 'package.json')]
  return createRequire(join(root, 'package.json'))(paths.find(existsSync) ?? paths[0] ?? '').version
}

async function buildPage(root: string, file: string, outDir: string): Promise<void> {
  const folder = join(root, INSTALLED)
  const entry = ['.ts', '.tsx'].map((end) => join(folder, 'contestants', file + end)).find(existsSync) ?? ''
  await build({
    configFile: false,
    root: folder,
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    // One copy of what several packages share, as a site's own bundle has it.
    resolve: {
      dedupe: ['react', 'react-dom', 'vue'],
      alias: { 'foyer-webchat': join(root, 'dist/foyer-webchat/index.js') },
    },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: entry,
        output: {
          entryFileNames: 'main.js',
          chunkFileNames: '[name]-[hash:8].js',
          assetFileNames: '[name][extname]',
        },
      },
    },
  })
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
