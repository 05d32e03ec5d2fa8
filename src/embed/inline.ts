// Opens the panel in the page itself (`isolation: none`). Loaded on intent, with the panel; messages to the panel wait in
// the link meanwhile.

import { readConfig } from './config.ts'
import { openPanel } from './panel.ts'
import type { Place } from './place.ts'
import type { Wait } from './wait.ts'

/** Returns the undo; undefined if this page gets no panel, or no longer wants one. */
export async function openInline(
  { box, link, origin, start }: Place,
  wait: Wait,
  isGone: () => boolean,
): Promise<(() => void) | undefined> {
  const config = await readConfig(origin)
  if (isGone()) return undefined
  if (config.unframed === false) {
    wait.fail('not-here')
    return undefined
  }
  const container = document.createElement('section')
  // A root of its own: the styles of launcher and place do not reach into the panel.
  const root = container.attachShadow({ mode: 'open' })
  const port = link.connect(wait.over)
  box.append(container)
  return openPanel({
    root,
    container: root,
    port,
    start: start(),
    origin,
    // Scripts of the page can read everything anyway.
    config: Promise.resolve({ ...config, expose: 'wire' }),
  })
}
