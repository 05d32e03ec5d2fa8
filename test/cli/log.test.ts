// The server's log: what a line of text and a line of JSON say, and that no text becomes two lines.

import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/cli/monitoring/index.ts'

function written(json: boolean) {
  let out = ''
  const write = (line: string) => {
    out += line
  }
  const log = createLog({ json, write, now: () => new Date(0) })
  return {
    log,
    out: () => out,
    records: () =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

describe('the log', () => {
  it('as text has one line for each event, without more', () => {
    const { log, out } = written(false)
    log('one', 'info', { path: '/' })
    log('two')
    expect(out()).toBe('one\ntwo\n')
  })

  it('as JSON has one object a line, with time, level, message and fields', () => {
    const { log, records } = written(true)
    log('GET / 200 3 ms', 'info', { path: '/', status: 200 })
    log('careful', 'warn')
    expect(records()).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'GET / 200 3 ms', path: '/', status: 200 },
      { time: '1970-01-01T00:00:00.000Z', level: 'warn', message: 'careful' },
    ])
  })

  it('takes a line without a level for an error', () => {
    const { log, records } = written(true)
    log('a turn failed')
    expect(records()[0].level).toBe('error')
  })

  it.each(['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\u001b[2K', '\u0000'])(
    'is not split or forged by %j in a line or in a field',
    (control) => {
      for (const json of [false, true]) {
        const { log, out } = written(json)
        log(`failed: x${control}{"level":"info"}`, 'error', { path: `/a${control}b` })
        const unprintable = out()
          .trimEnd()
          .match(/[\p{Cc}\u2028\u2029]/gu)
        expect(unprintable).toBeNull()
        expect(out()).not.toMatch(/\\u00|\\n|\\r/)
        expect(out()).toMatch(/\n$/)
      }
    },
  )

  it('cuts lines and fields that are too long', () => {
    const { log, records } = written(true)
    log('x'.repeat(1_000_000), 'info', { path: 'y'.repeat(1_000_000) })
    const [{ message, path }] = records()
    expect([message.length, message.at(-1), path.length]).toEqual([2_001, '…', 2_001])
    log('x'.repeat(2_000))
    expect(records()[1].message).toBe('x'.repeat(2_000))
  })
})
