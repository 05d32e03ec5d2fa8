// Waits for what another process does, and says what did not happen.

const PATIENCE_MS = 60_000
const STEP_MS = 50

/** Resolves once `test` holds. Rejects with the sentence where it does not within a minute, or `patienceMs`. */
export async function until(
  sentence: () => string,
  test: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await test())) {
    if (Date.now() > deadline) throw new Error(`${sentence()} (waited ${patienceMs / 1000} s)`)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
}
