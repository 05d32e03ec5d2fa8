import type { KeyValue } from './model.ts'

/** Keeps strings for as long as the page lives. */
export function memoryStore(): KeyValue {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  }
}
