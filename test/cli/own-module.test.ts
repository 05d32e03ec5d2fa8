// An agent and a carrier of the operator's own, from module files as people write them, good and bad.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readAgentSettings } from '../../src/cli/agent-settings.ts'
import { readArguments } from '../../src/cli/arguments.ts'
import { check } from '../../src/cli/before-start/check.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { loadAgent, loadCarrier } from '../../src/cli/start/own-module.ts'
import { placeOfSyntaxError } from '../../src/cli/start/syntax-error.ts'
import { StartError } from '../../src/cli/start-error.ts'

const ECHO = "export default { name: 'Echo', async *act() {} }"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-module-'))
  mkdirSync(join(folder, 'folder.mjs'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
/** Writes a file that no test has loaded before. Returns its path. */
function written(source: string, ending = 'mjs'): string {
  const path = join(folder, `module-${++count}.${ending}`)
  writeFileSync(path, source)
  return path
}
const agentOf = async (path: string) => {
  const loaded = await loadAgent({ name: 'module', path })
  return loaded.name === 'own' ? loaded.agent : undefined
}
/** The one sentence that a start prints. */
async function refusal(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartError)
  const { message } = error as StartError
  expect(message).not.toContain('\n')
  return message
}

describe('an agent of a module', () => {
  it.each([
    ['absolute', (path: string) => path],
    ['relative to the working folder', (path: string) => relative(process.cwd(), path)],
    ['a file URL', (path: string) => pathToFileURL(path).href],
  ])('is its default export, by a path that is %s', async (_, pathOf) => {
    expect(await agentOf(pathOf(written(ECHO)))).toMatchObject({ name: 'Echo' })
  })

  it.each([
    ['an instance of a class', "export default new (class { name = 'Echo'; async *act() {} })()", 'mjs'],
    ['a promise', `export default Promise.resolve({ name: 'Echo', async *act() {} })`, 'mjs'],
    ['made by CommonJS', "module.exports = { name: 'Echo', async *act() {} }", 'cjs'],
  ])('may be %s', async (_, source, ending) => {
    expect(await agentOf(written(source, ending))).toMatchObject({ name: 'Echo' })
  })

  it('may be a function, which is passed on as it is', async () => {
    const agent = await agentOf(written("export default (served) => ({ name: served, marked: 'unchanged' })"))
    expect((agent as unknown as (served: string) => unknown)('shop')).toEqual({
      name: 'shop',
      marked: 'unchanged',
    })
  })

  it.each([
    [
      'no default export',
      "export const agent = { name: 'Echo' }",
      'has no default export. Add it, such as: ',
    ],
    ['nothing at all', '', 'has no default export'],
    [
      'no act',
      "export default { name: 'Echo' }",
      "is not an agent: an object with a name, a function act, and answers, if any, 'ai' or 'automatic', silentSeconds a number above 0; or a function that returns one",
    ],
    [
      'wrong answers',
      "export default { name: 'Echo', answers: 'human', async *act() {} }",
      'is not an agent',
    ],
    ['no name', 'export default { async *act() {} }', 'is not an agent'],
    ['an empty name', "export default { name: '', async *act() {} }", 'is not an agent'],
    ['an act that is no function', "export default { name: 'Echo', act: 'hi' }", 'is not an agent'],
    ['undefined', 'export default undefined', 'is not an agent'],
    ['null', 'export default null', 'is not an agent'],
    [
      'an error',
      "throw new Error('no key for the shop\\n    at the second line')",
      'threw while loading: no key for the shop',
    ],
    [
      'a field that is misspelt',
      ECHO.replace('async', "answer: 'ai', async"),
      'has the field answer: did you mean answers?',
    ],
    ['silentSecond', ECHO.replace('async', 'silentSecond: 5, async'), 'did you mean silentSeconds?'],
    ['seconds that are no number', ECHO.replace('async', "silentSeconds: 'long', async"), 'is not an agent'],
    ['an error that is none', "throw 'no key'", 'threw while loading: no key'],
    ['an undefined error', 'throw undefined', 'threw while loading: undefined'],
    ['an error without words', 'throw Object.create(null)', 'threw while loading: an object'],
    ['a promise that fails', "export default Promise.reject(new Error('no key'))", 'loading: no key'],
    ['a syntax error', 'export default {{', 'threw while loading: '],
    ['an import that is missing', "import './nowhere.mjs'", 'threw while loading: Cannot find module'],
  ])('with %s is refused in a sentence that names the file', async (_, source, said) => {
    const path = written(source)
    const message = await refusal(agentOf(path))
    expect(message).toContain(said)
    expect(message).toContain(path)
    expect(message).not.toContain('second line')
  })

  it.each([
    ['an ES module', 'mjs', 'const one = 1\nexport default {{', 2],
    ['CommonJS', 'cjs', 'module.exports = {{', 1],
  ])('has the line of a syntax error in %s', (_, ending, source, line) => {
    const path = written(source, ending)
    expect(placeOfSyntaxError(new SyntaxError('Unexpected token'), path)).toBe(` (${path}:${line})`)
    expect(placeOfSyntaxError(new Error('no key'), path)).toBe('')
  })

  it('has the line that a syntax error tells itself, and none where nobody knows it', () => {
    const path = written(ECHO)
    const told = new SyntaxError('Unexpected token')
    told.stack = 'file:///srv/lib.mjs:7\nlet let\n    ^\n\nSyntaxError: Unexpected token'
    expect(placeOfSyntaxError(told, path)).toBe(' (/srv/lib.mjs:7)')
    expect(placeOfSyntaxError(new SyntaxError('Unexpected token'), path)).toBe('')
  })

  it('may have a function of a name that is near a known one', async () => {
    expect(await agentOf(written(ECHO.replace('async', 'answer() {}, async')))).toMatchObject({
      name: 'Echo',
    })
  })

  describe('that is never loaded', () => {
    afterEach(() => void vi.useRealTimers())
    it.each([
      ['waits for ever at its top', `await new Promise(() => {})\n${ECHO}`],
      ['exports a promise that waits for ever', 'export default new Promise(() => {})'],
    ])('because it %s is refused within 30 seconds, until which the process stays', async (_, source) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const path = written(source)
      const refused = refusal(agentOf(path))
      for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(29_999)
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await refused).toBe(`${path} was not loaded within 30 s. Let it load faster.`)
    })
    it('leaves no timer behind once it is loaded', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      await agentOf(written(ECHO))
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  it('repeats no more of a cause than a line needs', async () => {
    const message = await refusal(agentOf(written("throw new Error('x'.repeat(100_000))")))
    expect(message.length).toBeLessThan(1_000)
  })

  it.each([
    './nowhere.mjs',
    '/nowhere/agent.mjs',
    'file:///nowhere/agent.mjs',
    'file://host/agent.mjs',
    'file:///a%2Fb.mjs',
  ])('that is not at %s is refused by its path', async (path) => {
    expect(await refusal(agentOf(path))).toBe(
      `There is no file ${path}. Correct the path, which begins at the working folder.`,
    )
  })

  it('that is a folder is refused', async () => {
    expect(await refusal(agentOf(join(folder, 'folder.mjs')))).toContain('folder.mjs')
  })
})

describe('a carrier of a module', () => {
  it.each([
    ['texts alone', 'export default { async send() {} }'],
    ['calls alone', 'export default { async call() {} }'],
    ['both', 'export default { connect() {}, async send() {}, async call() {} }'],
  ])('may take %s', async (_, source) => {
    expect(await loadCarrier(written(source))).toBeTypeOf('object')
  })

  it.each([
    ['neither', 'export default { connect() {} }', 'is not a carrier'],
    ['conect', 'export default { conect() {}, async send() {} }', 'the field conect: did you mean connect?'],
    ['a send that is no function', 'export default { send: true }', 'is not a carrier'],
    ['a connect that is no function', 'export default { connect: 1, async send() {} }', 'is not a carrier'],
    ['a function', 'export default () => ({ async send() {} })', 'is not a carrier'],
    ['no default export', 'export const carrier = {}', 'has no default export'],
  ])('with %s is refused in a sentence that names the file', async (_, source, said) => {
    const path = written(source)
    const message = await refusal(loadCarrier(path))
    expect(message).toContain(said)
    expect(message).toContain(path)
  })
})

describe('FOYER_AGENT and FOYER_CARRIER', () => {
  it.each([
    './agent.mjs',
    '../bots/agent',
    '/srv/agent.js',
    'agent.mjs',
    'bots/agent.ts',
    'file:///srv/agent.mjs',
    'C:\\bots\\agent.mjs',
  ])('take %s as the path of a module', (path) => {
    expect(readAgentSettings({ FOYER_AGENT: path })).toEqual({ name: 'module', path })
    expect(readSettings({ FOYER_DEMO: '1', FOYER_CARRIER: path }, '.foyer').carrier).toBe(path)
  })

  it.each(['gide', 'agent', 'LLM', 'ftp://bots.example.com/agent.mjs'])(
    'refuse %s, which is neither a path nor a name, and say what there is',
    (value) => {
      const wrong = `"${value}", which is not an agent. Choose one of: guide, llm; or give the path of a module`
      expect(() => readAgentSettings({ FOYER_AGENT: value })).toThrow(wrong)
      expect(() => readSettings({ FOYER_DEMO: '1', FOYER_CARRIER: value }, '.foyer')).toThrow(
        'FOYER_CARRIER is',
      )
    },
  )

  it.each(['FOYER_LLM_KEY', 'FOYER_SOURCE_URL', 'FOYER_CONTACT', 'FOYER_HANDOFF'])(
    'leave %s without effect where a module answers, which is refused',
    (name) => {
      const read = () => readAgentSettings({ FOYER_AGENT: './agent.mjs', [name]: 'secret-key' })
      expect(read).toThrow(`${name} has no effect beside an agent of your own. Unset it.`)
      expect(read).not.toThrow('secret-key')
    },
  )

  it('have no effect beside the objects of a program, which is refused', () => {
    const agent = { name: 'Own', async *act() {} }
    const carrier = { send: async () => ({ status: 'unknown' }) as const }
    const read = (env: Record<string, string>, own: object) => () =>
      readSettings({ FOYER_DEMO: '1', ...env }, '.foyer', own)
    expect(read({ FOYER_AGENT: './agent.mjs' }, { agent })).toThrow('FOYER_AGENT has no effect')
    expect(read({ FOYER_CARRIER: './carrier.mjs' }, { carrier })).toThrow('FOYER_CARRIER has no effect')
    expect(read({}, { agent, carrier })()).toMatchObject({ agent: { name: 'own' }, carrier: undefined })
  })

  it('are set by the options --agent and --carrier', () => {
    const settings = { FOYER_AGENT: './agent.mjs', FOYER_CARRIER: './carrier.mjs' }
    expect(readArguments(['docs', '--agent', './agent.mjs', '--carrier=./carrier.mjs'])).toMatchObject({
      folder: 'docs',
      settings,
    })
    expect(readArguments(['docs']).settings).toEqual({})
    expect(() => readArguments(['docs', 'biuld', './docs', './site'])).toThrow('"biuld" is an extra argument')
  })

  it.each([[['--agent']], [['--carrier', '--show-keys']], [['--agent=']]])(
    'are not set by %j, which lacks the path',
    (args) => {
      expect(() => readArguments(args)).toThrow('needs the path of a module, such as ./')
    },
  )
})

describe('foyer-server check', () => {
  it.each([
    ['FOYER_AGENT', 'export const agent = 1', 'has no default export'],
    ['FOYER_CARRIER', "throw new Error('no key')", 'threw while loading: no key'],
  ])('names a module of %s that cannot be used', async (name, source, said) => {
    const lines: string[] = []
    const env = { FOYER_DEMO: '1', FOYER_DATA: 'memory', [name]: written(source) }
    const print = (line: string) => void lines.push(line)
    expect(await check({ env, folder: join(folder, 'data'), documents: folder, built: folder, print })).toBe(
      false,
    )
    expect(lines[0]).toContain(said)
  })
})
