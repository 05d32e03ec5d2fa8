// What a generator makes of /openapi.json: types that compile, and that the service's real answers have.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from '../browser/world.ts'

const INSTALL_MS = 300_000
const run = promisify(execFile)
const { start } = useBrowser()

/** Outside of the repository, whose TypeScript is newer than the generator takes. */
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-types-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = ['openapi-typescript@7', 'typescript@5']
  await run('npm', ['install', ...packages, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
}, INSTALL_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Says what the compiler says. */
const compile = () =>
  run('npx', ['tsc', '--noEmit', '--strict', '--module', 'nodenext', 'answers.ts'], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )

it('types that a generator makes of the document fit what the service answers', {
  timeout: INSTALL_MS,
}, async () => {
  const { origin } = await start()
  await run('npx', ['openapi-typescript', `${origin}/openapi.json`, '-o', 'api.ts'], { cwd: folder })
  const json = { 'content-type': 'application/json' }
  const ask = async (path: string, headers: Record<string, string>, body?: object) => {
    const method = body ? 'POST' : 'GET'
    const response = await fetch(origin + path, {
      method,
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, answer: await response.json() }
  }
  const token = await ask('/api/v1/access-token', { 'x-token': 'demo-connector', 'x-host': 'localhost' }, {})
  const bearer = `Bearer ${token.answer.access_token}`
  const key = { 'x-api-key': 'demo-api-key' }
  const call = { 'x-svc-auth-token': 'demo-calling' }
  const text = { 'x-svc-auth-token': 'demo-api-key', 'x-token-id': 'CON-demo0001' }
  const week = 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-01T01:00:00Z'
  const answers = {
    'chat.accessToken': [token, await ask('/api/v1/access-token', {}, {})],
    'chat.createSession': [
      await ask('/api/v1/sessions', { authorization: bearer }, { streaming_enabled: true }),
      await ask('/api/v1/sessions', { authorization: 'Bearer none' }, {}),
    ],
    'conversations.list': [
      await ask('/v3/demo/front-desk/conversations', key),
      await ask('/v3/demo/front-desk/conversations?limit=0', key),
    ],
    'concurrency.query': [
      await ask(`/v1/demo/front-desk/conversations/concurrency?${week}`, key),
      await ask('/v1/demo/front-desk/conversations/concurrency', key),
    ],
    'handoff.get': [await ask('/v1/demo/front-desk/handoff_state?id=none', key)],
    'sms.send': [await ask('/v1/outbound-sms', text, { user_number: 'none' })],
    'calls.start': [await ask('/v1/outbound-calling', call, { to_number: 'none' })],
    'calls.status': [await ask('/v1/outbound-calling/OUT-none/status', call)],
  }
  const codes = Object.values(answers).map((each) => each.map(({ status }) => status))
  // The first of each is what it is for, where the demo has it.
  expect(codes.slice(0, 4).map(([status]) => status)).toEqual([200, 200, 200, 200])
  const lines = Object.entries(answers).flatMap(([id, each]) =>
    each.map(
      ({ status, answer }) =>
        `({ as: ${JSON.stringify(answer)} }) satisfies { as: operations[${JSON.stringify(id)}]['responses'][${status}]['content']['application/json'] }`,
    ),
  )
  const write = (more: string) =>
    writeFileSync(
      join(folder, 'answers.ts'),
      ["import type { operations } from './api.js'", ...lines, more].join('\n;'),
    )
  write('')
  expect(await compile()).toBe('')
  // The compiler would have told.
  write(
    "({ as: { session_id: 1 } }) satisfies { as: operations['chat.createSession']['responses'][200]['content']['application/json'] }",
  )
  expect(await compile()).toContain("Type 'number' is not assignable to type 'string'")
})
