// Says what was decided about a question, with the words of the choice.

import type { Content } from '../../chat/index.ts'
import type { Words } from '../locales/en.ts'

/** Undefined: nothing was decided, or there is no question. The choice's words may run in another direction than the panel's. */
export function decidedText(say: Words, confirm: Content['confirm']): string | undefined {
  if (!confirm?.decision) return undefined
  const { decision } = confirm
  return `${decision === 'confirm' ? say.confirmed : say.cancelled} · \u2068${confirm[decision]}\u2069`
}
