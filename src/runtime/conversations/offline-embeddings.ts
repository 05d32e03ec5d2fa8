// Makes vectors without a model: words and parts of words are hashed into places. It finds similar wording in any
// language and with typing errors; it does not know that a bike is a bicycle. An embeddings endpoint does.

import { type Embeddings, normalise } from './embeddings.ts'

const SIZE = 192
const WORD_WEIGHT = 1
const PART_WEIGHT = 0.35

export const offlineEmbeddings: Embeddings = {
  model: `foyer-hash-${SIZE}`,
  size: SIZE,
  embed: async (texts) => texts.map(vectorOf),
}

function vectorOf(text: string): number[] {
  const counts = new Map<string, number>()
  const add = (feature: string, weight: number) => counts.set(feature, (counts.get(feature) ?? 0) + weight)
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words) {
    add(word, WORD_WEIGHT)
    const framed = `<${word}>`
    for (let at = 0; at + 4 <= framed.length; at++) add(framed.slice(at, at + 4), PART_WEIGHT)
  }
  const vector = new Array<number>(SIZE).fill(0)
  for (const [feature, weight] of counts) {
    const hash = fnv(feature)
    const place = hash % SIZE
    // Longer words say more; what is said twice does not say twice as much. Half of all count against a place,
    // so that what meets there by chance cancels out.
    const value = Math.log1p(weight) * Math.sqrt(feature.length) * (hash & 0x10000 ? 1 : -1)
    vector[place] = (vector[place] ?? 0) + value
  }
  return normalise(vector)
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  // The low bits are the weakest of this hash.
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}
