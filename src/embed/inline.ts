// Opens the panel in the page itself (`isolation: none`). Loaded on intent, with the panel; messages to the panel wait in
// the link meanwhile.

import { loadScreened } from '../ui/index.ts'
import { readConfig } from './config.ts'
import { openPanel } from './panel.ts'
import type { Place } from './place.ts'
import type { Wait } from './wait.ts'

/** The parts that a page's styles can reach by `::part`. */
const PARTS = 'header, message, visitor, agent, live, composer, send, notice, home'

/** Returns the undo; undefined if this page gets no panel, or no longer wants one. */
export async function openInline(
  { host, box, link, origin, start, page }: Place,
  wait: Wait,
  isGone: () => boolean,
): Promise<(() => void) | undefined> {
  const [config, { Screened }] = await Promise.all([readConfig(origin), loadScreened()])
  if (isGone()) return undefined
  // One that cannot be read may ask for consent.
  if (!config.read || config.unframed === false) {
    wait.fail(config.read ? 'not-here' : 'silent')
    return undefined
  }
  const container = document.createElement('section')
  // A root of its own: the styles of launcher and place do not reach into the panel.
  const root = container.attachShadow({ mode: 'open' })
  container.setAttribute('exportparts', PARTS)
  const port = link.connect(wait.over)
  box.append(container)
  return openPanel({
    root,
    container: root,
    port,
    start: start(),
    origin,
    consentRequired: config.consent,
    page: {
      Screened,
      render: page.render,
      accepts: (key, { role, text, complete }) =>
        host.tell('before-receive', { message_id: key, role, text, complete, length: text.length }, true),
    },
    // Scripts of the page can read everything anyway.
    expose: 'wire',
    config: Promise.resolve(config),
  })
}
