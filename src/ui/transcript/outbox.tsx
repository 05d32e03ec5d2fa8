// Draws the messages that the service has not confirmed yet, below the transcript.

import { useContext } from 'preact/hooks'
import type { Entry, OutboxItem } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { Outcome } from '../notices/outcome.tsx'
import { drawVisitorText } from './visitor-text.tsx'

/** The messages that the service has not confirmed yet, with a retry for failed ones. */
export function OutboxView({ after }: { after: Entry | undefined }) {
  const { chat } = useContext(Panel)
  const joinsLast = after?.kind === 'message' && after.role === 'visitor'
  return (
    <>
      {chat.outbox.value.map((item, index) => (
        <Item key={item.id} item={item} joined={index > 0 || joinsLast} />
      ))}
    </>
  )
}

function Item({ item, joined }: { item: OutboxItem; joined: boolean }) {
  const { chat, words, extras } = useContext(Panel)
  const say = words.value
  // What waits where nothing is tried is not sent, until the visitor asks for it.
  const state = item.state === 'queued' && chat.status.value === 'unavailable' ? 'failed' : item.state
  const trouble = state === 'failed' || state === 'unconfirmed'
  return (
    <>
      <article class={`message visitor fresh ${trouble ? 'trouble' : 'sending'}${joined ? ' joined' : ''}`}>
        <span class="hidden">{say.said(say.you)}</span>
        {drawVisitorText(item.text, extras.value)}
      </article>
      <Outcome id={item.id} state={state} />
    </>
  )
}
