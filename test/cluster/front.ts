// A round robin in front of several processes: each connection goes to the next one that takes it.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Front = {
  port: number
  close(): Promise<void>
}

export async function openFront(ports: readonly number[]): Promise<Front> {
  const ends = new Set<Socket>()
  let turn = 0
  const keep = (socket: Socket) => {
    ends.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => ends.delete(socket))
  }

  function join(client: Socket, tries: number): void {
    if (tries === 0 || client.destroyed) return void client.destroy()
    const port = ports[turn++ % ports.length] ?? 0
    const server = connect(port, '127.0.0.1')
    keep(server)
    let connected = false
    server.on('connect', () => {
      connected = true
      client.pipe(server)
      server.pipe(client)
    })
    server.on('close', () => {
      if (connected) client.destroy()
      else join(client, tries - 1)
    })
    client.on('close', () => server.destroy())
  }

  const server = createServer((client) => {
    keep(client)
    join(client, ports.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const end of ends) end.destroy()
      await closed
    },
  }
}
