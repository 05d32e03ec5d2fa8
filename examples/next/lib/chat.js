import { createBff, createVisitorAddress, readBffSettings } from 'foyer-server/bff'

let chat

/** Made at the first request: a build has no secrets. */
function makeChat() {
  const settings = readBffSettings(process.env)
  const addressOf = createVisitorAddress({ trusted: settings.trustedProxies })
  return { bff: createBff(settings), addressOf }
}

export function answer(request) {
  chat ??= makeChat()
  // Next packs answers itself, and drops the header that says that one is packed.
  const headers = new Headers(request.headers)
  headers.delete('accept-encoding')
  // Next has the visitor's connection, and writes its address into this header: set FOYER_TRUSTED_PROXIES=loopback.
  const address = chat.addressOf('127.0.0.1', headers.get('x-forwarded-for') ?? undefined)
  return chat.bff.fetch(new Request(request, { headers }), { address })
}
