// A TCP proxy in this process that can do to bytes what networks do, and counts how often it did.

import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net'

export type Toxics = {
  /** Milliseconds that each piece is held, and up to how many more at random; the order stays. */
  latency?: number
  jitter?: number
  /** Bytes a second, each way. */
  bandwidth?: number
  /** Largest piece that is passed on at once, in bytes. */
  slice?: number
  /** Pass nothing on any more, and say nothing. */
  mute?: 'up' | 'down' | 'both'
  /** Of new connections: reset them, never answer, or answer this instead of the server. */
  meet?: 'reset' | 'hang' | { answer: string }
  /** Close a connection on which nothing passes for so long. */
  idle?: number
}

type Way = 'up' | 'down'
type Link = {
  client: Socket
  server: Socket | undefined
  muted: Way | 'both' | undefined
  /** Bytes that still pass before the connection is reset. */
  left: { [W in Way]?: number }
}

/** `now`: the clock that the global timers go by. `cross` is told that bytes are on their way. */
export async function createProxy(port: number, now: () => number, cross: () => void) {
  let toxics: Toxics = {}
  const links = new Set<Link>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  /** How often each fault struck. */
  const struck: Record<string, number> = {}
  const strike = (name: string) => {
    struck[name] = (struck[name] ?? 0) + 1
  }
  let accepted = 0

  const server = createServer((client) => {
    accepted++
    cross()
    client.setNoDelay(true)
    client.on('error', () => {})
    keep(client)
    const { meet } = toxics
    if (meet !== undefined) {
      strike(typeof meet === 'string' ? meet : 'answer')
      if (meet === 'reset') return void client.resetAndDestroy()
      links.add({ client, server: undefined, muted: undefined, left: {} })
      if (typeof meet === 'object') client.once('data', () => client.end(meet.answer))
      return
    }
    const upstream = open({ port, host: '127.0.0.1' })
    upstream.setNoDelay(true)
    keep(upstream)
    upstream.on('error', () => {})
    const link: Link = { client, server: upstream, muted: toxics.mute, left: {} }
    links.add(link)
    const reset = (name: string) => {
      strike(name)
      client.resetAndDestroy()
      upstream.resetAndDestroy()
      links.delete(link)
    }
    pump(client, upstream, 'up', link, reset)
    pump(upstream, client, 'down', link, reset)
    const close = () => {
      // A muted path tells neither end.
      if (link.muted) return
      links.delete(link)
      client.end()
      upstream.end()
    }
    client.on('close', close)
    upstream.on('close', close)
  })

  function pump(from: Socket, to: Socket, way: Way, link: Link, reset: (name: string) => void): void {
    let free = 0
    let quiet: ReturnType<typeof setTimeout> | undefined
    const idle = () => {
      clearTimeout(quiet)
      if (toxics.idle !== undefined) quiet = setTimeout(() => reset('idle'), toxics.idle)
    }
    idle()
    from.on('data', (data: Buffer) => {
      cross()
      idle()
      if (link.muted === way || link.muted === 'both') return strike(`mute ${link.muted}`)
      const { latency = 0, jitter = 0, bandwidth, slice } = toxics
      const left = link.left[way]
      const last = left !== undefined && data.length >= left
      const piece = last ? data.subarray(0, left) : data
      if (left !== undefined) link.left[way] = left - data.length
      const step = slice ?? Math.max(1, piece.length)
      if (slice !== undefined && piece.length > slice) strike('slice')
      for (let at = 0; at < piece.length; at += step) {
        const part = piece.subarray(at, at + step)
        const cost = bandwidth === undefined ? 0 : (part.length / bandwidth) * 1_000
        if (bandwidth !== undefined) strike('bandwidth')
        if (latency > 0) strike('latency')
        // Nothing overtakes: each piece leaves after the one before it.
        free = Math.max(free, now() + latency + Math.random() * jitter) + cost
        const delay = free - now()
        const write = () => {
          cross()
          if (link.muted === way || link.muted === 'both') return strike(`mute ${link.muted}`)
          if (!to.destroyed) to.write(part)
        }
        if (delay <= 0.5) write()
        else setTimeout(write, delay)
      }
      if (last) setTimeout(() => reset(`reset ${way}`), 5)
    })
    from.on('close', () => clearTimeout(quiet))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    struck,
    /** From now on, for what passes and for what is opened. */
    set(next: Toxics) {
      toxics = next
    },
    /** The connections that are open now go silent. */
    mute(way: 'up' | 'down' | 'both') {
      for (const link of links) link.muted = way
    },
    /** Resets the connections that are open now once so many more bytes have passed. */
    cutAfter(way: Way, bytes: number) {
      for (const link of links) link.left[way] = bytes
    },
    /** Connections are gone, both ends told. */
    reset() {
      for (const link of links) {
        strike('reset')
        link.client.resetAndDestroy()
        link.server?.resetAndDestroy()
      }
      links.clear()
    },
    accepted: () => accepted,
    open: () => links.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Proxy = Awaited<ReturnType<typeof createProxy>>
