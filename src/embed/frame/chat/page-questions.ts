// Asks the page whether something may happen, or where the panel is, and waits for its answer.

import { type ToPage, type ToPanel, text } from '../../channel.ts'

export type PageQuestions = {
  /** Resolves with false if the page cancelled it. Only a page with an older loader may not answer: it allows everything. */
  ask(name: string, detail: Record<string, unknown>): Promise<boolean>
  /** Resolves with address and title of the page. With undefined where the page names none of its `origin`. Never where it does not answer. */
  page(origin: string): Promise<{ url: string; title: string } | undefined>
  /** The page's answer to a question of that number. */
  answer(message: Answer): void
}

type Answer = Extract<ToPanel, { type: 'answer' }>

/** For a page that does not say that it answers. */
const PAGE_ANSWERS_MS = 2_000

/** `answers`: the page answers whatever it is asked. */
export function createPageQuestions(post: (message: ToPage) => void, answers: boolean): PageQuestions {
  const open = new Map<number, (answer: Pick<Answer, 'allowed' | 'page'>) => void>()
  let asked = 0
  const put = (name: string, detail: Record<string, unknown>) =>
    new Promise<Pick<Answer, 'allowed' | 'page'>>((resolve) => {
      open.set(++asked, resolve)
      post({ type: 'ask', id: asked, name, detail })
      if (!answers) setTimeout(resolve, PAGE_ANSWERS_MS, { allowed: true })
    })
  return {
    ask: async (name, detail) => (await put(name, detail)).allowed !== false,
    async page(origin) {
      const page: Record<string, unknown> = Object((await put('page', {})).page)
      const url = text(page.url) ?? ''
      return URL.canParse(url) && new URL(url).origin === origin
        ? { url, title: text(page.title) ?? '' }
        : undefined
    },
    answer(message) {
      const id = Number(message.id)
      open.get(id)?.(message)
      open.delete(id)
    },
  }
}
