// The empty database that a new data folder begins with.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTemplate } from '../../src/runtime/database/make-template.ts'
import { STEPS } from '../../src/runtime/database/migrations.ts'
import {
  readTemplate,
  templateName,
  unpackTemplate,
  writeTemplate,
} from '../../src/runtime/database/template.ts'
import { migrate, openPglite } from '../../src/runtime/store-index.ts'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache/foyer-template')
let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'foyer-template-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('a template', () => {
  it('belongs to one schema: one letter more, and it is not found', () => {
    writeTemplate(Buffer.from('tar'), ['CREATE TABLE a ()'], base)
    expect(Buffer.from(readTemplate(['CREATE TABLE a ()'], base) ?? []).toString()).toBe('tar')
    expect(readTemplate(['CREATE TABLE a () '], base)).toBeUndefined()
    expect(readTemplate(['CREATE TABLE a ()', ''], base)).toBeUndefined()
    expect(readTemplate([], base)).toBeUndefined()
  })

  it('of another schema goes when a new one is written, and nothing else does', () => {
    writeFileSync(join(base, 'runtime.js'), '')
    writeTemplate(Buffer.from('old'), ['old'], base)
    writeTemplate(Buffer.from('new'), ['new'], base)
    expect(readdirSync(base).sort()).toEqual([templateName(['new']), 'runtime.js'])
  })

  it('that is broken is none', () => {
    writeFileSync(join(base, templateName(['a'])), 'no brotli at all')
    expect(readTemplate(['a'], base)).toBeUndefined()
  })

  it('that is broken inside leaves no folder, and the next start begins anew', () => {
    const folder = join(base, 'db')
    const header = Buffer.alloc(512)
    header.write('/a-file')
    header.write('00000000003', 124)
    header.write('0', 156)
    mkdirSync(`${folder}.new`)
    writeFileSync(join(`${folder}.new`, 'left-by-a-kill'), '')
    unpackTemplate(Buffer.concat([header, Buffer.from('abc'), Buffer.alloc(509 + 1024)]), folder)
    expect(readdirSync(base)).toEqual(['db'])
    expect(readdirSync(folder)).toEqual(['a-file'])
    expect(readFileSync(join(folder, 'a-file'), 'utf8')).toBe('abc')
    expect(statSync(join(folder, 'a-file')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('puts no file beside its folder', () => {
    const header = Buffer.alloc(512)
    header.write('../../outside')
    header.write('00000000003', 124)
    header.write('0', 156)
    unpackTemplate(
      Buffer.concat([header, Buffer.from('abc'), Buffer.alloc(509 + 1024)]),
      join(base, 'in/db'.slice(3)),
    )
    expect(existsSync(join(base, '../outside'))).toBe(false)
    expect(existsSync(join(base, 'db/outside'))).toBe(true)
  })

  it('is the migrated schema, holds no row of anybody, and is what a new folder becomes', async () => {
    const tar = await makeTemplate(cache)
    let used = 0
    const template = () => {
      used++
      return tar
    }
    const folder = join(base, 'data')
    const database = await openPglite(folder, { template })
    try {
      const steps = await database.query('SELECT step FROM foyer.migration')
      expect(steps).toHaveLength(STEPS.length)
      await migrate(database)
      const tables = await database.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'foyer'",
      )
      expect(tables.length).toBeGreaterThan(10)
      for (const { name } of tables.filter(({ name }) => name !== 'migration'))
        expect([name, await database.query(`SELECT 1 FROM foyer."${name}"`)]).toEqual([name, []])
      expect(await database.query("SELECT current_setting('shared_buffers') AS size")).toEqual([
        { size: '32MB' },
      ])
      await database.query("INSERT INTO foyer.setting (key, value) VALUES ('a', 'kept')")
    } finally {
      await database.close()
    }
    const again = await openPglite(folder, { template })
    try {
      expect(await again.query('SELECT value FROM foyer.setting')).toEqual([{ value: 'kept' }])
      expect(used).toBe(1)
    } finally {
      await again.close()
    }
  }, 120_000)
})
