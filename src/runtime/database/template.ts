// The empty database that the build makes. A new data folder begins as a copy of it: PGlite takes seconds and
// 800 MB to make one itself.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** Changes where a template is made in another way from the same steps. */
const FORMAT = 1
const NAME = /^empty-[\da-f]{16}\.tar\.br$/
const BLOCK = 512

/** The file of the template for a schema: another schema, or another PGlite, never finds it. */
export function templateName(steps: readonly string[]): string {
  const made = JSON.stringify([FORMAT, pgliteVersion(), steps])
  return `empty-${createHash('sha256').update(made).digest('hex').slice(0, 16)}.tar.br`
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as {
    version: string
  }
  return version
}

/** The template for a schema, as a tar; undefined where none was made for it, or it cannot be read. */
export function readTemplate(
  steps: readonly string[],
  folder: string = dirname(fileURLToPath(import.meta.url)),
): Uint8Array | undefined {
  try {
    const path = join(folder, templateName(steps))
    return existsSync(path) ? brotliDecompressSync(readFileSync(path)) : undefined
  } catch {
    return undefined
  }
}

/** Writes a template beside the built runtime, and takes away those of other schemas. */
export function writeTemplate(tar: Uint8Array, steps: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  const name = templateName(steps)
  const draft = join(folder, `${name}.${process.pid}`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(draft, brotliCompressSync(tar, { params }))
  renameSync(draft, join(folder, name))
  for (const other of readdirSync(folder)) if (NAME.test(other) && other !== name) rmSync(join(folder, other))
}

/** Makes `folder` from a tar. It is there whole or not at all, whenever the process is killed. */
export function unpackTemplate(tar: Uint8Array, folder: string): void {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  for (const { path, content } of entriesOf(Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength))) {
    const target = join(draft, path)
    mkdirSync(content ? dirname(target) : target, { recursive: true, mode: 0o700 })
    if (content) writeFileSync(target, content, { mode: 0o600 })
  }
  renameSync(draft, folder)
}

/** The files and folders of a tar; those without content are folders. */
function* entriesOf(tar: Buffer): Generator<{ path: string; content: Buffer | undefined }> {
  const text = (from: number, to: number) => tar.toString('utf8', from, to).replace(/\0.*$/s, '')
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, at + 136).trim() || '0', 8)
    const path = normalize(`/${text(at + 345, at + 500)}/${text(at, at + 100)}`)
    const isFolder = text(at + 156, at + 157) === '5'
    yield { path, content: isFolder ? undefined : tar.subarray(at + BLOCK, at + BLOCK + size) }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}
