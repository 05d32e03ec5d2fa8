// The header's menu. Its first view holds acts. Behind it are views: languages and announcements, since each is a choice of one. An act
// that cannot be taken back is asked for in the menu's stead.

import type { RefObject } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'
import { Acts, type Choose, type View } from './menu-acts.tsx'
import { Choices } from './menu-choices.tsx'
import { BackIcon } from './menu-icons.tsx'
import { Item } from './menu-item.tsx'
import { Question } from './question.tsx'

export function Menu({ button, onClose }: { button: RefObject<HTMLButtonElement | null>; onClose(): void }) {
  const panel = useContext(Panel)
  const say = useWords()
  const [view, setView] = useState<View>('acts')
  const list = useRef<HTMLDivElement>(null)
  /** The place of the item that opened the view. */
  const opener = useRef(0)
  const items = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"], .question button') ?? []),
  ]
  const asks = view === 'end' || view === 'delete'

  useLayoutEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-checked="true"][role="menuitemradio"]')
    const first = chosen ?? items()[view === 'acts' ? opener.current : 0]
    first?.focus()
  }, [view])
  // At once, also at the end: one menu's listener takes a press in the next for one outside.
  useLayoutEffect(() => {
    const away = (event: Event) => {
      const path = event.composedPath()
      if (!path.includes(list.current as EventTarget) && !path.includes(button.current as EventTarget))
        onClose()
    }
    const root = button.current?.getRootNode()
    root?.addEventListener('pointerdown', away)
    return () => root?.removeEventListener('pointerdown', away)
  }, [])

  const turn = (to: View, from?: EventTarget | null) => {
    const menu = list.current
    if (menu && from) {
      opener.current = items().indexOf(from as HTMLElement)
      // No smaller than before: the second press of a double click must not land on what lies behind.
      menu.style.minWidth = `min(${menu.offsetWidth}px, 100% - 24px)`
      menu.style.minHeight = `min(${menu.offsetHeight}px, 100% - 72px)`
    }
    ignoreDoubleClick(button.current)
    setView(to)
  }
  const close = () => {
    ignoreDoubleClick(button.current)
    onClose()
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(event.target as HTMLElement)
    // A key that is held does not act again in the view that it opened.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
    if (event.key === 'Escape') view === 'acts' || asks ? close() : turn('acts')
    // Nothing behind a question is to be reached.
    else if (event.key === 'Tab' && asks) all[1 - at]?.focus()
    else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus()
    else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus()
    else if (event.key === 'Home') all[0]?.focus()
    else if (event.key === 'End') all.at(-1)?.focus()
    else if (event.key === 'Tab') return onClose()
    else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
      const after = [...all.slice(at + 1), ...all.slice(0, at + 1)]
      const read = (text: string | null) => text?.trim().toLocaleLowerCase(panel.locale.peek())
      after.find((each) => read(each.textContent)?.startsWith(read(event.key) ?? ''))?.focus()
    } else return
    event.preventDefault()
  }
  const choose: Choose = (act) => (event) => {
    close()
    act(event.currentTarget as Element)
  }
  if (asks) {
    const [asked, act, onYes] =
      view === 'end'
        ? [say.endChatSure, say.endChat, () => panel.chat.end()]
        : [say.deleteChatSure, say.deleteChat, () => panel.deleteChat()]
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the buttons in it
      <div ref={list} class="scrim" onKeyDown={onKeyDown}>
        <Question asked={asked} act={act} onYes={choose(onYes)} onNo={close} />
      </div>
    )
  }
  const titles = { acts: say.menu, languages: say.languages, announcements: say.announcements }
  return (
    <div ref={list} class="menu" role="menu" tabIndex={-1} aria-label={titles[view]} onKeyDown={onKeyDown}>
      {view === 'acts' ? (
        <Acts choose={choose} turn={turn} />
      ) : (
        <>
          <Item icon={<BackIcon />} onClick={() => turn('acts')}>
            {say.back}
          </Item>
          <hr />
          <Choices of={view} choose={choose} />
        </>
      )}
    </div>
  )
}

/** The second press of a double click does nothing to what the first has put under the pointer. */
function ignoreDoubleClick(button: HTMLButtonElement | null): void {
  const root = button?.getRootNode()
  const onClick = (event: Event) => {
    if ((event as MouseEvent).detail < 2) return root?.removeEventListener('click', onClick, true)
    event.stopPropagation()
    event.preventDefault()
  }
  root?.addEventListener('click', onClick, true)
}
