// A chat whose service shares its PostgreSQL server with others: what a stranger's login writes there does not reach the panel, and what
// the operator erases does not come back.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isLong } from '../long.ts'
import { lacks } from '../needs.ts'
import { query, usePostgres } from '../process/databases.ts'
import { chatOn, type Line, socketsOf, startLine } from './line.ts'
import { leave, newContext, sessionOf, startBrowser } from './world.ts'

const databases = usePostgres()
let databaseUrl: string
let line: Line
let browser: Browser
let closeBrowser: () => Promise<void>
beforeAll(async () => {
  if (lacks('PostgreSQL')) return
  databaseUrl = await databases.create()
  ;[line, { browser, close: closeBrowser }] = await Promise.all([
    startLine({ FOYER_DATABASE_URL: databaseUrl }),
    startBrowser(),
  ])
}, 300_000)
afterEach(leave)
afterAll(async () => {
  await closeBrowser?.()
  await line?.close()
})

/** A visitor who was answered once. */
async function visit() {
  const context = await newContext(browser)
  const sockets = socketsOf(context)
  const page = await context.newPage()
  await page.goto(`${line.site}/embed.html`)
  const chat = chatOn(page)
  await chat.open()
  await chat.ask('say first-answer')
  await chat.hears('first-answer')
  return { chat, sockets, sessionId: sessionOf(sockets[0] ?? '') ?? '' }
}

const MESSAGE = { message_id: 'm', attachments: [], response_suggestions: [], chat_call_actions: [] }
const forged = (type: string, payload: object = {}) => ({
  type: `EVENT_TYPE_${type}`,
  payload: { text: 'forged [link](https://example.com/forged)', ...MESSAGE, ...payload },
  ...{ id: crypto.randomUUID(), sequence: null, timestamp: new Date().toISOString() },
})

it.runIf(isLong)(
  'the chat shows nothing of what another login of the database server sends, and goes on',
  async () => {
    const { chat, sockets, sessionId } = await visit()
    await query(databaseUrl, 'CREATE ROLE foyer_stranger LOGIN')
    const url = new URL(databaseUrl)
    url.username = 'foyer_stranger'
    const stranger = new pg.Client({ connectionString: url.href })
    await stranger.connect()
    await expect(stranger.query('SELECT * FROM foyer.event')).rejects.toThrow('permission denied')
    const live = { agent: { id: 'forged', name: 'forged' } }
    for (const what of [
      [forged('POLY_AGENT_MESSAGE')],
      [
        forged('LIVE_AGENT_JOINED', live),
        forged('LIVE_AGENT_TYPING', live),
        forged('LIVE_AGENT_MESSAGE', live),
      ],
      [forged('SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: 'forged' })],
      Number.MAX_SAFE_INTEGER,
      [forged('SESSION_END', { reason: 'REASON_USER_END' })],
    ])
      await stranger.query("SELECT pg_notify('foyer', $1)", [
        JSON.stringify({ from: 'stranger', kind: 'news', news: [[sessionId, what]] }),
      ])
    await stranger.query("SELECT pg_notify('foyer', 'forged ' || n) FROM generate_series(1, 2000) AS n")
    await stranger.end()
    await chat.ask('say second-answer')
    await chat.hears('second-answer')
    expect(await chat.panel.locator('body').textContent()).not.toContain('forged')
    expect(await chat.said()).toEqual(['say first-answer', 'say second-answer'])
    expect(sockets).toHaveLength(1)
    expect(line.output().match(/the bus carried a text/g)).toHaveLength(1)
  },
)

it.runIf(isLong)(
  'the chat begins anew after its conversation was erased, and nothing of the erased one is stored again',
  async () => {
    const { chat, sockets, sessionId } = await visit()
    const folder = mkdtempSync(join(tmpdir(), 'foyer-erase-'))
    const cli = join(import.meta.dirname, '../../dist/foyer-server/cli.js')
    const command = spawn(process.execPath, [cli, 'erase', 'conversation', sessionId], {
      cwd: folder,
      env: { ...process.env, FOYER_DATABASE_URL: databaseUrl },
    })
    expect(await once(command, 'exit')).toEqual([0, null])
    rmSync(folder, { recursive: true })
    await chat.log.getByText('Your last chat couldn’t be restored').waitFor()
    await chat.ask('say second-answer')
    await chat.hears('second-answer')
    const sessions = new Set(sockets.map(sessionOf))
    expect(sessions.size).toBe(2)
    sessions.delete(sessionId)
    const [added = ''] = sessions
    const events = await query<{ session_id: string; text: string | null }>(
      databaseUrl,
      `SELECT session_id, payload ->> 'text' AS text FROM foyer.event
     WHERE session_id IN ('${sessionId}', '${added}') AND type = 'EVENT_TYPE_USER_MESSAGE'`,
    )
    expect(events).toEqual([{ session_id: added, text: 'say second-answer' }])
  },
)
