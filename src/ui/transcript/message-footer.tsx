// Draws the parts below the words of an answer. They arrive with the last chunk, so they are watched separately.

import { useComputed } from '@preact/signals'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Content, MessageEntry } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { StoppedNote, Tools } from './tools.tsx'

const PARTS = ['attachments', 'callActions', 'stopped', 'complete'] as const

/** `hasTools`: it is the last answer, or the pointer or the focus was near. */
export function MessageFooter({ entry, hasTools }: { entry: MessageEntry; hasTools: boolean }) {
  const Cards = useContext(Panel).extras.value?.Cards
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
      {Cards && attachments.length + callActions.length > 0 && (
        <Cards content={{ attachments, callActions }} />
      )}
      {stopped && <StoppedNote entry={entry} />}
      {settled && hasTools && <Tools entry={entry} />}
    </>
  )
}
