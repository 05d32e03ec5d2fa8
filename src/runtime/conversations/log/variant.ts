// Chooses the variant of a project that answers in a conversation.

import type { Project } from '../../accounts/index.ts'

/** Chooses by the conversation's id: a conversation keeps its variant, and every variant is chosen equally often. */
export function variantFor(
  conversationId: string,
  project: Project | undefined,
): { id: string; name: string } | undefined {
  const variants = project?.settings.variants ?? []
  const number = Number.parseInt(conversationId.replaceAll('-', '').slice(-8), 16)
  return variants[(Number.isNaN(number) ? 0 : number) % Math.max(1, variants.length)]
}
