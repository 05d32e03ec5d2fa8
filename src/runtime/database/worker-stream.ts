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

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this._writev([{ chunk }], done)
  }

  /** All that was written in one tick is one message to the worker. */
  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    const bytes = new Uint8Array(chunks.reduce((length, { chunk }) => length + chunk.length, 0))
    let at = 0
    for (const { chunk } of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    this.#worker.postMessage(bytes, [bytes.buffer])
    done()
  }

  override _read(): void {}
}
