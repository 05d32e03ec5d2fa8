// Defines what a probe of `foyer-server check` found: one line for the operator, without secrets.

export type Finding = {
  kind: 'ok' | 'problem' | 'not checked'
  /** Of a problem: what is wrong, and what to do. */
  text: string
}

export const ok = (text: string): Finding => ({ kind: 'ok', text })
export const problem = (text: string): Finding => ({ kind: 'problem', text })
export const notChecked = (text: string): Finding => ({ kind: 'not checked', text })

/** Names the cause of a failed connection without its message, which may repeat an address with a password. */
export function causeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: unknown; name?: string; cause?: { code?: unknown } }
  const known = [code, cause?.code].find((each) => typeof each === 'string')
  if (known !== undefined) return String(known)
  return name === 'TimeoutError' ? 'no answer in time' : (name ?? 'unknown')
}
