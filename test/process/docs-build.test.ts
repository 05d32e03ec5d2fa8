// `foyer-server docs build` as a process of its own, on a small folder and on Foyer's own docs.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SHORT_LIVED } from '../browser/world.ts'
import { cli, root, useFolder } from './starts.ts'

const folder = useFolder()

function build(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...SHORT_LIVED, cli, 'docs', 'build', ...args],
    {
      cwd: folder.path(),
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}
function put(path: string, text: string): void {
  mkdirSync(join(folder.path(path), '..'), { recursive: true })
  writeFileSync(folder.path(path), text)
}

it('docs build writes a folder as a site, once each link leads somewhere', () => {
  put('docs/README.md', '# Larkspur\n\nWe mend bicycles. See [prices](prices.md#tyre).\n')
  put('docs/prices.md', '# Prices\n\nA tyre costs 20.\n\n## Tyres\n\nThey are black.\n')
  expect(build('docs', 'site')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'docs/README.md:3: prices.md has no heading #tyre\n1 problem: nothing was written.\n',
  })
  expect(existsSync(folder.path('site'))).toBe(false)
  put('docs/README.md', '# Larkspur\n\nWe mend bicycles. See [prices](prices.md#tyres).\n')
  const origin = 'https://docs.example.com'
  expect(build('docs', 'site', '--origin', origin, '--title', 'Help')).toEqual({
    status: 0,
    stdout: 'Wrote 2 pages and 0 other files to site\n',
    stderr: '',
  })
  const read = (name: string) => readFileSync(folder.path(`site/${name}`), 'utf8')
  expect(read('index.html')).toContain('href="prices.html#tyres"')
  expect(read('sitemap.xml')).toContain(`<loc>${origin}/prices.html</loc>`)
  expect(read('llms.txt')).toContain(`- [Prices](${origin}/prices.md): A tyre costs 20.`)
  expect(read('site/search.js').length).toBeGreaterThan(1_000)
  expect(build('docs', 'site').status).toBe(0)
  expect(existsSync(folder.path('site/sitemap.xml'))).toBe(false)
})

it('docs build counts one page as one', () => {
  put('docs/a.md', '[b](b.txt)\n')
  put('docs/b.txt', '')
  expect(build('docs', 'site').stdout).toBe('Wrote 1 page and 1 other file to site\n')
})

it('docs build refuses what it cannot do, in one sentence', () => {
  put('docs/a.md', '# A\n')
  put('mine/file', '')
  for (const [args, problem] of [
    [['docs'], /^Name two folders: /],
    [['none', 'site'], /^There is no folder /],
    [['docs', 'mine'], /^\S*mine is not empty, and holds no earlier site/],
    [['docs', 'docs/site'], /^The site cannot stand in /],
    [['docs', 'site', '--origin', 'docs.example.com'], /^--origin is "docs\.example\.com"\. It must be /],
    [['docs', 'site', '--theme', 'x'], /^There is no option --theme\./],
    [['docs', 'site', '--lang', 'english'], /^The language "english" is not a language tag /],
    [['docs', 'mine/file'], /mine\/file is not a folder\.$/m],
  ] as const) {
    const { status, stderr } = build(...args)
    expect([args, status, stderr]).toEqual([args, 1, expect.stringMatching(problem)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  expect(build('--help').stdout).toContain('foyer-server docs build <folder> <out>')
})

it('docs build writes the docs of Foyer', () => {
  const docs = join(root, 'docs')
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'))
  expect(build(docs, 'site')).toEqual({
    status: 0,
    stdout: expect.stringContaining(`Wrote ${pages.length} pages `),
    stderr: '',
  })
})
