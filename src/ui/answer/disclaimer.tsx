// Draws a site's disclaimer in the panel's language, with its links. It comes with the panel: a site may have to show it.

import { useContext } from 'preact/hooks'
import { languagesOf } from '../../protocol/index.ts'
import { Panel } from '../context/context.ts'
import { Link } from './link.tsx'

/** Of a text with the addresses of its links, in characters. */
const LONGEST = 1_000

const AT_FIELD = ['above', 'below'] as const

/** `[words](https://…)`, or a mail, or a number to call. A split by it makes text, words, address, text, and so on. */
const LINK = /\[([^[\]]+)\]\(((?:https|mailto|tel):[^\s()]+)\)/

/** Draws nothing where the site wants it in another place. Without a place it stands above the first message. */
export function Disclaimer({ place }: { place?: 'above' | 'below' }) {
  const { chat, locale, site } = useContext(Panel)
  const { disclaimer } = site.value
  if (!disclaimer || AT_FIELD.find((each) => each === disclaimer.place) !== place) return null
  const hasWritten = () =>
    chat.outbox.value.length > 0 ||
    chat.transcript.value.some((entry) => entry.kind === 'message' && entry.role === 'visitor')
  if (disclaimer.once === true && hasWritten()) return null
  return <SiteText name="disclaimer" locale={locale.value} given={disclaimer.text} />
}

/** A text of the site's own with its links, by language. */
export function SiteText({ name, locale, given }: { name: string; locale: string; given: string }) {
  const [tag, text] = textFor(locale, given)
  const parts = text.split(LINK)
  return (
    <p class={name} lang={tag} dir="auto">
      {parts.map((part, at) =>
        at % 3 === 1 ? <Link href={parts[at + 1] ?? ''}>{part}</Link> : at % 3 === 0 && part,
      )}
    </p>
  )
}

/** The text for a language, and its tag if the site told it: `given` is one text, or JSON of texts by tags. */
export function textFor(locale: string, given: string): [tag: string | undefined, text: string] {
  const byTag = new Map(Object.entries(textsOf(given)))
  const tag = [...languagesOf(locale), ...byTag.keys()].find((each) => byTag.has(each))
  const text = tag === undefined ? given : `${byTag.get(tag)}`
  return [tag, [...text].slice(0, LONGEST).join('')]
}

/** None where it is no JSON of an object. */
function textsOf(given: string): object {
  try {
    return given.startsWith('{') ? JSON.parse(given) : {}
  } catch {
    return {}
  }
}
