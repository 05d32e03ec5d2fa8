// Draws who speaks: the picture or the letter of an agent, and the name above the first of a live agent's messages.

import { useContext, useState } from 'preact/hooks'
import type { MessageEntry } from '../../chat/index.ts'
import { loadsByItself } from '../answer/picture.ts'
import { Panel } from '../context/context.ts'
import { speakerOf } from '../context/site.ts'
import { AssistantIcon } from '../theme/icons.tsx'

/** A picture, where its address may be loaded; else the first letter of a person, or the assistant's sign. */
function Avatar({
  name,
  url,
  live,
  size = 'usual',
}: {
  name: string | undefined
  url: string | undefined
  live: boolean
  size?: 'small' | 'usual' | 'large'
}) {
  const { imageOrigins } = useContext(Panel)
  const [broken, setBroken] = useState<string>()
  const usable = url !== undefined && url !== broken && loadsByItself(url, imageOrigins.value)
  const letter = live && name ? [...name][0]?.toUpperCase() : undefined
  return (
    <span class={`avatar${live ? ' live' : ''}${size === 'usual' ? '' : ` ${size}`}`} aria-hidden="true">
      {usable ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={() => setBroken(url)} />
      ) : (
        (letter ?? <AssistantIcon />)
      )}
    </span>
  )
}

/** Of the one who answers now. */
export function AgentAvatar({ large }: { large?: boolean }) {
  const { chat, site } = useContext(Panel)
  const { name, avatarUrl, live } = chat.agent.value
  const url = live ? avatarUrl : (site.value.avatar ?? avatarUrl)
  return <Avatar name={name} url={url} live={live} size={large ? 'large' : 'usual'} />
}

/** Above the first of a live agent's messages. */
export function Byline({ entry }: { entry: MessageEntry }) {
  const { words, site } = useContext(Panel)
  return (
    <div class="byline">
      <Avatar name={entry.agentName} url={entry.avatarUrl} live size="small" />
      <span dir="auto">{speakerOf(words.value, site.value, true, entry.agentName)}</span>
    </div>
  )
}
