// What is said of a packed package, and which declarations get into one: packages made for the purpose.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flawsOf, pack } from '../../scripts/packages.mjs'
import { bundleTypes, differing } from '../../scripts/types.mjs'

const root = resolve(import.meta.dirname, '../..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-packages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const WHOLE = {
  'package.json': JSON.stringify({
    name: 'larkspur',
    version: '1.0.0',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  }),
  'README.md': '# Larkspur\n\n[More](more.md#start), [elsewhere](https://example.com)\n',
  'more.md': '# Start\n\n[Back](README.md)\n',
  'index.js': "export const bell = () => import('./parts/bell.js')\n",
  'parts/bell.js': `export const ring = () => {}
export const from = (address) => import(
  /* @vite-ignore */
  /* webpackIgnore: true */
  /* turbopackIgnore: true */
  address
)
`,
  'index.d.ts': "import type { Bell } from './bell.ts';\nexport declare const bell: () => Promise<Bell>;\n",
  'bell.d.ts': 'export type Bell = { ring(): void };\n',
}
/** What is said of the package with these files; undefined: without that file. */
async function flawsWith(name: string, files: Readonly<Record<string, string | undefined>> = {}) {
  for (const [path, text] of Object.entries({ ...WHOLE, ...files }))
    if (text !== undefined) put(join(name, path), text)
  return flawsOf(await pack(join(folder, name), join(folder, name)), root)
}
const matching = (flaws: readonly RegExp[]) => flaws.map((flaw) => expect.stringMatching(flaw))

describe('of a packed package', () => {
  it('nothing is said where it is whole, and imports only what every bundler finds or leaves to the browser', async () => {
    expect(await flawsWith('whole')).toEqual([])
  })

  it('each link, picture and command of its pages that leads nowhere is told, and each import that a bundler cannot resolve', async () => {
    const flaws = await flawsWith('lost', {
      'README.md': '[The docs](docs/start.md#top)\n\n```sh\nnpm start\n```\n\n<img src="bell.png">\n',
      'more.md': '![The bell](../bell.png)\n',
      'llms.txt': '# Larkspur\n\n- [Start](docs/start.md): how to begin\n',
      'AGENTS.md': '# Larkspur\n\nRun `npm run ring`.\n',
      'parts/bell.js': [
        'export const computed = (bell) => import(bell)',
        `export const composed = (bell) => import(\`\${bell}/ring.js\`)`,
        // Vite alone leaves it to the browser: webpack makes an import that always throws of it, and Turbopack ends the build.
        'export const halfSaid = (bell) => import(/* @vite-ignore */ bell)',
      ].join('\n'),
    })
    expect(flaws).toEqual(
      matching([
        /^README\.md links to docs\/start\.md, which/,
        /^README\.md links to bell\.png, which/,
        /^llms\.txt links to docs\/start\.md, which/,
        /^more\.md links to \.\.\/bell\.png, which/,
        /^README\.md tells of npm start, which/,
        /^AGENTS\.md tells of npm run ring, which/,
        /^parts\/bell\.js: a bundler cannot resolve import\(bell/,
        /^parts\/bell\.js: a bundler cannot resolve import\(`/,
        /^parts\/bell\.js: a bundler cannot resolve import\(\/\* @vite-ignore \*\/ bell/,
      ]),
    )
  })

  it('types that nobody can read are told: of packages that are not installed, of style sheets, and wrong by themselves', async () => {
    const flaws = await flawsWith('untyped', {
      'bell.d.ts': `import type { VNode } from 'preact';
import css from './bell.css?inline';
export type Bell = { ring(): VNode | typeof css | Nothing };
`,
    })
    const types = flaws.filter((flaw) => flaw.startsWith('types: '))
    expect(types).toEqual(
      matching([
        /Cannot find module 'preact'/,
        /Cannot find module '\.\/bell\.css\?inline'/,
        /Cannot find name 'Nothing'/,
      ]),
    )
    expect(flaws).toContainEqual(expect.stringMatching(/^attw: Internal resolution error/))
  })

  it('files that it names and does not hold are told', async () => {
    const flaws = await flawsWith('hollow', {
      'index.d.ts': undefined,
      'bell.d.ts': undefined,
      'index.js': undefined,
    })
    for (const told of [
      /^publint: .*index\.js/,
      /^publint: .*index\.d\.ts/,
      /^attw: the package contains no types/,
    ])
      expect(flaws).toContainEqual(expect.stringMatching(told))
  })
})

describe('the declarations of an entry', () => {
  it('are one file with what the entry exports and what that needs, not what stands beside it in the index of a room', async () => {
    const files = {
      'shop/index.d.ts':
        "import type { Bell as Ring } from '../room/index.ts';\nexport declare const ring: Ring;\nexport { type Horn, horn as hoot } from '../room/index.ts';\n",
      'room/index.d.ts':
        "export type { Bell } from './bell.ts';\nexport { type Horn, horn } from './loud/index.ts';\nexport { Drawn } from './drawn.tsx';\n",
      'room/loud/index.d.ts': "export { horn, type Klaxon as Horn } from './horn.ts';\n",
      'room/loud/horn.d.ts': 'export type Klaxon = { hoot: string };\nexport declare const horn: Klaxon;\n',
      'room/bell.d.ts':
        "import type { Metal } from './metal.ts';\n/** Rings. */\nexport type Bell = { of: Metal };\n",
      'room/metal.d.ts': "import type { Server } from 'node:http';\nexport type Metal = 'brass' | Server;\n",
      'room/drawn.d.ts': "export { h as Drawn } from 'preact';\n",
    }
    for (const [path, text] of Object.entries(files)) put(join('all', path), text)
    await bundleTypes(join(folder, 'all/shop/index.d.ts'), join(folder, 'one/shop.d.ts'))
    expect(readFileSync(join(folder, 'one/shop.d.ts'), 'utf8')).toMatchInlineSnapshot(`
      "import { Server } from "node:http";

      type Metal = 'brass' | Server;
      /** Rings. */
      type Bell = {
        of: Metal;
      };
      type Klaxon = {
        hoot: string;
      };
      declare const horn: Klaxon;
      declare const ring: Bell;
      export { type Klaxon as Horn, horn as hoot, ring };"
    `)
  })

  it('are told where they differ from the report, are missing in it or are gone', () => {
    const built = { 'types/a.d.ts': 'one', 'types/b.d.ts': 'two', 'types/c.d.ts': 'three' }
    const kept = { 'types/a.d.ts': 'one', 'types/b.d.ts': 'TWO', 'types/d.d.ts': 'four' }
    expect(differing(built, kept)).toEqual(['types/b.d.ts', 'types/c.d.ts', 'types/d.d.ts'])
    expect(differing(built, built)).toEqual([])
  })
})
