// The views of the menu in which one of several is chosen: the language, and what a screen reader reads.

import { useContext } from 'preact/hooks'
import { type Announcements, Panel, useWords } from '../context/context.ts'
import { DoneIcon, Icon } from '../theme/icons.tsx'
import { languageOf, TAGS } from '../words/languages.ts'
import type { Choose } from './menu-acts.tsx'

type Choice = { name: string; lang?: string; checked: boolean; act(): void }

export function Choices({ of, choose }: { of: 'languages' | 'announcements'; choose: Choose }) {
  const panel = useContext(Panel)
  const say = useWords()
  const languages = (): Choice[] => {
    const { language, region } = languageOf(panel.locale.value)
    return TAGS.map((tag) => ({
      name: nameOf(tag),
      lang: tag,
      checked: tag === (region ?? language),
      act: () => panel.setLocale(tag),
    }))
  }
  const announcements = (): Choice[] => {
    const names: Record<Announcements, string> = {
      all: say.announceAll,
      brief: say.announceBrief,
      none: say.announceNone,
    }
    return (Object.keys(names) as Announcements[]).map((choice) => ({
      name: names[choice],
      checked: panel.announcements.value === choice,
      act: () => panel.setAnnouncements(choice),
    }))
  }
  return (
    <>
      {(of === 'languages' ? languages() : announcements()).map(({ name, lang, checked, act }) => (
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
  )
}

/** A language in its own words. */
function nameOf(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
