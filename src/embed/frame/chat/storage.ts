// Adapts the browser's storage. If it is missing, full or forbidden, nothing is kept.

import type { KeyValue } from '../../../chat/index.ts'

export function browserStore(kind: 'localStorage' | 'sessionStorage', prefix: string): KeyValue {
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(window[kind])
    } catch {
      return undefined
    }
  }
  return {
    get: (key) => attempt((storage) => storage.getItem(prefix + key)) ?? undefined,
    set: (key, value) => attempt((storage) => storage.setItem(prefix + key, value)),
    remove: (key) => attempt((storage) => storage.removeItem(prefix + key)),
  }
}

const STORES = ['localStorage', 'sessionStorage'] as const
export type StoreName = (typeof STORES)[number]

/** Names of the browser's stores that hold something under the prefix, but for the keys in `without`. */
export const storesWith = (prefix: string, without: readonly string[]): readonly StoreName[] =>
  STORES.filter((store) => keysOf(store, prefix, without).length > 0)

/** Removes all keys that begin so, but for those in `without`. */
export function wipe(stores: readonly StoreName[], prefix: string, without: readonly string[]): void {
  for (const store of stores) for (const key of keysOf(store, prefix, without)) window[store].removeItem(key)
}

function keysOf(store: StoreName, prefix: string, without: readonly string[]): string[] {
  try {
    return Object.keys(window[store]).filter(
      (key) => key.startsWith(prefix) && !without.includes(key.slice(prefix.length)),
    )
  } catch {
    return []
  }
}
