// @vitest-environment node
// The documents of the demo: their order, what a page links to, and the search in them.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createDocsPages } from '../../demo/server/docs.ts'
import type { Passage } from '../../src/agents/index.ts'
import { openLibrary } from '../../src/agents/search/library.ts'

let folder = ''
let asked: string[] = []
let found: Passage[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-documents-'))
  asked = []
  found = []
  await writeFile(join(folder, 'docs.html'), '<title>{{title}}</title>{{body}}')
  for (const [name, text] of [
    ['bells', '# Bells & whistles\n\nText.\n'],
    ['tyres', '# Tyres\n\n## What they cost\n\nTwenty.\n\n## Sizes\n\nTwo.\n'],
    ['zebras', '# Zebras\n\n## One section\n\nText.\n'],
  ])
    await writeFile(join(folder, `${name}.md`), text ?? '')
})

const pages = () =>
  createDocsPages(folder, folder, async (text) => {
    asked.push(text)
    return found
  })
async function parts(path: string, query?: string) {
  const answer = await pages()(path, query)
  if (!answer || !('html' in answer)) throw new Error(`no page at ${path}`)
  const { html } = answer
  const part = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
  return {
    title: part(/<title>(.*?)<\/title>/),
    shown: part(/ name="q" value="(.*?)"/),
    contents: part(/<nav aria-label="Documents">(.*?)<\/nav>/),
    sections: part(/(<details class="fold sections">.*?<\/details>)/),
    body: part(/<main[^>]*>(.*?)(?:<nav|<\/main>)/s),
    turn: part(/(<nav class="turn".*?<\/nav>)/),
  }
}
const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)

it('documents stand in the order of their names without contents.txt, and in its groups and order with it', async () => {
  const { contents } = await parts('/docs/tyres')
  expect(linksIn(contents)).toEqual(['/docs/bells', '/docs/tyres', '/docs/zebras'])
  expect(contents).not.toContain('<p')
  await writeFile(join(folder, 'contents.txt'), 'Wheels\n  tyres\n  gone\nEmpty\nSounds & more\n\tbells.md\n')
  const grouped = (await parts('/docs/tyres')).contents
  expect(linksIn(grouped)).toEqual(['/docs/tyres', '/docs/bells', '/docs/zebras'])
  expect([...grouped.matchAll(/<p id="[\w.]+">([^<]+)/g)].map(([, label]) => label)).toEqual([
    'Wheels',
    'Sounds &amp; more',
    'More',
  ])
})

it('documents mark the page that is shown, and lead to the pages before and after it', async () => {
  const { contents, turn } = await parts('/docs/tyres')
  expect(contents.match(/<a [^>]*aria-current="page"[^>]*>[^<]+/g)).toEqual([
    '<a href="/docs/tyres" aria-current="page" dir="auto">Tyres',
  ])
  expect(linksIn(turn)).toEqual(['/docs/bells', '/docs/zebras'])
  expect(linksIn((await parts('/docs/bells')).turn)).toEqual(['/docs/tyres'])
  expect(linksIn((await parts('/docs/zebras')).turn)).toEqual(['/docs/tyres'])
})

it('documents list the sections of a page that has several', async () => {
  expect(linksIn((await parts('/docs/tyres')).sections)).toEqual(['#what-they-cost', '#sizes'])
  expect((await parts('/docs/zebras')).sections).toBe('')
})

it('documents are searched by the agent; the results lead to pages and headings', async () => {
  const library = await openLibrary({ folder, watch: false })
  found = [...(await library.lookUp('what do tyres cost'))]
  library.close()
  const { title, shown, body, turn } = await parts('/docs/', ' what do tyres cost <b> ')
  expect(asked).toEqual(['what do tyres cost <b>'])
  expect(title).toBe('Results for “what do tyres cost &lt;b&gt;”')
  expect(shown).toBe('what do tyres cost &lt;b&gt;')
  expect(linksIn(body)[0]).toBe('/docs/tyres#what-they-cost')
  expect(body).not.toContain('<b>')
  expect(turn).toBe('')
})

it('documents let the agent say that nothing was found', async () => {
  expect((await parts('/docs/', 'xyzzy')).body).toContain('No document has these words')
})

it('documents are searched for a bounded text, and for none that is empty', async () => {
  await parts('/docs/', 'a'.repeat(10_000))
  expect(asked).toEqual(['a'.repeat(200)])
  for (const query of ['', '   ', undefined])
    expect(await pages()('/docs/', query)).toEqual({ to: '/docs/bells' })
  await parts('/docs/tyres', 'bells')
  expect(asked).toHaveLength(1)
})
