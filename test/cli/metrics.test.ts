// What Prometheus reads: counters, timers and gauges of the table, and labels that nobody outside chooses.

import { EventEmitter, once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { METRICS, type Meter, noMeter } from '../../src/api/index.ts'
import { measureRequest } from '../../src/cli/monitoring/http.ts'
import { createMetrics } from '../../src/cli/monitoring/metrics.ts'
import { startMonitoring } from '../../src/cli/monitoring/monitoring.ts'

/** The lines of one metric. */
const linesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line))

describe('the metrics', () => {
  it('count, time and read what they are told', async () => {
    const { meter, text } = createMetrics()
    meter.count('foyer_messages_total', 1, { direction: 'in', family: 'chat' })
    meter.count('foyer_messages_total', 2, { direction: 'in', family: 'chat' })
    meter.time('foyer_queue_wait_seconds', 20)
    meter.gauge('foyer_sockets', () => 7)
    meter.gauge('foyer_database_connections', async () => 3, { state: 'idle' })
    const read = await text()
    expect(linesOf(read, 'foyer_messages_total')).toContain(
      'foyer_messages_total{direction="in",family="chat"} 3',
    )
    expect(linesOf(read, 'foyer_queue_wait_seconds_bucket')).toEqual(
      expect.arrayContaining([
        'foyer_queue_wait_seconds_bucket{le="15"} 0',
        'foyer_queue_wait_seconds_bucket{le="30"} 1',
      ]),
    )
    expect(linesOf(read, 'foyer_queue_wait_seconds_sum')).toEqual(['foyer_queue_wait_seconds_sum 20'])
    expect(linesOf(read, 'foyer_sockets')).toEqual(['foyer_sockets 7'])
    expect(linesOf(read, 'foyer_database_connections')).toEqual([
      'foyer_database_connections{state="idle"} 3',
    ])
    expect(linesOf(read, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1)
  })

  it('have a series of 0 from the start for each combination of labels that is known in advance', async () => {
    const read = await createMetrics().text()
    expect(linesOf(read, 'foyer_messages_total')).toEqual(
      ['in', 'out'].flatMap((direction) =>
        ['chat', 'messaging', 'voice'].map(
          (family) => `foyer_messages_total{direction="${direction}",family="${family}"} 0`,
        ),
      ),
    )
    for (const line of [
      'foyer_handshakes_total{outcome="accepted"} 0',
      'foyer_handshakes_total{outcome="429"} 0',
      'foyer_turn_seconds_count{outcome="failed"} 0',
      'foyer_turn_seconds_bucket{le="60",outcome="failed"} 0',
      'foyer_queue_wait_seconds_count 0',
      'foyer_limited_total{limit="frames"} 0',
      'foyer_limited_total{limit="/foyer/access-token"} 0',
      'foyer_limited_total{limit="/v1/outbound-sms"} 0',
    ])
      expect(read.split('\n')).toContain(line)
    const open = ['foyer_http_seconds', 'foyer_build_info']
    const counted = Object.entries(METRICS).filter(
      ([name, { kind }]) => kind !== 'gauge' && !open.includes(name),
    )
    for (const [name, { kind }] of counted)
      expect(linesOf(read, kind === 'timer' ? `${name}_count` : name), name).not.toEqual([])
    // Which status a route answers with is not known in advance.
    expect(linesOf(read, 'foyer_http_seconds_count')).toEqual([])
  })

  it('leave a gauge out that nobody has registered', async () => {
    const read = await createMetrics().text()
    for (const name of ['foyer_sessions', 'foyer_redis_connected']) expect(linesOf(read, name)).toEqual([])
  })

  it('leave a gauge out that cannot be read, and read it once at a time', async () => {
    const { meter, text } = createMetrics()
    let asked = 0
    let fails = false
    meter.gauge('foyer_sockets', () => 7)
    meter.gauge('foyer_sessions', () => {
      asked++
      return new Promise(() => {})
    })
    meter.gauge('foyer_queue_waiting', () => {
      if (fails) throw new Error('The database is away')
      return 4
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const read = async () => {
      const both = Promise.all([text(), text()])
      await vi.advanceTimersByTimeAsync(2_000)
      return (await both)[0]
    }
    const first = await read()
    expect(asked).toBe(1)
    expect(linesOf(first, 'foyer_sockets')).toEqual(['foyer_sockets 7'])
    expect(linesOf(first, 'foyer_sessions')).toEqual([])
    expect(linesOf(first, 'foyer_queue_waiting')).toEqual(['foyer_queue_waiting 4'])
    fails = true
    expect(linesOf(await read(), 'foyer_queue_waiting')).toEqual([])
    fails = false
    expect(linesOf(await read(), 'foyer_queue_waiting')).toEqual(['foyer_queue_waiting 4'])
  })

  it('read each gauge of a name, and leave out the one that cannot be read', async () => {
    const { meter, text } = createMetrics()
    let idle = 1
    meter.gauge('foyer_database_connections', () => idle, { state: 'idle' })
    meter.gauge(
      'foyer_database_connections',
      () => {
        if (idle > 1) throw new Error('The database is away')
        return 5
      },
      { state: 'waiting' },
    )
    const line = (state: string, number: number) => `foyer_database_connections{state="${state}"} ${number}`
    expect(linesOf(await text(), 'foyer_database_connections')).toEqual([line('idle', 1), line('waiting', 5)])
    idle = 2
    expect(linesOf(await text(), 'foyer_database_connections')).toEqual([line('idle', 2)])
    idle = 0
    expect(linesOf(await text(), 'foyer_database_connections').sort()).toEqual([
      line('idle', 0),
      line('waiting', 5),
    ])
  })
})

describe('an HTTP request', () => {
  /** What is measured of one request. */
  function measured(method: string, url: string, status: number, finished = true) {
    const taken: unknown[] = []
    const meter: Meter = {
      ...noMeter,
      count: (...given: unknown[]) => void taken.push(given),
      time: (name: string, _: number, labels: unknown) => void taken.push([name, labels]),
    } as Meter
    const response = Object.assign(new EventEmitter(), { statusCode: status, writableFinished: finished })
    measureRequest(meter, { method, url } as IncomingMessage, response as unknown as ServerResponse)
    response.emit('close')
    return taken
  }

  it('is timed by method, route and status', () => {
    expect(measured('POST', '/foyer/access-token?x=1', 200)).toEqual([
      ['foyer_http_seconds', { method: 'POST', route: '/foyer/access-token', status: '200' }],
    ])
  })

  it('that a limit refuses is counted for it', () => {
    expect(measured('POST', '/api/v1/sessions', 429)).toContainEqual([
      'foyer_limited_total',
      1,
      { limit: '/api/v1/sessions' },
    ])
  })

  it('whose connection is cut has no status', () => {
    expect(measured('GET', '/live', 200, false)).toEqual([
      ['foyer_http_seconds', { method: 'GET', route: '/live', status: 'cut' }],
    ])
  })

  it.each(['/wp-login.php', '/foyer/assets/a/b', '/live/', '//evil', '', '/foyer.json'])(
    'to the unknown address %j has no route of its own',
    (url) => {
      expect(measured('PROPFIND', url, 404)).toEqual([
        ['foyer_http_seconds', { method: 'other', route: 'other', status: '404' }],
      ])
    },
  )
})

describe('the port of the metrics', () => {
  async function freePort(): Promise<number> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  /** As programs do: `fetch` sends headers of browsers. */
  async function ask(port: number, path: string, headers: Record<string, string> = {}) {
    const asked = get({ port, host: '127.0.0.1', path, headers, agent: false })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: response.statusCode, body: await text(response) }
  }
  const start = (metricsPort: number | undefined) =>
    startMonitoring({
      env: {},
      version: '1.0.0',
      settings: { metricsPort, host: '127.0.0.1' },
      log: () => {},
    })

  it('is open to programs and to no browser, until the server has stopped, and then to the next one', async () => {
    const port = await freePort()
    for (const sockets of [1, 2]) {
      const { meter, close } = await start(port)
      let isClosed = false
      onTestFinished(() => (isClosed ? undefined : close()))
      meter.gauge('foyer_sockets', () => sockets)
      expect(linesOf((await ask(port, '/metrics')).body, 'foyer_sockets')).toEqual([
        `foyer_sockets ${sockets}`,
      ])
      for (const name of ['origin', 'sec-fetch-site', 'accept-language'])
        expect((await ask(port, '/metrics?x', { [name]: 'x' })).status, name).toBe(403)
      expect((await ask(port, '/')).status).toBe(404)
      await close()
      isClosed = true
      await expect(ask(port, '/metrics')).rejects.toThrow('ECONNREFUSED')
    }
  })

  it('is none where no setting names one', async () => {
    const { meter, close } = await start(undefined)
    expect(meter).toBe(noMeter)
    await close()
  })
})
