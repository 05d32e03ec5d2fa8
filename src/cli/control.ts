// Carries commands to the server that holds the data folder, by HTTP over a socket in that folder, which only the
// operating system's user who runs the server may use.
//
//   ask ── {"command":"keys revoke","arguments":{"id":"KEY-…"}} ──▶ .foyer/control.sock ──▶ perform
//       ◀─ its headers, at once: Foyer is here ────────────────────────────┤                   │
//       ◀─ {"result":…}  or  {"error":"a sentence"} ───────────────────────┴───────────────────┘

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { CommandError } from '../runtime/index.ts'

/** Length of a Unix domain socket's address that every system allows, including the final byte. */
const LONGEST_PATH = 103
/** The longest time until the headers, by which a command knows that Foyer is there, and until the answer. */
const GREETING_MS = 5_000
const ANSWER_MS = 60_000
const GREETING = 'foyer-control'

const RequestText = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    command: v.pipe(v.string(), v.maxLength(100)),
    arguments: v.record(v.string(), v.union([v.string(), v.boolean()])),
  }),
)
export type ControlRequest = v.InferOutput<typeof RequestText>

const AnswerText = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([v.strictObject({ result: v.unknown() }), v.strictObject({ error: v.string() })]),
)
export type ControlAnswer = v.InferOutput<typeof AnswerText>

export type ControlOptions = {
  /** The data folder, which exists and is locked by this process. */
  folder: string
  /** Rejects with a CommandError if the user may see the reason. */
  perform(request: ControlRequest): Promise<unknown>
  log(line: string): void
}

/** Answers commands until the returned function is called; that function resolves after the running commands. */
export async function serveControl({ folder, perform, log }: ControlOptions): Promise<() => Promise<void>> {
  // A command runs to its end even if its client has gone.
  const running = new Set<Promise<unknown>>()
  const server = createServer((incoming, response) => {
    response.writeHead(200, { [GREETING]: '1' }).flushHeaders()
    const replied = text(incoming)
      .then(answer)
      .then(
        (reply) => response.end(JSON.stringify(reply)),
        () => response.destroy(),
      )
      .finally(() => running.delete(replied))
    running.add(replied)
  })

  async function answer(body: string): Promise<ControlAnswer> {
    const request = v.safeParse(RequestText, body)
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
    await Promise.all(running)
  }
}

/** Sends a command to the server that holds `folder`. Undefined if there is no server. */
export async function askControl(
  folder: string,
  command: ControlRequest,
): Promise<ControlAnswer | undefined> {
  const limit = new AbortController()
  const expire = () => limit.abort()
  let timer = setTimeout(expire, GREETING_MS)
  let greeted = false
  const socketPath = addressOf(folder)
  const asked = request({ socketPath, method: 'POST', agent: false, signal: limit.signal })
  // An error after the first bytes of the answer reaches the reader of the answer too.
  asked.on('error', () => {})
  try {
    asked.end(JSON.stringify(command))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    greeted = response.headers[GREETING] !== undefined
    if (greeted) {
      clearTimeout(timer)
      timer = setTimeout(expire, ANSWER_MS)
    }
    const parsedAnswer = v.safeParse(AnswerText, await text(response))
    // A server of an earlier version sends no greeting.
    if (parsedAnswer.success && response.statusCode === 200) return parsedAnswer.output
  } catch (error) {
    const { code: given = '', message } = error as NodeJS.ErrnoException
    // In the middle of an answer an abort looks like a connection that the server has closed.
    const code = limit.signal.aborted ? 'ABORT_ERR' : given
    // No process listens: there is no server, or a killed one left its socket.
    if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(code)) return undefined
    const isSilent = code === 'ABORT_ERR' && !greeted
    if (isSilent)
      throw new CommandError(foreign(socketPath, `it has not answered for ${GREETING_MS / 1000} seconds`))
    if (!code.startsWith('HPE_')) throw new CommandError(unanswered(code, message))
  } finally {
    clearTimeout(timer)
    asked.destroy()
  }
  throw new CommandError(foreign(socketPath, 'its answer cannot be read'))
}

/** Says that another program may answer at the address of Foyer, and what to do: a socket file of that name proves nothing. */
const foreign = (socketPath: string, proof: string): string =>
  `What answers at ${socketPath} is not Foyer, or another version of it, or it hangs: ${proof}. End that program, and start foyer-server again or run the command once more.`

/** Why a command got no answer, and what to do. */
function unanswered(code: string, message: string): string {
  const mayHaveRun = 'It may have run the command: list what you wanted to change.'
  if (code === 'ABORT_ERR')
    return `The server has not answered for ${ANSWER_MS / 1000} seconds. ${mayHaveRun}`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `The server ended before it answered. ${mayHaveRun}`
  if (code === 'EACCES' || code === 'EPERM')
    return 'The server belongs to another user of this machine. Run the command as that user.'
  return `The server cannot be reached (${code || message}). Try again.`
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
