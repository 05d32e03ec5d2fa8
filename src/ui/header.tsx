import { useComputed } from '@preact/signals'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Handoff } from '../chat/index.ts'
import { Panel } from './context.ts'
import { AssistantIcon, CloseIcon, MoreIcon } from './icons.tsx'
import type { Words } from './locales/index.ts'

export function Header({ scrolled }: { scrolled: boolean }) {
  const { chat, words, locale, closable, onClose } = useContext(Panel)
  const status = useComputed(() => statusLine(words.value, locale.value))
  const agent = chat.agent.value

  function statusLine(say: Words, tag: string): string {
    const handoff = chat.handoff.value
    const typing = chat.typing.value
    switch (chat.status.value) {
      case 'connecting':
        return say.statusConnecting
      case 'offline':
        return say.statusOffline
      case 'ended':
      case 'expired':
        return say.statusEnded
      default:
        if (handoff.state === 'pending') return queueLine(say, tag, handoff)
        if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
        return chat.agent.value.live ? say.statusLive : say.statusReady
    }
  }

  return (
    <header class={`header${scrolled ? ' scrolled' : ''}`}>
      <Avatar name={agent.name} url={agent.avatarUrl} live={agent.live} />
      <div class="who">
        <h2 class="name">
          <bdi>{agent.name ?? words.value.assistant}</bdi>
        </h2>
        <div class="status">{status.value}</div>
      </div>
      <Menu />
      {closable.value && (
        <button type="button" class="round" aria-label={words.value.closeChat} onClick={onClose}>
          <CloseIcon />
        </button>
      )}
    </header>
  )
}

function queueLine(say: Words, tag: string, handoff: Extract<Handoff, { state: 'pending' }>): string {
  if (handoff.message) return handoff.message
  if (handoff.position === undefined) return say.statusHandoff
  const wait = handoff.waitSeconds
  const minutes = wait === undefined ? undefined : Math.max(1, Math.round(wait / 60))
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'short' } as const
  const about = minutes === undefined ? undefined : new Intl.NumberFormat(tag, unit).format(minutes)
  return say.statusQueue(new Intl.NumberFormat(tag).format(handoff.position), about)
}

/** A picture that loads tells its host who looks at it: only hosts that the BFF names are told. */
function loadsByItself(url: string, origins: readonly string[]): boolean {
  if (/^data:image\//.test(url)) return true
  return URL.canParse(url) && /^https?:/.test(url) && origins.includes(new URL(url).origin)
}

/** A picture, where its address may be loaded; else the first letter of a person, or the assistant's sign. */
export function Avatar({
  name,
  url,
  live,
  small,
}: {
  name: string | undefined
  url: string | undefined
  live: boolean
  small?: boolean
}) {
  const { imageOrigins } = useContext(Panel)
  const [broken, setBroken] = useState<string>()
  const usable = url !== undefined && url !== broken && loadsByItself(url, imageOrigins.value)
  const letter = live && name ? [...name][0]?.toUpperCase() : undefined
  return (
    <span class={`avatar${live ? ' live' : ''}${small ? ' small' : ''}`} aria-hidden="true">
      {usable ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={() => setBroken(url)} />
      ) : (
        (letter ?? <AssistantIcon />)
      )}
    </span>
  )
}

function Menu() {
  const { chat, words } = useContext(Panel)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll('button') ?? [])]
  useEffect(() => {
    if (!open) return
    items()[0]?.focus()
    const away = (event: Event) => {
      const path = event.composedPath()
      if (!path.includes(list.current as EventTarget) && !path.includes(button.current as EventTarget))
        setOpen(false)
    }
    const root = button.current?.getRootNode()
    root?.addEventListener('pointerdown', away)
    return () => root?.removeEventListener('pointerdown', away)
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(event.target as HTMLButtonElement)
    if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus()
    else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus()
    else if (event.key === 'Home') all[0]?.focus()
    else if (event.key === 'End') all.at(-1)?.focus()
    else if (event.key === 'Tab') return setOpen(false)
    else return
    event.preventDefault()
  }
  const choose = (act: () => void) => () => {
    close()
    act()
  }
  const { value: status } = chat.status
  return (
    <>
      <button
        ref={button}
        type="button"
        class="round"
        aria-label={words.value.menu}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <MoreIcon />
      </button>
      {open && (
        <div
          ref={list}
          class="menu"
          role="menu"
          tabIndex={-1}
          aria-label={words.value.menu}
          onKeyDown={onKeyDown}
        >
          <button type="button" role="menuitem" onClick={choose(() => chat.restart())}>
            {words.value.newChat}
          </button>
          {status !== 'ended' && status !== 'expired' && (
            <button type="button" role="menuitem" onClick={choose(() => chat.end())}>
              {words.value.endChat}
            </button>
          )}
        </div>
      )}
    </>
  )
}
