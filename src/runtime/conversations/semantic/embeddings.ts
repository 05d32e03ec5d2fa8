// Defines the interface of embeddings: vectors of length 1, near each other for texts of similar meaning.

/** Makes vectors of length 1, near each other for texts of similar meaning. */
export interface Embeddings {
  /** Vectors of different models are never compared. */
  readonly model: string
  /** Numbers in a vector. */
  readonly size: number
  embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]>
}

export function normalise(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return length === 0 ? [...vector] : vector.map((value) => Math.round((value / length) * 1e6) / 1e6)
}
