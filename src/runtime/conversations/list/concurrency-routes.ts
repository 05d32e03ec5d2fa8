// Answers GET /v1/…/conversations/concurrency: the peak of concurrent conversations in windows of 5 minutes.

import {
  type Concurrency,
  type ConcurrencyInterval,
  ConcurrencyQuery,
  concurrencyConflict,
  concurrencyRoute,
  readDateTime,
  readQuery,
} from '../../../api/index.ts'
import { authoriseProject, type Project } from '../../accounts/index.ts'
import type { Reads } from '../../database/index.ts'
import { HttpError, type NounRoutes, projectRequest, routed } from '../../http/index.ts'
import { bounded } from './bounded.ts'
import { peaks, type Span, WINDOW_MS, windowCeiling, windowFloor } from './concurrency.ts'
import { conversationSpans } from './list-store.ts'

/** The last window whose end has a year of four digits. */
const LAST_WINDOW = Date.parse('9999-12-31T23:55:00Z')

export const concurrencyRoutes = ({ reads, region }: { reads: Reads; region: string }): NounRoutes => ({
  endpoints: [{ route: concurrencyRoute, failure: 'Failed to get concurrency' }],
  install(app) {
    app.get(routed(concurrencyRoute), (c) =>
      bounded(reads, async (db) => {
        const project = await authoriseProject(db, projectRequest(c), {
          region,
          permissions: ['conversations', 'analytics'],
        })
        const parsedQuery = readQuery(ConcurrencyQuery, new URL(c.req.url).searchParams)
        if ('error' in parsedQuery) throw new HttpError(400, 'BAD_REQUEST', parsedQuery.error)
        const query = parsedQuery.values
        const conflict = concurrencyConflict(query)
        if (conflict) throw new HttpError(400, 'BAD_REQUEST', conflict)
        if (query.slice_by === 'language' || query.slice_by === 'phone_number')
          throw new HttpError(
            501,
            'NOT_IMPLEMENTED',
            `Slicing by ${query.slice_by} is not implemented; slice_by=variant is`,
          )

        const firstWindow = windowFloor(readDateTime(query.start_time) ?? 0)
        const endWindow = Math.min(windowCeiling(readDateTime(query.end_time) ?? 0), LAST_WINDOW)
        const filter = {
          projectId: project.id,
          environment: query.client_env,
          variantId: query.variant_id,
          variantName: query.variant_name,
          language: query.language,
          phoneNumber: query.phone_number,
        }
        const spans = await conversationSpans(db, filter, new Date(firstWindow), new Date(endWindow))
        const concurrency: Concurrency = {
          account_id: project.account_id,
          project_id: project.id,
          intervals:
            query.slice_by === 'variant'
              ? byVariant(spans, variantsOf(project, query), firstWindow, endWindow)
              : series(spans, firstWindow, endWindow, {}),
        }
        return c.json(concurrency)
      }),
    )
  },
})

function series(
  spans: readonly Span[],
  from: number,
  to: number,
  variant: Pick<ConcurrencyInterval, 'variant_id' | 'variant_name'>,
): ConcurrencyInterval[] {
  return peaks(spans, from, to).map((peak, index) => ({
    time: new Date(from + index * WINDOW_MS).toISOString(),
    max_concurrent_conversations: peak,
    ...variant,
  }))
}

type NamedVariant = { variantId: string; variantName: string }

/** The variants of the project that the query admits, also those that no conversation had. */
const variantsOf = (project: Project, { variant_id, variant_name }: ConcurrencyQuery): NamedVariant[] =>
  (project.settings.variants ?? []).flatMap(({ id, name }) =>
    id === (variant_id ?? id) && name === (variant_name ?? name)
      ? [{ variantId: id, variantName: name }]
      : [],
  )

/** All series together in chronological order; in each window the variants of the project, and others that conversations name. */
function byVariant(
  spans: readonly (Span & NamedVariant)[],
  variants: readonly NamedVariant[],
  from: number,
  to: number,
): ConcurrencyInterval[] {
  const all = new Map(
    [...variants, ...spans].map(({ variantId, variantName }) => [
      JSON.stringify([variantId, variantName]),
      { variantId, variantName },
    ]),
  )
  const allSeries = [...all.values()].map(({ variantId, variantName }) =>
    series(
      spans.filter((span) => span.variantId === variantId && span.variantName === variantName),
      from,
      to,
      { variant_id: variantId, variant_name: variantName },
    ),
  )
  const [first = []] = allSeries
  return first.flatMap((_, index) => allSeries.flatMap((one) => one[index] ?? []))
}
