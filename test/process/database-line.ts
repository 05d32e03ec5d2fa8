// The line between servers and their database. It can stand still: as with a database that was stopped, connections are taken and
// nothing more is answered. Or it is cut: connections break, and new ones too.

import { connect, createServer, type Socket } from 'node:net'

export type DatabaseLine = {
  /** The address of the database by way of this line. */
  url: string
  /** Nothing passes any more until `flow`. */
  hang(): void
  flow(): void
  /** Resets the open connections. New ones are taken. */
  break(): void
  /** Breaks all connections, and each new one until `flow`. */
  cut(): void
  close(): void
}

/** Returns the part of the database's bytes that the client gets; undefined: the connection breaks. */
type Filter = (data: Buffer) => Buffer | undefined
const everything: Filter = (data) => data

/** `filterOf`: makes the filter of each connection. */
export async function openDatabaseLine(database: string, filterOf = () => everything): Promise<DatabaseLine> {
  const to = new URL(database)
  const ends = new Set<Socket>()
  let hung = false
  let isCut = false
  const server = createServer((from) => {
    if (isCut) return void from.destroy()
    const onward = connect(Number(to.port || 5432), to.hostname)
    for (const [one, other, filter] of [
      [from, onward, everything],
      [onward, from, filterOf()],
    ] as const) {
      ends.add(one)
      one.on('data', (data) => {
        const passed = filter(data)
        if (passed) other.write(passed)
        else for (const end of [from, onward]) end.resetAndDestroy()
      })
      one.on('error', () => other.destroy())
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
      if (hung) one.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(database)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: url.href,
    hang() {
      hung = true
      for (const end of ends) end.pause()
    },
    flow() {
      hung = false
      isCut = false
      for (const end of ends) end.resume()
    },
    break() {
      for (const end of ends) end.resetAndDestroy()
    },
    cut() {
      isCut = true
      for (const end of ends) end.destroy()
    },
    close() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}
