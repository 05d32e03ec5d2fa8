import { useContext, useState } from 'preact/hooks'
import type { MessageEntry } from '../chat/index.ts'
import { Panel } from './context.ts'
import type { CoreWords } from './locales/en-core.ts'
import type { SiteSettings } from './site.ts'

type Props = {
  entry: MessageEntry
  /** The same person spoke just before. */
  joined: boolean
  /** Nothing follows it yet. */
  isLast: boolean
}

/** The name of an agent who speaks. A person without a name does not get the name that the site gives to its assistant. */
export const speakerOf = (
  say: CoreWords,
  { agentName }: SiteSettings,
  live: boolean,
  name: string | undefined,
): string => name ?? (live ? say.person : (agentName ?? say.assistant))

export function MessageView({ entry, joined, isLast }: Props) {
  const { words, locale, answers, rest, site } = useContext(Panel)
  /** The tools of an answer are drawn once the pointer or the focus is near, since most are never used. */
  const [touched, setTouched] = useState(false)
  const say = words.value
  const { value: more } = rest
  const time = more?.drawTime(entry.at, locale.value)
  const classes = `message ${entry.role}${joined ? ' joined' : ''}`
  if (entry.role === 'visitor') {
    const { pieces, undelivered } = entry.content.value
    const text = pieces.join('')
    return (
      <>
        <article part={classes} class={undelivered ? `${classes} trouble` : classes} tabIndex={-1}>
          <span class="hidden">{say.said(say.you)}</span>
          <span dir="auto" class={answers.value?.isEmojiAlone(text) ? 'big' : undefined}>
            {answers.value?.linked(text) ?? text}
          </span>
          {time}
        </article>
        {undelivered && more && <more.Outcome id={entry.key} state="undelivered" />}
      </>
    )
  }
  const { value: module } = answers
  return (
    <article
      part={classes}
      class={isLast ? `${classes} last` : classes}
      tabIndex={-1}
      onPointerEnter={() => setTouched(true)}
      onFocusIn={() => setTouched(true)}
    >
      {entry.role === 'live' && !joined && more ? (
        <more.Byline entry={entry} />
      ) : (
        <span class="hidden">
          {say.said(speakerOf(say, site.value, entry.role === 'live', entry.agentName))}
        </span>
      )}
      <div class="text" dir="auto">
        {module ? (
          <module.Markdown content={entry.content} />
        ) : (
          <p class="plain">{entry.content.value.pieces.join('')}</p>
        )}
      </div>
      {module && <module.Extras entry={entry} isNear={isLast || touched} />}
      {time}
    </article>
  )
}
