// Decides when a chat asks for a rating.

import { useContext, useRef } from 'preact/hooks'
import { Panel } from '../context/context.ts'
import { isOff } from '../context/site.ts'

/** Asks for a rating when the service does, or at the end if the site wants it; once a session, on all its pages. */
export function RatingPlace() {
  const { chat, extras, rating, site, unrated, refuseRating } = useContext(Panel)
  const Rating = extras.value?.Rating
  /** The session whose visitor was asked here. */
  const asked = useRef<string | undefined>(undefined)
  const session = chat.sessionId.value ?? asked.current
  const { state } = chat.csat.value
  const isOver = chat.status.value === 'ended' || chat.status.value === 'expired'
  const asks = state === 'asked' || (state === 'none' && isOver && rating.value !== undefined)
  if (asks) asked.current = session
  const thanks = state === 'given' && asked.current !== undefined && asked.current === session
  if (!(asks || thanks) || session === undefined || unrated.value === session) return null
  if (!Rating || isOff(site.value, 'rating')) return null
  return <Rating scale={rating.value ?? 'stars'} onDismiss={() => refuseRating(session)} />
}
