// Finds what the links and pictures of a folder's documents lead to, and says which lead nowhere.

import { realpathSync, statSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import type { Document } from './contents.ts'
import type { Target } from './page.ts'

const LARGEST_FILE_BYTES = 50 * 1024 * 1024
/** The page about a folder. */
const ABOUT = ['README.md', 'readme.md', 'index.md']

/** `file`: one that is no document. */
export type Found =
  | { kind: 'elsewhere' }
  | { kind: 'document'; document: Document; anchor: string }
  | { kind: 'file'; file: string; anchor: string }
  | { kind: 'nothing'; why: string }

/** Finds targets of documents, all of them below `folder`. */
export function createLinks(folder: string, documents: readonly Document[]) {
  const byFile = new Map(documents.map((document) => [document.file, document]))

  const documentAt = (path: string): Document | undefined =>
    [path, `${path}.md`, `${path}.markdown`, ...ABOUT.map((name) => posix.join(path, name))]
      .map((file) => byFile.get(file))
      .find(Boolean)

  return (from: Document, { to, isPicture }: Pick<Target, 'to' | 'isPicture'>): Found => {
    if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(to)) return { kind: 'elsewhere' }
    const [, written = '', hash = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(to) ?? []
    const [path, anchor] = [decoded(written), decoded(hash)]
    if (path === undefined || anchor === undefined || path.includes('\0'))
      return nothing(`${to} is not an address`)
    // A path that begins with a slash begins at the folder, as it does in a repository.
    const base = path.startsWith('/') ? '' : posix.dirname(from.file)
    const place = path === '' ? from.file : posix.join(base, path).replace(/^\/|\/$/g, '') || '.'
    if (place.split('/').includes('..')) return nothing(`${to} leads out of the folder`)
    const document = isPicture ? undefined : documentAt(place)
    if (document) {
      const isThere = anchor === '' || anchor === 'top' || document.anchors.has(anchor)
      return isThere
        ? { kind: 'document', document, anchor }
        : nothing(`${document.file} has no heading #${anchor}`)
    }
    if (/\.(md|markdown)$/i.test(place)) return nothing(`there is no page ${place}`)
    const why = whyNotFile(folder, place)
    return why === undefined ? { kind: 'file', file: place, anchor } : nothing(why)
  }
}

/** Why a file is not copied; undefined if it is. */
function whyNotFile(folder: string, file: string): string | undefined {
  if (file.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    return `${file} is hidden`
  try {
    const path = realpathSync(join(folder, file))
    if (!path.startsWith(realpathSync(folder) + sep)) return `${file} leads out of the folder`
    const about = statSync(path)
    if (!about.isFile()) return `${file} is not a file`
    return about.size > LARGEST_FILE_BYTES ? `${file} is larger than 50 MB` : undefined
  } catch {
    return `there is no file ${file}`
  }
}

const nothing = (why: string): Found => ({ kind: 'nothing', why })

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
