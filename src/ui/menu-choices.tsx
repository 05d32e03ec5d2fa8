// The views of the menu in which one of several is chosen: the language, and what a screen reader reads.

import { useContext } from 'preact/hooks'
import { type Announcements, Panel } from './context.ts'
import { Icon } from './icons.tsx'
import type { Choose } from './menu-acts.tsx'
import { DoneIcon } from './menu-icons.tsx'
import { useWords } from './words.ts'

/** The languages that the menu offers, as BCP 47 tags; the menu shows each language under the name that its speakers use. */
const LANGUAGES = 'ar de en en-GB es es-US fr fr-CA he hi it ja ko nl pl pt sv tr zh-Hans zh-Hant'.split(' ')

type Choice = { name: string; lang?: string; checked: boolean; act(): void }

export function Choices({ of, choose }: { of: 'languages' | 'announcements'; choose: Choose }) {
  const panel = useContext(Panel)
  const say = useWords()
  const languages = (): Choice[] =>
    LANGUAGES.map((tag) => ({
      name: nameOf(tag),
      lang: tag,
      checked: tag === nearest(panel.locale.value),
      act: () => panel.setLocale(tag),
    }))
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

/** The language of the menu that speaks for a tag. */
function nearest(tag: string): string | undefined {
  const { language, script, region } = new Intl.Locale(tag).maximize()
  return [`${language}-${region}`, `${language}-${script}`, language].find((each) => LANGUAGES.includes(each))
}
