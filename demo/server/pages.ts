// Serves the demo's built pages and their files.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPageScript } from '../../src/cli/page-script.ts'
import { isLoopback } from '../../src/protocol/index.ts'
import type { DocsPages } from './docs.ts'

/** The files of the pages, by their paths. */
export const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/embed.html': 'embed.html',
  '/inline.html': 'inline.html',
  '/desk.html': 'desk.html',
  '/phone.html': 'phone.html',
  '/gallery.html': 'gallery.html',
}
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  png: 'image/png',
  svg: 'image/svg+xml',
}

/**
 * Answers with a file of `folder`; undefined where none is asked for. `origin`: the page's, as the browser knows it.
 * `publicOrigin`: where the widget comes from; else from the other loopback name.
 */
export async function servePage(
  folder: string,
  method: string,
  { pathname, origin, searchParams }: Pick<URL, 'pathname' | 'origin' | 'searchParams'>,
  publicOrigin: string | undefined,
  docs: DocsPages,
  agent: string,
): Promise<Response | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const foyer = publicOrigin ?? otherName(origin)
  const document = await docs(pathname, searchParams.get('q') ?? undefined)
  if (document && 'to' in document)
    return Response.redirect(new URL(document.to, publicOrigin ?? origin), 302)
  if (document) return html(document.html, origin, foyer)
  const page = Object.hasOwn(PAGES, pathname) ? PAGES[pathname] : undefined
  if (page) {
    const { path = '', integrity = '' } = readPageScript() ?? {}
    const text = (await readFile(join(folder, page), 'utf8'))
      .replaceAll('{{agent}}', agent)
      .replaceAll('{{path}}', path)
      .replaceAll('{{integrity}}', integrity)
    return html(text, origin, foyer)
  }
  const [, name, ending] = /^\/demo-assets\/([\w.-]+\.(\w+))$/.exec(pathname) ?? []
  const type = TYPES[ending ?? '']
  if (!name || !type) return undefined
  const body = await readFile(join(folder, 'demo-assets', name)).catch(() => undefined)
  if (!body) return undefined
  return new Response(new Uint8Array(body), {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  })
}

/** The other loopback name: to a browser that is another site, as in real life. Any other name has no second one. */
function otherName(origin: string): string {
  const other = new URL(origin)
  if (isLoopback(other.hostname)) other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return other.origin
}

/** `origin`: the page's own. `foyer`: the origin that serves the widget. */
function html(text: string, origin: string, foyer: string): Response {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${foyer}`,
    "style-src 'self'",
    `connect-src 'self' ${foyer} ${origin.replace('http', 'ws')} ${foyer.replace('http', 'ws')}`,
    `frame-src 'self' ${foyer}`,
    "img-src 'self' https: data:",
    // Another site could place buttons of the desk under its visitors' clicks.
    "frame-ancestors 'self'",
    "base-uri 'none'",
    // The search of the documents is a form.
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return new Response(text.replaceAll('{{foyer}}', foyer), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    },
  })
}
