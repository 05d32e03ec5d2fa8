// The first view of the menu: what can be done with the chat.

import { useContext } from 'preact/hooks'
import { policiesOf } from '../answer/link.tsx'
import { Panel, useWords } from '../context/context.ts'
import { type Feature, isOff } from '../context/site.ts'
import { focusAfterUse } from '../focus/focus.ts'
import { download } from '../letter/download.ts'
import { print } from '../letter/print.ts'
import {
  BellIcon,
  BinIcon,
  DownloadIcon,
  EndIcon,
  ExpandIcon,
  GlobeIcon,
  PlusIcon,
  PrintIcon,
  SearchIcon,
  ShieldIcon,
  ShrinkIcon,
  VoiceIcon,
} from './menu-icons.tsx'
import { Item } from './menu-item.tsx'

export type View = 'acts' | 'languages' | 'announcements' | 'end' | 'delete'
/** Closes the menu, and then acts. */
export type Choose = (act: (control: Element) => void) => (event: MouseEvent) => void

type Props = {
  choose: Choose
  turn(to: View, from?: EventTarget | null): void
}

export function Acts({ choose, turn }: Props) {
  const panel = useContext(Panel)
  const { chat, searching, sound, expanded, site, onExpand } = panel
  const say = useWords()
  const { value: status } = chat.status
  const isOver = status === 'ended' || status === 'expired' || status === 'idle'
  const isEmpty = chat.transcript.value.length === 0
  const has = (feature: Feature) => !isOff(site.value, feature)
  const opens = (to: View) => (event: MouseEvent) => turn(to, event.currentTarget)
  const restart = (item: Element) => {
    chat.restart()
    focusAfterUse(item)
  }
  const keep = (format: 'text' | 'page') => () => download(panel, format)
  return (
    <>
      {has('restart') && (
        <Item icon={<PlusIcon />} onClick={choose(restart)}>
          {say.newChat}
        </Item>
      )}
      {!isEmpty && has('search') && (
        <Item
          icon={<SearchIcon />}
          onClick={choose(() => {
            searching.value = true
          })}
        >
          {say.searchChat}
        </Item>
      )}
      {!isEmpty && has('download') && (
        <>
          <Item icon={<DownloadIcon />} onClick={choose(keep('page'))}>
            {say.downloadPage}
          </Item>
          <Item icon={<DownloadIcon />} onClick={choose(keep('text'))}>
            {say.downloadText}
          </Item>
          <Item
            icon={<PrintIcon />}
            onClick={choose((item) => print(panel, item.closest('.foyer') as Element))}
          >
            {say.print}
          </Item>
        </>
      )}
      <hr />
      {has('languages') && (
        <Item icon={<GlobeIcon />} opens onClick={opens('languages')}>
          {say.languages}
        </Item>
      )}
      {has('announcements') && (
        <Item icon={<VoiceIcon />} opens onClick={opens('announcements')}>
          {say.announcements}
        </Item>
      )}
      {sound.value && has('sound') && (
        <Item icon={<BellIcon />} checked={sound.value.on} onClick={() => sound.value?.turn(!sound.value.on)}>
          {say.sound}
        </Item>
      )}
      {expanded.value !== undefined && (
        <Item
          icon={expanded.value ? <ShrinkIcon /> : <ExpandIcon />}
          onClick={choose(() => onExpand(!expanded.peek()))}
        >
          {expanded.value ? say.shrink : say.expand}
        </Item>
      )}
      {policiesOf(say, site.value).map(({ title, href }) => (
        <a
          key={href}
          role="menuitem"
          tabIndex={-1}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          onClick={choose(() => {})}
        >
          <ShieldIcon />
          <span dir="auto">{title}</span>
        </a>
      ))}
      <hr />
      {!isOver && has('end') && (
        <Item icon={<EndIcon />} opens onClick={opens('end')}>
          {say.endChat}
        </Item>
      )}
      {has('delete') && (
        <Item icon={<BinIcon />} opens onClick={opens('delete')}>
          {say.deleteChat}
        </Item>
      )}
    </>
  )
}
