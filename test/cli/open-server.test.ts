import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from '../../src/cli/listener.ts'
import { openServer } from '../../src/cli/start/open-server.ts'

const close = (servers: readonly Server[]) =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))

it('a start that fails leaves each address of its port to the next one', async () => {
  const [free] = (await listen(0, '127.0.0.1')) as [Server]
  const { port } = free.address() as AddressInfo
  await close([free])
  const addresses = await listen(port, undefined)
  await close(addresses)
  const env = {
    PORT: String(port),
    FOYER_DATA: 'memory',
    FOYER_CONNECTOR_TOKEN: 'sixteen-letters!',
    FOYER_CONNECTOR_HOST: 'shop.example.com',
    FOYER_PUBLIC_ORIGIN: 'https://chat.example.com',
  }
  // The folder of the source has no files to serve.
  await expect(openServer({ env, documents: import.meta.dirname, log: () => {} })).rejects.toThrow()
  const next = await listen(port, undefined)
  expect(next).toHaveLength(addresses.length)
  await close(next)
})
