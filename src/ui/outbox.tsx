import { useContext } from 'preact/hooks'
import type { Entry, OutboxItem } from '../chat/index.ts'
import { Panel } from './context.ts'

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
  const { chat, words } = useContext(Panel)
  const say = words.value
  const trouble = item.state === 'failed' || item.state === 'unconfirmed'
  const outcome = {
    sent: undefined,
    queued: chat.status.value === 'live' || chat.status.value === 'connecting' ? undefined : say.waiting,
    failed: say.notSent,
    unconfirmed: say.maybeSent,
  }[item.state]
  return (
    <>
      <article class={`message visitor fresh ${trouble ? 'trouble' : 'sending'}${joined ? ' joined' : ''}`}>
        <span class="hidden">{say.said(say.you)}</span>
        <span dir="auto">{item.text}</span>
      </article>
      {outcome !== undefined && <Outcome id={item.id} text={outcome} trouble={trouble} discards />}
    </>
  )
}

/** The delivery state of a message, and its actions. */
export function Outcome(props: { id: string; text: string; trouble: boolean; discards?: boolean }) {
  const { chat, words } = useContext(Panel)
  const { id, text, trouble, discards } = props
  return (
    <div class={`outcome${trouble ? ' trouble' : ''}`}>
      <span>{text}</span>
      {trouble && (
        <button type="button" class="quiet once" onClick={() => chat.retry(id)}>
          {words.value.retry}
        </button>
      )}
      {trouble && discards && (
        <button type="button" class="quiet once" onClick={() => chat.discard(id)}>
          {words.value.discard}
        </button>
      )}
    </div>
  )
}
