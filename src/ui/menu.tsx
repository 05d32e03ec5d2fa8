// The header's menu. Its first view holds acts. Behind it are views: languages and announcements, since each is a choice of one, and the
// question before an act that cannot be taken back.

import type { ComponentChildren, RefObject } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { focusAfterUse } from './composer.tsx'
import { type Announcements, Panel } from './context.ts'
import { Icon } from './icons.tsx'
import { safeHref } from './link.tsx'
import { attempt } from './persist.ts'
import { type Feature, isOff } from './site.ts'
import { useWords } from './words.ts'

export { default as styles } from './menu.css?inline'

/** As they are asked for; each is shown under its own name. */
const LANGUAGES = 'ar de en en-GB es es-US fr fr-CA he hi it ja ko nl pl pt sv tr zh-Hans zh-Hant'.split(' ')

type View = 'acts' | 'languages' | 'announcements' | 'end' | 'delete'

export function Menu({ button, onClose }: { button: RefObject<HTMLButtonElement | null>; onClose(): void }) {
  const panel = useContext(Panel)
  const { chat, locale, searching, announcements, sound, policies, site } = panel
  const say = useWords()
  const [view, setView] = useState<View>('acts')
  const list = useRef<HTMLDivElement>(null)
  /** The place of the item that opened the view. */
  const opener = useRef(0)
  /** The press before changed what is under the pointer. */
  const turned = useRef(false)
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]

  useLayoutEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-checked="true"][role="menuitemradio"]')
    const first = chosen ?? items()[view === 'acts' ? opener.current : 0]
    first?.focus()
  }, [view])
  useEffect(() => {
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
    turned.current = true
    setView(to)
  }
  /** The second press of a double click chooses nothing in the view that the first has just opened. */
  const once = (event: MouseEvent) => {
    if (event.detail < 2) turned.current = false
    else if (turned.current) {
      event.stopPropagation()
      event.preventDefault()
    }
  }
  const close = () => {
    onClose()
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(event.target as HTMLElement)
    // A key that is held does not act again in the view that it opened.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
    if (event.key === 'Escape') view === 'acts' ? close() : turn('acts')
    else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus()
    else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus()
    else if (event.key === 'Home') all[0]?.focus()
    else if (event.key === 'End') all.at(-1)?.focus()
    else if (event.key === 'Tab') return onClose()
    else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
      const after = [...all.slice(at + 1), ...all.slice(0, at + 1)]
      const letter = event.key.toLocaleLowerCase(locale.peek())
      after
        .find((each) => each.textContent?.trim().toLocaleLowerCase(locale.peek()).startsWith(letter))
        ?.focus()
    } else return
    event.preventDefault()
  }
  const opens = (to: View) => (event: MouseEvent) => turn(to, event.currentTarget)
  const choose = (act: () => void) => () => {
    close()
    act()
  }

  const restart = () => {
    close()
    chat.restart()
    if (button.current) focusAfterUse(button.current)
  }

  const { value: status } = chat.status
  const isOver = status === 'ended' || status === 'expired' || status === 'idle'
  const isEmpty = chat.transcript.value.length === 0
  const has = (feature: Feature) => !isOff(site.value, feature)
  const keep = (format: 'text' | 'page') => () =>
    void attempt(() => import('./download.tsx')).then(
      ({ download }) => download(panel, format),
      () => {},
    )
  const acts = (
    <>
      {has('restart') && (
        <Item icon={<PlusIcon />} onClick={restart}>
          {say.newChat}
        </Item>
      )}
      {!isEmpty && has('search') && (
        <Item
          icon={<SearchIcon />}
          onClick={() => {
            onClose()
            searching.value = true
          }}
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
            onClick={close}
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
  const question =
    view === 'end' ? (
      <Item icon={<EndIcon />} isGrave onClick={choose(() => chat.end())}>
        {say.endChatSure}
      </Item>
    ) : view === 'delete' ? (
      <Item icon={<BinIcon />} isGrave onClick={choose(() => panel.deleteChat())}>
        {say.deleteChatSure}
      </Item>
    ) : undefined
  const titles: Record<View, string> = {
    acts: say.menu,
    languages: say.languages,
    announcements: say.announcements,
    end: say.endChat,
    delete: say.deleteChat,
  }
  const choices =
    view === 'languages'
      ? LANGUAGES.map((tag) => ({
          name: nameOf(tag),
          lang: tag,
          checked: tag === nearest(locale.value),
          act: () => panel.setLocale(tag),
        }))
      : (
          [
            ['all', say.announceAll],
            ['brief', say.announceBrief],
            ['none', say.announceNone],
          ] as const
        ).map(([choice, name]) => ({
          name,
          lang: undefined,
          checked: announcements.value === choice,
          act: () => panel.setAnnouncements(choice satisfies Announcements),
        }))
  return (
    <div
      ref={list}
      class="menu"
      role="menu"
      tabIndex={-1}
      aria-label={titles[view]}
      onKeyDown={onKeyDown}
      onClickCapture={once}
    >
      {view === 'acts' ? (
        acts
      ) : (
        <>
          <Item icon={<BackIcon />} about={question && 'foyer-question'} onClick={() => turn('acts')}>
            {say.back}
          </Item>
          <hr />
          {question}
          {!question &&
            choices.map(({ name, lang, checked, act }) => (
              <button
                key={name}
                type="button"
                role="menuitemradio"
                aria-checked={checked}
                tabIndex={-1}
                lang={lang}
                onClick={choose(act)}
              >
                {checked ? <DoneIcon /> : <Icon>{null}</Icon>}
                <span>
                  <bdi>{name}</bdi>
                </span>
              </button>
            ))}
        </>
      )}
    </div>
  )
}

function Item(props: {
  icon: ComponentChildren
  children: ComponentChildren
  onClick(event: MouseEvent): void
  opens?: boolean
  checked?: boolean
  isGrave?: boolean
  /** The id of what says more of it. */
  about?: string | undefined
}) {
  const { icon, children, onClick, opens, checked, isGrave, about } = props
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: what is checked has the role for it
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      aria-describedby={about}
      aria-haspopup={opens ? 'menu' : undefined}
      tabIndex={-1}
      class={isGrave ? 'grave' : undefined}
      onClick={onClick}
    >
      {icon}
      <span id={isGrave ? 'foyer-question' : undefined}>{children}</span>
      {checked !== undefined && <i class={checked ? 'switch on' : 'switch'} />}
      {opens && <OpensIcon />}
    </button>
  )
}

/** A language in its own words. */
function nameOf(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** The language of the menu that speaks for a tag. */
function nearest(tag: string): string | undefined {
  const { language, script, region } = new Intl.Locale(tag).maximize()
  return [`${language}-${region}`, `${language}-${script}`, language].find((each) => LANGUAGES.includes(each))
}

const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
)
const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.5 3.5" />
  </Icon>
)
const DownloadIcon = () => (
  <Icon>
    <path d="M10 3.5v9M6 9l4 4 4-4M4 16.5h12" />
  </Icon>
)
const GlobeIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.75" />
    <path d="M3.5 10h13M10 3.25c5 5 5 8.5 0 13.5-5-5-5-8.5 0-13.5Z" />
  </Icon>
)
const VoiceIcon = () => (
  <Icon>
    <path d="M3.5 8v4h2.75L10 15.25V4.75L6.25 8ZM13 7.5a3.5 3.5 0 0 1 0 5M15 5a7 7 0 0 1 0 10" />
  </Icon>
)
const BellIcon = () => (
  <Icon>
    <path d="M5.5 13V9a4.5 4.5 0 0 1 9 0v4l1.25 1.5H4.25ZM8.5 16.75h3" />
  </Icon>
)
const ShieldIcon = () => (
  <Icon>
    <path d="m10 3.25 5.5 2v4.25c0 3.5-2.25 6-5.5 7.25-3.25-1.25-5.5-3.75-5.5-7.25V5.25Z" />
  </Icon>
)
const EndIcon = () => (
  <Icon>
    <path d="M8 3.5H5.5A1.5 1.5 0 0 0 4 5v10a1.5 1.5 0 0 0 1.5 1.5H8M8.5 10h8M13.5 7l3 3-3 3" />
  </Icon>
)
const BinIcon = () => (
  <Icon>
    <path d="M4 5.5h12M8 5.5V3.75h4V5.5M5.5 5.5l.75 11h7.5l.75-11M8.5 8.75v4.5M11.5 8.75v4.5" />
  </Icon>
)
const BackIcon = () => (
  <Icon>
    <path d="m12 5-5 5 5 5" />
  </Icon>
)
const OpensIcon = () => (
  <Icon>
    <path d="m8 5 5 5-5 5" />
  </Icon>
)
const DoneIcon = () => (
  <Icon>
    <path d="m4.5 10.5 3.5 3.5 7.5-8" />
  </Icon>
)
