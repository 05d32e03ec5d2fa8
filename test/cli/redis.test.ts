// The connection to Redis, with a server that answers as a test says. test/process/redis.test.ts has a real one.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openRedis } from '../../src/cli/redis.ts'

/** Answers each command with `answer()`, and can drop its connections. */
async function startServer() {
  const sockets = new Set<Socket>()
  let answer = '+OK'
  let accepted = 0
  const server = createServer((socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      for (const _ of String(data).match(/\*\d+\r\n/g) ?? []) socket.write(`${answer}\r\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    drop()
  })
  return {
    url: `redis://:a-password@127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop,
    say(words: string) {
      answer = words
    },
    accepted: () => accepted,
  }
}

async function opened() {
  const server = await startServer()
  const lines: string[] = []
  const client = await openRedis(server.url, (line) => void lines.push(line))
  onTestFinished(() => {
    if (client.isOpen) client.destroy()
  })
  return { server, lines, client }
}

it('each loss of the connection is told, and each return', async () => {
  const { server, lines, client } = await opened()
  for (const round of [1, 2]) {
    server.drop()
    await vi.waitFor(() => expect(lines).toHaveLength(2 * round))
    expect(client.isReady).toBe(true)
  }
  const [away, back] = [expect.stringMatching(/^Redis is away \(.+\)/), 'Redis is back']
  expect(lines).toEqual([away, back, away, back])
  client.destroy()
  server.drop()
  await new Promise(setImmediate)
  expect(lines).toHaveLength(4)
})

it('a server that refuses a connection ends the start, but no connection that was good before', async () => {
  const { server, client } = await opened()
  server.say('-ERR max number of clients reached')
  const before = server.accepted()
  server.drop()
  await vi.waitFor(() => expect(server.accepted()).toBeGreaterThan(before + 1))
  server.say('+OK')
  await vi.waitFor(() => expect(client.isReady).toBe(true))
  const other = await startServer()
  other.say('-WRONGPASS invalid username-password pair')
  await expect(openRedis(other.url, () => {})).rejects.toThrow(/refuses the connection \(WRONGPASS\)/)
})
