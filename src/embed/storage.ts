// Adapts the browser's storage. If it is missing, full or forbidden, nothing is kept.

import type { KeyValue } from '../chat/index.ts'

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
