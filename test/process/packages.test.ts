// What stands in the folders of the packages after any build, that of `npm start` too.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')

/** Every path in the fields that tell where code and types are. */
const pathsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(pathsIn)

it.each(['foyer-webchat', 'foyer-server'])('%s holds every file that its package.json names', (name) => {
  const read = JSON.parse(readFileSync(join(dist, name, 'package.json'), 'utf8'))
  const named = pathsIn([read.main, read.types, read.exports, read.typesVersions, read.bin])
  expect(named.filter((path) => path.endsWith('.d.ts')).length).toBeGreaterThan(2)
  expect(named.filter((path) => !existsSync(join(dist, name, path)))).toEqual([])
})

it.each(['foyer-webchat', 'foyer-server'])('%s tells where it comes from, as the repository does', (name) => {
  const about = (folder: string) => {
    const { homepage, repository, bugs, keywords } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return { homepage, repository, bugs, keywords }
  }
  const own = about(root)
  expect(about(join(dist, name))).toEqual(own)
  expect([own.homepage, own.repository.url, own.bugs.url]).toEqual(
    Array(3).fill(expect.stringMatching(/^(git\+)?https:/)),
  )
  expect(own.keywords).toContain('webchat')
})

it.each(['foyer-webchat', 'foyer-server'])('%s holds the changelog as it is published', (name) => {
  const changelog = (folder: string) => readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  expect(changelog(join(dist, name))).toBe(changelog(root))
})

it.each(['foyer-webchat', 'foyer-server'])('%s says to coding assistants how to use it, in short', (name) => {
  const read = (file: string) => readFileSync(join(dist, name, file), 'utf8')
  expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(80)
  // https://llmstxt.org: a title, what it is, and lists of links.
  expect(read('llms.txt')).toMatch(/^# .+\n\n> .+\n\n## .+\n\n- \[/)
})

it('the build draws the docs as a site, and foyer-server can draw others', () => {
  for (const file of ['index.html', 'site/search.html', 'site/page.js', 'llms-full.txt'])
    expect([file, existsSync(join(dist, 'docs', file))]).toEqual([file, true])
  const names = ['page.js', 'search.js', 'site.css']
  expect(names.filter((name) => !existsSync(join(dist, 'foyer-server/site', name)))).toEqual([])
})

it('the BFF of foyer-server goes into one bundle for a worker, which needs no module of its host and no file beside it', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root,
    ssr: { noExternal: true, target: 'webworker' },
    build: { ssr: join(dist, 'foyer-server/bff.js'), write: false },
  })
  const [chunk, ...others] = 'output' in built ? built.output : []
  expect(others).toEqual([])
  expect(chunk).toMatchObject({ type: 'chunk', imports: [], dynamicImports: [] })
  const code = chunk?.type === 'chunk' ? chunk.code : ''
  // What bundlers take for a file to copy, and what a host without Node does not have.
  expect(code.match(/new URL\([^()]*import\.meta\.url|\bcluster\b|\brequire\(|import\.meta\.url\.\w/g)).toBe(
    null,
  )
  const { createBff } = (await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  )) as {
    createBff: typeof import('../../src/bff/index.ts').createBff
  }
  const bff = createBff({
    connectorToken: 'a-connector-token-of-a-test',
    connectorHost: 'shop.example.com',
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
  })
  const script = await bff.fetch(new Request('https://chat.example.com/foyer.js'), { address: '192.0.2.1' })
  expect([script.status, await script.json()]).toEqual([
    404,
    { error: expect.stringContaining('keep foyer-server out of the bundle') },
  ])
})

it('foyer-webchat needs nothing but React, for its component alone, which servers leave to browsers', () => {
  const folder = join(dist, 'foyer-webchat')
  const { dependencies, ...read } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect([dependencies, Object.keys(read.peerDependencies), read.peerDependenciesMeta]).toEqual([
    undefined,
    ['react'],
    { react: { optional: true } },
  ])
  expect(readFileSync(join(folder, 'react.js'), 'utf8')).toMatch(/^(["'])use client\1;\n/)
})
