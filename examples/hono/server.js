import { serve } from '@hono/node-server'
import { createBff, createVisitorAddress, readBffSettings } from 'foyer-server/bff'
import { Hono } from 'hono'

const settings = readBffSettings(process.env)
const bff = createBff(settings)
const addressOf = createVisitorAddress({ trusted: settings.trustedProxies })

const answer = (c) =>
  bff.fetch(c.req.raw, {
    address: addressOf(c.env.incoming.socket.remoteAddress, c.req.header('x-forwarded-for')),
  })

const app = new Hono()
app.all('/foyer.js', answer)
app.all('/foyer/*', answer)
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
