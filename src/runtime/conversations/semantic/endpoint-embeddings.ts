// Gets vectors from an embeddings endpoint, in the common format: POST /v1/embeddings {model, input: [...]}.

import * as v from 'valibot'
import { readCapped } from '../../../api/index.ts'
import { type Embeddings, normalise } from './embeddings.ts'

const EMBED_TIMEOUT_MS = 30_000
const LARGEST_ANSWER = 64 * 1024 * 1024
/** Most characters of one text; models read only a few thousand words. */
const LONGEST_TEXT = 24_000

const EndpointAnswer = v.object({
  data: v.array(
    v.object({ index: v.optional(v.number()), embedding: v.pipe(v.array(v.number()), v.nonEmpty()) }),
  ),
})

/** The options of `endpointEmbeddings`. */
export type EndpointOptions = {
  /** The whole address, such as `https://models.example.com/v1/embeddings`. */
  url: string
  /** Name of the model at the endpoint. */
  model: string
  /** Sent as a bearer token. Secret. */
  key?: string | undefined
  /** Sends the requests. Default: the global fetch. */
  fetch?: typeof fetch
}

/** Gets vectors from an endpoint of the form `/v1/embeddings`. Asks once for a vector to learn its size. Rejects if the endpoint cannot be used. */
export async function endpointEmbeddings(options: EndpointOptions): Promise<Embeddings> {
  const fetchEndpoint = options.fetch ?? fetch

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]> {
    const timeout = AbortSignal.timeout(EMBED_TIMEOUT_MS)
    const response = await fetchEndpoint(options.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
      },
      body: JSON.stringify({
        model: options.model,
        input: texts.map((text) => text.slice(0, LONGEST_TEXT) || ' '),
      }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const text = await readCapped(response, LARGEST_ANSWER)
    if (!response.ok) throw new Error(`The embeddings endpoint answered with ${response.status}`)
    const parsed = v.safeParse(EndpointAnswer, JSON.parse(text ?? 'null'))
    if (!parsed.success || parsed.output.data.length !== texts.length)
      throw new Error('The answer of the embeddings endpoint does not hold embeddings')
    const sorted = [...parsed.output.data].sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
    return sorted.map(({ embedding }) => normalise(embedding))
  }

  const [first] = await embed(['size'])
  return { model: options.model, size: first?.length ?? 0, embed }
}
