// Draws one message: who said it, its words, when, and what hangs below it.

import type { ComponentChild } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { MessageEntry } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { speakerOf } from '../context/site.ts'
import { drawTime } from '../notices/note.tsx'
import { Outcome } from '../notices/outcome.tsx'
import { clockTime } from '../words/time.ts'
import { Byline } from './avatar.tsx'
import { MessageFooter } from './message-footer.tsx'
import { drawVisitorText } from './visitor-text.tsx'

export type MessageProps = {
  entry: MessageEntry
  /** The same person spoke just before. */
  joined: boolean
  /** Nothing follows it yet. */
  isLast: boolean
  /** The agent's first words: there is nothing to do with them. */
  greets: boolean
}

/** The parts of a message, drawn by the component that calls it. */
export function useMessage({ entry, joined, isLast, greets }: MessageProps): ComponentChild[] {
  const { words, locale, markdown, site, extras } = useContext(Panel)
  /** What comes with the pointer or the focus is drawn once they are near, since most messages never see them. */
  const [touched, setTouched] = useState(false)
  const near = () => setTouched(true)
  const { role, content, at } = entry
  const { value: say } = words
  const { Markdown } = markdown.value
  const live = role === 'live'
  const visitor = role === 'visitor'
  const hasByline = live && !joined
  const name = visitor ? say.you : speakerOf(say, site.value, live, entry.agentName)
  const part = `message ${role}${joined ? ' joined' : ''}`
  // The parts of an answer watch its content themselves, so that a chunk draws nothing here. A whole answer rarely changes, and is watched
  // here: most have nothing below their words, and need no part for that.
  const watched = (visitor || content.peek().complete) && content.value
  const hasBelow = !watched || watched.stopped || watched.attachments.length + watched.callActions.length > 0
  const confirm = watched ? watched.confirm : undefined
  const { Confirm } = extras.value ?? {}
  const trouble = visitor && content.value.undelivered
  const hasTools = (isLast || touched) && !greets && !confirm
  /** Only cards: they belong to the sentence above. */
  const isWordless = !visitor && watched && watched.length === 0
  const place = `${greets ? ' greets' : ''}${isLast && !visitor ? ' last' : ''}`
  const state = trouble ? ' trouble' : isWordless ? ' wordless' : place
  const article = (
    <article part={part} class={part + state} tabIndex={-1} onPointerEnter={near} onFocusIn={near}>
      <span class="hidden">{`${clockTime(at, locale.value)} ${hasByline ? '' : say.said(name)}`}</span>
      {hasByline && <Byline entry={entry} />}
      {visitor ? (
        drawVisitorText(content.value.pieces.join(''), extras.value, markdown.value.linked)
      ) : confirm && Confirm ? (
        <Confirm entry={entry} confirm={confirm} />
      ) : (
        !isWordless && (
          <div class="text" dir="auto">
            <Markdown content={content} />
          </div>
        )
      )}
      {!visitor && (hasBelow || hasTools) && <MessageFooter entry={entry} hasTools={hasTools} />}
      {touched && drawTime(at, locale.value)}
    </article>
  )
  return [article, trouble && <Outcome id={entry.key} state="undelivered" />]
}
