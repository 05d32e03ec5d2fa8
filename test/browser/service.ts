// A chat service that says what a test tells it to, and the real BFF before it, with the built widget on a page of another site.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type WebSocket, WebSocketServer } from 'ws'
import { createBff, folderAssets } from '../../src/bff/index.ts'

const PUBLIC = resolve(import.meta.dirname, '../../dist/foyer-server/public')

/** A service that says whatever it is told to. */
function startService() {
  let socket: WebSocket | undefined
  let joined = () => {}
  const ready = new Promise<void>((resolve) => {
    joined = resolve
  })
  /** All that it said, in order: whoever comes back is told what is after their cursor. */
  const told: object[] = []
  let ids = 0
  /** What the visitor's panel said, without heartbeats. */
  const heard: { name: string; payload: Record<string, unknown> }[] = []
  function event(type: string, payload: object, more: object = {}) {
    const made = {
      type: `EVENT_TYPE_${type}`,
      id: `e${++ids}`,
      sequence: told.length + 1,
      timestamp: new Date().toISOString(),
      payload,
      ...more,
    }
    told.push(made)
    return made
  }
  const send = (given: object) => socket?.send(JSON.stringify(given))
  const http = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    response.end(
      request.url?.includes('access-token')
        ? JSON.stringify({ access_token: 'a.b.c', token_type: 'Bearer', expires_in: 86_400 })
        : JSON.stringify({ session_id: 'session-1' }),
    )
  })
  new WebSocketServer({ server: http }).on('connection', (opened, { url = '/' }) => {
    socket = opened
    const capabilities = { streaming: true, stop: true, feedback: true, csat: true, leave_queue: true }
    if (told.length === 0) event('SESSION_START', { capabilities })
    const cursor = Number(new URL(url, 'ws://service').searchParams.get('cursor') ?? 0)
    send({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: told.slice(cursor) } })
    opened.on('message', (data) => {
      const { type, payload, metadata } = JSON.parse(String(data))
      const name = String(type).replace('EVENT_TYPE_', '')
      if (name === 'HEARTBEAT') return opened.send(JSON.stringify({ type, metadata }))
      heard.push({ name, payload })
      if (name === 'USER_FEEDBACK' || name === 'CSAT_RESPONSE') send(event(name, payload, { metadata }))
      if (name === 'USER_MESSAGE') send(event(name, { ...payload, message_id: `m${++ids}` }, { metadata }))
      if (name === 'REQUEST_POLY_AGENT_JOIN') {
        send(event(name, {}))
        send(event('POLY_AGENT_JOINED', { agent_name: 'Ada' }))
        joined()
      }
    })
  })
  return {
    http,
    heard,
    /** Resolves once the visitor's panel asked the agent to join. */
    ready,
    say: (type: string, payload: object, more?: object) => send(event(type, payload, more)),
    /** In pieces of `size` characters. */
    stream(id: string, text: string, size: number) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [text]
      for (const [index, piece] of pieces.entries())
        send(
          event('POLY_AGENT_MESSAGE_CHUNK', {
            message_id: id,
            text: piece,
            chunk_index: index + 1,
            is_complete: index === pieces.length - 1,
          }),
        )
    },
    close: () => {
      socket?.terminate()
      http.close()
    },
  }
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** `fails`: which requests to the BFF are answered with 503, by their path. */
export async function startToldService(fails: (path: string) => boolean = () => false) {
  const service = startService()
  const chatUrl = await listen(service.http)
  let handler = (_: Request): Promise<Response> => Promise.reject(new Error('not started'))
  const listener = getRequestListener((request) => handler(request))
  const bff = createServer((request, response) => void listener(request, response))
  const origin = await listen(bff)
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><title>A page</title><script src="${origin}/foyer.js"></script></html>`,
    )
  })
  const site = (await listen(pages)).replace('127.0.0.1', 'localhost')
  const made = createBff({
    connectorToken: 'connector-secret',
    connectorHost: 'shop.example.com',
    chatUrl,
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    publicOrigin: origin,
    origins: [site],
    assets: folderAssets(PUBLIC),
  })
  handler = async (request) =>
    fails(new URL(request.url).pathname)
      ? new Response('Try again later', { status: 503 })
      : made.fetch(request, { address: '127.0.0.1' })
  return {
    ...service,
    /** Of the BFF, and so of the frame. */
    origin,
    /** A page of another site with the script tag. */
    site,
    close() {
      service.close()
      bff.close()
      pages.close()
    },
  }
}
