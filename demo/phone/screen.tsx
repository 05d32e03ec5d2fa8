import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Device, PhoneMessage } from '../../src/carriers/index.ts'
import { ImageIcon, PhoneIcon } from '../../src/ui/answer/card-icons.tsx'
import { safePicture } from '../../src/ui/answer/link.tsx'
import { loadsByItself } from '../../src/ui/answer/picture.ts'
import { MessageIcon, PlaceIcon, TapIcon } from '../icons.tsx'
import { Log } from '../log.tsx'
import { words } from '../words.ts'
import { Composer } from './composer.tsx'
import photo from './photo.svg?no-inline'

export type Screen = { device: Device; messages: readonly PhoneMessage[] }

const LONGEST = 1_600
const SILENCE_MS = 300_000
const photoUrl = new URL(photo, location.origin).href

type Props = {
  number: string
  screen: Screen | undefined
  notice: string | undefined
  trouble: string | undefined
  /** Resolves to true where it was sent. */
  onWrite(written: object): Promise<boolean>
  /** Shown while there are no messages. */
  children: ComponentChildren
}

export function PhoneScreen({ number, screen, notice, trouble, onWrite, children }: Props) {
  const [text, setText] = useState('')
  const messages = screen?.messages ?? []
  const last = messages.at(-1)
  const rcs = screen?.device.rcs ?? false
  const channel = last?.channel ?? 'sms'
  async function say(given: string): Promise<void> {
    setText('')
    if (!(await onWrite({ text: given }))) setText((now) => now || given)
  }
  return (
    <section class="device" aria-label={words.phone.screen(number)}>
      <header>
        <span class="avatar">
          <MessageIcon />
        </span>
        <div>
          <h2>{words.phone.desk}</h2>
          <p>
            {last?.with ?? words.phone.deskNumber}{' '}
            <span class={`channel ${channel}`}>{channel.toUpperCase()}</span>
          </p>
        </div>
      </header>
      <Log label={words.phone.log} newest={messages}>
        <div class="messages">
          {screen && messages.length === 0 && (
            <div class="nothing">
              <h2>{words.phone.nothing}</h2>
              <p>{words.phone.nothingHint}</p>
              {children}
            </div>
          )}
          {messages.map((message, index) => (
            <Message key={message.id} message={message} before={messages[index - 1]} onTap={onWrite} />
          ))}
        </div>
      </Log>
      <footer>
        {notice && (
          <p class="notice" role="status">
            {notice}
          </p>
        )}
        {trouble && (
          <p class="notice trouble" role="alert">
            {trouble}
          </p>
        )}
        <Replies message={last} onReply={say} />
        <div class="shortcuts">
          {rcs && <Share onWrite={onWrite} />}
          <fieldset>
            <legend class="hidden">{words.phone.keywords}</legend>
            {words.phone.keywordList.map((keyword) => (
              <button key={keyword} type="button" class="word" onClick={() => say(keyword)}>
                {keyword}
              </button>
            ))}
          </fieldset>
        </div>
        <Composer
          label={words.phone.message}
          placeholder={words.phone.placeholder[channel]}
          send={words.phone.send}
          text={text}
          most={LONGEST}
          onText={setText}
          onSend={(given) => void say(given)}
        />
      </footer>
    </section>
  )
}

/** The suggestions of the last message; removed once something was written. */
function Replies({ message, onReply }: { message: PhoneMessage | undefined; onReply(text: string): void }) {
  const suggestions = message?.direction === 'in' ? (message.rich?.suggestions ?? []) : []
  if (suggestions.length === 0) return null
  return (
    <fieldset class="replies">
      <legend class="hidden">{words.phone.suggestions}</legend>
      {suggestions.map(({ message_text }) => (
        <button key={message_text} type="button" class="chip" onClick={() => onReply(message_text)}>
          {message_text}
        </button>
      ))}
    </fieldset>
  )
}

function Share({ onWrite }: { onWrite: Props['onWrite'] }) {
  const picture = { media: [{ content_type: 'image/svg+xml', url: photoUrl }] }
  return (
    <fieldset>
      <legend class="hidden">{words.phone.share}</legend>
      <button
        type="button"
        class="round"
        aria-label={words.phone.picture}
        title={words.phone.picture}
        onClick={() => onWrite(picture)}
      >
        <ImageIcon />
      </button>
      <button
        type="button"
        class="round"
        aria-label={words.phone.place}
        title={words.phone.place}
        onClick={() => onWrite({ location: words.phone.location })}
      >
        <PlaceIcon />
      </button>
      <button
        type="button"
        class="round"
        aria-label={words.phone.tap}
        title={words.phone.tap}
        onClick={() => onWrite({ button: words.phone.button })}
      >
        <TapIcon />
      </button>
    </fieldset>
  )
}

type MessageProps = {
  message: PhoneMessage
  before: PhoneMessage | undefined
  onTap: Props['onWrite']
}

function Message({ message, before, onTap }: MessageProps) {
  const { direction, channel, text, rich, at } = message
  const silent = !before || at - before.at >= SILENCE_MS
  const joined = !silent && before.direction === direction && before.channel === channel
  const changed = before?.channel !== channel
  return (
    <>
      {(silent || changed) && (
        <p class="between">
          {channel.toUpperCase()} · <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
        </p>
      )}
      <article class={`message ${direction} ${channel}${joined ? ' joined' : ''}`} title={clock(at)}>
        <span class="hidden">{direction === 'in' ? words.phone.got : words.phone.wrote}</span>
        {text !== '' && <Words text={text} own={direction === 'out'} />}
        {rich && rich.cards.length > 0 && <Cards cards={rich.cards} onTap={onTap} />}
        {rich?.callActions.map(({ title, contact_number }) => (
          <a
            key={contact_number}
            class="call"
            href={`tel:${contact_number.replace(/[^\d+*#]/g, '')}`}
            aria-label={words.phone.call(title, contact_number)}
          >
            <PhoneIcon />
            {title}
          </a>
        ))}
      </article>
    </>
  )
}

/** The pictures and places that this page sends come back as text; they are shown as what they were. */
function Words({ text, own }: { text: string; own: boolean }) {
  if (own && text === photoUrl)
    return <img class="photo" src={photo} alt={words.phone.pictureText} width="240" height="160" />
  if (own && text === words.phone.location.label)
    return (
      <p class="pin">
        <PlaceIcon />
        {text}
      </p>
    )
  return <p dir="auto">{text}</p>
}

type Card = NonNullable<PhoneMessage['rich']>['cards'][number]

function Cards({ cards, onTap }: { cards: readonly Card[]; onTap: Props['onWrite'] }) {
  return (
    <ul
      class={cards.length > 1 ? 'cards several' : 'cards'}
      aria-label={words.phone.cards}
      tabIndex={cards.length > 1 ? 0 : undefined}
    >
      {cards.map((card, index) => (
        <li key={index} class="card">
          <CardPicture card={card} />
          {card.title && <b dir="auto">{card.title}</b>}
          {card.content_type === 'ATTACHMENT_CONTENT_TYPE_URL' && (
            <>
              <small>{hostOf(card.content_url)}</small>
              <button
                type="button"
                onClick={() =>
                  onTap({
                    button: {
                      payload: card.content_url,
                      text: card.call_to_action_text ?? words.phone.openCard,
                      type: 'url',
                    },
                  })
                }
              >
                {card.call_to_action_text ?? words.phone.openCard}
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A picture of another host tells that host who looks at it, so the tester decides. */
function CardPicture({ card }: { card: Card }) {
  const [asked, setAsked] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  // The picture takes the focus of the button in whose place it comes.
  useEffect(() => {
    if (asked) image.current?.focus()
  }, [asked])
  const isImage = card.content_type === 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  const url = safePicture((isImage ? card.content_url : card.preview_image_url) ?? '')
  if (!url) return null
  if (!asked && !loadsByItself(url, [location.origin]))
    return (
      <button type="button" onClick={() => setAsked(true)}>
        {words.phone.showPicture(hostOf(url))}
      </button>
    )
  // Its title stands below it.
  const alt = card.title ? '' : isImage ? words.phone.image : ''
  return <img ref={image} src={url} alt={alt} tabIndex={-1} referrerpolicy="no-referrer" />
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const clock = (at: number): string => new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(at)
