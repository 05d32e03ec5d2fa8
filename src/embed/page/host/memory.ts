// Keeps what the visitor chose about the widget in the storage of the page's origin: nothing before the visitor agrees, and
// nothing once that is withdrawn.

import { bffAddress, lacksConsent } from '../../options.ts'
import type { PanelHost } from './panel-host.ts'

export type Memory = {
  read(): string | undefined
  /** Undefined forgets it. What may not be stored lasts as long as the page. */
  keep(value: string | undefined): void
}

/** What was kept on this page, by name. Undefined: forgotten. */
const kept = new Map<string, string | undefined>()

/**
 * `name`: the key in storage. `asks`: whether the BFF itself requires consent; where that cannot be read, it counts as
 * required.
 */
export function createMemory(host: PanelHost, name: string, asks: () => Promise<boolean>): Memory {
  const isOpen = () => !lacksConsent(host.options())
  let allowed: boolean | undefined
  let asked = false

  function store(): void {
    try {
      const value = kept.get(name)
      if (allowed && value !== undefined) localStorage.setItem(name, value)
      else if (allowed === false || kept.has(name)) localStorage.removeItem(name)
    } catch {
      // Without storage it lasts as long as the page.
    }
  }
  function decide(may: boolean): void {
    allowed = may
    store()
  }
  const { element } = host
  const onConsent = (event: Event) =>
    decide((event as CustomEvent<{ given?: unknown }>).detail.given === true)
  element.addEventListener('foyer-consent', onConsent)
  element.addEventListener('foyer-destroy', () => element.removeEventListener('foyer-consent', onConsent), {
    once: true,
  })
  if (host.options().consent === 'refused') decide(false)

  return {
    read() {
      if (kept.has(name)) return kept.get(name)
      try {
        return localStorage.getItem(name) ?? undefined
      } catch {
        return undefined
      }
    },
    keep(value) {
      kept.set(name, value)
      store()
      if (asked || allowed !== undefined || !isOpen()) return
      asked = true
      void asks()
        .catch(() => true)
        .then((required) => {
          if (!required && allowed === undefined && isOpen()) decide(true)
        })
    },
  }
}

/** Whether the BFF requires consent. As a script: the policy of a page allows scripts of the BFF, and perhaps no requests to it. */
export async function askBff(origin: string, connector: string | undefined): Promise<boolean> {
  // Bundlers of apps leave it to the browser: webpack would make an import that always fails of it, and Turbopack refuses to build.
  const module = await import(
    /* @vite-ignore */
    /* webpackIgnore: true */
    /* turbopackIgnore: true */
    bffAddress(origin, connector, 'config.js')
  )
  return module.default.consent === 'required'
}
