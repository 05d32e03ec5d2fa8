import { useContext, useState } from 'preact/hooks'
import type { MessageEntry } from '../chat/index.ts'
import type { Attachment } from '../protocol/index.ts'
import { Panel } from './context.ts'
import { Avatar } from './header.tsx'
import { ImageIcon, LinkIcon, PhoneIcon } from './icons.tsx'
import { Link, safeHref, safePicture } from './link.tsx'
import { Markdown } from './stream.tsx'
import { clockTime } from './time.ts'

const EMOJI_ALONE =
  /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|️|‍\p{Extended_Pictographic})*\s*){1,3}$/u

type Props = { entry: MessageEntry; joined: boolean }

export function MessageView({ entry, joined }: Props) {
  const { words, locale, markdown } = useContext(Panel)
  const say = words.value
  const time = (
    <time class="time" dateTime={new Date(entry.at).toISOString()}>
      {clockTime(entry.at, locale.value)}
    </time>
  )
  const classes = `message ${entry.role}${joined ? ' joined' : ''}`
  if (entry.role === 'visitor') {
    const text = entry.content.value.pieces.join('')
    return (
      <article class={classes} tabIndex={-1}>
        <span class="hidden">{say.said(say.you)}</span>
        <span dir="auto" class={EMOJI_ALONE.test(text) ? 'big' : undefined}>
          {markdown.value?.linked(text) ?? text}
        </span>
        {time}
      </article>
    )
  }
  const name = entry.agentName ?? say.assistant
  return (
    <article class={classes} tabIndex={-1}>
      {entry.role === 'live' && !joined ? (
        <div class="byline">
          <Avatar name={entry.agentName} url={entry.avatarUrl} live small />
          <span dir="auto">{entry.agentName ?? say.person}</span>
        </div>
      ) : (
        <span class="hidden">{say.said(name)}</span>
      )}
      <div class="text" dir="auto">
        <Markdown content={entry.content} />
      </div>
      <Extras entry={entry} />
      {time}
    </article>
  )
}

/** Attachments and phone buttons. They come with the last piece, so they are looked at by themselves. */
function Extras({ entry }: { entry: MessageEntry }) {
  const { attachments, callActions } = entry.content.value
  if (attachments.length === 0 && callActions.length === 0) return null
  return (
    <div class="cards">
      {attachments.map((attachment) => (
        <AttachmentView key={attachment.content_url} attachment={attachment} />
      ))}
      {callActions.map(({ title, contact_number }) =>
        contact_number === undefined ? (
          <span key={title}>{title}</span>
        ) : (
          <Link key={contact_number} class="card" href={`tel:${contact_number.replace(/[^\d+*#]/g, '')}`}>
            <PhoneIcon />
            <span>
              {title}
              <small dir="ltr">{contact_number}</small>
            </span>
          </Link>
        ),
      )}
    </div>
  )
}

function AttachmentView({ attachment }: { attachment: Attachment }) {
  const { words } = useContext(Panel)
  const { content_type, content_url, title, call_to_action_text } = attachment
  const source = safePicture(content_url)
  // A picture from elsewhere tells its host who looks at it: the visitor decides.
  const [shown, setShown] = useState(source?.startsWith('data:') ?? false)
  const name = title ?? call_to_action_text ?? words.value.image
  if (content_type === 'ATTACHMENT_CONTENT_TYPE_IMAGE') {
    if (source === undefined) return null
    if (shown)
      return (
        <img class="picture" src={source} alt={title ?? words.value.image} referrerpolicy="no-referrer" />
      )
    return (
      <button type="button" class="card" onClick={() => setShown(true)}>
        <ImageIcon />
        <span>
          {words.value.showImage(name)}
          <small dir="ltr">{new URL(source).host}</small>
        </span>
      </button>
    )
  }
  const safe = safeHref(content_url)
  if (safe === undefined) return null
  return (
    <Link class="card" href={safe}>
      <LinkIcon />
      <span>
        {title ?? call_to_action_text ?? safe}
        <small dir="ltr">{new URL(safe).host || safe}</small>
      </span>
    </Link>
  )
}
