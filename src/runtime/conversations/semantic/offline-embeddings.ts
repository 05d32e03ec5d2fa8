// Makes vectors without a model: it hashes words and parts of words into the dimensions of a vector. It finds similar
// wording in any language, also with typing errors. It does not find synonyms: for those configure an embeddings
// endpoint.

import { type Embeddings, normalise } from './embeddings.ts'

const VECTOR_SIZE = 192
const WORD_WEIGHT = 1
const PART_WEIGHT = 0.35

export const offlineEmbeddings: Embeddings = {
  model: `foyer-hash-${VECTOR_SIZE}`,
  size: VECTOR_SIZE,
  embed: async (texts) => texts.map(vectorOf),
}

function vectorOf(text: string): number[] {
  const featureWeights = new Map<string, number>()
  const addFeature = (feature: string, weight: number) =>
    featureWeights.set(feature, (featureWeights.get(feature) ?? 0) + weight)
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words) {
    addFeature(word, WORD_WEIGHT)
    const framed = `<${word}>`
    for (let at = 0; at + 4 <= framed.length; at++) addFeature(framed.slice(at, at + 4), PART_WEIGHT)
  }
  const vector = new Array<number>(VECTOR_SIZE).fill(0)
  for (const [feature, weight] of featureWeights) {
    const hash = fnv(feature)
    const dimension = hash % VECTOR_SIZE
    // Longer words weigh more; a repeated word does not count twice. Half of all hashes count negatively, so that
    // collisions cancel out.
    const featureValue = Math.log1p(weight) * Math.sqrt(feature.length) * (hash & 0x10000 ? 1 : -1)
    vector[dimension] = (vector[dimension] ?? 0) + featureValue
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
