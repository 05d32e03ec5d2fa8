import type { ComponentChild } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { MessageEntry } from '../chat/index.ts'
import { Panel } from './context.ts'
import type { CoreWords } from './locales/en-core.ts'
import type { SiteSettings } from './site.ts'

export type MessageProps = {
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

/** The parts of a message, drawn by the component that calls it. */
export function useMessage({ entry, joined, isLast }: MessageProps): ComponentChild[] {
  const { words, locale, answers, rest, site } = useContext(Panel)
  /** What comes with the pointer or the focus is drawn once they are near, since most messages never see them. */
  const [touched, setTouched] = useState(false)
  const near = () => setTouched(true)
  const { role, content, at } = entry
  const { value: say } = words
  const { value: more } = rest
  const { value: module } = answers
  const live = role === 'live'
  const visitor = role === 'visitor'
  const byline = live && !joined && more
  const name = visitor ? say.you : speakerOf(say, site.value, live, entry.agentName)
  const part = `message ${role}${joined ? ' joined' : ''}`
  // The parts of an answer watch its content themselves, so that a chunk draws nothing here. A whole answer rarely changes, and is watched
  // here: most have nothing below their words, and need no part for that.
  const answer = !visitor && module
  const whole = content.peek().complete && content.value
  const isPlain = whole && !whole.stopped && whole.attachments.length + whole.callActions.length === 0
  const text = answer ? '' : content.value.pieces.join('')
  const trouble = visitor && content.value.undelivered
  const article = (
    <article
      part={part}
      class={`${part}${trouble ? ' trouble' : isLast && !visitor ? ' last' : ''}`}
      tabIndex={-1}
      onPointerEnter={near}
      onFocusIn={near}
    >
      <span class="hidden">
        {`${more?.clockTime(at, locale.value) ?? ''} ${byline ? '' : say.said(name)}`}
      </span>
      {byline && <byline.Byline entry={entry} />}
      {visitor ? (
        (module?.drawSaid(text) ?? <span dir="auto">{text}</span>)
      ) : (
        <div class="text" dir="auto">
          {answer ? <answer.Markdown content={content} /> : <p class="plain">{text}</p>}
        </div>
      )}
      {answer && (!isPlain || isLast || touched) && (
        <answer.Extras entry={entry} isLast={isLast} touched={touched} near={near} />
      )}
      {touched && module?.drawTime(at, locale.value)}
    </article>
  )
  return [article, trouble && more && <more.Outcome id={entry.key} state="undelivered" />]
}
