// Loads the two parts of the panel that are not in its bundle. Everything else the panel imports.

import type { Extras, MarkdownPart } from '../context/context.ts'
import { persist } from '../load.ts'

type Styled<T> = T & { readonly styles: string }

/** What reads Markdown. Until it is here, answers are plain text. */
export const loadMarkdown = (gone: AbortSignal): Promise<Styled<MarkdownPart>> =>
  persist(() => import('./markdown-part.ts'), gone)

/** The menu, the search, ratings, cards, the transcript as a file, and the steps before a chat. */
export const loadExtras = (gone: AbortSignal): Promise<Styled<Extras>> =>
  persist(() => import('./extras.ts'), gone)
