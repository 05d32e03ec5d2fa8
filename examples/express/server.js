import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { createBff, createVisitorAddress, readBffSettings } from 'foyer-server/bff'

const settings = readBffSettings(process.env)
const bff = createBff(settings)
const addressOf = createVisitorAddress({ trusted: settings.trustedProxies })

const app = express()
app.all(
  ['/foyer.js', '/foyer/{*path}'],
  getRequestListener((request, { incoming }) =>
    bff.fetch(request, {
      address: addressOf(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for']),
      // The parsed body, where a parser such as express.json() runs before the BFF; else undefined.
      body: incoming.body,
    }),
  ),
)
app.listen(process.env.PORT ?? 3000)
