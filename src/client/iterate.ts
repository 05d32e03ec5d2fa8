// Iterates over all conversations, page by page: by cursor, or by offset if the service gives no cursor.

import type { Conversation, ConversationPage } from './answers.ts'
import { readIterate, readList } from './check-parameters.ts'
import { ConversationsFailure } from './client-error.ts'
import type { IterateParameters, Project } from './parameters.ts'

/** Fetches one page. `read` checks the parameters. */
export type FetchPage = (
  given: Project,
  read: (rest: Record<string, unknown>) => Record<string, unknown>,
  signal: AbortSignal | undefined,
) => Promise<ConversationPage>

/** So many pages in a row may have no conversation. */
const MOST_EMPTY_PAGES = 99

/** Fetches the next page while the caller reads the current one. Rejects if the service's pages would never end. */
export async function* iterateConversations(
  fetchPage: FetchPage,
  given: IterateParameters,
  signal: AbortSignal | undefined,
): AsyncGenerator<Conversation> {
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const from = (place: PagePlace) => {
    const { cursor: _, ...rest } = given
    const read = 'offset' in place ? readList : readIterate
    const fetchedPage = fetchPage({ ...rest, ...place }, read, stop.signal)
    // After an early end nobody awaits this page, and its failure must not end the process.
    fetchedPage.catch(() => {})
    return fetchedPage
  }
  try {
    let place: PagePlace | undefined = given?.cursor === undefined ? {} : { cursor: given.cursor }
    let ahead: Promise<ConversationPage> | undefined = from(place)
    const seen = new Set([JSON.stringify(place)])
    let emptyPages = 0
    while (ahead) {
      const page: ConversationPage = await ahead
      place = placeAfter(page)
      emptyPages = page.conversations.length === 0 ? emptyPages + 1 : 0
      if (place && seen.has(JSON.stringify(place))) throw endless('gave the same page twice')
      if (place && emptyPages > MOST_EMPTY_PAGES) throw endless(`gave ${emptyPages} empty pages in a row`)
      seen.add(JSON.stringify(place))
      ahead = place && from(place)
      for (const conversation of page.conversations) {
        stop.signal.throwIfAborted()
        yield conversation
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    stop.abort()
  }
}

type PagePlace = { cursor?: string } | { offset: number }

/** A service may omit the cursor; then its offset leads to the next page. */
function placeAfter({ cursor, next_offset }: ConversationPage): PagePlace | undefined {
  if (cursor) return { cursor }
  return cursor === undefined && next_offset !== undefined ? { offset: next_offset } : undefined
}

const endless = (what: string) =>
  new ConversationsFailure(`The service ${what}: following it would never end.`, {
    status: 200,
    code: 'UNEXPECTED_RESPONSE',
    retryable: false,
  })
