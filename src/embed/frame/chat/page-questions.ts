// Asks the page whether something may happen, and waits for its answer.

import type { ToPage } from '../../channel.ts'

export type PageQuestions = {
  /** Resolves with false if the page cancelled it. Only a page with an older loader may not answer: it allows everything. */
  ask(name: string, detail: Record<string, unknown>): Promise<boolean>
  /** The page's answer to the question with this number. */
  answer(id: number, allowed: boolean): void
}

/** For a page that does not say that it answers. */
const PAGE_ANSWERS_MS = 2_000

/** `answers`: the page answers whatever it is asked. */
export function createPageQuestions(post: (message: ToPage) => void, answers: boolean): PageQuestions {
  const open = new Map<number, (allowed: boolean) => void>()
  let asked = 0
  return {
    ask: (name, detail) =>
      new Promise((resolve) => {
        open.set(++asked, resolve)
        post({ type: 'ask', id: asked, name, detail })
        if (!answers) setTimeout(resolve, PAGE_ANSWERS_MS, true)
      }),
    answer(id, allowed) {
      open.get(id)?.(allowed)
      open.delete(id)
    },
  }
}
