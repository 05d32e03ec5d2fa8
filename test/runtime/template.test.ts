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
import { migrate, openPglite, stepsOf } from '../../src/runtime/database/index.ts'
import {
  findTemplate,
  readTemplate,
  templateName,
  unpackTemplate,
  writeTemplate,
} from '../../src/runtime/database/template.ts'
import { makeTemplate } from '../../src/runtime/make-template.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache/foyer-template')
let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'foyer-template-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** A tar of one file. */
function tarOf(name: string, text: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(text.length.toString(8).padStart(11, '0'), 124)
  header.write('0', 156)
  // The checksum counts its own field as spaces.
  header.fill(' ', 148, 156)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0`, 148)
  return Buffer.concat([header, Buffer.from(text.padEnd(512, '\0')), Buffer.alloc(1024)])
}

describe('a template', () => {
  it('belongs to one schema: one letter more, and it is not found', () => {
    const path = writeTemplate(Buffer.from('tar'), ['CREATE TABLE a ()'], base)
    expect(Buffer.from(readTemplate(path) ?? []).toString()).toBe('tar')
    expect(findTemplate(['CREATE TABLE a ()'], base)).toBe(path)
    expect(findTemplate(['CREATE TABLE a () '], base)).toBeUndefined()
    expect(findTemplate(['CREATE TABLE a ()', ''], base)).toBeUndefined()
    expect(findTemplate([], base)).toBeUndefined()
  })

  it('of another schema is deleted when a new one is written, and no other file is', () => {
    writeFileSync(join(base, 'runtime.js'), '')
    writeTemplate(Buffer.from('old'), ['old'], base)
    writeTemplate(Buffer.from('new'), ['new'], base)
    expect(readdirSync(base).sort()).toEqual([templateName(['new']), 'runtime.js'])
  })

  it('is ignored when damaged', async () => {
    const path = join(base, 'broken')
    writeFileSync(path, 'no brotli at all')
    expect(readTemplate(path)).toBeUndefined()
    expect(await unpackTemplate(path, join(base, 'db'))).toBe(false)
    expect(readdirSync(base)).toEqual(['broken'])
  })

  it('becomes a folder for its owner alone, and the remains of a killed start are deleted', async () => {
    const path = writeTemplate(tarOf('/in/a-file', 'abc'), ['a'], join(base, 'built'))
    const folder = join(base, 'data/db')
    mkdirSync(`${folder}.new`, { recursive: true })
    writeFileSync(join(`${folder}.new`, 'left-by-a-kill'), '')
    expect(await unpackTemplate(path, folder)).toBe(true)
    expect(readdirSync(join(base, 'data'))).toEqual(['db'])
    expect(readdirSync(folder)).toEqual(['in'])
    expect(readFileSync(join(folder, 'in/a-file'), 'utf8')).toBe('abc')
    for (const [path, mode] of [
      [folder, 0o700],
      [join(folder, 'in'), 0o700],
      [join(folder, 'in/a-file'), 0o600],
    ] as const)
      expect(statSync(path).mode & 0o777).toBe(mode)
  })

  it('that ends too early creates no folder', async () => {
    const path = writeTemplate(tarOf('/a-file', 'abc').subarray(0, 514), ['a'], join(base, 'built'))
    expect(await unpackTemplate(path, join(base, 'db'))).toBe(false)
    expect(readdirSync(base)).toEqual(['built'])
  })

  it('writes no file outside its folder', async () => {
    const path = writeTemplate(tarOf('../../outside', 'abc'), ['a'], join(base, 'built'))
    expect(await unpackTemplate(path, join(base, 'db'))).toBe(false)
    expect(existsSync(join(base, '../outside'))).toBe(false)
    expect(readdirSync(base)).toEqual(['built'])
  })

  it('is the migrated schema without rows, and a new data folder starts from it', async () => {
    const template = await makeTemplate(cache)
    const folder = join(base, 'data')
    const database = await openPglite(folder, { template })
    try {
      const steps = await database.query(
        'SELECT step FROM foyer.migration UNION ALL SELECT step FROM foyer.addition',
      )
      expect(steps).toHaveLength(stepsOf(SCHEMAS).length)
      await migrate(database, SCHEMAS)
      const tables = await database.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'foyer'",
      )
      expect(tables.length).toBeGreaterThan(10)
      for (const { name } of tables.filter(({ name }) => !['migration', 'addition'].includes(name)))
        expect([name, await database.query(`SELECT 1 FROM foyer."${name}"`)]).toEqual([name, []])
      expect(await database.query("SELECT current_setting('shared_buffers') AS size")).toEqual([
        { size: '24MB' },
      ])
      await database.query("INSERT INTO foyer.setting (key, value) VALUES ('a', 'kept')")
    } finally {
      await database.close()
    }
    const again = await openPglite(folder, { template })
    try {
      expect(await again.query('SELECT value FROM foyer.setting')).toEqual([{ value: 'kept' }])
    } finally {
      await again.close()
    }
  }, 120_000)
})
