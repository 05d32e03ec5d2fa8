// Draws a site's own lines above the first message: greeting, disclosure, disclaimer, links, office hours. Loaded if there are any.

import { useContext, useEffect, useState } from 'preact/hooks'
import { Panel } from './context.ts'
import { doorWords } from './door-words.ts'
import { opensAt, readHours, sayWhen } from './hours.ts'
import css from './intro.css?inline'

export const styles = css

/** How often the line about the hours looks at the clock, in milliseconds. */
const LOOK_MS = 15_000

export function Intro() {
  const { words, locale, disclosure, site, ownWords } = useContext(Panel)
  const { greeting, disclaimer, links = [], hours, timeZone, withdraw } = site.value
  const say = doorWords(locale.value, ownWords.value)
  const [now, look] = useState(Date.now)
  useEffect(() => {
    if (!hours) return
    const clock = setInterval(() => look(Date.now()), LOOK_MS)
    return () => clearInterval(clock)
  }, [hours])
  const opens = opensAt(readHours(hours), timeZone, now)
  return (
    <div class="intro first">
      {greeting && (
        <p class="greeting" dir="auto">
          {greeting}
        </p>
      )}
      <p class="disclosure-first">{disclosure.value || words.value.disclosure}</p>
      {opens !== undefined && <p>{say.awayText.replace('{when}', () => sayWhen(opens, locale.value))}</p>}
      {disclaimer && <p dir="auto">{disclaimer}</p>}
      {(links.length > 0 || withdraw) && (
        <p class="intro-links">
          {links.map(({ name, url }) => (
            <a key={name} href={url} target="_blank" rel="noopener noreferrer">
              {say[name]}
            </a>
          ))}
          {withdraw && (
            <button type="button" class="quiet" onClick={withdraw}>
              {say.withdraw}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
