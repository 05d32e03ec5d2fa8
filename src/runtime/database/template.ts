// Makes and copies the template: an empty database that the build creates. A new data folder starts as a copy of it,
// since PGlite takes seconds and 800 MB to create a database.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants, createBrotliDecompress } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'

/** Part of the template's name. Increase it when the same schema steps lead to a different template. */
const FORMAT = 3
const TEMPLATE_FILE = /^empty-[\da-f]{16}\.tar\.br$/

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
    const files = unpackTar(draft, { strict: true, fmode: 0o600, dmode: 0o700 })
    // In pieces of 16 KiB, the default, it would take a fifth longer.
    const tar = createBrotliDecompress({ chunkSize: 1024 * 1024 })
    await pipeline(createReadStream(path), tar, files)
    renameSync(draft, folder)
    return true
  } catch {
    rmSync(draft, { recursive: true, force: true })
    return false
  }
}
