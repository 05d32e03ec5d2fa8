// The script tag: reads its own attributes, draws the launcher, and answers to `window.Foyer`.

import { createHost, type Handle, type OpenPanel } from './host.ts'
import { readOptions } from './options.ts'

type Foyer = ((command: string, ...args: unknown[]) => unknown) & {
  /** Calls that were made before this script was here. */
  q?: ArrayLike<unknown>[]
  /** Every chat of the page, by its key. */
  all?: Record<string, Handle>
}
const page = window as unknown as { Foyer?: Foyer; foyerSettings?: Record<string, unknown> }

const { src, dataset } = document.currentScript as HTMLScriptElement
const address = new URL(src)
const options = readOptions(Object.fromEntries(address.searchParams), page.foyerSettings, dataset)
const origin = options.origin ?? address.origin
const key = `foyer:${origin}/${options.connector ?? ''}`
const all = page.Foyer?.all ?? {}

/** The place of the panel, and all that is in it, comes when the chat is opened. */
const openPanel: OpenPanel = (...place) => {
  let remove = () => {}
  void import(/* @vite-ignore */ `${origin}/foyer/assets/place.js`).then((module) => {
    remove = module.placePanel(origin, options.isolation)(...place)
  })
  return () => remove()
}

// The same tag twice is one chat: the second does nothing.
if (!all[key]) {
  const handle = createHost(options, key, openPanel)
  all[key] = handle
  if (!page.Foyer?.all) {
    const waiting = page.Foyer?.q ?? []
    const foyer: Foyer = (command, ...args) => {
      const member = (handle as unknown as Record<string, (...args: unknown[]) => unknown>)[command]
      return member?.(...args)
    }
    page.Foyer = Object.assign(foyer, handle, { all })
    for (const call of waiting) foyer(...(Array.from(call) as [string]))
  }
}
