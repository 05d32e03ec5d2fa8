// What operators see of a running process: its probes and its log.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort, ONE_DOCUMENT, SHORT_LIVED } from '../browser/world.ts'
import { askedBy, readRules } from '../structure/alerts.ts'
import { cli, root, useFolder, visitor } from './starts.ts'

const folder = useFolder()
const { version: VERSION } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}

describe('the log as JSON', () => {
  const recordsOf = (output: readonly string[]) =>
    output
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  it('has one object for each line that the process prints, from the start to the access log', async () => {
    const server = await folder.start(await freePort(), {
      FOYER_LOG: 'json',
      FOYER_DATA: 'memory',
      FOYER_DEMO: '0',
      FOYER_CONNECTOR_TOKEN: 'a-token-that-nobody-guesses',
      FOYER_CONNECTOR_HOST: 'localhost',
    })
    const person = visitor(server.origin)
    await person.token(false)
    await fetch(`${server.origin}/%0a{"level":"error"}?q=canary-words`)
    await server.stop()
    const records = recordsOf(server.output)
    for (const { time, level, message } of records) {
      expect(new Date(String(time)).toISOString()).toBe(time)
      expect(level).toMatch(/^(error|warn|info)$/)
      expect(message).not.toBe('')
    }
    expect(records).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(/^FOYER_PUBLIC_ORIGIN is not set/),
      }),
    )
    expect(records).toContainEqual(
      expect.objectContaining({ level: 'info', message: expect.stringMatching(/^Foyer is ready: http/) }),
    )
    expect(records).toContainEqual(
      expect.objectContaining({
        level: 'info',
        message: expect.stringMatching(/^POST \/foyer\/access-token 200 \d+ ms$/),
        ...{ method: 'POST', path: '/foyer/access-token', status: 200, ms: expect.any(Number) },
      }),
    )
    expect(server.output.join('')).not.toContain('canary-words')
    expect(records.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('has the cause of a start that failed', async () => {
    const child = spawn(process.execPath, [...SHORT_LIVED, cli, ...ONE_DOCUMENT], {
      cwd: folder.path(),
      env: { ...process.env, PORT: '70000', FOYER_LOG: 'json' },
    })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(String(part)))
    await new Promise((resolve) => child.on('close', resolve))
    expect(recordsOf(output)).toEqual([
      { time: expect.any(String), level: 'error', message: expect.stringContaining('PORT is "70000"') },
    ])
  })
})

describe('the metrics', () => {
  it('are read on a port of their own, on loopback, and show what a visitor does without saying who', async () => {
    const port = await freePort()
    const metricsPort = await freePort()
    const server = await folder.start(port, { FOYER_METRICS_PORT: String(metricsPort), FOYER_DATA: 'memory' })
    const scrape = (path = '/metrics', headers: Record<string, string> = {}) =>
      new Promise<{ status: number | undefined; type: string | undefined; text: string }>(
        (resolve, reject) => {
          // `fetch` sends what only browsers send.
          httpGet({ host: '127.0.0.1', port: metricsPort, path, headers }, (response) => {
            let text = ''
            response.on('data', (part) => {
              text += String(part)
            })
            response.on('end', () =>
              resolve({ status: response.statusCode, type: response.headers['content-type'], text }),
            )
          }).on('error', reject)
        },
      )
    const atStart = (await scrape()).text.split('\n')
    for (const line of [
      'foyer_handshakes_total{outcome="accepted"} 0',
      'foyer_messages_total{direction="in",family="chat"} 0',
      'foyer_turn_seconds_count{outcome="failed"} 0',
      'foyer_limited_total{limit="frames"} 0',
    ])
      expect(atStart).toContain(line)
    const person = visitor(server.origin)
    const { access_token } = await person.token(false)
    const session = await person.session()
    const client = await person.connect(session, 0)
    client.send('EVENT_TYPE_USER_MESSAGE', { text: 'canary-words' })
    await client.until('answer', () => client.events.some(({ payload }) => payload.is_complete === true))
    await fetch(`${server.origin}/canary-path`)
    const { status, type, text } = await scrape()
    expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain/)])
    for (const line of [
      `foyer_build_info{version="${VERSION}"} 1`,
      'foyer_ready 1',
      'foyer_sockets 1',
      'foyer_sessions 1',
      'foyer_handshakes_total{outcome="accepted"} 1',
      'foyer_messages_total{direction="in",family="chat"} 1',
      'foyer_turn_seconds_count{outcome="answered"} 1',
      'foyer_queue_waiting 0',
      'foyer_http_seconds_count{method="POST",route="/foyer/access-token",status="200"} 1',
      'foyer_http_seconds_count{method="POST",route="/api/v1/sessions",status="200"} 1',
      'foyer_http_seconds_count{method="GET",route="other",status="404"} 1',
      'foyer_database_connections{state="all"} 1',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    // What the alerts of deploy/ ask for.
    const lines = text.split('\n')
    for (const { alert, expr } of readRules())
      for (const { series, matchers } of askedBy(expr).asked) {
        const name = series.replace(/_seconds_(bucket|count|sum)$/, '_seconds')
        expect(
          lines.some((line) => line.startsWith(`# TYPE ${name} `)),
          `${alert}: ${series}`,
        ).toBe(true)
        // This process has no Redis.
        if (series === 'foyer_redis_connected') continue
        const labels = matchers.map(({ label }) => `${label}="`)
        const found = lines.filter((line) => new RegExp(`^${series}[ {]`).test(line))
        expect(
          found.some((line) => labels.every((label) => line.includes(label))),
          `${alert}: ${series}`,
        ).toBe(true)
        for (const { label, values } of matchers.filter(({ label }) => label !== 'status'))
          for (const value of values)
            expect(
              found.some((line) => line.includes(`${label}="${value}"`)),
              `${alert}: ${value}`,
            ).toBe(true)
      }
    for (const secret of ['canary', access_token, session]) expect(text).not.toContain(secret)
    expect((await scrape('/')).status).toBe(404)
    const ofBrowsers: Record<string, string>[] = [
      { origin: 'https://evil.example.com' },
      { 'sec-fetch-site': 'same-origin' },
      // A page of a name that was made to lead here, without TLS, sends neither.
      { host: `evil.example.com:${metricsPort}`, 'accept-language': '' },
    ]
    for (const headers of ofBrowsers)
      expect(await scrape('/metrics', headers)).toMatchObject({
        status: 403,
        text: 'Metrics are for programs such as Prometheus, not for browsers.\n',
      })
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(404)
    client.socket.close()

    const child = spawn(process.execPath, [...SHORT_LIVED, cli, ...ONE_DOCUMENT], {
      cwd: folder.path(),
      env: {
        ...process.env,
        ...{ PORT: String(await freePort()), FOYER_METRICS_PORT: String(metricsPort), FOYER_DATA: 'memory' },
        FOYER_DEMO: '1',
      },
    })
    const output: string[] = []
    child.stderr.on('data', (part) => output.push(String(part)))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect([code, output.join('')]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^Port ${metricsPort} is taken.*FOYER_METRICS_PORT=`)),
    ])
  })
})
