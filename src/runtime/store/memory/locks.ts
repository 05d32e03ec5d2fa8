// Turns at a name: whoever asks for it waits for those who asked before.

export type Locks = ReturnType<typeof createLocks>

export function createLocks() {
  const last = new Map<string, Promise<unknown>>()

  function alone<T>(name: string, run: () => Promise<T>): Promise<T> {
    const turn = (last.get(name) ?? Promise.resolve()).then(run)
    const over = turn.then(
      () => {},
      () => {},
    )
    last.set(name, over)
    void over.then(() => last.get(name) === over && last.delete(name))
    return turn
  }

  return {
    alone,
    /** All of them at once. Everybody takes them in the same order, so that nobody waits for each other. */
    allAlone: <T>(names: readonly string[], run: () => Promise<T>): Promise<T> =>
      [...new Set(names)].sort().reduceRight((inner, name) => () => alone(name, inner), run)(),
  }
}
