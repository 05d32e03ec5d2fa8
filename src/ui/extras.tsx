// Draws the parts below the words of an answer. They arrive with the last chunk, so they are watched separately.

import { useComputed } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Content } from '../chat/index.ts'
import { lazy } from './lazy.tsx'
import { Stopped, Tools, type ToolsProps } from './tools.tsx'

const Cards = lazy(() => import('./cards.tsx'))

const PARTS = ['attachments', 'callActions', 'stopped', 'complete'] as const

export function Extras({ isLast, ...tools }: ToolsProps & { isLast: boolean }) {
  const { entry, touched } = tools
  const seen = useRef<Content>(undefined)
  // Most chunks change none of them, so they draw nothing here.
  const content = useComputed(() => {
    const { current: before } = seen
    const { value: now } = entry.content
    if (!before || PARTS.some((part) => now[part] !== before[part])) seen.current = now
    return seen.current
  })
  const { attachments, callActions, stopped, complete } = content.value as Content
  // An answer that came in pieces gets its tools after the frame of its last words, which has enough to do.
  const [settled, setSettled] = useState(complete)
  // Not by an effect after the frame, which would ask for another one with every message.
  useLayoutEffect(() => {
    if (!complete || settled) return
    const timer = setTimeout(() => setSettled(true))
    return () => clearTimeout(timer)
  }, [complete])
  return (
    <>
      {attachments.length + callActions.length > 0 && <Cards content={{ attachments, callActions }} />}
      {stopped && <Stopped entry={entry} />}
      {settled && (isLast || touched) && <Tools {...tools} />}
    </>
  )
}
