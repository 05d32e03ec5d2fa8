// The script tag: reads its own attributes, draws the launcher, and answers to `window.Foyer`. The page's HTML
// can name an element `currentScript`, `foyerSettings` or `Foyer`: none of them is taken for the real thing.

import { createHost, type Handle, type OpenPanel } from './host.ts'
import { readOptions } from './options.ts'

type Foyer = ((command: string, ...args: unknown[]) => unknown) & {
  /** Calls that were made before this script was here. */
  q?: ArrayLike<unknown>[]
  /** Every chat of the page, by its key. */
  all?: Record<string, Handle>
}
const page = window as unknown as { Foyer?: unknown; foyerSettings?: unknown }

/** What the page's script put there, which is a function; never an element or a frame of that name. */
const before = page.Foyer instanceof Function ? (page.Foyer as Foyer) : undefined
// Asked of the document's own getter: `<img name="currentScript">` hides the property, not the getter.
const script: unknown = Reflect.get(Document.prototype, 'currentScript', document)

if (script instanceof HTMLScriptElement) start(new URL(script.src), script.dataset)
else console.warn('Foyer: not a classic script')

function start(address: URL, dataset: DOMStringMap): void {
  const options = readOptions(Object.fromEntries(address.searchParams), page.foyerSettings, { ...dataset })
  const origin = options.origin ?? address.origin
  const key = `foyer:${origin}/${options.connector ?? ''}`
  const all = before?.all ?? {}
  // The same tag twice is one chat: the second does nothing.
  if (all[key]) return

  let again = ''
  /** The place of the panel, and all that is in it, comes when the chat is opened. */
  const openPanel: OpenPanel = (host, teaser) => {
    // Some browsers remember that a module failed: each try has an address of its own.
    const url = `${origin}/foyer/assets/place.js${again}`
    import(/* @vite-ignore */ url).then(
      (module) => module.placePanel(origin, options.isolation)(host, teaser),
      () => {
        console.warn(`Foyer: ${url} did not load: see script-src`)
        again += '?'
        if (teaser === undefined) host.failed()
      },
    )
  }
  const handle = createHost(options, key, openPanel)
  all[key] = handle
  if (before?.all) return
  const foyer: Foyer = (command, ...args) => {
    const member = (handle as unknown as Record<string, (...args: unknown[]) => unknown>)[command]
    return member?.(...args)
  }
  page.Foyer = Object.assign(foyer, handle, { all })
  for (const call of before?.q ?? []) foyer(...(Array.from(call) as [string]))
}
