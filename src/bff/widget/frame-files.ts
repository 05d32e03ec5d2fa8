// Finds the files that the frame's script will ask for, so that its page names them and the browser asks for all at once.

import { languagesOf } from '../../protocol/index.ts'
import type { Assets } from './assets.ts'

/** An entry of the build's manifest: a file, and the keys of those that it imports, at once or later. */
type Entry = { file: string; name?: string; imports?: string[]; dynamicImports?: string[] }

/**
 * The names of the panel's bundle and of the words for `locale`, a BCP 47 tag. None where the build's manifest is missing: the browser asks a
 * little later then. The panel asks for its other parts itself: they would take the line from what the visitor needs to write.
 */
export async function frameFiles(assets: Assets | undefined, locale: string): Promise<string[]> {
  const manifest = await readManifest(assets)
  const wanted = languagesOf(locale)
  const panel = manifest['src/embed/frame/panel.ts']?.imports?.flatMap((key) => manifest[key] ?? []) ?? []
  const later = panel
    .flatMap(({ dynamicImports = [] }) => dynamicImports.flatMap((key) => manifest[key] ?? []))
    .filter(({ name }) => wanted.includes(name ?? ''))
  return [...panel, ...later].map(({ file }) => file)
}

type Manifest = Readonly<Record<string, Entry>>

/** Parsed once, as long as the file is the same. */
const parsed = new WeakMap<Uint8Array, Manifest>()

async function readManifest(assets: Assets | undefined): Promise<Manifest> {
  try {
    const file = await assets?.('manifest.json')
    if (!file) return {}
    const manifest: Manifest = parsed.get(file.body) ?? JSON.parse(new TextDecoder().decode(file.body))
    parsed.set(file.body, manifest)
    return manifest
  } catch {
    return {}
  }
}
