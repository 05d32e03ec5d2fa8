import { useContext, useRef, useState } from 'preact/hooks'
import type { Handoff } from '../chat/index.ts'
import { Panel } from './context.ts'
import { AssistantIcon, CloseIcon, MoreIcon } from './icons.tsx'
import { lazy } from './lazy.tsx'
import { speakerOf } from './message.tsx'
import { statusText } from './status-text.ts'

export function Header({ scrolled }: { scrolled: boolean }) {
  const { chat, words, locale, closable, site, rest, onClose } = useContext(Panel)
  const { value: module } = rest
  const agent = chat.agent.value

  const { avatar, render, Placed } = site.value
  const own = (
    <header part="header" class={`header${scrolled ? ' scrolled' : ''}`}>
      {module ? (
        <module.Avatar
          name={agent.name}
          url={agent.avatarUrl ?? (agent.live || agent.name ? undefined : avatar)}
          live={agent.live}
        />
      ) : (
        <span class="avatar" aria-hidden="true">
          <AssistantIcon />
        </span>
      )}
      <div class="who">
        <h2 class="name">
          <bdi>{speakerOf(words.value, site.value, agent.live, agent.name)}</bdi>
        </h2>
        {/* Places in a queue are read aloud; “Thinking…” is not, and the transcript tells that a handoff begins. */}
        <div class="status" aria-live={isPlaced(chat.handoff.value) ? 'polite' : 'off'}>
          {statusText(chat, words.value, locale.value, module?.queueText)}
        </div>
      </div>
      <MenuButton />
      {closable.value && (
        <button type="button" class="round" aria-label={words.value.closeChat} onClick={onClose}>
          <CloseIcon />
        </button>
      )}
    </header>
  )
  if (!Placed || !render?.header) return own
  return (
    <Placed part="header" make={render.header}>
      {own}
    </Placed>
  )
}

const isPlaced = (handoff: Handoff): boolean =>
  handoff.state === 'pending' && (handoff.message ?? handoff.position) !== undefined

const Menu = lazy(() => import('./menu.tsx'))

function MenuButton() {
  const { words } = useContext(Panel)
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
      {open && <Menu button={button} onClose={() => setOpen(false)} />}
    </>
  )
}
