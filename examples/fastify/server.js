import { getRequestListener } from '@hono/node-server'
import fastify from 'fastify'
import { createBff, createVisitorAddress, readBffSettings } from 'foyer-server/bff'

const settings = readBffSettings(process.env)
const bff = createBff(settings)
const addressOf = createVisitorAddress({ trusted: settings.trustedProxies })

const listener = getRequestListener((request, { incoming }) =>
  bff.fetch(request, {
    address: addressOf(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for']),
  }),
)

const app = fastify()
app.register(async (chat) => {
  // The BFF reads the body itself. The parsers of other routes stay.
  chat.removeAllContentTypeParsers()
  chat.addContentTypeParser('*', async () => {})
  for (const path of ['/foyer.js', '/foyer/*'])
    chat.all(path, (request, reply) => {
      reply.hijack()
      listener(request.raw, reply.raw)
    })
})
app.listen({ port: Number(process.env.PORT ?? 3000) })
