/** How long to wait before each further attempt. */
const WAITS = [1_000, 3_000, 9_000, 27_000]

/** Loads a part of the panel, and tries again where that fails. Rejects after the last attempt. */
export async function persist<T>(load: () => Promise<T>, onFailure = () => {}): Promise<T> {
  for (const wait of WAITS)
    try {
      return await load()
    } catch {
      onFailure()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  return load()
}
