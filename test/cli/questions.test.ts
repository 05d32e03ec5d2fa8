// The command `questions` on an embedded store: with texts that the guide answered and did not, and with a log of several weeks.

import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { createGuide, type Guide } from '../../src/agents/index.ts'
import { readPassages } from '../../src/agents/search/passages.ts'
import { createSimulatedCarrier } from '../../src/carriers/index.ts'
import { serveControl } from '../../src/cli/control.ts'
import { operate, perform } from '../../src/cli/operator.ts'
import { createRuntime, type Database, openPglite, type Runtime } from '../../src/runtime/index.ts'

const NUMBER = '+15005550006'
const DAY_MS = 86_400_000
const SHOP = '# Shop\n\n## Returns\n\nSend the parcel to us.\n\n## Opening hours\n\nWe open at nine.'

let root: string
let folder: string
let database: Database
let runtime: Runtime
let guide: Guide
let stop: () => Promise<void>
const carrier = createSimulatedCarrier({ delayMs: 0 })

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'foyer-questions-')))
  folder = join(root, '.foyer')
  mkdirSync(folder)
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'docs/shop.md'), SHOP)
  database = await openPglite(undefined)
  guide = await createGuide({ folder: join(root, 'docs'), pace: 0 })
  const senders = [{ environment: 'sandbox', kind: 'sms', address: NUMBER } as const]
  const account = { accountId: 'ws-shop0001', accountSlug: 'larkspur' }
  runtime = await createRuntime({
    data: { database },
    agent: guide,
    carrier,
    connectors: [],
    projects: [
      { id: 'PROJECT-shop0001', slug: 'shop', ...account, senders },
      { id: 'PROJECT-till0001', slug: 'till', ...account },
    ],
    log: () => {},
  })
  stop = await serveControl({
    folder,
    perform: (request) => perform(runtime.commands, request),
    log: () => {},
  })
}, 60_000)
afterEach(() => database.query('TRUNCATE foyer.conversation CASCADE'))
afterAll(async () => {
  await stop()
  await runtime.close()
  guide.close()
  rmSync(root, { recursive: true, force: true })
})

async function say(line = ''): Promise<string> {
  const printed: string[] = []
  const args = ['questions', ...line.split(' ').filter(Boolean)]
  await operate({ args, env: {}, folder, print: (text) => printed.push(text) })
  return printed.join('\n')
}
type Question = { text: string; count: number; last_at: string }
const json = async (line = ''): Promise<Question[]> => JSON.parse(await say(`${line} --json`)) as Question[]
const counts = async (line = '') => (await json(line)).map(({ text, count }) => [text, count])
const complaint = (line: string) =>
  say(line).then(
    (text) => `it worked: ${text}`,
    (error: Error) => `${error.name}: ${error.message}`,
  )

type Logged = { daysAgo?: number; project?: string; environment?: string; understood?: boolean }
/** Writes a conversation with one turn. */
async function log(input: string, { daysAgo = 1, understood = false, ...more }: Logged = {}) {
  const { project = 'PROJECT-shop0001', environment = 'live' } = more
  const [id, at] = [randomUUID(), new Date(Date.now() - daysAgo * DAY_MS).toISOString()]
  await database.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at, num_turns, num_ood)
     VALUES ($1, 'ws-shop0001', $2, $3, 'WEBCHAT', $4, $4, 1, $5)`,
    [id, project, environment, at, understood ? 0 : 1],
  )
  await database.query(
    `INSERT INTO foyer.turn (conversation_id, position, cause, user_input, user_input_at, is_ood) VALUES ($1, 1, 1, $2, $3, $4)`,
    [id, input, at, !understood],
  )
}

it('what the guide could not answer is listed, what it answered is not, and a hint makes it answer', async () => {
  const heard = (phone: string) => carrier.screen(phone).filter(({ direction }) => direction === 'in').length
  async function text(phone: string, ...texts: string[]) {
    for (const each of texts) {
      const before = heard(phone)
      await carrier.write(phone, NUMBER, { text: each })
      await vi.waitFor(() => expect(heard(phone)).toBeGreaterThan(before), 5_000)
    }
  }
  await text('+15005550010', 'Do you sell unicycles?', 'When are your opening hours?')
  await text('+15005550011', 'do you  sell UNICYCLES?', 'May I pay with 4111 1111 1111 1111 tomorrow?')
  expect(await counts()).toEqual([
    ['do you sell UNICYCLES?', 2],
    ['May I pay with •••• •••• •••• 1111 tomorrow?', 1],
  ])
  const { asked } = parse(await say()) as { asked: string[] }
  writeFileSync(join(root, 'docs/shop.md'), `---\n${await say('--limit 1')}\n---\n${SHOP}\n`)
  await vi.waitFor(async () => {
    const found = await guide.find(asked[0] ?? '')
    expect(found[0]?.asked).toEqual(['do you sell UNICYCLES?'])
  }, 5_000)
}, 30_000)

describe('questions', () => {
  it('are listed most frequent first, then latest first, and once in any case and with any spaces', async () => {
    for (const [input, daysAgo] of [
      ['WO IST DAS PÄCKCHEN', 3],
      [' wo ist\u00a0das\n päckchen ', 2],
      ['one', 9],
      ['two', 8],
      ['   ', 1],
    ] as const)
      await log(input, { daysAgo })
    await log('understood', { understood: true })
    expect(await counts()).toEqual([
      ['wo ist das päckchen', 2],
      ['two', 1],
      ['one', 1],
    ])
    expect(Date.now() - Date.parse((await json())[0]?.last_at ?? '')).toBeLessThan(2.1 * DAY_MS)
  })

  it('are of the last days, of a project, of an environment, and no more than the limit', async () => {
    await log('old', { daysAgo: 31 })
    await log('new', { daysAgo: 3 })
    await log('till', { daysAgo: 2, project: 'PROJECT-till0001' })
    await log('sandbox', { environment: 'sandbox' })
    expect((await counts()).map(([text]) => text)).toEqual(['sandbox', 'till', 'new'])
    expect((await counts('--days 32')).map(([text]) => text)).toContain('old')
    expect(await counts('--project PROJECT-till0001')).toEqual([['till', 1]])
    expect(await counts('--environment sandbox')).toEqual([['sandbox', 1]])
    expect(await counts('--limit=1')).toHaveLength(1)
    expect(await counts('--days 1 --project PROJECT-till0001')).toEqual([])
  })

  it('are printed as front matter, whatever stands in them, and nothing in them reaches the terminal', async () => {
    const hostile = 'a: "b" # c\u009b31m \u202e \u{e0041} \\ 😀'
    await log(hostile)
    await log(hostile)
    await log('x'.repeat(300), { daysAgo: 2 })
    const printed = await say()
    expect(parse(printed)).toEqual({ asked: [hostile, 'x'.repeat(200)] })
    expect(printed).not.toMatch(/[\p{Cf}\u0080-\u009f]/u)
    const [, first = '', second = ''] = printed.split('\n')
    expect(first).toMatch(/😀" # 2 times, last on \d{4}-\d\d-\d\d$/)
    expect(second).toMatch(/^ {2}- "x+" # once, last on \d{4}-\d\d-\d\d$/)
  })

  it('that begin with “#” are hints for the page, whatever heading a visitor names', async () => {
    await log('#returns send it to me')
    await log(' ## 42 is late')
    const page = `---\n${await say()}\n---\n# Shop\n\nOpen.\n\n## Returns\n\nBy post.`
    const passages = readPassages(page, 'shop.md')
    expect(passages.map(({ heading, asked }) => [heading, [...asked].sort()])).toEqual([
      ['Shop', ['42 is late', 'returns send it to me']],
      ['Returns', []],
    ])
  })

  it('that do not exist are said in a sentence', async () => {
    expect(await say()).toBe('There are no questions without an answer.')
    expect(await json()).toEqual([])
  })

  it.each([
    ['--limit 0', '--limit is "0". It must be a number from 1 to 200.'],
    ['--limit 201', '--limit is "201". It must be a number from 1 to 200.'],
    ['--days two', '--days is "two". It must be a number from 1 to 3650.'],
    ['--environment test', '--environment is "test". It must be one of sandbox, pre-release, live.'],
    ['--project PROJECT-none0001', 'There is no project PROJECT-none0001. See: projects list'],
    ['list', '"list" is an extra argument. --help shows the syntax of the command.'],
  ])('are refused with one sentence: %s', async (line, sentence) => {
    expect(await complaint(line)).toBe(`CommandError: ${sentence}`)
  })
})
