// Makes and copies the template: an empty database that the build creates. A new data folder starts as a copy of it,
// since PGlite takes seconds and 800 MB to create a database.

import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants, createBrotliDecompress } from 'node:zlib'

/** Part of the template's name. Increase it when the same schema steps lead to a different template. */
const FORMAT = 3
const TEMPLATE_FILE = /^empty-[\da-f]{16}\.tar\.br$/
const TAR_BLOCK = 512

/** Returns the file name of the template for a schema. It differs for every schema and every version of PGlite. */
export function templateName(steps: readonly string[]): string {
  const fingerprint = JSON.stringify([FORMAT, pgliteVersion(), steps])
  return `empty-${createHash('sha256').update(fingerprint).digest('hex').slice(0, 16)}.tar.br`
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as {
    version: string
  }
  return version
}

const BESIDE = dirname(fileURLToPath(import.meta.url))

/** Path of the template for a schema; undefined if it does not exist. */
export function findTemplate(steps: readonly string[], folder: string = BESIDE): string | undefined {
  const path = join(folder, templateName(steps))
  return existsSync(path) ? path : undefined
}

/** The whole template, as a tar; undefined if its file cannot be read. */
export function readTemplate(path: string): Uint8Array | undefined {
  try {
    return brotliDecompressSync(readFileSync(path))
  } catch {
    return undefined
  }
}

/** Writes a template beside the built runtime, and removes those of other schemas. Returns its path. */
export function writeTemplate(tar: Uint8Array, steps: readonly string[], folder: string): string {
  mkdirSync(folder, { recursive: true })
  const name = templateName(steps)
  const draft = join(folder, `${name}.${process.pid}`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(draft, brotliCompressSync(tar, { params }))
  renameSync(draft, join(folder, name))
  for (const other of readdirSync(folder))
    if (TEMPLATE_FILE.test(other) && other !== name) rmSync(join(folder, other))
  return join(folder, name)
}

/**
 * Makes `folder` from a template: completely or not at all, even if the process is killed. Streams the template, to
 * save 40 MB of memory. False if the template cannot be read.
 */
export async function unpackTemplate(path: string, folder: string): Promise<boolean> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    await unpack(createReadStream(path).pipe(createBrotliDecompress()), draft)
    renameSync(draft, folder)
    return true
  } catch {
    rmSync(draft, { recursive: true, force: true })
    return false
  }
}

/** Writes the files of a tar into a folder. */
async function unpack(tar: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const pieces = tar[Symbol.asyncIterator]()
  let unread: Buffer = Buffer.alloc(0)
  /** Reads up to `most` bytes; an empty result is the end. */
  async function readUpTo(most: number): Promise<Buffer> {
    if (unread.length === 0) {
      const { done, value } = await pieces.next()
      if (done) return Buffer.alloc(0)
      unread = value
    }
    const part = unread.subarray(0, most)
    unread = unread.subarray(part.length)
    return part
  }
  async function copyBytes(bytes: number, use: (part: Buffer) => void): Promise<void> {
    for (let left = bytes; left > 0; ) {
      const part = await readUpTo(left)
      if (part.length === 0) throw new Error('The template ends too soon')
      use(part)
      left -= part.length
    }
  }
  for (;;) {
    const headParts: Buffer[] = []
    await copyBytes(TAR_BLOCK, (part) => headParts.push(part))
    const head = Buffer.concat(headParts)
    if (head[0] === 0) return
    const text = (from: number, to: number) => head.toString('utf8', from, to).replace(/\0.*$/s, '')
    const fileBytes = Number.parseInt(text(124, 136).trim() || '0', 8)
    const target = join(folder, normalize(`/${text(345, 500)}/${text(0, 100)}`))
    if (text(156, 157) === '5') mkdirSync(target, { recursive: true, mode: 0o700 })
    else {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      const file = openSync(target, 'w', 0o600)
      try {
        await copyBytes(fileBytes, (part) => writeSync(file, part))
      } finally {
        closeSync(file)
      }
    }
    await copyBytes((TAR_BLOCK - (fileBytes % TAR_BLOCK)) % TAR_BLOCK, () => {})
  }
}
