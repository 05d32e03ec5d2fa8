import { useComputed } from '@preact/signals'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Panel } from './context.ts'
import { AssistantIcon, CloseIcon, MoreIcon } from './icons.tsx'
import { Placed } from './placed.tsx'
import { statusText } from './status-text.ts'

export function Header({ scrolled }: { scrolled: boolean }) {
  const { chat, words, locale, closable, site, onClose } = useContext(Panel)
  const status = useComputed(() => statusText(chat, words.value, locale.value))
  const agent = chat.agent.value

  const { agentName, avatar, render } = site.value
  if (render?.header) return <Placed part="header" make={render.header} />
  return (
    <header part="header" class={`header${scrolled ? ' scrolled' : ''}`}>
      <Avatar
        name={agent.name ?? agentName}
        url={agent.avatarUrl ?? (agent.name ? undefined : avatar)}
        live={agent.live}
      />
      <div class="who">
        <h2 class="name">
          <bdi>{agent.name ?? agentName ?? words.value.assistant}</bdi>
        </h2>
        {/* Places in a queue are read aloud; “Thinking…” is not. */}
        <div class="status" aria-live={chat.handoff.value.state === 'pending' ? 'polite' : 'off'}>
          {status.value}
        </div>
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
  /** The first press of “End chat” asks, the second ends. */
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll('button') ?? [])]
  useEffect(() => {
    setAsking(false)
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
  const isOver = status === 'ended' || status === 'expired'
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
          {!isOver && (
            <button
              type="button"
              role="menuitem"
              onClick={() => (asking ? choose(() => chat.end())() : setAsking(true))}
            >
              {asking ? words.value.endChatSure : words.value.endChat}
            </button>
          )}
        </div>
      )}
    </>
  )
}
