// What `foyer-server check` says about settings, endpoints and proxies. test/process/check.test.ts has databases and a real proxy.

import { createServer, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { check } from '../../src/cli/before-start/check.ts'

const SECRET = 'a-secret-that-nobody-may-read'
const SITE = {
  FOYER_DATA: 'memory',
  FOYER_CONNECTOR_TOKEN: `${SECRET}-connector`,
  FOYER_CONNECTOR_HOST: 'shop.example.com',
  FOYER_COOKIE_SECRET: `${SECRET}-cookie-of-32-characters`,
  FOYER_PUBLIC_ORIGIN: 'http://localhost:1',
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function serve(answer: RequestListener): Promise<Server> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
const portOf = (server: Server) => (server.address() as AddressInfo).port
const addressOf = (server: Server) => `http://127.0.0.1:${portOf(server)}`
const freePort = async () => {
  const server = await serve(() => {})
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What the command says of each probe, and whether it is content. */
async function say(env: Record<string, string>, documents?: string) {
  const lines: string[] = []
  const sound = await check({
    env: { PORT: String(await freePort()), ...SITE, ...env },
    folder: '.foyer',
    documents,
    built: tmpdir(),
    print: (line) => lines.push(line),
  })
  expect(lines.join('\n')).not.toContain(SECRET)
  const found = lines.map((line) => /^(ok|problem|not checked) +(\w+) +(.+)$/.exec(line) ?? [])
  return { sound, found: Object.fromEntries(found.map(([, kind, what, text]) => [what, `${kind}: ${text}`])) }
}
const of = async (what: string, env: Record<string, string>) => (await say(env)).found[what]

describe('the settings', () => {
  it('are a problem where they would stop a start; nothing else is probed then', async () => {
    const { sound, found } = await say({ FOYER_SESSION_IDLE: 'long' })
    expect(sound).toBe(false)
    expect(Object.keys(found)).toEqual(['settings', 'database', 'model', 'embeddings', 'redis', 'proxy'])
    expect(found.settings).toMatch(/^problem: FOYER_SESSION_IDLE is "long"\. It may be/)
    for (const what of ['database', 'model', 'embeddings', 'redis', 'proxy'])
      expect(found[what]).toBe('not checked: Correct the settings first.')
  })

  it.each([
    ['FOYER_CONNECTOR_TOKEN', 'short', 'FOYER_CONNECTOR_TOKEN has fewer than 16 characters'],
    ['FOYER_CONNECTOR_HOST', '', 'FOYER_CONNECTOR_HOST is not set'],
    ['FOYER_COOKIE_SECRET', 'short', 'FOYER_COOKIE_SECRET is too short'],
    ['FOYER_ORIGIN', 'x', 'There is no setting FOYER_ORIGIN. Did you mean FOYER_ORIGINS?'],
  ])('are read by each part of a start: %s', async (name, value, words) => {
    expect(await of('settings', { [name]: value })).toContain(`problem: ${words}`)
  })

  it('are a problem where there is no folder to answer from', async () => {
    expect((await say({}, './nowhere')).found.settings).toMatch(/^problem: There is no folder .*nowhere/)
  })
})

describe('what is not used', () => {
  it('is not checked, and no problem', async () => {
    const port = await freePort()
    const { sound, found } = await say({
      PORT: String(port),
      FOYER_PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    })
    expect(found).toEqual({
      settings: 'ok: The settings can be used.',
      database: 'not checked: FOYER_DATA is memory: nothing is kept.',
      model: 'not checked: FOYER_AGENT is guide, which uses no model.',
      embeddings: 'not checked: FOYER_EMBEDDINGS_URL is not set: vectors are made without a model.',
      redis: 'not checked: REDIS_URL is not set: processes tell each other by the database.',
      proxy: `ok: http://127.0.0.1:${port} reaches this server without a proxy.`,
    })
    expect(sound).toBe(true)
  })
})

describe('the model', () => {
  const model = async (answer: RequestListener) => {
    const env = { FOYER_AGENT: 'llm', FOYER_LLM_MODEL: 'small', FOYER_LLM_KEY: SECRET }
    return of('model', { ...env, FOYER_LLM_URL: `${addressOf(await serve(answer))}/v1/` })
  }
  it.each([
    [200, 'ok: The endpoint of FOYER_LLM_URL answers.'],
    [401, 'problem: The endpoint of FOYER_LLM_URL refuses the key (401). Correct FOYER_LLM_KEY.'],
    [403, 'problem: The endpoint of FOYER_LLM_URL refuses the key (403). Correct FOYER_LLM_KEY.'],
    [
      404,
      'ok: The endpoint of FOYER_LLM_URL answers, but without a list of models (404). The first chat shows whether the address is complete.',
    ],
    [500, 'problem: The endpoint of FOYER_LLM_URL answers with 500. See its own log.'],
    [503, 'problem: The endpoint of FOYER_LLM_URL answers with 503. See its own log.'],
  ])('that answers with %i is reported as: %s', async (status, words) => {
    const asked: unknown[] = []
    const said = await model(({ url, headers }, response) => {
      asked.push([url, headers.authorization])
      response.writeHead(status).end('{}')
    })
    expect(said).toBe(words)
    expect(asked).toEqual([['/v1/models', `Bearer ${SECRET}`]])
  })

  it('that is a problem is one of the whole, though all that is looked at later is fine', async () => {
    const server = await serve((_, response) => response.writeHead(503).end())
    const port = await freePort()
    const { sound, found } = await say({
      ...{ PORT: String(port), FOYER_PUBLIC_ORIGIN: `http://127.0.0.1:${port}` },
      ...{ FOYER_AGENT: 'llm', FOYER_LLM_MODEL: 'small', FOYER_LLM_URL: addressOf(server) },
    })
    expect([found.model?.slice(0, 7), found.proxy?.slice(0, 2), sound]).toEqual(['problem', 'ok', false])
  })

  it('that is away is named with the cure', async () => {
    const env = { FOYER_AGENT: 'llm', FOYER_LLM_MODEL: 'small', FOYER_LLM_KEY: SECRET }
    expect(await of('model', { ...env, FOYER_LLM_URL: `http://127.0.0.1:${await freePort()}/v1` })).toBe(
      'problem: The endpoint of FOYER_LLM_URL cannot be reached (ECONNREFUSED). Start it, or correct the address.',
    )
  })
})

describe('an agent at an address', () => {
  it.each([
    [405, 'ok: The agent of FOYER_AGENT answers. The first chat shows whether the address is complete.'],
    [501, 'ok: The agent of FOYER_AGENT answers. The first chat shows whether the address is complete.'],
    [401, 'problem: The agent of FOYER_AGENT refuses the key (401). Correct FOYER_AGENT_KEY.'],
    [500, 'problem: The agent of FOYER_AGENT answers with 500. See its own log.'],
  ])('that answers with %i is reported, without a run: %s', async (status, words) => {
    const asked: unknown[] = []
    const server = await serve(({ method, url, headers }, response) => {
      asked.push([method, url, headers.authorization])
      response.writeHead(status).end()
    })
    expect(await of('model', { FOYER_AGENT: `${addressOf(server)}/run`, FOYER_AGENT_KEY: SECRET })).toBe(
      words,
    )
    expect(asked).toEqual([['GET', '/run', `Bearer ${SECRET}`]])
  })

  it('that is away is named with the cure', async () => {
    expect(await of('model', { FOYER_AGENT: `http://127.0.0.1:${await freePort()}/` })).toBe(
      'problem: The agent of FOYER_AGENT cannot be reached (ECONNREFUSED). Start it, or correct the address.',
    )
  })
})

describe('the embeddings', () => {
  const env = { FOYER_EMBEDDINGS_MODEL: 'm', FOYER_EMBEDDINGS_KEY: SECRET }
  it('are asked for one vector', async () => {
    const server = await serve((_, response) => response.end('{"data":[{"embedding":[1,2,3]}]}'))
    expect(await of('embeddings', { ...env, FOYER_EMBEDDINGS_URL: addressOf(server) })).toBe(
      'ok: The endpoint of FOYER_EMBEDDINGS_URL answers with vectors of 3 numbers.',
    )
  })
  it('that cannot be used are a problem', async () => {
    const server = await serve((_, response) => response.writeHead(401).end())
    expect(await of('embeddings', { ...env, FOYER_EMBEDDINGS_URL: addressOf(server) })).toBe(
      'problem: The endpoint of FOYER_EMBEDDINGS_URL cannot be used (The embeddings endpoint answered with 401). Correct FOYER_EMBEDDINGS_…, or omit them.',
    )
    expect(
      await of('embeddings', { ...env, FOYER_EMBEDDINGS_URL: `http://127.0.0.1:${await freePort()}` }),
    ).toContain('cannot be used (ECONNREFUSED)')
  })
  it('have no password in their address, which an error would repeat', async () => {
    const away = `http://user:${SECRET}@127.0.0.1:9/`
    expect(await of('settings', { ...env, FOYER_EMBEDDINGS_URL: away })).toMatch(
      /^problem: FOYER_EMBEDDINGS_URL is not a valid address\. Write a full address without user and password/,
    )
  })
})

describe('the proxy', () => {
  /** A proxy before `port`. `forwarded`: the X-Forwarded-For that it makes of what it got. */
  async function proxy(port: number, forwarded: (given: string) => string | undefined, upgrades = true) {
    const front = await serve((incoming, response) => {
      const { 'x-forwarded-for': given, ...headers } = incoming.headers
      const value = forwarded(String(given))
      const onward = request(
        {
          ...{ port, host: '127.0.0.1', path: incoming.url, method: incoming.method },
          headers: { ...headers, ...(value !== undefined && { 'x-forwarded-for': value }) },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 0)
          answer.pipe(response)
        },
      )
      onward.on('error', () => response.writeHead(502).end())
      onward.end()
    })
    if (upgrades)
      front.on('upgrade', ({ url }, socket) => {
        const onward = connect(port, '127.0.0.1')
        onward.write(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
        onward.pipe(socket).pipe(onward)
        for (const end of [onward, socket]) end.on('error', () => onward.destroy())
      })
    return addressOf(front)
  }
  const appends = (given: string) => `${given}, 127.0.0.1`
  async function behind(forwarded: (given: string) => string | undefined, trusted: string, upgrades = true) {
    const port = await freePort()
    const origin = await proxy(port, forwarded, upgrades)
    const env = { PORT: String(port), FOYER_PUBLIC_ORIGIN: origin, FOYER_TRUSTED_PROXIES: trusted }
    return (await of('proxy', env))?.replace(origin, 'ORIGIN')
  }

  it('that adds the address of visitors and is trusted is fine', async () => {
    expect(await behind(appends, 'loopback')).toBe(
      'ok: ORIGIN reaches this server with WebSockets, and the proxy tells the addresses of visitors.',
    )
    expect(await behind(() => '203.0.113.7', '127.0.0.0/8')).toMatch(/^ok: /)
  })

  it('that FOYER_TRUSTED_PROXIES does not name is a problem, with the value to set', async () => {
    for (const trusted of ['', '10.0.0.0/8'])
      expect(await behind(appends, trusted)).toBe(
        'problem: FOYER_TRUSTED_PROXIES does not name the proxy at 127.0.0.1, so limits count all visitors as one. Set FOYER_TRUSTED_PROXIES=127.0.0.1',
      )
  })

  it.each([
    ['removes X-Forwarded-For', () => undefined],
    ['passes on what visitors write', (given: string) => given],
  ])('that %s is a problem', async (_, forwarded) => {
    expect(await behind(forwarded, 'loopback')).toMatch(/^problem: The proxy at 127.0.0.1 adds no address/)
    expect(await behind(forwarded, '')).toMatch(/^problem: The proxy at 127.0.0.1 adds no address/)
  })

  it('that keeps WebSockets away is a problem', async () => {
    expect(await behind(appends, 'loopback', false)).toMatch(/^problem: ORIGIN does not pass WebSockets on/)
  })

  it('that leads to another server first, and for a socket too, is fine once it leads here', async () => {
    const port = await freePort()
    const here = await proxy(port, appends)
    const seen = { requests: 0, upgrades: 0 }
    const front = await serve((incoming, response) => {
      if (seen.requests++ < 2) return response.end('{"status":"ok"}')
      incoming.pipe(
        request(`${here}${incoming.url}`, { headers: incoming.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0)
          answer.pipe(response)
        }),
      )
    })
    front.on('upgrade', ({ url }, socket) => {
      if (seen.upgrades++ < 2) return socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
      const onward = connect(Number(new URL(here).port), '127.0.0.1')
      onward.write(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
      onward.pipe(socket).pipe(onward)
      for (const end of [onward, socket]) end.on('error', () => onward.destroy())
    })
    const env = {
      PORT: String(port),
      FOYER_PUBLIC_ORIGIN: addressOf(front),
      FOYER_TRUSTED_PROXIES: 'loopback',
    }
    expect(await of('proxy', env)).toMatch(/^ok: /)
    expect(seen).toEqual({ requests: 3, upgrades: 3 })
  })

  it('of a server that runs has to pass on both paths that are watched', async () => {
    for (const path of ['/live', '/foyer/health']) {
      const other = await serve(({ url }, response) => response.writeHead(url === path ? 404 : 200).end())
      const env = { PORT: String(portOf(other)), FOYER_PUBLIC_ORIGIN: addressOf(other) }
      expect(await of('proxy', env)).toContain(`problem: ${addressOf(other)}${path} answers with 404.`)
    }
  })

  it('that leads elsewhere, or nowhere, is a problem', async () => {
    const elsewhere = await serve((_, response) => response.writeHead(404).end())
    expect(await of('proxy', { FOYER_PUBLIC_ORIGIN: addressOf(elsewhere) })).toMatch(
      /^problem: http:\S+ answers with 404, and not from here\. Let the proxy lead to port \d+/,
    )
    expect(await of('proxy', { FOYER_PUBLIC_ORIGIN: `http://127.0.0.1:${await freePort()}` })).toMatch(
      /^problem: http:\S+ cannot be reached from this machine \(ECONNREFUSED\)/,
    )
  })

  it('of a server that trusts whoever asks without a proxy is a problem', async () => {
    const port = await freePort()
    const env = { PORT: String(port), FOYER_PUBLIC_ORIGIN: `http://127.0.0.1:${port}` }
    expect(await of('proxy', { ...env, FOYER_TRUSTED_PROXIES: 'loopback' })).toMatch(
      /^problem: Requests reach port \d+ without a proxy/,
    )
  })

  it('that leads to another server of Foyer for now, and the headers of a server that runs, are not checked', async () => {
    const other = await serve((_, response) => response.end('{"status":"ok"}'))
    expect(await of('proxy', { FOYER_PUBLIC_ORIGIN: addressOf(other) })).toMatch(
      /^not checked: http:\S+ answers, but from another server/,
    )
    const env = { PORT: String(portOf(other)), FOYER_PUBLIC_ORIGIN: addressOf(other) }
    expect(await of('proxy', env)).toMatch(/^not checked: http:\S+ answers\. Port \d+ is in use/)
  })

  it('is a problem without FOYER_PUBLIC_ORIGIN, but in the demo', async () => {
    expect(await of('proxy', { FOYER_PUBLIC_ORIGIN: '' })).toMatch(/^problem: FOYER_PUBLIC_ORIGIN is not set/)
    const demo = { FOYER_DEMO: '1', FOYER_CONNECTOR_TOKEN: '', FOYER_CONNECTOR_HOST: '' }
    expect(await of('proxy', { ...demo, FOYER_PUBLIC_ORIGIN: '' })).toBe(
      'not checked: FOYER_PUBLIC_ORIGIN is not set.',
    )
  })
})
