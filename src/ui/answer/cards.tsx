// Draws what is attached to an answer: attachments as cards (several as a carousel) and phone buttons.

import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Content } from '../../chat/index.ts'
import { safeHref } from '../../markdown/index.ts'
import type { Attachment } from '../../protocol/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { ForwardIcon } from '../theme/icons.tsx'
import { ImageIcon, LinkIcon, PhoneIcon } from './card-icons.tsx'
import { Link, safePicture } from './link.tsx'
import { loadsByItself } from './picture.ts'

export function Cards({ content }: { content: Pick<Content, 'attachments' | 'callActions'> }) {
  const { attachments, callActions } = content
  const shown = attachments.filter(isShown)
  return (
    <>
      {shown.length > 1 && <Carousel attachments={shown} />}
      {(shown.length === 1 || callActions.length > 0) && (
        <div class="cards">
          {shown.length === 1 && shown[0] && <Card attachment={shown[0]} />}
          {callActions.map(({ title, contact_number }) =>
            contact_number === undefined ? (
              <span key={title} dir="auto">
                {title}
              </span>
            ) : (
              <Link key={contact_number} class="card" href={`tel:${dialled(contact_number)}`}>
                <PhoneIcon />
                <span>
                  <bdi>{title}</bdi>
                  <small dir="ltr">{contact_number}</small>
                </span>
              </Link>
            ),
          )}
        </div>
      )}
    </>
  )
}

/** The characters to dial: digits, `+`, `*` and `#`. */
export const dialled = (number: string): string => number.replace(/[^\d+*#]/g, '').slice(0, 40)

const isPicture = ({ content_type }: Attachment) => content_type === 'ATTACHMENT_CONTENT_TYPE_IMAGE'
const isShown = (attachment: Attachment): boolean =>
  (isPicture(attachment) ? safePicture(attachment.content_url) : safeHref(attachment.content_url)) !==
  undefined

/** Cards of one size in a row that scrolls: the next one shows at the edge. */
function Carousel({ attachments }: { attachments: readonly Attachment[] }) {
  const say = useWords()
  const row = useRef<HTMLUListElement>(null)
  /** Whether there are cards before and after the visible ones. */
  const [before, setBefore] = useState(false)
  const [after, setAfter] = useState(false)
  function measure(): void {
    const { current } = row
    if (!current) return
    // From right to left the distance counts below 0.
    const from = Math.abs(current.scrollLeft)
    setBefore(from >= 8)
    setAfter(current.scrollWidth - current.clientWidth - from >= 8)
  }
  useLayoutEffect(() => {
    measure()
    if (!row.current) return
    const observer = new ResizeObserver(measure)
    observer.observe(row.current)
    return () => observer.disconnect()
  }, [])
  function turn(by: 1 | -1): void {
    const { current } = row
    if (!current) return
    const sign = getComputedStyle(current).direction === 'rtl' ? -by : by
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    current.scrollBy({ left: sign * current.clientWidth * 0.8, behavior: calm ? 'auto' : 'smooth' })
  }
  return (
    <div class="carousel">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ul ref={row} aria-label={say.attachments} tabIndex={0} onScroll={measure}>
        {attachments.map((attachment) => (
          <li key={attachment.content_url}>
            <Card attachment={attachment} tall />
          </li>
        ))}
      </ul>
      {/* The row itself scrolls by keyboard: two buttons less on the way. */}
      <button
        type="button"
        class="turn back"
        tabIndex={-1}
        aria-label={say.previous}
        disabled={!before}
        onClick={() => turn(-1)}
      >
        <ForwardIcon />
      </button>
      <button
        type="button"
        class="turn"
        tabIndex={-1}
        aria-label={say.next}
        disabled={!after}
        onClick={() => turn(1)}
      >
        <ForwardIcon />
      </button>
    </div>
  )
}

function Card({ attachment, tall = false }: { attachment: Attachment; tall?: boolean }) {
  const say = useWords()
  const { content_url, title, call_to_action_text: action, preview_image_url: preview } = attachment
  if (isPicture(attachment)) return <Picture url={content_url} title={title ?? action} tall={tall} />
  const href = safeHref(content_url) ?? ''
  const name = title ?? action ?? href
  const where = new URL(href).host || href
  if (!tall && preview === undefined)
    return (
      <Link class="card" href={href}>
        <LinkIcon />
        <span>
          <bdi>{name}</bdi>
          <small dir="ltr">{where}</small>
        </span>
      </Link>
    )
  return (
    <div class="card tall">
      {preview !== undefined && safePicture(preview) !== undefined ? (
        <Picture url={preview} title={title} tall />
      ) : (
        <span class="blank">
          <LinkIcon />
        </span>
      )}
      <b dir="auto">{name}</b>
      <small dir="ltr">{where}</small>
      <Link href={href} label={action === undefined ? `${say.openLink} ${name}` : undefined}>
        {action ?? say.openLink}
      </Link>
    </div>
  )
}

/** A picture from elsewhere tells its host who looks at it: the visitor decides, or the site did (`imageOrigins`). */
function Picture({ url, title, tall }: { url: string; title: string | undefined; tall: boolean }) {
  const { imageOrigins } = useContext(Panel)
  const say = useWords()
  const source = safePicture(url)
  const [asked, setAsked] = useState(false)
  const [broken, setBroken] = useState(false)
  /** The button or the picture that goes has the focus: the one in its place takes it. */
  const hands = useRef(false)
  if (source === undefined) return null
  const take = (node: HTMLElement | null) => {
    if (!node || !hands.current) return
    // Once: Preact calls it at each drawing.
    hands.current = false
    node.focus({ preventScroll: true })
  }
  const shown = (asked || loadsByItself(source, imageOrigins.value)) && !broken
  if (shown)
    return (
      <img
        ref={take}
        class={tall ? 'picture fixed' : 'picture'}
        src={source}
        alt={title ?? say.image}
        tabIndex={-1}
        referrerpolicy="no-referrer"
        onError={({ currentTarget }) => {
          hands.current = currentTarget.matches(':focus')
          setBroken(true)
        }}
      />
    )
  return (
    <button
      ref={take}
      type="button"
      class={tall ? 'blank' : 'card'}
      onClick={() => {
        hands.current = true
        setAsked(true)
        setBroken(false)
      }}
    >
      <ImageIcon />
      <span>
        <bdi>{say.showImage(title ?? say.image)}</bdi>
        <small dir="ltr">{URL.canParse(source) ? new URL(source).host : ''}</small>
      </span>
    </button>
  )
}
