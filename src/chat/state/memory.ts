// Keeps strings in memory where there is no storage, and tells whether a storage works.

import type { KeyValue } from './model.ts'

/** A store for the options of `createChat`: keeps strings until the page is left or reloaded. */
export function memoryStore(): KeyValue {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  }
}

/** Whether a store keeps what it is given. Browsers may deny storage to frames. */
export function isWorking(store: KeyValue): boolean {
  store.set('probe', '1')
  const works = store.get('probe') === '1'
  store.remove('probe')
  return works
}
