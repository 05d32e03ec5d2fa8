// What only the demo has: identities that everybody may know, its pages, and a way to let a session expire.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from './protocol/index.ts'
import type { ConnectorOptions, ProjectOptions, Runtime, RuntimeOptions } from './runtime/index.ts'

export const demoConnector: ConnectorOptions = {
  id: 'CON-demo0001',
  token: 'demo-connector',
  host: 'localhost',
  accountId: 'ws-demo0001',
  projectId: 'PROJECT-demo0001',
  environment: 'sandbox',
  outboundCalling: true,
}

export const demoProject: ProjectOptions = {
  id: 'PROJECT-demo0001',
  slug: 'front-desk',
  accountId: 'ws-demo0001',
  accountSlug: 'demo',
  senders: [
    { environment: 'sandbox', kind: 'sms', address: '+15005550006' },
    { environment: 'sandbox', kind: 'rcs', address: 'MG-demo0001' },
  ],
}

export const demoApiKeys: NonNullable<RuntimeOptions['keys']> = [
  { id: 'KEY-demo0001', name: 'demo', accountId: 'ws-demo0001', secret: 'demo-api-key' },
  {
    id: 'KEY-demo0002',
    name: 'demo calls',
    kind: 'calling',
    accountId: 'ws-demo0001',
    connectorId: 'CON-demo0001',
    secret: 'demo-calling',
  },
]

export const demoKeys = {
  account: 'ws-demo0001 (demo)',
  project: 'PROJECT-demo0001 (front-desk)',
  'API key': 'demo-api-key',
  'connector token': demoConnector.token,
  'connector ID': demoConnector.id,
  'registered host': demoConnector.host,
  'calling token': 'demo-calling',
  'sender number': '+15005550006',
  'RCS sender': 'MG-demo0001',
}

const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/embed.html': 'embed.html',
  '/inline.html': 'inline.html',
}
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  png: 'image/png',
  svg: 'image/svg+xml',
}

/** Answers what belongs to the demo; undefined for everything else. */
export function servePages(folder: string, runtime: Runtime) {
  return async (request: Request): Promise<Response | undefined> => {
    const url = new URL(request.url)
    if (!isLoopback(url.hostname)) return undefined
    const [, session] = /^\/demo\/sessions\/([\w-]+)\/expire$/.exec(url.pathname) ?? []
    if (session && request.method === 'POST') {
      if (request.headers.get('origin') !== url.origin) return new Response(null, { status: 403 })
      return new Response(null, { status: (await runtime.expire(session)) ? 204 : 404 })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const page = PAGES[url.pathname]
    if (page) return html(await readFile(join(folder, page), 'utf8'), url)
    const [, name, ending] = /^\/demo-assets\/([\w.-]+\.(\w+))$/.exec(url.pathname) ?? []
    const type = TYPES[ending ?? '']
    if (!name || !type) return undefined
    return new Response(new Uint8Array(await readFile(join(folder, 'demo-assets', name))), {
      headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    })
  }
}

/** A page loads the widget from the other loopback name: to a browser that is another site, as in real life. */
function html(text: string, url: URL): Response {
  const other = new URL(url.origin)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${other.origin}`,
    "style-src 'self'",
    `connect-src 'self' ${other.origin} ${url.origin.replace('http', 'ws')}`,
    `frame-src 'self' ${other.origin}`,
    "img-src 'self' https: data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return new Response(text.replaceAll('{{foyer}}', other.origin), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    },
  })
}
