// What the README and the docs tell people to paste, run as it stands there, against a server started as they say.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, type Server, startServer } from '../browser/world.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
let server: Server
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-examples-'))
  server = await startServer(await freePort(), folder)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The blocks of a language below a heading. */
function blocks(file: string, heading: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const found = [...(section.split('\n## ')[0] ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return found.filter(([, name]) => name === language).map(([, , code = '']) => here(code))
}
/** The same at the port that is free. */
const here = (code: string) => code.replaceAll('http://localhost:4700', server.origin)

function paste(code: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', code], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The example ended with ${status}. Is curl installed? ${stderr}`)
  return stdout
}

const screen = async () =>
  (await (await fetch(`${server.origin}/demo/phone/%2B15005550010`)).json()) as {
    messages: { direction: 'in' | 'out'; text: string }[]
  }
async function shown(text: string): Promise<void> {
  for (;;) {
    const { messages } = await screen()
    if (messages.some((message) => message.direction === 'in' && message.text.includes(text))) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('the README', () => {
  it('has a first screen, and no more than 120 lines', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
      120,
    )
  })

  it('texts a phone that answers, calls one that does not, and finds what was said', async () => {
    const [code = ''] = blocks('README.md', 'Try the service', 'sh')
    const said = paste(code)
    expect(said).toMatch(/^HTTP\/1\.1 202 /)
    expect(said).toContain('{"status":"failure","reason":"The call was not answered."}')
    const [page = ''] = said.trim().split('\n').slice(-1)
    expect(JSON.parse(page)).toMatchObject({
      conversations: [{ channel: 'SMS', turns: [{ agent_response: 'Your bicycle is ready.' }] }],
    })
    await shown('Your bicycle is ready.')
    await fetch(`${server.origin}/demo/phone/%2B15005550010/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.origin },
      body: '{"text":"How do I start it?"}',
    })
    await shown('npm start')
  })
})

describe('the page on the API', () => {
  const run = (heading: string) => paste(blocks('docs/api.md', heading, 'sh')[0] ?? '')

  it('lists, finds and counts conversations', () => {
    expect(JSON.parse(run('How to list conversations'))).toHaveProperty('cursor')
    const found = JSON.parse(run('How to find a conversation by what was said in it')) as {
      conversations: []
    }
    expect(found.conversations).toHaveLength(1)
    const counted = JSON.parse(run('How to count conversations that went on at once')) as { intervals: [] }
    expect(counted.intervals).toHaveLength(12)
  })

  it('texts and calls', () => {
    expect(run('How to send a text message')).toMatch(/^HTTP\/1\.1 202 /)
    const { call_sid } = JSON.parse(run('How to call a phone')) as { call_sid: string }
    const [, status = ''] = blocks('docs/api.md', 'How to call a phone', 'sh')
    expect(JSON.parse(paste(status.replace('OUT-…', call_sid)))).toHaveProperty('status')
  })

  it('asks for what was stored at a handoff', () => {
    const [code = ''] = blocks('docs/api.md', 'How to read what was stored at a handoff', 'sh')
    expect(JSON.parse(paste(code.replace('…', 'nobody')))).toEqual({ error_message: expect.any(String) })
  })
})

it('the page on the client has an example that runs', () => {
  // As an app that has installed the package would have it.
  symlinkSync(join(root, 'dist'), join(folder, 'node_modules'))
  const [code = ''] = blocks('docs/client.md', 'What the client is', 'js')
  const file = join(folder, 'example.mjs')
  writeFileSync(file, code)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain("{ status: 'failure', reason: 'The call was not answered.' }")
})
