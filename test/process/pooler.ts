// The line between a server and its database through a transaction pooler, as far as notifications go: none arrives.

import { connect, createServer } from 'node:net'

/** PostgreSQL's NotificationResponse. */
const NOTIFICATION = 'A'.charCodeAt(0)
/** The type of a message and its length. */
const HEAD = 5

export async function openPooler(database: string): Promise<{ url: string; close(): void }> {
  const to = new URL(database)
  const ends = new Set<{ destroy(): void }>()
  const server = createServer((from) => {
    const onward = connect(Number(to.port || 5432), to.hostname)
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      ends.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    from.pipe(onward)
    let rest = Buffer.alloc(0)
    onward.on('data', (data) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= HEAD) {
        const length = 1 + rest.readUInt32BE(1)
        if (rest.length < length) break
        if (rest[0] !== NOTIFICATION) from.write(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(database)
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    url: url.href,
    close() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}
