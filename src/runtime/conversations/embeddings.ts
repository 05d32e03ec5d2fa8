// The interface of embeddings: texts become vectors of length 1, so that texts of like meaning lie near each other.

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
