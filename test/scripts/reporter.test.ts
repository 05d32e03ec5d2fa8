// What `npm test` tells of failures: a real Vitest over a folder of tests that fail in each way there is.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../../scripts/failures.mjs'

const root = resolve(import.meta.dirname, '../..')
const FILES = {
  'passes.test.ts': `it('passes', () => { console.log('seed 7') }); it.skip('rests', () => {})`,
  'fails.test.ts': `describe('a group', () => {
    it('fails', () => { throw new Error('\\x1b[31mred\\x1b[39m words\\nand a second line') })
    it('compares', () => expect([1]).toEqual([]))
  })`,
  'hook.test.ts': `describe('behind a hook', () => { beforeAll(() => { throw new Error('no server') }); it('rests', () => {}) })`,
  'breaks.test.ts': `import './nowhere.ts'`,
  'rejects.test.ts': `it('forgets a promise', async () => {
    void Promise.reject(new Error('nobody waits'))
    await new Promise((resolve) => setTimeout(resolve))
  })`,
}

describe('the reporter', () => {
  let folder: string
  let output: string
  let report: { passed: number; files: number; failures: { file: string; names: string[]; why: string }[] }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'foyer-reporter-'))
    mkdirSync(join(folder, 'tests'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, 'tests', name), text)
    const file = join(folder, 'report.json')
    const ran = spawnSync(
      process.execPath,
      [
        ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--globals', '--maxWorkers=1'],
        ...[`--root=${join(folder, 'tests')}`, `--reporter=${join(root, 'scripts/reporter.mjs')}`],
      ],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, NO_COLOR: '1', FOYER_TEST_REPORT: file },
        timeout: 120_000,
        killSignal: 'SIGKILL',
      },
    )
    output = ran.stdout + ran.stderr
    expect(ran.signal, output).toBeNull()
    report = JSON.parse(readFileSync(file, 'utf8'))
  }, 180_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  it('counts what passed and the files', () => {
    expect(report).toMatchObject({ passed: 2, files: 5 })
  })
  it('names each failed test, hook and file with its message, and each error that no test caught', () => {
    const told = report.failures.map(
      ({ file, names, why }) => `${[file, ...names].join(' > ')}: ${why.split('\n')[0]}`,
    )
    expect(told.sort()).toEqual([
      ': unhandled error: nobody waits',
      expect.stringMatching(/^breaks\.test\.ts: Cannot find module '\.\/nowhere\.ts'/),
      'fails.test.ts > a group > compares: expected [ 1 ] to deeply equal []',
      'fails.test.ts > a group > fails: \x1b[31mred\x1b[39m words',
      'hook.test.ts > behind a hook: no server',
    ])
  })
  it('prints what tests print, and no escape sequences of its own', () => {
    expect(output).toContain('seed 7')
    expect(output.replace('\x1b[31mred\x1b[39m', '')).not.toContain('\x1b')
  })
})

describe('the lines about failures', () => {
  const failure = {
    suite: 'unit',
    file: 'test/a.test.ts',
    names: ['a sum', 'adds'],
    why: 'expected 1 to be 2',
  }

  it('are three for a test: where it stands, the first line of its message without colours, and the command that runs it again', () => {
    expect(linesOf([{ ...failure, why: '\n\x1b[31mexpected\x1b[39m 1 to be 2\nat line 3' }])).toEqual([
      'failed: unit: test/a.test.ts > a sum > adds',
      '  expected 1 to be 2',
      '  again: npm run test:unit -- test/a.test.ts -t "^a sum adds"',
    ])
  })
  it('name the suite alone where no test is to blame', () => {
    expect(linesOf([{ suite: 'model', file: '', names: [], why: 'Vitest stopped with SIGKILL' }])).toEqual([
      'failed: model',
      '  Vitest stopped with SIGKILL',
    ])
  })
  it('name the store or the bus of the run, and hold nothing that a shell reads', () => {
    const names = ['shows "$HOME" and `x`', "isn't a*b"]
    const lines = linesOf([{ ...failure, suite: 'contract', on: 'notify', names }])
    expect(lines[0]).toContain('failed: contract on notify: ')
    expect(lines.at(-1)).toBe(
      '  again: npm run test:contract -- test/a.test.ts --on notify -t "^shows ..HOME. and .x. isn.t a.b"',
    )
  })
  it('name another Node, which is no part of the command', () => {
    const lines = linesOf([{ ...failure, on: 'Node 24' }])
    expect(lines[0]).toBe('failed: unit on Node 24: test/a.test.ts > a sum > adds')
    expect(lines.at(-1)).toBe('  again: npm run test:unit -- test/a.test.ts -t "^a sum adds"')
  })
  it('are bounded, each and all', () => {
    const many = Array.from({ length: 1_000 }, () => ({ ...failure, why: 'x'.repeat(10_000) }))
    const lines = linesOf(many)
    expect(lines.length).toBe(121)
    expect(lines.at(-1)).toBe('failed: 960 more')
    expect(Math.max(...lines.map((line) => line.length))).toBe(400)
  })
  it('are none where nothing failed', () => {
    expect(linesOf([])).toEqual([])
  })
})
