// Shows a message as the page wants it: not at all, drawn by the page, or as it is. Only without a frame, where scripts of the page
// reach the panel anyway.

import { useComputed } from '@preact/signals'
import { useContext, useMemo } from 'preact/hooks'
import { Panel } from '../context/context.ts'
import { HostNode } from '../context/host-node.tsx'
import type { DrawnMessage } from '../context/site.ts'
import { type LineProps, useLine } from './line.tsx'
import { type MessageProps, useMessage } from './message.tsx'

export function ScreenedLine(props: LineProps) {
  const { above, message } = useLine(props)
  return message ? [...above, <ScreenedMessage key={message.entry.key} {...message} />] : above
}

const Own = (props: MessageProps) => <>{useMessage(props)}</>

function ScreenedMessage(props: MessageProps) {
  const { entry } = props
  const { site, withheld } = useContext(Panel)
  const { accepts, render } = site.value
  const complete = useComputed(() => entry.content.value.complete).value
  const drawn = useMemo((): DrawnMessage => {
    const text = entry.content.peek().pieces.join('')
    return { role: entry.role, text, complete, agentName: entry.agentName }
  }, [entry, complete])
  const accepted = useMemo(
    () => entry.role === 'visitor' || (accepts?.(entry.key, drawn) ?? true),
    [accepts, drawn, entry],
  )
  // Neither read aloud nor saved.
  if (accepted) withheld.delete(entry.key)
  else withheld.add(entry.key)
  // Only the chat's own part can decide a question.
  const message = complete && accepted && !entry.content.peek().confirm ? render?.message : undefined
  const make = useMemo(() => message && (() => message(drawn)), [message, drawn])
  if (!accepted) return null
  const own = <Own {...props} />
  if (!make) return own
  return (
    <HostNode part={`message ${entry.role}`} class={`message ${entry.role} own`} make={make}>
      {own}
    </HostNode>
  )
}
