// The demo behind a proxy that ends TLS: what it is told, it says to pages and visitors.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort, ONE_DOCUMENT, startServer } from '../browser/world.ts'

it('a start behind TLS uses its public origin in its output, on its pages, and for tokens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-tls-'))
  const known = 'https://127.0.0.1:8443'
  const server = await startServer(await freePort(), folder, { FOYER_PUBLIC_ORIGIN: known }, ONE_DOCUMENT)
  try {
    expect(server.output.join('')).toContain(`Foyer is ready:  ${known}`)
    expect(server.output.join('')).toContain(`<script src="${known}/foyer.js" async></script>`)
    const page = await fetch(`${server.origin}/embed.html`)
    expect(await page.text()).toContain(`<script  src="${known}/foyer.js" async></script>`)
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const part of [`script-src 'self' ${known};`, `frame-src 'self' ${known};`, 'wss://localhost:'])
      expect(policy).toContain(part)
    const token = (origin: string) =>
      fetch(`${server.origin}/foyer/access-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: '{}',
      })
    const granted = await token(known)
    expect([granted.status, await granted.json()]).toEqual([
      200,
      expect.objectContaining({ chat_url: known }),
    ])
    expect((await token(server.origin)).status).toBe(403)
    // A page of the demo, whose requests reach the server over plain HTTP.
    const expire = (origin: string) =>
      fetch(`${server.origin}/demo/sessions/unknown/expire`, { method: 'POST', headers: { origin } })
    expect((await expire(server.origin.replace('http:', 'https:'))).status).toBe(404)
    expect((await expire(server.origin)).status).toBe(403)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
