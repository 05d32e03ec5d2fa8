// Starts a chat by its script tag: reads its own attributes, draws the launcher, and provides `window.Foyer`. The page's HTML can
// name an element `currentScript`, `foyerSettings` or `Foyer`; such elements are ignored.

import { type Options, readOptions } from '../options.ts'
import { createHost, type Handle } from './host/host.ts'
import { placePanel } from './panel/container.ts'

type Foyer = ((command: string, ...args: unknown[]) => unknown) & {
  /** Calls from before this script was loaded. */
  q?: Iterable<unknown>[]
  /** Every chat of the page, by its key. */
  all?: Record<string, Handle>
  /** The key of the one that it stands for. */
  key?: string
}
const page = window as unknown as { Foyer?: unknown; foyerSettings?: unknown }

/** The function that the page's script put there; never an element or a frame of that name. */
const before = page.Foyer instanceof Function ? (page.Foyer as Foyer) : ({} as Partial<Foyer>)
// Asked of the document's own getter: `<img name="currentScript">` hides the property, not the getter.
const script: unknown = Reflect.get(Document.prototype, 'currentScript', document)

/** `amend`: changes the options of the chat with this key. `own`: whether its BFF is the one that the script is from. */
export function startScript(amend?: (options: Options, key: string, own: boolean) => Options): void {
  if (script instanceof HTMLScriptElement) start(new URL(script.src), script.dataset, amend)
  else console.warn('Foyer: no script tag')
}

function start(address: URL, dataset: DOMStringMap, amend: Parameters<typeof startScript>[0]): void {
  let options = readOptions(Object.fromEntries(address.searchParams), page.foyerSettings, { ...dataset })
  const origin = options.origin ?? address.origin
  const key = `foyer:${origin}/${options.connector ?? ''}`
  if (amend) options = amend(options, key, origin === address.origin)
  const all = before.all ?? {}
  // The same tag twice is one chat: the second does nothing.
  if (all[key]) return
  /** The chat that `window.Foyer` stands for, unless it is destroyed. */
  const first = all[before.key as string]

  const handle = createHost(options, key, placePanel(origin, options.isolation))
  all[key] = handle
  handle.on('destroy', () => delete all[key])
  if (first) return
  const foyer: Foyer = (command, ...args) =>
    (handle as unknown as Record<string, (...args: unknown[]) => unknown>)[command]?.(...args)
  page.Foyer = Object.assign(foyer, handle, { all, key })
  for (const call of before.q ?? []) foyer(...(call as [string]))
  if (options.compat) import(/* @vite-ignore */ `${origin}/foyer/compat.js`)
}
