// Draws the lines above the first message: the disclosure, and where a site has them greeting, disclaimer, links and office hours.

import { useContext, useEffect, useState } from 'preact/hooks'
import { Disclaimer } from '../answer/disclaimer.tsx'
import { Policies } from '../answer/link.tsx'
import { Panel } from '../context/context.ts'
import { HOURS_CHECK_MS, opensAt, readHours, sayWhen } from '../words/hours.ts'
import { AgentAvatar } from './avatar.tsx'

/** `welcomes`: nobody has written yet, so the lines stand below the greeting, and a picture above it. */
export function Intro({ welcomes }: { welcomes: boolean }) {
  const { words, locale, automatic, site } = useContext(Panel)
  const { greeting, links = [], hours, timeZone, withdraw } = site.value
  const { value: say } = words
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!hours) return
    const clock = setInterval(() => setNow(Date.now()), HOURS_CHECK_MS)
    return () => clearInterval(clock)
  }, [hours])
  const opens = opensAt(readHours(hours), timeZone, now)
  const title = greeting && (
    <p class="greeting" dir="auto">
      {greeting}
    </p>
  )
  return (
    <>
      {welcomes && (
        <div class="hello">
          <AgentAvatar large />
          {title}
        </div>
      )}
      <div class="intro first">
        {!welcomes && title}
        {/* Where the header says who answers, it is not said again. */}
        <p>
          <span class="disclosure">{automatic.value ? say.disclosureAutomatic : `${say.disclosure} `}</span>
          {!automatic.value && say.smallPrint}
        </p>
        {opens !== undefined && <p>{say.awayText.replace('{when}', () => sayWhen(opens, locale.value))}</p>}
        <Disclaimer />
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
    </>
  )
}
