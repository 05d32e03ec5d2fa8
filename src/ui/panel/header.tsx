// Draws the bar on top of the panel: who answers, the menu and the button that closes.

import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel } from '../context/context.ts'
import { HostNode } from '../context/host-node.tsx'
import { speakerOf } from '../context/site.ts'
import { statusText } from '../notices/status-text.ts'
import { DownIcon, MoreIcon } from '../theme/icons.tsx'
import { AgentAvatar } from '../transcript/avatar.tsx'

/** In pixels before the panel's scale: a header that is narrower has room for the name alone. */
const NARROW = 260

export function Header({ scrolled }: { scrolled: boolean }) {
  const { chat, words, automatic, closable, site, onClose } = useContext(Panel)
  const agent = chat.agent.value
  const { value: status } = chat.status
  /** The name that comes is not said to be another one before. */
  const isUnknown =
    site.value.agentName === undefined &&
    !('name' in agent) &&
    (status === 'idle' || status === 'connecting' || status === 'live') &&
    chat.transcript.value.length === 0

  const header = useRef<HTMLElement>(null)
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const { current } = header
    if (!current) return
    // A panel that is not shown has no width, and says nothing about its room.
    const observer = new ResizeObserver(() =>
      setNarrow(current.offsetWidth > 0 && current.offsetWidth < NARROW),
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  const { render } = site.value
  const own = (
    <header
      ref={header}
      part="header"
      class={`header${scrolled ? ' scrolled' : ''}${narrow ? ' narrow' : ''}`}
    >
      {!narrow && <AgentAvatar />}
      <div class="who">
        {isUnknown ? (
          <i />
        ) : (
          <h2 class="name">
            <bdi>{speakerOf(words.value, site.value, agent.live, agent.name)}</bdi>
          </h2>
        )}
        {!narrow && <div class="status">{statusText(chat, words.value, automatic.value)}</div>}
      </div>
      <MenuButton />
      {closable.value && (
        <button type="button" class="round" aria-label={words.value.closeChat} onClick={onClose}>
          <DownIcon />
        </button>
      )}
    </header>
  )
  if (!render?.header) return own
  return (
    <HostNode part="header" make={render.header}>
      {own}
    </HostNode>
  )
}

function MenuButton() {
  const { words, extras } = useContext(Panel)
  const Menu = extras.value?.Menu
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
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
      {open && Menu && <Menu button={button} onClose={() => setOpen(false)} />}
    </>
  )
}
