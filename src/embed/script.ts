// The script tag: reads its own attributes, draws the launcher, and answers to `window.Foyer`.

import { createHost, type Handle } from './host.ts'
import { iframePanel } from './iframe.ts'
import { lazyPanel } from './lazy.ts'
import { readOptions } from './options.ts'
import { launcherWords } from './words.ts'

type Foyer = ((command: string, ...args: unknown[]) => unknown) &
  Partial<Handle> & { q?: ArrayLike<unknown>[]; all?: Record<string, Handle> }
const page = window as unknown as { Foyer?: Foyer; foyerSettings?: Record<string, unknown> }

const script = document.currentScript as HTMLScriptElement | null
const address = script?.src ? new URL(script.src) : new URL(location.href)
const options = readOptions(
  [Object.fromEntries(script?.src ? address.searchParams : []), page.foyerSettings, script?.dataset],
  (text) => console.warn(text),
)
const origin = options.origin ?? address.origin
const key = `foyer:${origin}${options.connector === undefined ? '' : `/${options.connector}`}`
const all = page.Foyer?.all ?? {}

// The same tag twice is one chat: the second does nothing.
if (!all[key]) {
  const inline = `${origin}/foyer/assets/inline.js`
  const panel =
    options.isolation === 'none'
      ? lazyPanel(() => import(/* @vite-ignore */ inline).then((module) => module.inlinePanel(origin)))
      : iframePanel(origin, launcherWords(options.locale ?? document.documentElement.lang).chat)
  const handle = createHost(options, key, panel)
  all[key] = handle
  if (Object.keys(all).length === 1) {
    const waiting = page.Foyer?.q ?? []
    const foyer: Foyer = (command, ...args) => {
      const member = handle[command as keyof Handle]
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown)(...args) : member
    }
    page.Foyer = Object.assign(foyer, handle, { all })
    for (const [command, ...args] of Array.from(waiting, (each) => Array.from(each)))
      foyer(String(command), ...args)
  }
}
