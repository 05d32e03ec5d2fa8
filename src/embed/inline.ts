// Opens the panel in the page itself (`isolation: none`). Loaded on intent, with the panel; messages to the panel wait in
// the link meanwhile.

import { loadScreened, type Renderers } from '../ui/index.ts'
import type { Start } from './channel.ts'
import { type Config, readConfig } from './config.ts'
import type { PanelHost } from './host.ts'
import type { Link } from './link.ts'
import { openPanel } from './panel.ts'
import type { Wait } from './wait.ts'

/** The parts that a page's styles can reach by `::part`. */
const PARTS = 'header, message, visitor, agent, live, composer, send, notice, home'

/** A place on the page, with the data for its content. */
export type Place = {
  host: PanelHost
  box: HTMLElement
  link: Link
  wait: Wait
  origin: string
  start(): Start
  page: FromPage
}

/** The further arguments of `mount`. */
export type FromPage = {
  /** The page requests the wire log. */
  tools?: boolean | undefined
  /** The parts that the page draws itself; only without a frame. */
  render?: Renderers | undefined
}

export type Inline = {
  /** Opens the panel, in place of one that does not answer. */
  open(): void
  close(): void
}

export function createInline(place: Place): Inline {
  const { wait } = place
  let undo = () => {}
  /** Counts the tries: what an earlier one still waits for is of no use. */
  let round = 0
  function close(): void {
    round++
    undo()
    undo = () => {}
  }
  return {
    open() {
      close()
      const now = round
      Promise.all([readConfig(place.origin), loadScreened()]).then(
        ([config, parts]) => {
          if (now !== round) return
          // One that cannot be read may ask for consent.
          if (!config.read || config.unframed === false) wait.fail(config.read ? 'not-here' : 'silent')
          else undo = openIn(place, config, parts)
        },
        () => {
          if (now === round) wait.fail('code')
        },
      )
    },
    close,
  }
}

/** What draws the parts of the page. */
type Parts = Awaited<ReturnType<typeof loadScreened>>

/** Returns the undo. */
function openIn(
  { host, box, link, wait, origin, start, page }: Place,
  config: Config,
  { Screened, Placed }: Parts,
): () => void {
  const container = document.createElement('section')
  // A root of its own: the styles of launcher and place do not reach into the panel.
  const root = container.attachShadow({ mode: 'open' })
  container.setAttribute('exportparts', PARTS)
  const port = link.connect(wait.over)
  box.append(container)
  const close = openPanel({
    root,
    container: root,
    port,
    start: start(),
    origin,
    consentRequired: config.consent,
    page: {
      Screened,
      Placed,
      render: page.render,
      accepts: (key, { role, text, complete }) =>
        host.tell('before-receive', { message_id: key, role, text, complete, length: text.length }),
    },
    // Scripts of the page can read everything anyway.
    expose: 'wire',
    config: Promise.resolve(config),
  })
  return () => {
    close()
    container.remove()
  }
}
