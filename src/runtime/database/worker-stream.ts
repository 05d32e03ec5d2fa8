// Carries PostgreSQL's protocol between `pg` and PGlite in its worker, as a socket does between `pg` and a server.

import { Duplex } from 'node:stream'
import type { Worker } from 'node:worker_threads'

/** Whether a message of the worker holds bytes of the protocol. Every other message is an answer of the worker itself. */
export const isProtocol = (message: unknown): message is Uint8Array => message instanceof Uint8Array

/** The part of `net.Socket` that `pg` uses. */
export class WorkerStream extends Duplex {
  readonly #worker: Worker

  constructor(worker: Worker) {
    super()
    this.#worker = worker
    worker.on('message', (message: unknown) => {
      if (isProtocol(message)) this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
    })
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  /** `pg` opens the connection with small messages; a batch comes in one buffer, which moves to the worker. */
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    const owned = chunk.byteLength === chunk.buffer.byteLength
    const bytes = owned ? new Uint8Array(chunk.buffer as ArrayBuffer) : new Uint8Array(chunk)
    this.#worker.postMessage(bytes, [bytes.buffer])
    done()
  }

  override _read(): void {}
}
