// Two builds that share a database, as during an upgrade: each finds the files of the other.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createBff } from '../../src/bff/index.ts'
import { buildAssets } from '../../src/cli/start/build-assets.ts'
import { createBuildFiles } from '../../src/runtime/files/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { migratedPglite } from '../contract/template.ts'

let database: Database
let folder: string
beforeAll(async () => {
  database = await migratedPglite()
  folder = mkdtempSync(join(tmpdir(), 'foyer-builds-'))
})
beforeEach(() => database.query('DELETE FROM foyer.build_file'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.close()
})

/** The folder of a build, whose panel and words have this hash. */
function build(hash: string): string {
  const at = join(folder, hash)
  mkdirSync(join(at, 'assets'), { recursive: true })
  const names = [`panel-${hash}.js`, `de-${hash}.js`, `look-${hash}.css`]
  const manifest = {
    'src/embed/frame/panel.ts': { file: `entry-${hash}.js`, imports: ['_panel'] },
    _panel: { file: `panel-${hash}.js`, dynamicImports: ['de.ts'] },
    'de.ts': { file: `de-${hash}.js`, name: 'de' },
  }
  for (const name of names) writeFileSync(join(at, 'assets', name), `${name} \0 é`)
  writeFileSync(join(at, 'assets/first.js'), `import './panel-${hash}.js'`)
  writeFileSync(join(at, 'assets/manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(at, 'foyer.js'), hash)
  mkdirSync(join(at, `v/1.0.0-${hash}`), { recursive: true })
  writeFileSync(join(at, `v/1.0.0-${hash}/foyer.js`), hash)
  return at
}
const assetsOf = (hash: string, of: Database = database) => buildAssets(build(hash), createBuildFiles(of))
const bffOf = async (hash: string) =>
  createBff({
    connectorToken: 'sixteen-letters!',
    connectorHost: 'shop.example.com',
    chatUrl: 'https://chat.example.com',
    cookieSecrets: ['a-secret-of-thirty-two-characters'],
    assets: await assetsOf(hash),
  })
const get = (bff: Awaited<ReturnType<typeof bffOf>>, path: string) =>
  bff.fetch(new Request(`https://chat.example.com${path}`), { address: '192.0.2.1' })
const stored = async () =>
  (await database.query<{ name: string }>('SELECT name FROM foyer.build_file ORDER BY name')).map(
    ({ name }) => name,
  )

it('the page of one build gets all its files from the other, for a year each, whichever of them started first', async () => {
  const bffs = [await bffOf('aaaaaaaa'), await bffOf('bbbbbbbb')] as const
  for (const [from, to] of [bffs, bffs.toReversed()] as const) {
    if (!from || !to) throw new Error('two builds')
    const page = await (await get(from, '/foyer/frame?locale=de')).text()
    const files = [...page.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(files).toHaveLength(2)
    const version = from === bffs[0] ? '1.0.0-aaaaaaaa' : '1.0.0-bbbbbbbb'
    const style = files[0]?.replace('panel', 'look').replace('.js', '.css') ?? ''
    for (const path of [...files, style, `/foyer/v/${version}/foyer.js`]) {
      const [own, other] = [await get(from, path), await get(to, path)]
      expect([path, other.status]).toEqual([path, 200])
      for (const header of ['content-type', 'cache-control'])
        expect(other.headers.get(header)).toBe(own.headers.get(header))
      expect(await other.text()).toBe(await own.text())
    }
  }
})

it('only files whose bytes never change under their names are kept, and no other name asks the database', async () => {
  const asked: unknown[] = []
  const watched: Database = {
    ...database,
    query(sql, params, more) {
      asked.push(params?.[0])
      return database.query(sql, params, more)
    },
  }
  const assets = await assetsOf('aaaaaaaa', watched)
  const script = 'v/1.0.0-aaaaaaaa/foyer.js'
  expect(await stored()).toEqual(['de-aaaaaaaa.js', 'look-aaaaaaaa.css', 'panel-aaaaaaaa.js', script])
  asked.length = 0
  expect((await assets('foyer.js'))?.immutable).toBe(false)
  for (const name of [
    'none.js',
    'v/1.0.0-bbbbbbbb/other.js',
    'v/../foyer.js/x.js',
    'inline.js',
    'manifest',
    `${'a'.repeat(200)}-aaaaaaaa.js`,
    'panel-aaaaaaaa.js',
  ])
    await assets(name)
  expect(asked).toEqual([])
  expect(await assets('panel-cccccccc.js')).toBeUndefined()
  expect(asked).toEqual(['panel-cccccccc.js'])
})

it('a stored file has the type of its ending, whatever its row says, and one that a browser would show as a page is none', async () => {
  const assets = await assetsOf('aaaaaaaa')
  const insert = (name: string, type: string) =>
    database.query('INSERT INTO foyer.build_file (name, type, body, seen_at) VALUES ($1, $2, $3, now())', [
      name,
      type,
      '<script>alert(1)</script>',
    ])
  for (const [ending, type] of [
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
    ['png', 'image/png'],
  ]) {
    await insert(`row-bbbbbbbb.${ending}`, 'text/html')
    expect(await assets(`row-bbbbbbbb.${ending}`)).toMatchObject({ type, immutable: true })
  }
  for (const ending of ['html', 'htm', 'svg', 'xml', 'xhtml', 'JS', 'json', 'txt']) {
    await insert(`row-bbbbbbbb.${ending}`, 'text/javascript; charset=utf-8')
    expect([ending, await assets(`row-bbbbbbbb.${ending}`)]).toEqual([ending, undefined])
  }
})

it('a start whose files are stored is one statement, and two builds may start at once', async () => {
  await Promise.all([assetsOf('aaaaaaaa'), assetsOf('bbbbbbbb'), assetsOf('aaaaaaaa')])
  expect(await stored()).toHaveLength(8)
  let statements = 0
  const counted: Database = {
    ...database,
    query(sql, params, more) {
      statements++
      return database.query(sql, params, more)
    },
  }
  await assetsOf('aaaaaaaa', counted)
  expect(statements).toBe(1)
})

it('files that no process has had for 30 days are forgotten, and the oldest above 64 MB', async () => {
  const running = createBuildFiles(database)
  const file = (name: string) => ({ name, type: 'text/javascript', body: new Uint8Array([1]) })
  await running.keep([file('running-aaaaaaaa.js')])
  await createBuildFiles(database).keep([file('gone-aaaaaaaa.js')])
  const age = (days: number) =>
    database.query(`UPDATE foyer.build_file SET seen_at = seen_at - $1::integer * interval '1 day'`, [days])
  await age(29)
  await createBuildFiles(database).keep([file('next-aaaaaaaa.js')])
  expect(await stored()).toHaveLength(3)
  await age(2)
  await running.touch()
  await createBuildFiles(database).keep([file('last-aaaaaaaa.js')])
  expect(await stored()).toEqual(['last-aaaaaaaa.js', 'next-aaaaaaaa.js', 'running-aaaaaaaa.js'])
  await database.query(
    `INSERT INTO foyer.build_file SELECT n || '-aaaaaaaa.js', '', convert_to(repeat('a', 16777216), 'UTF8'),
       now() - n * interval '1 hour' FROM generate_series(1, 6) AS n`,
  )
  await createBuildFiles(database).keep([file('small-aaaaaaaa.js')])
  expect((await stored()).filter((name) => /^\d/.test(name))).toEqual(
    [1, 2, 3].map((n) => `${n}-aaaaaaaa.js`),
  )
})
