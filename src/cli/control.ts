// Carries commands to the server that holds the data folder, over a socket in that folder, which only the operating
// system's user who runs the server may use. The request and the answer are one line of JSON each.
//
//   ask ── {"command":"keys revoke","arguments":{"id":"KEY-…"}} ⏎ ──▶ .foyer/control.sock ──▶ perform
//       ◀─ {"result":…} ⏎  or  {"error":"a sentence"} ⏎ ────────────────────────────────────────┘

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { CommandError } from '../runtime/index.ts'

/** Length of a Unix domain socket's address that every system allows, including the final byte. */
const LONGEST_PATH = 103
const LONGEST_LINE = 65_536
const IDLE_MS = 60_000

const RequestLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    command: v.pipe(v.string(), v.maxLength(100)),
    arguments: v.record(v.string(), v.union([v.string(), v.boolean()])),
  }),
)
export type ControlRequest = v.InferOutput<typeof RequestLine>

const AnswerLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ result: v.unknown() }), v.strictObject({ error: v.string() })]),
)
export type ControlAnswer = v.InferOutput<typeof AnswerLine>

export type ControlOptions = {
  /** The data folder, which exists and is locked by this process. */
  folder: string
  /** Rejects with a CommandError if the user may see the reason. */
  perform(request: ControlRequest): Promise<unknown>
  log(line: string): void
}

/** Answers commands until the returned function is called; that function resolves after the running commands. */
export async function serveControl({ folder, perform, log }: ControlOptions): Promise<() => Promise<void>> {
  const sockets = new Map<Socket, Promise<void>>()
  const server = createServer((socket) => {
    sockets.set(socket, Promise.resolve())
    // A command runs to its end even if its client has gone.
    socket.on('close', () => void sockets.get(socket)?.then(() => sockets.delete(socket)))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    readLines(socket, (line) => {
      const replied = (sockets.get(socket) ?? Promise.resolve()).then(async () => {
        const reply = await answer(line)
        if (!socket.destroyed) socket.write(`${JSON.stringify(reply)}\n`)
      })
      sockets.set(socket, replied)
    })
  })

  async function answer(line: string): Promise<ControlAnswer> {
    const request = v.safeParse(RequestLine, line)
    if (!request.success) return { error: 'The server does not know this command: it runs another version.' }
    try {
      return { result: (await perform(request.output)) ?? null }
    } catch (error) {
      if (error instanceof CommandError) return { error: error.message }
      log(`a command failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      return {
        error: 'The command failed in the server; its log has the reason. Try again once that is fixed.',
      }
    }
  }

  const socketPath = addressOf(folder)
  await listen(server, socketPath)
  const removeSocketFile = () => {
    if (!isPipe(socketPath)) rmSync(socketPath, { force: true })
  }
  // Also remove the socket if the user presses Ctrl-C twice.
  process.once('exit', removeSocketFile)
  return async () => {
    process.off('exit', removeSocketFile)
    server.close()
    removeSocketFile()
    await Promise.all(sockets.values())
    for (const socket of sockets.keys()) socket.destroySoon()
  }
}

/** Sends a command to the server that holds `folder`. Undefined if there is no server. */
export function askControl(folder: string, request: ControlRequest): Promise<ControlAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (message: string) => {
      socket.destroy()
      reject(new CommandError(message))
    }
    const socket = connect(addressOf(folder))
    let connected = false
    socket.on('connect', () => {
      connected = true
      socket.setTimeout(IDLE_MS, () =>
        fail(
          `The server has not answered for ${IDLE_MS / 1000} seconds. It may have run the command: list what you wanted to change.`,
        ),
      )
      socket.write(`${JSON.stringify(request)}\n`)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // No process listens: there is no server, or a killed one left its socket.
      if (!connected && ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(error.code ?? ''))
        return resolve(undefined)
      if (error.code === 'EACCES' || error.code === 'EPERM')
        return fail('The server belongs to another user of this machine. Run the command as that user.')
      fail(`The server cannot be reached (${error.code ?? error.message}). Try again.`)
    })
    socket.on('close', () =>
      fail(
        'The server ended before it answered. It may have run the command: list what you wanted to change.',
      ),
    )
    readLines(socket, (line) => {
      const parsedAnswer = v.safeParse(AnswerLine, line)
      if (!parsedAnswer.success)
        return fail('The command does not understand the answer: the server runs another version.')
      resolve(parsedAnswer.output)
      socket.destroy()
    })
  })
}

const isPipe = (socketPath: string): boolean => socketPath.startsWith('\\\\')

/** Picks the absolute path if it fits, else the relative path, which always fits in the folder where the server starts. */
function addressOf(folder: string): string {
  // Other users may read from our named pipe but not write to it, so they cannot send commands.
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\foyer-${createHash('sha256').update(resolve(folder).toLowerCase()).digest('hex').slice(0, 32)}`
  const paths = [resolve(folder), relative(process.cwd(), folder)].map((each) => join(each, 'control.sock'))
  const socketPath = paths.find((each) => Buffer.byteLength(each) <= LONGEST_PATH)
  if (socketPath !== undefined) return socketPath
  throw new CommandError(
    `The path ${paths[0]} is too long for a socket. Run the command in the folder that holds ${folder}.`,
  )
}

/** Listens under a private name until the rights are set, then renames the socket, which replaces a stale one. */
async function listen(server: Server, socketPath: string): Promise<void> {
  if (isPipe(socketPath)) return void (await once(server.listen(socketPath), 'listening'))
  const draft = mkdtempSync(socketPath.replace(/control\.sock$/, 'c-'))
  try {
    const socket = join(draft, 's')
    await once(server.listen(socket), 'listening')
    chmodSync(socket, 0o600)
    renameSync(socket, socketPath)
  } catch (error) {
    server.close()
    throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Calls back with each line; destroys the socket if a line is too long. */
function readLines(socket: Socket, take: (line: string) => void): void {
  let pendingText = ''
  socket.setEncoding('utf8')
  socket.on('data', (part) => {
    pendingText += String(part)
    const lines = pendingText.split('\n')
    pendingText = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (pendingText.length > LONGEST_LINE) socket.destroy()
  })
}
