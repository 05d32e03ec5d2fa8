// The first view of the menu: what can be done with the chat.

import { useContext } from 'preact/hooks'
import { safeHref } from '../markdown/index.ts'
import { focusAfterUse } from './composer.tsx'
import { Panel } from './context.ts'
import {
  BellIcon,
  BinIcon,
  DownloadIcon,
  EndIcon,
  GlobeIcon,
  PlusIcon,
  SearchIcon,
  ShieldIcon,
  VoiceIcon,
} from './menu-icons.tsx'
import { Item } from './menu-item.tsx'
import { attempt } from './persist.ts'
import { type Feature, isOff } from './site.ts'
import { useWords } from './words.ts'

export type View = 'acts' | 'languages' | 'announcements' | 'end' | 'delete'
/** Closes the menu, and then acts. */
export type Choose = (act: (control: Element) => void) => (event: MouseEvent) => void

type Props = {
  choose: Choose
  turn(to: View, from?: EventTarget | null): void
}

export function Acts({ choose, turn }: Props) {
  const panel = useContext(Panel)
  const { chat, locale, searching, sound, policies, site } = panel
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
  const keep = (format: 'text' | 'page') => () =>
    void attempt(() => import('./download.tsx')).then(
      ({ download }) => download(panel, format),
      () => {},
    )
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
      {policies.value(locale.value).map(({ title, url }) => {
        const href = safeHref(url)
        return href === undefined ? null : (
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
        )
      })}
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
