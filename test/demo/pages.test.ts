// @vitest-environment node
// Whatever a path says, a page of the demo loads its widget from the demo.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDemo } from '../../demo/server/index.ts'
import { PAGES } from '../../demo/server/pages.ts'
import { createSimulatedCarrier } from '../../src/carriers/index.ts'
import type { Runtime } from '../../src/runtime/index.ts'
import { systemClock } from '../../src/runtime/index.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-pages-'))
  await writeFile(join(folder, 'docs.html'), '<main>{{body}}</main>')
  await writeFile(
    join(folder, 'tyres.md'),
    '---\r\nasked: [wheels?]\r\n---\r\n# Tyres\n<!-- a note -->\nRound <b onclick="x()">ones</b><!-- a note -->.\n\n<script>x()</script>\n\n```\n<!-- as code -->\n```\n',
  )
  for (const page of Object.values(PAGES))
    await writeFile(join(folder, page), '<script src="{{foyer}}/foyer.js"></script>')
})

const demo = (runtime: Partial<Runtime> = {}) =>
  createDemo(
    { folder, documents: folder, find: async () => [] },
    { desk: () => ({}), ...runtime } as unknown as Runtime,
    createSimulatedCarrier({ clock: systemClock, uuid: () => 'one' }),
    'guide',
  )
/** `path` as it came over the wire: a request keeps two slashes at its start. */
const get = (path: string, publicOrigin?: string) =>
  demo().fetch(new Request(`http://localhost:4700${path}`), publicOrigin)

it('a page of the demo loads the widget from the other loopback name, or from the public origin', async () => {
  expect(await (await get('/'))?.text()).toContain('http://127.0.0.1:4700/foyer.js')
  expect(await (await get('/embed.html', 'https://demo.example.com'))?.text()).toContain(
    'https://demo.example.com/foyer.js',
  )
})

it('the demo shows a document without its front matter and comments, and its markup as text', async () => {
  expect(await (await get('/docs/tyres'))?.text()).toContain(
    '<h1 id="tyres">Tyres</h1>\n<p>Round &lt;b onclick=&quot;x()&quot;&gt;ones&lt;/b&gt;.</p>\n<p>&lt;script&gt;x()&lt;/script&gt;</p>\n<pre><code>&lt;!-- as code --&gt;\n</code></pre>\n',
  )
})

it('a page of the demo may be framed by itself alone, whichever page it is', async () => {
  const pages = Object.keys(PAGES)
  expect(pages).toContain('/phone.html')
  for (const path of [...pages, '/docs/tyres'])
    for (const publicOrigin of [undefined, 'https://demo.example.com']) {
      const policy = (await get(path, publicOrigin))?.headers.get('content-security-policy') ?? ''
      expect([path, policy.split('; ').filter((part) => part.startsWith('frame-ancestors'))]).toEqual([
        path,
        ["frame-ancestors 'self'"],
      ])
    }
})

it.each([
  '//evil.example/',
  '//evil.example/embed.html',
  '///evil.example/',
  '/\\evil.example/',
  '//evil.example:80/desk.html',
  '//[',
  '//[/',
  '//a:b@c/',
  '//%',
])('the demo answers no page at %s', async (path) => {
  expect(await get(path)).toBeUndefined()
  expect(await get(path, 'https://demo.example.com')).toBeUndefined()
})

it('the demo answers 404 for a missing asset', async () => {
  for (const name of ['none.js', '..js', '__proto__.js', 'index.html'])
    expect(await get(`/demo-assets/${name}`)).toBeUndefined()
})

describe('the metrics of a conversation', () => {
  const asked: string[] = []
  const runtime = {
    async metrics(id: string) {
      asked.push(id)
      return id === 'one' ? { sources: ['a', 'b'], seen: 'c' } : undefined
    },
  } as Runtime
  const ask = (id: string, headers: Record<string, string>, method = 'GET') =>
    demo(runtime).fetch(new Request(`http://localhost:4700/demo/sessions/${id}/metrics`, { method, headers }))

  it.each<Record<string, string>>([{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }])(
    'are the newest values, for a page of the demo: %j',
    async (headers) => {
      const answer = await ask('one', headers)
      expect(await answer?.json()).toEqual({ sources: 'b', seen: 'c' })
      expect(answer?.headers.get('cache-control')).toBe('no-store')
      expect(await (await ask('two', headers))?.json()).toEqual({})
    },
  )

  it('are refused to other sites, and to anything that is not a question', async () => {
    asked.length = 0
    for (const site of ['cross-site', 'same-site', 'x'])
      expect((await ask('one', { 'sec-fetch-site': site }))?.status).toBe(403)
    expect((await ask('one', {}, 'POST'))?.status).toBe(403)
    expect((await ask('one', { origin: 'http://localhost:4700' }, 'POST'))?.status).toBe(404)
    expect((await ask('one', {}, 'DELETE'))?.status).toBe(405)
    expect(asked).toEqual([])
  })
})
