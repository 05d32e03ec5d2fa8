// Whose code a bundle holds, and under which licences: packages made for the purpose.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noticesOf, problemsOf, readNotices, writeNotices } from '../../scripts/notices.mjs'

const TERMS =
  'The MIT License (MIT)\n\nPermission is hereby granted, free of charge, to any person obtaining a copy. '.repeat(
    3,
  )
let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'foyer-notices-'))
  const put = (path: string, text: string) => {
    const file = join(root, 'node_modules', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const lay = (name: string, license: string, file: string | undefined) => {
    put(`${name}/package.json`, JSON.stringify({ name, version: '1.2.3', license }))
    if (file) put(`${name}/${file}`, `Copyright ${name}\n\n${TERMS}`)
  }
  lay('kind', 'MIT', 'LICENSE')
  put('kind/dist/package.json', '{"type":"module"}')
  lay('@scope/british', 'ISC', 'licence.md')
  lay('kind/node_modules/inner', 'BSD-3-Clause', 'LICENSE-MIT.txt')
  lay('strict', 'GPL-3.0', 'COPYING')
  lay('silent', 'MIT', undefined)
  lay('rolldown', 'MIT', 'LICENSE')
})
afterAll(() => rmSync(root, { recursive: true }))

const names = (...ids: string[]) => noticesOf(ids, root).map(({ name }) => name)
const at = (path: string) => join(root, 'node_modules', path)

describe('the notices of a bundle', () => {
  it('name each package that a module comes from, once', () => {
    expect(
      names(
        join(root, 'src/ours.ts'),
        at('kind/dist/a.js'),
        at('kind/dist/b.js?inline'),
        at('@scope/british/index.js'),
        at('kind/node_modules/inner/index.js'),
        '\0rolldown/runtime.js',
      ),
    ).toEqual(['@scope/british', 'kind', 'kind/node_modules/inner', 'rolldown'])
  })

  it('hold the whole text of each licence, and are read back as they were written', () => {
    const notices = noticesOf([at('kind/a.js'), at('@scope/british/b.js')], root)
    expect(notices[1]).toEqual({
      name: 'kind',
      version: '1.2.3',
      licence: 'MIT',
      text: `Copyright kind\n\n${TERMS}`.trim(),
    })
    expect(readNotices(writeNotices(notices))).toEqual(notices)
    expect(
      problemsOf(readNotices(writeNotices(noticesOf([at('kind/node_modules/inner/a.js')], root)))),
    ).toEqual([])
    expect(problemsOf(readNotices(writeNotices(noticesOf([at('silent/a.js')], root))))).toHaveLength(1)
  })

  it('are refused where a licence is not permissive, or its text is missing', () => {
    expect(problemsOf(noticesOf([at('kind/a.js')], root))).toEqual([])
    expect(problemsOf(noticesOf([at('strict/a.js'), at('silent/b.js')], root))).toEqual([
      'silent has no text of its licence',
      'strict has the licence "GPL-3.0", which is not a permissive one',
    ])
  })
})
