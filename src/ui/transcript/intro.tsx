// Draws the lines above the first message: the disclosure, and where a site has them greeting, disclaimer, links and office hours.

import { useContext, useEffect, useState } from 'preact/hooks'
import { Policies } from '../answer/link.tsx'
import { Panel } from '../context/context.ts'
import { disclosureOf } from '../words/disclosure.ts'
import { LOOK_MS, opensAt, readHours, sayWhen } from '../words/hours.ts'

export function Intro() {
  const { words, locale, automatic, site, markdown } = useContext(Panel)
  const { greeting, disclaimer, links = [], hours, timeZone, withdraw } = site.value
  const { value: say } = words
  const [now, look] = useState(Date.now)
  useEffect(() => {
    if (!hours) return
    const clock = setInterval(() => look(Date.now()), LOOK_MS)
    return () => clearInterval(clock)
  }, [hours])
  const opens = opensAt(readHours(hours), timeZone, now)
  const disclosed = disclosureOf(say, automatic.value)
  if (!greeting && !disclaimer && !hours && !withdraw && links.length === 0)
    return <p class="disclosure-first first">{disclosed}</p>
  return (
    <div class="intro first">
      {greeting && (
        <p class="greeting" dir="auto">
          {greeting}
        </p>
      )}
      <p class="disclosure-first">{disclosed}</p>
      {opens !== undefined && <p>{say.awayText.replace('{when}', () => sayWhen(opens, locale.value))}</p>}
      <markdown.value.Disclaimer />
      {(links.length > 0 || withdraw) && (
        <p class="intro-links">
          <Policies say={say} of={site.value} />
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
