// The data folder belongs to its owner alone.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPglite } from '../../src/runtime/database/index.ts'
import { lockFolder, restrictFiles } from '../../src/runtime/database/lock.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
let base: string
let log: string[]
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'foyer-lock-'))
  log = []
})
afterEach(() => rmSync(base, { recursive: true, force: true }))
const lock = (folder: string) => lockFolder(folder, (line) => log.push(line))

describe('the data folder', () => {
  it('is created for its owner alone, without a log line', () => {
    const folder = join(base, 'new/data')
    lock(folder)()
    expect(modeOf(folder)).toBe('700')
    expect(log).toEqual([])
  })

  it.each(['755', '750', '711', '777', '701'])(
    'of mode %s is restricted to its owner, and the log says so once',
    (mode) => {
      const folder = join(base, 'data')
      mkdirSync(folder)
      chmodSync(folder, Number.parseInt(mode, 8))
      lock(folder)()
      expect(modeOf(folder)).toBe('700')
      expect(log).toEqual([
        `The data folder ${folder} was open to other users (0${mode}). Now only its owner can read it (0700).`,
      ])
      lock(folder)()
      expect(log).toHaveLength(1)
    },
  )

  it('is checked at each start, even when another process uses it', () => {
    const folder = join(base, 'data')
    const release = lock(folder)
    chmodSync(folder, 0o755)
    expect(() => lock(folder)).toThrow('in use')
    expect(modeOf(folder)).toBe('700')
    release()
  })

  it('with a mode that cannot be changed is used, with a warning that says what to do', () => {
    // The kernel's own files refuse a change of mode, even to root.
    if (process.platform !== 'linux') return
    const folder = '/proc/self/task'
    expect(() => lock(folder)).toThrow('cannot be written')
    expect(log).toHaveLength(1)
    expect(log[0]).toMatch(/^Warning: the data folder .* \(0555\), and its mode cannot be changed \(E\w+\)\./)
    expect(log[0]).toContain(`chmod 700 ${folder}`)
  })

  it('is left to a process that has locked it since, also under the same id or begun in the same moment', () => {
    const folder = join(base, 'data')
    const path = join(folder, 'lock')
    const release = lock(folder)
    const own = JSON.parse(readFileSync(path, 'utf8'))
    for (const other of [
      { ...own, started: 'another time' },
      { ...own, pid: own.pid + 1 },
    ]) {
      writeFileSync(path, JSON.stringify(other))
      release()
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(other)
    }
    writeFileSync(path, JSON.stringify(own))
    release()
    expect(existsSync(path)).toBe(false)
  })

  it('is taken from a process that is gone, though its id is that of another one by now, and a second time', () => {
    const folder = join(base, 'data')
    const path = join(folder, 'lock')
    const release = lock(folder)
    const own = JSON.parse(readFileSync(path, 'utf8'))
    expect(() => lock(folder)).toThrow('in use')
    for (const gone of [
      { ...own, started: 'another time' },
      { pid: process.ppid, started: own.started },
      { pid: 2 ** 30, started: own.started },
    ]) {
      writeFileSync(path, JSON.stringify(gone))
      lock(folder)
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(own)
    }
    release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('has all its files restricted to the owner, and no link out of it is followed', () => {
    const folder = join(base, 'data')
    mkdirSync(join(folder, 'db/wal'), { recursive: true })
    const outside = join(base, 'outside')
    for (const path of [join(folder, 'db/wal/1'), join(folder, 'secret'), outside]) {
      writeFileSync(path, '')
      chmodSync(path, 0o666)
    }
    chmodSync(join(folder, 'db'), 0o777)
    symlinkSync(outside, join(folder, 'link'))
    symlinkSync(join(base, 'nowhere'), join(folder, 'broken'))
    restrictFiles(folder)
    expect(modeOf(join(folder, 'db/wal/1'))).toBe('600')
    expect(modeOf(join(folder, 'secret'))).toBe('600')
    expect(modeOf(join(folder, 'db'))).toBe('700')
    expect(modeOf(outside)).toBe('666')
  })

  it('of the embedded database has no file that others can read after the first start', async () => {
    const folder = join(base, 'data')
    const database = await openPglite(folder)
    try {
      const open = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
      expect(open).toEqual([])
      expect(modeOf(folder)).toBe('700')
    } finally {
      await database.close()
    }
  }, 120_000)
})
